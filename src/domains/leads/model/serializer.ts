import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { type Db, type DbOrTx, runPrepared } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import type { AppSettings } from '#domains/app-settings.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { getReadableFields, type LeadField } from '../contract.ts'
import { leadFields } from '../fields.ts'
import { missedCallTags, noCampaignId } from '../labels.ts'
import { mailsTable } from '../mail/schema.ts'
import { ratingOriginColumn, shownRatingColumn } from './facets.ts'
import { distinctCampaigns, hasCampaignSql, type LeadKey } from './lead-key.ts'
import { earlierChangersTable, leadsTable } from './schema.ts'
import { notHiddenCondition } from './visibility.ts'

/** The reader, and the agency's time zone; a client reads times in its own zone. */
export type LeadReader = { me: CurrentUser; zone: string }

type ReaderCall = { me: CurrentUser; context: { settings: Pick<AppSettings, 'AGENCY_TIMEZONE'> } }
/** Returns the reader of a call. */
export const toLeadReader = ({ me, context }: ReaderCall): LeadReader => ({
  me,
  zone: context.settings.AGENCY_TIMEZONE,
})

/** `campaign` is that of all leads that are read, if there is one: named again in a subquery, it limits the machines of that too. */
type RowReader = LeadReader & { campaign?: Value | undefined }

const isLeadColumn = (field: LeadField): field is StoredField => field !== 'changers'
type StoredField = Exclude<LeadField, 'changers'>

export const leadsWithCampaignJoin = sql`${leadsTable} left join ${campaignsTable} on ${campaignsTable.id} = ${leadsTable.campaign_id}`

type LeadText = { id: number; json: string }
type Value = number | Placeholder

/**
 * Returns the JSON array of these leads in this order, without those that do not meet the condition. It has the fields that this person
 * may read: the one serializer behind the list, a lead by its id, and every response to a write. The caller has checked that the reader
 * may see the leads. Campaigns and the audit log are read by a statement of their own: where leads are sharded, one for all would store
 * what each of its parts found before it goes on.
 */
export async function readLeadsJson(
  db: DbOrTx,
  reader: LeadReader,
  keys: readonly LeadKey[],
  where: SQL = sql`true`,
): Promise<string> {
  if (keys.length === 0) return '[]'
  const readable = [...getReadableFields(reader.me)]
  const parameters = toLeadParameters(keys)
  const stored = (await db.execute<LeadText>(storedFieldsQuery(reader, readable, parameters, where))).rows
  const joined = (await db.execute<LeadText>(joinedFieldsQuery(reader, readable, parameters))).rows
  return joinFields(stored, joined)
}

/** Does the same, without the leads that the reader may not see, or no longer. */
export function readVisibleLeadsJson(db: DbOrTx, reader: LeadReader, keys: readonly LeadKey[]): Promise<string> {
  return readLeadsJson(db, reader, visibleKeys(reader, keys), notHiddenCondition(reader.me))
}

/** Does the same for the busiest list: with kept, prepared statements that run at the same time. */
export async function readVisiblePageJson(db: Db, reader: LeadReader, keys: readonly LeadKey[]): Promise<string> {
  const visible = visibleKeys(reader, keys)
  if (visible.length === 0) return '[]'
  const values = toLeadParameters(visible)
  const queries = getPageQueries(reader, values.campaign !== undefined)
  const [stored, joined] = await Promise.all([
    runPrepared<LeadText>(db, queries.stored, values),
    runPrepared<LeadText>(db, queries.joined, values),
  ])
  return joinFields(stored, joined)
}

/** Returns one lead as JSON. The caller has checked that the reader may see it. */
export async function readLeadJson(db: DbOrTx, reader: LeadReader, key: LeadKey): Promise<string> {
  return (await readLeadsJson(db, reader, [key])).slice(1, -1)
}

function visibleKeys({ me }: LeadReader, keys: readonly LeadKey[]): readonly LeadKey[] {
  const theirs = me.campaignIds && new Set(me.campaignIds)
  return theirs ? keys.filter(({ campaign_id }) => theirs.has(campaign_id)) : keys
}

function joinFields(stored: LeadText[], joined: LeadText[]): string {
  const storedById = new Map(stored.map(({ id, json }) => [id, json]))
  const texts = joined.flatMap(({ id, json }) => {
    const lead = storedById.get(id)
    return lead === undefined ? [] : [`${lead.slice(0, -1)},${json.slice(1)}`]
  })
  return `[${texts.join()}]`
}

/** The leads that are read: the values of a query, or their placeholders. */
type LeadParameters = {
  ids: number[] | Placeholder
  campaignIds: number[] | Placeholder
  campaigns: number[] | Placeholder
  /** The only one, if there is no other: a list of them would make each of the subqueries slower. */
  campaign: Value | undefined
}

