import { sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { findLeadsByProviderId } from '#domains/leads/model/provider-ids.ts'
import type { StoredEvent } from '../schema.ts'
import { createLeads } from './create-leads.ts'
import { parseEvents } from './parsed-event.ts'
import { updateKnownLead } from './update-known-lead.ts'

type EventOutcome = {
  id: number
  state: 'done' | 'ignored' | 'quarantined'
  reason: string | null
  lead_id: number | null
}

/** Processes events in the given transaction: writes their leads, mails and notifications, and the outcome of each event. */
export async function processEvents(tx: Tx, context: AppContext, events: StoredEvent[]): Promise<void> {
  const { told, ignored, unusable } = await parseEvents(tx, context, events)
  const ends: EventOutcome[] = [
    ...ignored.map(({ event, reason }) => ({ id: event.id, state: 'ignored' as const, reason, lead_id: null })),
    ...unusable.map(({ event, reason }) => ({ id: event.id, state: 'quarantined' as const, reason, lead_id: null })),
  ]
  const made = await createLeads(tx, context, told)
  const again = told.filter(({ event }) => !made.has(event.id))
  const rows = await findLeadsByProviderId(tx, again)
  for (const one of again) made.set(one.event.id, await updateKnownLead(tx, one, rows))
  for (const [id, lead_id] of made) ends.push({ id, state: 'done', reason: null, lead_id })
  await writeEventOutcomes(tx, ends)
}

export async function writeEventOutcomes(tx: Tx, ends: EventOutcome[]): Promise<void> {
  const storable = ends.map(({ reason, ...one }) => ({
    ...one,
    reason: reason?.replaceAll('\0', '').toWellFormed().slice(0, 500) ?? null,
  }))
  await tx.execute(sql`
    update inbound_events event set state = one.state, reason = one.reason, lead_id = one.lead_id, processed_at = now()
    from json_to_recordset(${JSON.stringify(storable)}) one (id bigint, state text, reason text, lead_id int)
    where event.id = one.id and event.state = 'stored'`)
}
