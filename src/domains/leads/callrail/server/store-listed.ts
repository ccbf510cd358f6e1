import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { msPerDay } from '#contract/days.ts'
import type { Db, DbOrTx } from '#core/db/db.ts'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { liveChannels } from '#domains/leads/live-channels.ts'
import { cleanContact } from '#domains/leads/model/clean-contact.ts'
import type { StoredLead } from '#domains/leads/model/dto.ts'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import { findCompanyOrigins } from '#domains/leads/model/provider-ids.ts'
import { classifyCallRailEvent, isReceived, readCompanyIds, readText } from '#integrations/callrail/webhook.ts'
import {
  parseCallRailCall,
  parseCallRailForm,
  parseDuration,
  parseStartTime,
} from '../../intake/server/callrail-lead.ts'
import { findCompanySites } from './company-sites.ts'

/** A row of a list: its id, and what else was sent. */
export type ListedRow = { id: string } & Record<string, unknown>

/** How a list is read. */
export type ListReading = {
  now: Date
  /** What started earlier is history: it makes no lead here. */
  liveFrom: Date
  /** Whether hooks report all of it sooner or later: then they come first. */
  waitsForHooks: boolean
}

/** Calls are left to hooks for this long after their end: CallRail sends them up to twenty minutes later, with the recording. */
const callHookDelayMs = 30 * 60_000
/** Forms and texts are sent at once. */
const hookDelayMs = 60_000
/** A recording may take this long. */
const recordingDelayMs = 30 * 60_000
/** A call that is listed without an end for longer has ended, and will never say when. */
const longestCallMs = msPerDay

/**
 * Stores calls without a lead, and what has changed of those with one, in the inbox, to be processed like hooks: each only once, however
 * often and by however many processes it is found. Returns how many.
 */
export async function storeListedCalls(db: Db, calls: ListedRow[], reading: ListReading): Promise<number> {
  const delay = reading.waitsForHooks ? callHookDelayMs : 0
  const ended = calls.filter((call) => {
    const end = findCallEnd(call, reading.now)
    return (
      isSafeId(call.id) &&
      classifyCallRailEvent(call).kind === 'call' &&
      end !== null &&
      !Number.isNaN(end) &&
      (delay === 0 || end < reading.now.getTime() - delay)
    )
  })
  const placed = await placeRows(db, ended)
  const known = await findKnownCalls(db, placed)
  const missing = placed.flatMap(({ row, site }) => {
    const lead = known.get(row.id)
    if (!lead) return isLive(row, reading) ? [{ event: row, site, name: row.id }] : []
    return lead === 'other' ? [] : findChanges(row, site, lead, reading.now)
  })
  return storeEvents(db, missing, reading)
}

/** Returns the starts of calls to read again: they have not ended, their recording may still come, or they are left to their hook. */
export const findChangingCalls = (calls: ListedRow[], { now, waitsForHooks }: ListReading): Date[] =>
  calls.flatMap((call) => {
    const start = findTime(call)
    if (Number.isNaN(start) || classifyCallRailEvent(call).kind !== 'call') return []
    const end = findCallEnd(call, now)
    const delay = Math.max(waitsForHooks ? callHookDelayMs : 0, readText(call.recording) === '' ? recordingDelayMs : 0)
    return end === null || (delay > 0 && end >= now.getTime() - delay) ? [new Date(start)] : []
  })

/** Returns when a call ended; null while it goes on. One that never says so has ended with its longest time. */
export function findCallEnd(call: ListedRow, now: Date): number | null {
  const start = findTime(call)
  const seconds = /^(in_progress|ringing)$/i.test(readText(call.call_type)) ? null : parseDuration(call)
  if (seconds !== null) return start + seconds * 1000
  return start > now.getTime() - longestCallMs ? null : start + longestCallMs
}

/** Returns when something began; NaN if it does not say. */
export const findTime = (row: ListedRow): number => parseStartTime(row)?.getTime() ?? Number.NaN

/** Stores form submissions without a lead in the inbox, like calls. */
export async function storeListedForms(db: Db, forms: ListedRow[], reading: ListReading): Promise<number> {
  const sent = forms.flatMap((form) => {
    if (!isSafeId(form.id) || classifyCallRailEvent(form).kind !== 'form') return []
    return isLive(form, reading, hookDelayMs) ? [form] : []
  })
  const placed = await placeRows(db, sent)
  const known = await findKnownForms(db, placed, reading.now)
  return storeEvents(
    db,
    placed.flatMap(({ row, site }) => (known.has(row.id) ? [] : [{ event: row, site, name: row.id }])),
    reading,
  )
}