function toLeadParameters(keys: readonly LeadKey[]) {
  const campaigns = distinctCampaigns(keys)
  const [campaign, ...others] = campaigns
  return {
    ids: keys.map(({ id }) => id),
    campaignIds: keys.map(({ campaign_id }) => campaign_id),
    campaigns,
    campaign: others.length === 0 ? campaign : undefined,
  } satisfies LeadParameters
}

type PageQueries = { stored: SQL; joined: SQL }
/** The statements of the list, by what they depend on. */
const pageQueries = new Map<string, PageQueries>()
const mostPageQueries = 200

function getPageQueries(reader: LeadReader, isOneCampaign: boolean): PageQueries {
  const { me, zone } = reader
  const readable = [...getReadableFields(me)]
  const key = [me.isAdmin, me.timezone ?? zone, isOneCampaign, ...readable].join()
  const kept = pageQueries.get(key)
  if (kept) return kept
  const parameters: LeadParameters = {
    ids: sql.placeholder('ids'),
    campaignIds: sql.placeholder('campaignIds'),
    campaigns: sql.placeholder('campaigns'),
    campaign: isOneCampaign ? sql.placeholder('campaign') : undefined,
  }
  const queries = {
    stored: storedFieldsQuery(reader, readable, parameters, notHiddenCondition(me)),
    joined: joinedFieldsQuery(reader, readable, parameters),
  }
  if (pageQueries.size >= mostPageQueries) pageQueries.clear()
  pageQueries.set(key, queries)
  return queries
}

/**
 * Returns a query for each lead's fields that are stored with it. It joins the keys, which can only use the primary key: with a list
 * of ids and one of campaigns, PostgreSQL may read an index of all leads of these campaigns instead.
 */
function storedFieldsQuery(
  reader: LeadReader,
  readable: LeadField[],
  parameters: LeadParameters,
  where: SQL = sql`true`,
): SQL {
  const rowReader = { ...reader, campaign: parameters.campaign }
  const columns = readable
    .filter((field): field is StoredField => isLeadColumn(field) && !isCampaignField(field))
    .map((field) => sql`${leadFieldExpression(field, rowReader)} as ${sql.identifier(field)}`)
  return sql`
    select lead.id, row_to_json(lead)::text as json from (
      select ${sql.join(columns, sql`, `)} from ${unnestKeys(parameters)} as key (id, campaign_id)
        join ${leadsTable} on ${leadsTable.id} = key.id and ${leadsTable.campaign_id} = key.campaign_id
      where ${leadsTable.campaign_id} = any(${sql.param(parameters.campaigns)}::int[]) and ${where}) lead`
}

/** Returns a query for the fields of each lead that are stored elsewhere, in the order of the keys. */
function joinedFieldsQuery(reader: LeadReader, readable: LeadField[], parameters: LeadParameters): SQL {
  const fields = readable
    .filter((field) => field === 'changers' || isCampaignField(field))
    .map((field) =>
      field === 'changers'
        ? sql`'changers', coalesce(changes.changers, '[]')::jsonb || coalesce(earlier.changers, '[]')`
        : sql`${sql.raw(`'${field}'`)}, ${leadFieldExpression(field, reader)}`,
    )
  const changes = readable.includes('changers')
    ? sql`left join (${changersQuery(sql`${sql.param(parameters.ids)}::int[]`)}) changes on changes.id = key.id
      left join (${earlierChangersQuery(sql`${sql.param(parameters.ids)}::int[]`)}) earlier on earlier.id = key.id`
    : sql``
  return sql`
    select key.id, json_build_object(${sql.join(fields, sql`, `)})::text as json
    from ${unnestKeys(parameters)} with ordinality as key (id, campaign_id, nth)
      left join ${campaignsTable} on ${campaignsTable.id} = key.campaign_id ${changes}
    order by key.nth`
}

const unnestKeys = ({ ids, campaignIds }: LeadParameters) =>
  sql`unnest(${sql.param(ids)}::int[], ${sql.param(campaignIds)}::int[])`

/** Fields that the campaign says. */
const isCampaignField = (field: LeadField) => field === 'campaign' || field === 'campaign_name'

/** Returns who changed these leads, the latest first, by `id`; leads that no one changed are left out. */
const changersQuery = (ids: SQL): SQL =>
  changersOf(ids, sql`json_agg(json_build_object('username', username) order by last desc)`)
/** Returns who had changed them in the system that they were moved from. */
const earlierChangersQuery = (ids: SQL): SQL => sql`
  select lead_id as id, (
    select jsonb_agg(jsonb_build_object('username', one, 'before_the_move', true) order by nth)
    from unnest(usernames) with ordinality as names (one, nth)) as changers
  from ${earlierChangersTable} where lead_id = any(${ids})`
