import { eq, sql } from 'drizzle-orm'
import { refreshFirstCalls } from '#domains/leads/first-call.ts'
import { enqueueMail } from '#domains/leads/mails/enqueue.ts'
import { phoneKey } from '#domains/leads/phone.ts'
import { keywordsOf } from '#domains/leads/spam/contract.ts'
import { blacklistText, spammerOf } from '#domains/leads/spam/match.ts'
import { leads } from '#domains/leads/table.ts'
import type { Tx } from '#server/db.ts'
import type { House } from '#server/house.ts'
import { channels } from '#server/live.ts'
import { autoTags, isSpam } from './auto-tags.ts'
import { changeKnownLead } from './change.ts'
import type { Incoming } from './incoming.ts'
import { type Asked, type Reading, readEvent, type Site, type StoredEvent } from './reading.ts'
import { inboundEvents } from './table.ts'

export type Outcome = { state: 'done'; leadId: number } | { state: 'ignored'; reason: string }

/**
 * Makes of one event what it asks for, all in the given transaction: the lead with its tags, its place among the first calls,
 * its mail, the word to those who watch, and the event's own end. Throws Unusable where it cannot be used.
 */
export async function takeEvent(tx: Tx, house: House, event: StoredEvent): Promise<Outcome> {
  const outcome = await follow(tx, house, event, await readEvent(tx, house, event))
  await tx
    .update(inboundEvents)
    .set({
      state: outcome.state,
      reason: outcome.state === 'ignored' ? outcome.reason : null,
      lead_id: outcome.state === 'done' ? outcome.leadId : null,
      processed_at: sql`now()`,
    })
    .where(eq(inboundEvents.id, event.id))
  return outcome
}

async function follow(tx: Tx, house: House, event: StoredEvent, reading: Reading): Promise<Outcome> {
  if (reading.does === 'nothing') return { state: 'ignored', reason: reading.reason }
  const leadId = (await makeLead(tx, house, reading)) ?? (await changeKnownLead(tx, event, reading))
  return { state: 'done', leadId }
}

/** The new lead's id; null where the lead is there already, however many say it at once. */
async function makeLead(tx: Tx, house: House, reading: Asked): Promise<number | null> {
  const { lead_s, lead_id, incoming, site } = reading
  const key = phoneKey(incoming.lead_phone)
  const causes = await causesOf(tx, incoming, key, site)
  const spam = isSpam(causes)
  const [made] = await tx
    .insert(leads)
    .values({
      ...incoming,
      lead_s,
      lead_id,
      campaign_id: site.campaign_id,
      clientsite_id: site.id,
      phone_key: key,
      tags: causes.map(({ tag }) => tag),
      tag_causes: causes,
      hide: spam,
      voicemail: incoming.voicemail ?? false,
    })
    .onConflictDoNothing({ target: [leads.lead_s, leads.lead_id] })
    .returning({ id: leads.id })
  if (!made) return null
  if (incoming.lead_type === 'Call') await refreshFirstCalls(tx, site.campaign_id, key)
  if (!spam) await enqueueMail(tx, house, { leadId: made.id, kind: 'notification', requestedBy: null })
  await tellOf(tx, { id: made.id, campaign_id: site.campaign_id, hide: spam })
  return made.id
}

/** Its automatic tags and why. */
export async function causesOf(tx: Tx, incoming: Incoming, phoneKey: string | null, site: Pick<Site, 'hours'>) {
  const spammer = await spammerOf(tx, phoneKey, incoming.lead_email)
  const keywords = keywordsOf(await blacklistText(tx))
  return autoTags(incoming, { spammer, keywords }, site.hours)
}

/** Everybody who watches the list hears of it with the commit. */
const tellOf = (tx: Tx, lead: { id: number; campaign_id: number | null; hide: boolean }) =>
  tx.execute(sql`select pg_notify(${channels.lead}, ${JSON.stringify(lead)})`)
