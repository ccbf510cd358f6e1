import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { AuditActor } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { validationError } from '#core/http/errors.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { assignClientSite } from '#domains/sites/client/public.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import type { CampaignForm } from '../contract.ts'
import { campaignsTable } from '../schema.ts'
import { renewCampaignVersions } from './renew-versions.ts'

type AssignedSite = { id: number; campaign_id: number | null }
/** The sites that join a campaign and those that leave it. */
type SiteMoves = { come: AssignedSite[]; go: AssignedSite[] }

/**
 * Returns the moves that the form's sites mean for `campaignId` (null for a new campaign). A site may join if it has no
 * campaign, or from another campaign of the same client that this person may see. Only super admins may let a site
 * leave, because only they see sites without a campaign and their leads.
 */
export async function planSiteMoves(
  tx: Tx,
  me: CurrentUser,
  campaignId: number | null,
  { client_id, client_sites: wanted }: Pick<CampaignForm, 'client_id' | 'client_sites'>,
): Promise<SiteMoves> {
  const sites = await tx
    .select({
      id: clientSitesTable.id,
      campaign_id: clientSitesTable.campaign_id,
      url: clientSitesTable.url,
      client_id: siteClientIdSql,
    })
    .from(clientSitesTable)
    .where(
      and(
        isNull(clientSitesTable.deleted_at),
        inVisibleCampaigns(me, clientSitesTable.campaign_id),
        or(
          wanted.length > 0 ? inArray(clientSitesTable.id, wanted) : undefined,
          campaignId === null ? undefined : eq(clientSitesTable.campaign_id, campaignId),
        ) ?? sql`false`,
      ),
    )
    .orderBy(clientSitesTable.id)
    .for('update')
  const isWanted = ({ id }: AssignedSite) => wanted.includes(id)
  if (sites.filter(isWanted).length < wanted.length)
    throw validationError({ client_sites: ['There is no such client site'] })

  const come = sites.filter((site) => isWanted(site) && (campaignId === null || site.campaign_id !== campaignId))
  const foreign = come.filter((site) => site.client_id !== null && site.client_id !== client_id)
  if (foreign.length > 0)
    throw validationError({ client_sites: foreign.map(({ url }) => `${url} is a site of another client`) })
  const go = sites.filter((site) => !isWanted(site))
  if (go.length > 0 && !me.isSuperAdmin)
    throw validationError({
      client_sites: go.map(({ url }) => `${url} would have no campaign: move it to another one, or ask a super admin`),
    })
  return { come, go }
}

const siteClientIdSql = sql<
  number | null
>`(select owner.client_id from ${campaignsTable} owner where owner.id = ${clientSitesTable}.campaign_id)`

/** Moves the sites; the caller gives this campaign its new version. */
export async function applySiteMoves(tx: Tx, actor: AuditActor, campaignId: number, { come, go }: SiteMoves) {
  await renewCampaignVersions(
    tx,
    come.map(({ campaign_id }) => campaign_id),
  )
  for (const site of come) await assignClientSite(tx, actor, site, campaignId)
  for (const site of go) await assignClientSite(tx, actor, site, null)
}
