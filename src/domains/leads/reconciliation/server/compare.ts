import { inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '#core/db/db.ts'
import { channels } from '#core/live/live.ts'
import { phoneKey } from '#domains/leads/model/phone-key.ts'
import { clientSites } from '#domains/sites/client/schema.ts'
import type { ListedCall } from '#integrations/callrail/api.ts'
import { companiesOf, kindOf, whole, written } from '#integrations/callrail/webhook.ts'

/** What comparing came to: calls looked at, events put into the inbox, calls of companies that no client site has. */
export type Compared = { seen: number; stored: number; foreign: number }

/** Until then a call is its hook's: CallRail sends it up to twenty minutes after the end, when the recording is there. */
const hookTakes = 30 * 60_000

/**
 * Puts into the inbox what no hook told of, so that from there on it goes the way of a hook: calls that are no lead, and
 * recordings that a lead lacks. Each goes in once, however often and by however many it is found.
 */
export async function compare(db: Db, calls: ListedCall[], now: Date): Promise<Compared> {
  const ended = calls.filter((call) => isName(call.id) && kindOf(call).kind === 'call' && isLeftByItsHook(call, now))
  const sites = await sitesOf(db, ended)
  const ours = ended.flatMap((call) => {
    const site = companiesOf(call)
      .map((company) => sites.get(company))
      .find((id) => id !== undefined)
    return site === undefined ? [] : [{ call, site }]
  })
  const known = await knownOf(
    db,
    ours.map(({ call }) => call),
  )
  const missing = ours.flatMap(({ call, site }) => {
    const lead = known.get(call.id)
    if (!lead) return [{ call, site, name: call.id }]
    return lead.lacksRecording && written(call.recording) !== '' ? [{ call, site, name: `${call.id} recording` }] : []
  })
  return { seen: calls.length, stored: await store(db, missing), foreign: ended.length - ours.length }
}

/** CAL… and COM…; nothing else is put into a query. */
const isName = (text: string) => /^[\w-]{1,200}$/.test(text)

function isLeftByItsHook(call: ListedCall, now: Date): boolean {
  const seconds = whole(call.duration) // none while somebody still talks
  const start = Date.parse(written(call.start_time))
  return seconds !== null && start + seconds * 1000 < now.getTime() - hookTakes
}

async function sitesOf(db: Db, calls: ListedCall[]): Promise<Map<string, number>> {
  const companies = [...new Set(calls.flatMap(companiesOf))].filter(isName)
  if (companies.length === 0) return new Map()
  const found = await db
    .select({ id: clientSites.id, company: clientSites.callrail_campaign_identifier })
    .from(clientSites)
    .where(sql`${inArray(clientSites.callrail_campaign_identifier, companies)} and ${isNull(clientSites.deleted_at)}`)
  return new Map(found.map(({ id, company }) => [company!, id]))
}

/**
 * The calls that are leads already, by their id. One that came in under another id (the number that CallRail used before, or
 * one of another system's, from a file) is known by its caller and its start, to the second or, from a file, to the minute.
 */
async function knownOf(db: Db, calls: ListedCall[]): Promise<Map<string, { lacksRecording: boolean }>> {
  if (calls.length === 0) return new Map()
  const told = calls.map((call) => ({
    id: call.id,
    phone: phoneKey(written(call.customer_phone_number) || null),
    start: new Date(written(call.start_time)),
  }))
  const { rows } = await db.execute<{ id: string; lacks: boolean }>(sql`
    with told as materialized (
      select * from json_to_recordset(${JSON.stringify(told)}) one (id text, phone text, start timestamptz)
    )
    select told.id, lead.recording_url is null as lacks
    from told join leads lead on lead.lead_s = 'Callrail' and lead.lead_id = told.id
    union all
    select told.id, false from told join leads lead on lead.phone_key = told.phone and lead.lead_s = 'Callrail' and lead.lead_id <> told.id
      and date_trunc('second', lead.occurred_at) in (date_trunc('second', told.start), date_trunc('minute', told.start))
    order by id, lacks`)
  return new Map(rows.map(({ id, lacks }) => [id, { lacksRecording: lacks }]))
}

type Missing = { call: ListedCall; site: number; name: string }

/** The site is known by its company, as it would be by a signature. */
async function store(db: Db, missing: Missing[]): Promise<number> {
  if (missing.length === 0) return 0
  const headers = JSON.stringify({ 'user-agent': 'Leadline, from CallRail’s list of calls' })
  const rows = missing.map(
    ({ call, site, name }) =>
      sql`('callrail', ${site}::int, ${headers}::jsonb, ${Buffer.from(JSON.stringify(call))}::bytea, ${name})`,
  )
  const { rows: stored } = await db.execute(sql`
    with stored as (
      insert into inbound_events (provider, clientsite_id, headers, body, reconciled_as) values ${sql.join(rows, sql`, `)}
      on conflict (reconciled_as) where reconciled_as is not null do nothing returning id
    ) select id, pg_notify(${channels.event}, '') from stored`)
  return stored.length
}
