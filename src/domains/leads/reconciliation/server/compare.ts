import { inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '#core/db/db.ts'
import { liveChannels } from '#domains/leads/live-channels.ts'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import { siteOrigin } from '#domains/leads/model/provider-ids.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import type { CallRailCall } from '#integrations/callrail/api.ts'
import { classifyCallRailEvent, readCompanyIds, readText, readWholeNumber } from '#integrations/callrail/webhook.ts'

/** The counts of a comparison: calls read, events stored in the inbox, calls of companies that no client site has. */
export type ReconcileCounts = { seen: number; stored: number; foreign: number }

/** Calls are left to the hook for this long: CallRail sends it up to twenty minutes after the end, with the recording. */
const hookDelayMs = 30 * 60_000

/**
 * Stores calls without a lead, and recordings that a lead lacks, in the inbox, to be processed like hooks. Each is stored only
 * once, however often it is found.
 */
export async function storeMissingCalls(db: Db, calls: CallRailCall[], now: Date): Promise<ReconcileCounts> {
  const ended = calls.filter(
    (call) => isSafeId(call.id) && classifyCallRailEvent(call).kind === 'call' && isPastHookDelay(call, now),
  )
  const sites = await findSitesByCompany(db, ended)
  const ours = ended.flatMap((call) => {
    const site = readCompanyIds(call)
      .map((company) => sites.get(company))
      .find((id) => id !== undefined)
    return site === undefined ? [] : [{ call, site }]
  })
  const known = await findKnownCalls(db, ours)
  const missing = ours.flatMap(({ call, site }) => {
    const lead = known.get(call.id)
    if (!lead) return [{ call, site, name: call.id }]
    return lead.lacksRecording && readText(call.recording) !== '' ? [{ call, site, name: `${call.id} recording` }] : []
  })
  return { seen: calls.length, stored: await storeCalls(db, missing), foreign: ended.length - ours.length }
}

/** Accepts CAL… and COM…; other ids are not queried. */
const isSafeId = (text: string) => /^[\w-]{1,200}$/.test(text)

function isPastHookDelay(call: CallRailCall, now: Date): boolean {
  const seconds = readWholeNumber(call.duration) // null while the call is in progress
  const start = Date.parse(readText(call.start_time))
  return seconds !== null && start + seconds * 1000 < now.getTime() - hookDelayMs
}

async function findSitesByCompany(db: Db, calls: CallRailCall[]): Promise<Map<string, number>> {
  const companies = [...new Set(calls.flatMap(readCompanyIds))].filter(isSafeId)
  if (companies.length === 0) return new Map()
  const found = await db
    .select({ id: clientSitesTable.id, company: clientSitesTable.callrail_campaign_identifier })
    .from(clientSitesTable)
    .where(
      sql`${inArray(clientSitesTable.callrail_campaign_identifier, companies)} and ${isNull(clientSitesTable.deleted_at)}`,
    )
  return new Map(found.map(({ id, company }) => [company!, id]))
}

/**
 * Returns the calls that are already leads of their company, by id. A lead under another id (CallRail's older numbers, or another
 * system's from a file) is matched by caller and start, to the second or, from a file, to the minute.
 */
async function findKnownCalls(
  db: Db,
  calls: { call: CallRailCall; site: number }[],
): Promise<Map<string, { lacksRecording: boolean }>> {
  if (calls.length === 0) return new Map()
  const listed = calls.map(({ call, site }) => ({
    id: call.id,
    origin: siteOrigin(site),
    phone: toPhoneKey(readText(call.customer_phone_number) || null),
    start: new Date(readText(call.start_time)),
  }))
  const { rows } = await db.execute<{ id: string; lacks: boolean }>(sql`
    with listed as materialized (
      select * from json_to_recordset(${JSON.stringify(listed)}) one (id text, origin text, phone text, start timestamptz)
    )
    select listed.id, lead.recording_url is null as lacks
    from listed join leads lead on lead.lead_s = 'Callrail' and lead.lead_id = listed.id and lead.origin in (listed.origin, '')
    union all
    select listed.id, false from listed join leads lead on lead.phone_key = listed.phone and lead.lead_s = 'Callrail' and lead.lead_id <> listed.id
      and lead.origin in (listed.origin, '') and date_trunc('second', lead.occurred_at) in (date_trunc('second', listed.start), date_trunc('minute', listed.start))
    order by id, lacks`)
  return new Map(rows.map(({ id, lacks }) => [id, { lacksRecording: lacks }]))
}

type MissingCall = { call: CallRailCall; site: number; name: string }

/** Stores calls as events of their company's site, as if verified by a signature. */
async function storeCalls(db: Db, missing: MissingCall[]): Promise<number> {
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
    ) select id, pg_notify(${liveChannels.event}, '') from stored`)
  return stored.length
}
