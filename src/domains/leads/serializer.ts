import { type SQL, sql } from 'drizzle-orm'
import type { Queries } from '#server/db.ts'
import type { Me } from '#server/me.ts'
import { type LeadField, readableFields } from './contract.ts'
import { leads } from './table.ts'
import { missedCallTags } from './words.ts'

/** Who reads, and where their days are. */
export type Reader = { me: Me; zone: string }

/**
 * A lead as this person reads it, as the columns of a select: the one serializer behind the list, a lead by its id, every
 * answer to a write, and exports, which read `only` some fields. The select must read `leadsWithCampaign`.
 */
export function leadFields(reader: Reader, only?: ReadonlySet<LeadField>): SQL {
  const readable = [...readableFields(reader.me)].filter((field) => !only || only.has(field))
  const fields = readable.map((field) => sql`${fieldOf(field, reader)} as ${sql.identifier(field)}`)
  return sql.join(fields, sql`, `)
}

export const leadsWithCampaign = sql`${leads} left join campaigns on campaigns.id = ${leads.campaign_id}`

/** One lead as JSON. The caller has made sure that the reader may see it. */
export async function leadJson(db: Queries, reader: Reader, id: number): Promise<string> {
  const found = await db.execute<{ json: string }>(sql`
    select row_to_json(lead)::text as json
    from (select ${leadFields(reader)} from ${leadsWithCampaign} where ${leads.id} = ${id}) lead`)
  return found.rows[0]!.json
}

const fieldOf = (field: LeadField, reader: Reader): SQL =>
  isWritten(field) ? written[field](reader) : sql`${leads[field]}`
const isWritten = (field: LeadField): field is keyof typeof written => field in written

const flag = (column: SQL) => sql`${column}::int`
const localTime = (zone: string, format: string) =>
  sql`to_char(${leads.occurred_at} at time zone ${zone}, ${sql.raw(`'${format}'`)})`

/** Fields that are not simply the column of their name. */
const written = {
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
    select json_agg(json_strip_nulls(json_build_object('name', tag.name, 'because', (
      select cause->>'because' from jsonb_array_elements(${leads.tag_causes}) cause where cause->>'tag' = tag.name limit 1
    ))) order by tag.place) from unnest(${leads.tags}) with ordinality tag (name, place)) end`,
  mail: () => sql`(
    select json_strip_nulls(json_build_object('kind', mail.kind, 'state', mail.state,
      'at', to_char(coalesce(mail.sent_at, mail.created_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'error', mail.error))
    from mails mail where mail.lead_id = ${leads.id} order by mail.id desc limit 1)`,
  changers: () => sql`(
    select coalesce(json_agg(json_build_object('username', changer.username) order by changer.last desc), '[]')
    from (
      select username, max(id) as last from audit
      where kind = 'lead' and row_id = ${leads.id} and action = 'changed' and username is not null
      group by username
    ) changer)`,
}

/** Another lead of the same phone or email in the same campaign that the reader sees: one look into an index. */
const related = (me: Me, key: 'phone_key' | 'email_key') => sql`exists (
  select from leads other
  where other.${sql.identifier(key)} = ${leads[key]} and other.campaign_id = ${leads.campaign_id}
    and other.id <> ${leads.id}${me.isAdmin ? sql`` : sql` and not other.hide`})`