/** Returns who changed these leads, here and before they were moved, as text for a file. */
export const changersTextQuery = (ids: SQL): SQL => sql`
  select id, string_agg(changers, ', ' order by place) as changers from (
    select id, changers, 1 as place from (${changersOf(ids, sql`string_agg(username, ', ' order by last desc)`)}) here
    union all select lead_id, array_to_string(usernames, ', '), 2 from ${earlierChangersTable} where lead_id = any(${ids})
  ) all_changers group by id`

const changersOf = (ids: SQL, changers: SQL): SQL => sql`
  select row_id as id, ${changers} as changers from (
    select row_id, username, max(id) as last from ${auditTable}
    where kind = 'lead' and row_id = any(${ids}) and action = 'changed' and username is not null
    group by row_id, username
  ) changer group by row_id`

/** Returns a field as this person reads it, for a select that reads `leadsWithCampaignJoin`. */
export const leadFieldExpression = (field: StoredField, reader: RowReader): SQL =>
  isComputedField(field)
    ? computedFields[field](reader)
    : leadFields[field].kind === 'flag'
      ? sql`${leadsTable[field]}::int`
      : sql`${leadsTable[field]}`
const isComputedField = (field: LeadField): field is keyof typeof computedFields => field in computedFields

/** Returns when the lead came in, in the reader's time zone. */
export const localTimeExpression = ({ me, zone }: LeadReader, format: string) =>
  sql`to_char(${leadsTable.occurred_at} at time zone ${me.timezone ?? zone}, ${sql.raw(`'${format}'`)})`

export const [dayFormat, timeFormat] = ['YYYY-MM-DD', 'HH24:MI']

/** Fields that are not simply the column of the same name. */
const computedFields = {
  campaign_id: () => sql`nullif(${leadsTable.campaign_id}, ${sql.raw(String(noCampaignId))})`,
  campaign_name: () => sql`${campaignsTable.name}`,
  campaign: () =>
    sql`case when ${campaignsTable.id} is not null then json_build_object('id', ${campaignsTable.id}, 'name', ${campaignsTable.name}) end`,
  lead_date: (reader: LeadReader) => localTimeExpression(reader, dayFormat),
  lead_time: (reader: LeadReader) => localTimeExpression(reader, timeFormat),
  duration_formatted: () => sql`case
    when ${leadsTable.duration} < 3600 then ${leadsTable.duration} / 60 || to_char(${leadsTable.duration} % 60, '":"FM00')
    else ${leadsTable.duration} / 3600 || to_char(${leadsTable.duration} / 60 % 60, '":"FM00') || to_char(${leadsTable.duration} % 60, '":"FM00') end`,
  recording: () => sql`${leadsTable.recording_url} is not null`,
  /** A caller whose number is withheld may have called before. */
  first_call: () =>
    sql`case when ${leadsTable.first_call} or ${leadsTable.phone_key} is not null or ${leadsTable.lead_phone} is null or ${leadsTable.lead_type} <> 'Call' then ${leadsTable.first_call} end`,
  rating: () => sql`${shownRatingColumn}::text`,
  rating_via: () => ratingOriginColumn,
  rating_unconfirmed: () => sql`(${leadsTable.unconfirmed_rating} is not null)::int`,
  missed_call: () => sql`${leadsTable.tags} && ${sql.param(missedCallTags)}::text[]`,
  has_related: (reader: RowReader) =>
    sql`(${relatedLeadCondition(reader, 'phone_key')} or ${relatedLeadCondition(reader, 'email_key')})`,
  tags: () => sql`case when ${leadsTable.tags} = '{}' then '[]'::json else (
    select json_agg(json_strip_nulls(json_build_object('name', tag.name, 'because', jsonb_path_query_first(
      ${leadsTable.tag_causes}, '$[*] ? (@.tag == $name).because', jsonb_build_object('name', tag.name)
    ))) order by tag.place) from unnest(${leadsTable.tags}) with ordinality tag (name, place)) end`,
  mail: ({ campaign }: RowReader) => sql`(
    select json_strip_nulls(json_build_object('kind', mail.kind, 'state', mail.state,
      'at', to_char(coalesce(mail.sent_at, mail.created_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'error', mail.error))
    from ${mailsTable} mail where mail.lead_id = ${leadsTable.id} and mail.campaign_id = ${leadsTable.campaign_id}${among(sql`mail`, campaign)} order by mail.id desc limit 1)`,
}

/** Another lead with the same phone or email in the same campaign that the reader may see: one index lookup. */
const relatedLeadCondition = ({ me, campaign }: RowReader, key: 'phone_key' | 'email_key') => sql`exists (
  select from ${leadsTable} other
  where other.${sql.identifier(key)} = ${leadsTable[key]} and other.campaign_id = ${leadsTable.campaign_id}${among(sql`other`, campaign)} and ${hasCampaignSql}
    and other.id <> ${leadsTable.id}${me.isAdmin ? sql`` : sql` and not other.hide`})`

const among = (table: SQL, campaign: Value | undefined) =>
  campaign === undefined ? sql`` : sql` and ${table}.campaign_id = ${campaign}`
