import { sql } from 'drizzle-orm'
import { cutText } from '#contract/cut-text.ts'
import type { Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { noCampaignId } from '#domains/leads/labels.ts'
import type { StoredLead } from '#domains/leads/model/dto.ts'
import { findKnownLeads, findTakenProviderIds, numberKey, providerIdKey } from '#domains/leads/model/provider-ids.ts'
import { insertLeads } from '#domains/leads/model/store.ts'
import { recordHooks } from '../../callrail/server/record-hooks.ts'
import type { InboundEventState } from '../labels.ts'
import type { StoredEvent } from '../schema.ts'
import { announceLeads } from './announce-leads.ts'
import { matchOlderNumbers } from './match-older-numbers.ts'
import { type ParsedEvent, parseEvents, toLeadNumber } from './parsed-event.ts'
import { separatePeople } from './separate-people.ts'
import { appendText, lockConversations } from './text-messages.ts'
import { updateKnownLead } from './update-known-lead.ts'

type EventOutcome = {
  id: number
  state: Exclude<InboundEventState, 'stored'>
  reason: string | null
  lead_id: number | null
}

/** Processes events in the given transaction: writes their leads, mails and notifications, and the outcome of each event. */
export async function processEvents(tx: Tx, context: AppContext, events: StoredEvent[]): Promise<void> {
  const { parsed: unordered, ignored, waiting, unusable } = await parseEvents(tx, context, events)
  // Numbered events of one call may arrive in any order; all others are processed as they came.
  const inOrder = unordered.toSorted((one, other) => (one.sequence ?? 0) - (other.sequence ?? 0))
  const parsed = await separatePeople(tx, await matchOlderNumbers(tx, inOrder))
  await recordHooks(tx, parsed)
  const ends: EventOutcome[] = [
    ...ignored.map(({ event, reason }) => ({ id: event.id, state: 'ignored' as const, reason, lead_id: null })),
    ...waiting.map(({ event, reason }) => ({ id: event.id, state: 'waiting' as const, reason, lead_id: null })),
    ...unusable.map(({ event, reason }) => ({ id: event.id, state: 'quarantined' as const, reason, lead_id: null })),
  ]
  const texts = parsed.filter(({ isText }) => isText)
  await lockConversations(tx, texts)
  const others = parsed.filter(({ isText }) => !isText)
  const { foreign, own } = await separateForeignChanges(tx, others)
  const notes = new Map(own.map(({ event, note }) => [event.id, note]))
  for (const { event, lead_id } of foreign)
    ends.push({ id: event.id, state: 'quarantined', reason: describeForeign(lead_id), lead_id: null })
  for (const [id, lead_id] of await createOrUpdateLeads(tx, context, own))
    ends.push({ id, state: 'done', reason: notes.get(id) ?? null, lead_id })
  await writeEventOutcomes(tx, ends)
  // One by one: a text is looked for among the events of earlier ones.
  for (const text of texts) {
    const added = await appendText(tx, context, text)
    const made = added === null ? await createOrUpdateLeads(tx, context, [text]) : new Map([[text.event.id, added]])
    for (const [id, lead_id] of made) await writeEventOutcomes(tx, [{ id, state: 'done', reason: null, lead_id }])
  }
}

/** Returns the leads of events by event id. */
async function createOrUpdateLeads(tx: Tx, context: AppContext, parsed: ParsedEvent[]): Promise<Map<number, number>> {
  const made = await createLeads(tx, context, parsed)
  const again = parsed.filter(({ event }) => !made.has(event.id))
  const known = await findKnownLeads(tx, again.map(toLeadNumber))
  const updated = new Map<number, StoredLead>()
  for (const one of again) {
    // These leads existed a moment ago, and only the undo of an import deletes leads.
    const found = known.get(providerIdKey(toLeadNumber(one)))!
    const last = updated.get(found.id) ?? found
    const together = [...made].flatMap(([eventId, leadId]) => (leadId === found.id ? eventId : []))
    updated.set(found.id, await updateKnownLead(tx, context.settings.AGENCY_TIMEZONE, one, last, together))
    made.set(one.event.id, found.id)
  }
  return made
}

/**
 * Separates CallRail's changes of a call that only another company has: a company's key must not change another company's lead,
 * nor may such a change create a lead of its own.
 */
async function separateForeignChanges(tx: Tx, parsed: ParsedEvent[]) {
  const changes = parsed.filter(({ does, lead_s }) => does === 'change' && lead_s === 'Callrail')
  const taken = await findTakenProviderIds(tx, changes)
  const suspects = changes.filter((one) => taken.has(numberKey(one)))
  const known = await findKnownLeads(tx, suspects.map(toLeadNumber))
  const isMadeHere = (one: ParsedEvent) => parsed.some((other) => other.does === 'lead' && isSameNumber(one, other))
  const foreign = suspects.filter((one) => !known.has(providerIdKey(toLeadNumber(one))) && !isMadeHere(one))
  return { foreign, own: parsed.filter((one) => !foreign.includes(one)) }
}

const isSameNumber = (one: ParsedEvent, other: ParsedEvent) =>
  providerIdKey(toLeadNumber(one)) === providerIdKey(toLeadNumber(other))

const describeForeign = (lead_id: string) =>
  `The call ${lead_id} is a lead of another company: its key may not change it`

export async function writeEventOutcomes(tx: Tx, ends: EventOutcome[]): Promise<void> {
  const storable = ends.map(({ reason, ...one }) => ({
    ...one,
    reason: reason ? cutText(reason.replaceAll('\0', '').toWellFormed(), 500) : null,
  }))
  await tx.execute(sql`
    update inbound_events event set state = one.state, reason = one.reason, lead_id = coalesce(one.lead_id, event.lead_id), processed_at = now()
    from json_to_recordset(${JSON.stringify(storable)}) one (id bigint, state text, reason text, lead_id int)
    where event.id = one.id and event.state = 'stored'`)
}

/** Creates the leads that do not exist yet. Returns lead ids by event id; of several events of one lead, only the first. */
async function createLeads(tx: Tx, context: AppContext, parsed: ParsedEvent[]): Promise<Map<number, number>> {
  if (parsed.length === 0) return new Map()
  const created = await insertLeads(
    tx,
    context.settings.AGENCY_TIMEZONE,
    parsed.map(({ lead_s, lead_id, origin, company, notify, spam, incoming, site }) => ({
      ...incoming,
      voicemail: incoming.voicemail ?? false,
      lead_s,
      lead_id,
      origin,
      company,
      ...(notify !== undefined && { notify }),
      spam_flagged_by: spam?.isSet ? spam.provider : null,
      campaign_id: site.campaign_id ?? noCampaignId,
      clientsite_id: site.id,
      hours: site.hours,
    })),
    (leads) => announceLeads(tx, context, leads),
  )
  const firstEvents = new Map(parsed.toReversed().map((one) => [providerIdKey(one), one.event.id]))
  return new Map([...created].map(([key, { id }]) => [firstEvents.get(key)!, id]))
}