/** Stores the texts that tracking numbers received lately in the inbox, in the format of the hook. Those in a lead are told apart there. */
export async function storeListedTexts(db: Db, conversations: ListedRow[], reading: ListReading): Promise<number> {
  const texts = conversations.flatMap(listReceivedTexts).filter((text) => isLive(text, reading, hookDelayMs))
  const placed = await placeRows(db, texts)
  return storeEvents(
    db,
    placed.map(({ row, site }) => ({ event: row, site, name: row.id })),
    reading,
  )
}

const conversationSchema = z.looseObject({
  customer_phone_number: z.string().min(1),
  recent_messages: z.array(z.unknown()),
})
const messageSchema = z.looseObject({ direction: z.string(), created_at: z.string() })

/**
 * Returns the texts that a conversation received, each as its hook would have it. A message without an id is named by its time; one of another
 * shape holds up no other.
 */
function listReceivedTexts(conversation: ListedRow): (ListedRow & { timestamp: string })[] {
  const parsed = conversationSchema.safeParse(conversation)
  if (!parsed.success) return []
  const { customer_phone_number, recent_messages, ...shared } = parsed.data
  return recent_messages.flatMap((sent) => {
    const message = messageSchema.safeParse(sent).data
    if (!message || !isReceived(message.direction)) return []
    const id = readText(message.id) || `${conversation.id}-${Date.parse(message.created_at)}`
    if (!isSafeId(id)) return []
    const destination_number = readText(shared.current_tracking_number) || readText(shared.initial_tracking_number)
    const text = { type: 'sms', source_number: customer_phone_number, destination_number, content: message.content }
    const media = Array.isArray(message.media_urls) ? { media_urls: message.media_urls } : {}
    return [{ ...shared, ...text, ...media, id, conversation_id: conversation.id, timestamp: message.created_at }]
  })
}

/** Whether something came in since the account was connected, and hooks have had their time. */
function isLive(row: ListedRow, { now, liveFrom, waitsForHooks }: ListReading, delay = 0): boolean {
  const at = findTime(row)
  return at >= liveFrom.getTime() && (!waitsForHooks || at < now.getTime() - delay)
}

// ——— companies ———

/** A row with the client site of its company; null if no site has it yet. */
export type PlacedRow = { row: ListedRow; site: number | null }

/** Leaves out companies whose client site was deleted: they are no longer served. */
export async function placeRows(db: DbOrTx, rows: ListedRow[]): Promise<PlacedRow[]> {
  const companies = [...new Set(rows.flatMap(readCompanyIds))].filter(isSafeId)
  if (companies.length === 0) return []
  const sites = await findCompanySites(db, companies)
  return rows.flatMap((row) => {
    const ids = readCompanyIds(row).filter(isSafeId)
    if (ids.length === 0) return []
    const site = ids.map((id) => sites.get(id)).find((one) => one !== undefined)
    return site === 'deleted' ? [] : [{ row, site: site ?? null }]
  })
}

/** Finds changes of a call since it became a lead: as an event that corrects it, or that adds the recording. */
function findChanges(call: ListedRow, site: number | null, lead: KnownCall, now: Date): MissingEvent[] {
  const incoming = cleanContact(parseCallRailCall(call, now))
  const changes = comparedFields.filter((field) => incoming[field] !== null && incoming[field] !== lead[field])
  if (changes.length > 0) {
    const values = JSON.stringify(comparedFields.map((field) => incoming[field]))
    const name = `${call.id} ${hashSha256(values).toString('hex').slice(0, 16)}`
    return [{ event: { ...call, changes }, site, name }] // as Call Modified has them
  }
  return lead.recording_url === null && incoming.recording_url !== null
    ? [{ event: call, site, name: `${call.id} recording` }]
    : []
}

/** What CallRail may say differently a while after the call. */
const comparedFields = ['duration', 'answered', 'voicemail', 'call_type', 'lead_name', 'lead_location'] as const
type KnownCall = Pick<StoredLead, (typeof comparedFields)[number] | 'recording_url'>

/** Accepts CAL… and COM…; other ids are not queried. */
export const isSafeId = (text: string) => /^[\w-]{1,200}$/.test(text)

/** Returns the origins under which each row may be known by another id; null for every one, where no site has the company. */
async function listOrigins(db: DbOrTx, placed: PlacedRow[]): Promise<(string[] | null)[]> {
  const companies = placed.flatMap(({ row }) => readCompanyIds(row).filter(isSafeId))
  const origins = await findCompanyOrigins(db, companies)
  return placed.map(({ row, site }) =>
    site === null ? null : [...readCompanyIds(row).flatMap((id) => [...(origins.get(id) ?? [])]), ''],
  )
}

