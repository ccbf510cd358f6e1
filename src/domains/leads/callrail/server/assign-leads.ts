import { and, eq, inArray } from 'drizzle-orm'
import type { AuditActor } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { noCampaignId } from '#domains/leads/labels.ts'
import { companyOrigin } from '#domains/leads/model/provider-ids.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { lockLeads, updateLeads } from '#domains/leads/model/store.ts'

type Assignment = { companies: string[]; clientsite_id: number; campaign_id: number }

/**
 * Gives the leads that CallRail's companies brought before they had a client site to that site and its campaign, and returns their ids. No one
 * is mailed about them.
 */
export async function assignCompanyLeads(
  tx: Tx,
  { actor, zone }: { actor: AuditActor; zone: string },
  { companies, clientsite_id, campaign_id }: Assignment,
): Promise<number[]> {
  const rows = await tx
    .select({ id: leadsTable.id })
    .from(leadsTable)
    .where(and(eq(leadsTable.campaign_id, noCampaignId), inArray(leadsTable.origin, companies.map(companyOrigin))))
  const locked = await lockLeads(
    tx,
    rows.map(({ id }): [number, { campaign_id: number }] => [id, { campaign_id }]),
  )
  const leads = [...locked.values()].filter(({ row }) => row.campaign_id === noCampaignId)
  const set = { campaign_id, clientsite_id }
  const edits = leads.map((lead) => ({ lead, set, before: { campaign_id: null, clientsite_id: null }, after: set }))
  await updateLeads(tx, { actor, zone }, edits)
  return leads.map(({ row }) => row.id)
}
