import { inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '#core/db/db.ts'
import { liveChannels } from '#domains/leads/live-channels.ts'
import { cleanContact } from '#domains/leads/model/clean-contact.ts'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import { siteOrigin } from '#domains/leads/model/provider-ids.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import type { CallRailCall, CallRailForm } from '#integrations/callrail/api.ts'
import { classifyCallRailEvent, readCompanyIds, readText, readWholeNumber } from '#integrations/callrail/webhook.ts'
import { parseCallRailForm } from '../../intake/server/callrail-lead.ts'
import type { IncomingLead } from '../../intake/server/incoming-lead.ts'

/** The counts of a comparison: calls or forms read, events stored in the inbox, those of companies that no client site has. */
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
    const site = findSite(sites, call)
    return site === undefined ? [] : [{ call, site }]
  })
  const known = await findKnownCalls(db, ours)
  const missing = ours.flatMap(({ call, site }) => {
    const lead = known.get(call.id)
    if (!lead) return [{ event: call, site, name: call.id }]
    return lead.lacksRecording && readText(call.recording) !== ''
      ? [{ event: call, site, name: `${call.id} recording` }]
      : []
  })
  return { seen: calls.length, stored: await storeEvents(db, missing), foreign: ended.length - ours.length }
}

/** Forms are left to the hook, which CallRail sends at once, for this long. */
const formHookDelayMs = 60_000

/** Stores form submissions without a lead in the inbox, like calls. */
export async function storeMissingForms(db: Db, forms: CallRailForm[], now: Date): Promise<ReconcileCounts> {
  const sent = forms.flatMap((form) => {
    if (!isSafeId(form.id) || classifyCallRailEvent(form).kind !== 'form') return []
    const lead = cleanContact(parseCallRailForm(form, now))
    return lead.occurred_at.getTime() < now.getTime() - formHookDelayMs ? [{ form, lead }] : []
  })
  const sites = await findSitesByCompany(
    db,
    sent.map(({ form }) => form),
  )
  const ours = sent.flatMap(({ form, lead }) => {
    const site = findSite(sites, form)
    return site === undefined ? [] : [{ form, lead, site }]
  })
  const known = await findKnownForms(db, ours)
  const missing = ours.flatMap(({ form, site }) => (known.has(form.id) ? [] : [{ event: form, site, name: form.id }]))
  return { seen: forms.length, stored: await storeEvents(db, missing), foreign: sent.length - ours.length }
}

const findSite = (sites: ReadonlyMap<string, number>, event: CallRailForm): number | undefined =>
  readCompanyIds(event)
    .map((company) => sites.get(company))
    .find((id) => id !== undefined)

/**
 * Returns the ids of the forms that are already leads of their company. A lead under another id (an older number of CallRail) is matched by
 * its sender and the second.
 */
async function findKnownForms(
  db: Db,
  forms: { form: CallRailForm; lead: IncomingLead; site: number }[],
): Promise<Set<string>> {
  if (forms.length === 0) return new Set()
  const listed = forms.map(({ form, lead, site }) => ({
    id: form.id,
    origin: siteOrigin(site),
    phone: toPhoneKey(lead.lead_phone),
    email: lead.lead_email?.toLowerCase() ?? null,
    at: lead.occurred_at,
  }))
  const { rows } = await db.execute<{ id: string }>(sql`
    with listed as materialized (
      select * from json_to_recordset(${JSON.stringify(listed)}) one (id text, origin text, phone text, email text, at timestamptz)
    )
    select listed.id from listed join leads lead on lead.lead_s = 'Callrail' and lead.lead_id = listed.id and lead.origin in (listed.origin, '')
    union
    select listed.id from listed join leads lead on lead.phone_key = listed.phone and lead.lead_s = 'Callrail' and lead.lead_type = 'Form'
      and lead.lead_id !~ '^FRM' and lead.origin in (listed.origin, '') and date_trunc('second', lead.occurred_at) = date_trunc('second', listed.at)
    union
    select listed.id from listed join leads lead on lead.email_key = listed.email and lead.lead_s = 'Callrail' and lead.lead_type = 'Form'
      and lead.lead_id !~ '^FRM' and lead.origin in (listed.origin, '') and date_trunc('second', lead.occurred_at) = date_trunc('second', listed.at)`)
  return new Set(rows.map(({ id }) => id))
}

/** Accepts CAL… and COM…; other ids are not queried. */
const isSafeId = (text: string) => /^[\w-]{1,200}$/.test(text)

function isPastHookDelay(call: CallRailCall, now: Date): boolean {
  const seconds = readWholeNumber(call.duration) // null while the call is in progress
  const start = Date.parse(readText(call.start_time))
  return seconds !== null && start + seconds * 1000 < now.getTime() - hookDelayMs
}

async function findSitesByCompany(db: Db, calls: CallRailForm[]): Promise<Map<string, number>> {
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

type MissingEvent = { event: CallRailCall | CallRailForm; site: number; name: string }

/** Stores calls and forms as events of their company's site, as if verified by a signature. */
async function storeEvents(db: Db, missing: MissingEvent[]): Promise<number> {
  if (missing.length === 0) return 0
  const headers = JSON.stringify({ 'user-agent': 'Leadline, from CallRail’s lists' })
  const rows = missing.map(
    ({ event, site, name }) =>
      sql`('callrail', ${site}::int, ${headers}::jsonb, ${Buffer.from(JSON.stringify(event))}::bytea, ${name})`,
  )
  const { rows: stored } = await db.execute(sql`
    with stored as (
      insert into inbound_events (provider, clientsite_id, headers, body, reconciled_as) values ${sql.join(rows, sql`, `)}
      on conflict (reconciled_as) where reconciled_as is not null do nothing returning id
    ) select id, pg_notify(${liveChannels.event}, '') from stored`)
  return stored.length
}
