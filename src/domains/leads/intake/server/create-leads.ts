import type { Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { noCampaignId } from '#domains/leads/labels.ts'
import { providerIdKey } from '#domains/leads/model/provider-ids.ts'
import { insertLeads } from '#domains/leads/model/store.ts'
import { announceLeads } from './announce-leads.ts'
import type { ParsedEvent } from './parsed-event.ts'

/** Creates the leads that do not exist yet. Returns lead ids by event id; of several events of one lead, only the first. */
export async function createLeads(tx: Tx, context: AppContext, parsed: ParsedEvent[]): Promise<Map<number, number>> {
  if (parsed.length === 0) return new Map()
  const created = await insertLeads(
    tx,
    context.settings.AGENCY_TIMEZONE,
    parsed.map(({ lead_s, lead_id, origin, notify, incoming, site }) => ({
      ...incoming,
      voicemail: incoming.voicemail ?? false,
      lead_s,
      lead_id,
      origin,
      ...(notify !== undefined && { notify }),
      campaign_id: site.campaign_id ?? noCampaignId,
      clientsite_id: site.id,
      hours: site.hours,
    })),
    (leads) => announceLeads(tx, context, leads),
  )
  const firstEvents = new Map(parsed.toReversed().map((one) => [providerIdKey(one), one.event.id]))
  return new Map([...created].map(([key, { id }]) => [firstEvents.get(key)!, id]))
}
