import { and, eq, inArray, isNull, like } from 'drizzle-orm'
import type { AuditActor } from '#core/audit/write-audit.ts'
import { runTransaction, type Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { noCampaignId } from '#domains/leads/labels.ts'
import { companyOrigin } from '#domains/leads/model/provider-ids.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { lockLeads, updateLeads } from '#domains/leads/model/store.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { findCompanySites } from './company-sites.ts'

/**
 * Gives leads that wait for a client site of their company to the one that it has by now, once that has a campaign: however the site came by
 * its Company ID.
 */
export async function assignWaitingLeads({ db, settings, log }: AppContext): Promise<void> {
  const { campaign_id, clientsite_id, origin } = leadsTable
  const waiting = await db
    .selectDistinct({ origin })
    .from(leadsTable)
    .where(and(eq(campaign_id, noCampaignId), isNull(clientsite_id), like(origin, companyOrigin('%'))))
  const companies = waiting.map((lead) => lead.origin.slice(companyOrigin('').length))
  const sites = await findCompanySites(db, companies)
  for (const company of companies) {
    const site = sites.get(company)
    if (typeof site !== 'number') continue
    const assigning = runTransaction(db, async (tx) => {
      const [place] = await tx
        .select({ campaign_id: clientSitesTable.campaign_id })
        .from(clientSitesTable)
        .where(and(eq(clientSitesTable.id, site), isNull(clientSitesTable.deleted_at)))
        .for('share')
      if (place?.campaign_id)
        await assignCompanyLeads(
          tx,
          { actor: { me: null }, zone: settings.AGENCY_TIMEZONE },
          { companies: [company], clientsite_id: site, campaign_id: place.campaign_id },
        )
    })
    await assigning.catch((error: unknown) => log.error({ err: error, company }, 'leads of a company still wait'))
  }
}

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
    .where(
      and(
        eq(leadsTable.campaign_id, noCampaignId),
        isNull(leadsTable.clientsite_id),
        inArray(leadsTable.origin, companies.map(companyOrigin)),
      ),
    )
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
