import type { Tx } from '#core/db/db.ts'
import { recordWebhookEvents, type WebhookEvent } from '#domains/webhooks/public.ts'
import { spamTags } from '../labels.ts'
import type { StoredLead } from './dto.ts'
import type { LeadKey } from './lead-key.ts'
import { type LeadReader, readVisibleLeadsJson } from './serializer.ts'

type EventColumns = Pick<StoredLead, 'campaign_id' | 'confirmed' | 'tags' | 'rating'>

/** Returns the webhook events of a change, or of a new lead: one that is created verified or tagged has several. */
export function findLeadEvents(id: number, before: EventColumns | null, after: EventColumns): WebhookEvent[] {
  const types: WebhookEvent['type'][] = []
  if (!before) types.push('lead.created')
  else if (after.campaign_id !== before.campaign_id) types.push('lead.moved')
  if (after.confirmed && !before?.confirmed) types.push('lead.verified')
  if (spamTags.some((tag) => after.tags.includes(tag) && !before?.tags.includes(tag))) types.push('lead.spam')
  if (after.rating !== null && after.rating !== (before?.rating ?? null)) types.push('lead.rated')
  return types.map((type) => ({ type, subject: toSubject(id) }))
}

/** Records events with the leads as they are now. */
export const recordLeadEvents = (
  tx: Tx,
  zone: string,
  leads: readonly LeadKey[],
  events: WebhookEvent[],
): Promise<void> =>
  recordWebhookEvents(tx, events, (me, subjects) => {
    const wanted = new Set(subjects)
    const keys = leads.filter(({ id }) => wanted.has(toSubject(id)))
    return readLeads(tx, { me, zone }, keys)
  })

const toSubject = (id: number) => `lead:${id}`

async function readLeads(tx: Tx, reader: LeadReader, keys: LeadKey[]): Promise<Map<string, { id: number }>> {
  const found = await readVisibleLeadsJson(tx, reader, keys)
  const leads = JSON.parse(found) as { id: number }[] // built by PostgreSQL
  return new Map(leads.map((lead) => [toSubject(lead.id), lead]))
}
