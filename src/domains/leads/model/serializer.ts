import { type SQL, sql } from 'drizzle-orm'
import type { Queries } from '#core/db/db.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { type LeadField, readableFields } from '../contract.ts'
import { missedCallTags, noCampaign } from '../labels.ts'
import { hasCampaign } from './lead-key.ts'
import { leads } from './schema.ts'

/** Who reads, and where their days are. */
export type Reader = { me: Me; zone: string }

/**
 * A lead as this person reads it, as the columns of a select: the one serializer behind the list, a lead by its id, every
 * answer to a write, and exports, which read `only` some fields. The select must read `leadsWithCampaign`. Who changed it is not
 * among them: the trail does not live where leads do, so it is joined to those that are found (`changersOf`).
 */
export function leadFields(reader: Reader, only?: ReadonlySet<LeadField>): SQL {
  const readable = [...readableFields(reader.me)].filter((field) => !only || only.has(field)).filter(livesWithTheLead)
  const fields = readable.map((field) => sql`${fieldOf(field, reader)} as ${sql.identifier(field)}`)
  return sql.join(fields, sql`, `)
}

const livesWithTheLead = (field: LeadField) => field !== 'changers'

export const leadsWithCampaign = sql`${leads} left join campaigns on campaigns.id = ${leads.campaign_id}`

/** These leads in this order, but for those that do not fulfil the condition: a query of one `json`, which is an array. */
export function leadsAsJson(reader: Reader, ids: number[], where: SQL = sql`true`): SQL {
  const asked = sql`${sql.param(ids)}::int[]`
  const whole = readableFields(reader.me).has('changers')
    ? sql`(select page.*, coalesce(trail.changers, '[]') as changers
        from page left join (${changersOf(asked)}) trail on trail.id = page.id)`
    : sql`page`
  return sql`
    with page as materialized (
      select ${leadFields(reader)} from ${leadsWithCampaign} where ${leads.id} = any(${asked}) and ${where})
    select coalesce(json_agg(lead order by array_position(${asked}, lead.id))::text, '[]') as json from ${whole} lead`
}

/** One lead as JSON. The caller has made sure that the reader may see it. */
export async function leadJson(db: Queries, reader: Reader, id: number): Promise<string> {
  const found = await db.execute<{ json: string }>(leadsAsJson(reader, [id]))
  return found.rows[0]!.json.slice(1, -1)
}

/** Who changed these leads, the latest first, by `id`; those that nobody changed are left out. */
export const changersOf = (ids: SQL): SQL => sql`
  select row_id as id, json_agg(json_build_object('username', username) order by last desc) as changers from (
    select row_id, username, max(id) as last from audit
    where kind = 'lead' and row_id = any(${ids}) and action = 'changed' and username is not null
    group by row_id, username
  ) changer group by row_id`

const fieldOf = (field: Exclude<LeadField, 'changers'>, reader: Reader): SQL =>
  isWritten(field) ? written[field](reader) : sql`${leads[field]}`
const isWritten = (field: LeadField): field is keyof typeof written => field in written

const flag = (column: SQL) => sql`${column}::int`
const localTime = (zone: string, format: string) =>
  sql`to_char(${leads.occurred_at} at time zone ${zone}, ${sql.raw(`'${format}'`)})`

/** Fields that are not simply the column of their name. */
const written = {
  campaign_id: () => sql`nullif(${leads.campaign_id}, ${sql.raw(String(noCampaign))})`,
  campaign_name: () => sql`campaigns.name`,
  campaign: () =>
    sql`case when campaigns.id is not null then json_build_object('id', campaigns.id, 'name', campaigns.name) end`,
  lead_date: ({ zone }: Reader) => localTime(zone, 'YYYY-MM-DD'),
  lead_time: ({ zone }: Reader) => localTime(zone, 'HH24:MI'),
  duration_formatted: () => sql`case
    when ${leads.duration} < 3600 then ${leads.duration} / 60 || to_char(${leads.duration} % 60, '":"FM00')
    else ${leads.duration} / 3600 || to_char(${leads.duration} / 60 % 60, '":"FM00') || to_char(${leads.duration} % 60, '":"FM00') end`,
  recording: () => sql`${leads.recording_url} is not null`,
  confirmed: () => flag(sql`${leads.confirmed}`),
  hide: () => flag(sql`${leads.hide}`),
  archived: () => flag(sql`${leads.archived}`),
  rating: () => sql`${leads.rating}::text`,
  missed_call: () => sql`${leads.tags} && ${sql.param(missedCallTags)}::text[]`,
  has_related: ({ me }: Reader) => sql`(${related(me, 'phone_key')} or ${related(me, 'email_key')})`,
  tags: () => sql`case when ${leads.tags} = '{}' then '[]'::json else (
    select json_agg(json_strip_nulls(json_build_object('name', tag.name, 'because', jsonb_path_query_first(
      ${leads.tag_causes}, '$[*] ? (@.tag == $name).because', jsonb_build_object('name', tag.name)
    ))) order by tag.place) from unnest(${leads.tags}) with ordinality tag (name, place)) end`,
  mail: () => sql`(
    select json_strip_nulls(json_build_object('kind', mail.kind, 'state', mail.state,
      'at', to_char(coalesce(mail.sent_at, mail.created_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'error', mail.error))
    from mails mail where mail.lead_id = ${leads.id} and mail.campaign_id = ${leads.campaign_id} order by mail.id desc limit 1)`,
}

/** Another lead of the same phone or email in the same campaign that the reader sees: one look into an index. */
const related = (me: Me, key: 'phone_key' | 'email_key') => sql`exists (
  select from leads other
  where other.${sql.identifier(key)} = ${leads[key]} and other.campaign_id = ${leads.campaign_id} and ${hasCampaign}
    and other.id <> ${leads.id}${me.isAdmin ? sql`` : sql` and not other.hide`})`