/**
 * Returns the calls that are already leads, by id: CallRail uses none twice. A lead of their company under another id (CallRail's older
 * numbers, or another system's from a file) is matched by caller and start, to the second or, from a file, to the minute.
 */
export async function findKnownCalls(db: DbOrTx, calls: PlacedRow[]): Promise<Map<string, KnownCall | 'other'>> {
  if (calls.length === 0) return new Map()
  const origins = await listOrigins(db, calls)
  const listed = calls.map((call, index) => ({
    id: call.row.id,
    origins: origins[index],
    phone: toPhoneKey(readText(call.row.customer_phone_number) || null),
    start: new Date(findTime(call.row)),
  }))
  const { rows } = await db.execute<KnownCall & { id: string; is_same: boolean }>(sql`
    with listed as materialized (
      select * from json_to_recordset(${JSON.stringify(listed)}) one (id text, origins text[], phone text, start timestamptz)
    )
    select listed.id, true as is_same, duration, answered, voicemail, call_type, lead_name, lead_location, recording_url
    from listed join leads lead on lead.lead_s = 'Callrail' and lead.lead_id = listed.id
    union all
    select listed.id, false, null, null, null, null, null, null, null
    from listed join leads lead on lead.phone_key = listed.phone and lead.lead_s = 'Callrail' and lead.lead_id <> listed.id
      and (lead.origin = any(listed.origins) or listed.origins is null and lead.lead_id !~ '^CAL')
      and date_trunc('second', lead.occurred_at) in (date_trunc('second', listed.start), date_trunc('minute', listed.start))
    order by id, is_same`)
  return new Map(rows.map(({ id, is_same, ...lead }) => [id, is_same ? lead : 'other']))
}

/**
 * Returns the ids of the forms that are already leads. A lead of their company under another id (an older number of CallRail) is matched by
 * its sender and the second.
 */
export async function findKnownForms(db: DbOrTx, forms: PlacedRow[], now: Date): Promise<Set<string>> {
  if (forms.length === 0) return new Set()
  const origins = await listOrigins(db, forms)
  const listed = forms.map((form, index) => {
    const lead = cleanContact(parseCallRailForm(form.row, now))
    return {
      id: form.row.id,
      origins: origins[index],
      phone: toPhoneKey(lead.lead_phone),
      email: lead.lead_email?.toLowerCase() ?? null,
      at: lead.occurred_at,
    }
  })
  const isSameForm = sql`lead.lead_s = 'Callrail' and lead.lead_type = 'Form' and lead.lead_id !~ '^FRM'
    and (listed.origins is null or lead.origin = any(listed.origins)) and date_trunc('second', lead.occurred_at) = date_trunc('second', listed.at)`
  const { rows } = await db.execute<{ id: string }>(sql`
    with listed as materialized (
      select * from json_to_recordset(${JSON.stringify(listed)}) one (id text, origins text[], phone text, email text, at timestamptz)
    )
    select listed.id from listed join leads lead on lead.lead_s = 'Callrail' and lead.lead_id = listed.id
    union
    select listed.id from listed join leads lead on lead.phone_key = listed.phone and ${isSameForm}
    union
    select listed.id from listed join leads lead on lead.email_key = listed.email and ${isSameForm}`)
  return new Set(rows.map(({ id }) => id))
}

type MissingEvent = { event: ListedRow; site: number | null; name: string }

/** Stores rows as events of their company's site, as if verified by a signature. */
async function storeEvents(db: Db, missing: MissingEvent[], { waitsForHooks }: ListReading): Promise<number> {
  if (missing.length === 0) return 0
  const headers = JSON.stringify({ 'user-agent': 'Leadline, from CallRail’s lists' })
  const rows = missing.map(
    ({ event, site, name }) =>
      sql`('callrail', ${site}::int, ${headers}::jsonb, ${Buffer.from(JSON.stringify(event))}::bytea, ${name}, ${!waitsForHooks}::boolean)`,
  )
  const { rows: stored } = await db.execute(sql`
    with stored as (
      insert into inbound_events (provider, clientsite_id, headers, body, reconciled_as, polled) values ${sql.join(rows, sql`, `)}
      on conflict (reconciled_as) where reconciled_as is not null do nothing returning id
    ) select id, pg_notify(${liveChannels.event}, '') from stored`)
  return stored.length
}
