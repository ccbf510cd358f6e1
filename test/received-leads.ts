import { insertLeads } from '#domains/leads/model/store.ts'
import type { App } from '#test/app.ts'

export type ReceivedLead = Partial<Parameters<typeof insertLeads>[2][number]>

/** Creates leads like incoming ones, so that the rules apply, and returns their ids. */
export async function makeReceivedLeads({ context }: App, campaign_id: number, all: ReceivedLead[]): Promise<number[]> {
  const leads = all.map((values) => ({
    campaign_id,
    lead_s: 'Formidable' as const,
    lead_id: crypto.randomUUID(),
    lead_type: 'Form' as const,
    occurred_at: new Date('2026-03-16T18:00Z'),
    hours: null,
    ...values,
  }))
  const made = await context.db.transaction((tx) => insertLeads(tx, context.settings.AGENCY_TIMEZONE, leads))
  return [...made.values()].map(({ id }) => id)
}
