import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { type Actor, record } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { invalid } from '#core/http/errors.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { clientSites } from '#domains/sites/client/schema.ts'
import type { CampaignForm } from '../contract.ts'
import { campaigns } from '../schema.ts'

type Site = { id: number; campaign_id: number | null }
/** The sites that come to a campaign and those that leave it. */
type Moves = { come: Site[]; go: Site[] }

/**
 * What the form's sites mean for `campaignId` (none yet for a new campaign). A site may come from nowhere, or from another
 * campaign of the same client that this person may see. One that goes would be left without a campaign, and such sites and
 * their leads are for super admins alone: only they may let one go.
 */
export async function findSites(
  tx: Tx,
  me: Me,
  campaignId: number | null,
  { client_id, client_sites: wanted }: Pick<CampaignForm, 'client_id' | 'client_sites'>,
): Promise<Moves> {
  const sites = await tx
    .select({
      id: clientSites.id,
      campaign_id: clientSites.campaign_id,
      url: clientSites.url,
      client_id: owner,
    })
    .from(clientSites)
    .where(
      and(
        isNull(clientSites.deleted_at),
        inTheirCampaigns(me, clientSites.campaign_id),
        or(
          wanted.length > 0 ? inArray(clientSites.id, wanted) : undefined,
          campaignId === null ? undefined : eq(clientSites.campaign_id, campaignId),
        ) ?? sql`false`,
      ),
    )
    .orderBy(clientSites.id)
    .for('update')
  const isWanted = ({ id }: Site) => wanted.includes(id)
  if (sites.filter(isWanted).length < wanted.length) throw invalid({ client_sites: ['There is no such client site'] })

  const come = sites.filter((site) => isWanted(site) && (campaignId === null || site.campaign_id !== campaignId))
  const foreign = come.filter((site) => site.client_id !== null && site.client_id !== client_id)
  if (foreign.length > 0)
    throw invalid({ client_sites: foreign.map(({ url }) => `${url} is a site of another client`) })
  const go = sites.filter((site) => !isWanted(site))
  if (go.length > 0 && !me.isSuperAdmin)
    throw invalid({
      client_sites: go.map(({ url }) => `${url} would have no campaign: move it to another one, or ask a super admin`),
    })
  return { come, go }
}

const owner = sql<
  number | null
>`(select owner.client_id from campaigns owner where owner.id = client_sites.campaign_id)`

/** Moves them. A campaign that loses a site is another than the one whose form may be open somewhere. */
export async function assignSites(tx: Tx, actor: Actor, campaignId: number, { come, go }: Moves) {
  const left = new Set(come.flatMap(({ campaign_id }) => campaign_id ?? []))
  if (left.size > 0)
    await tx
      .update(campaigns)
      .set({ version: sql`${campaigns.version} + 1` })
      .where(inArray(campaigns.id, [...left]))
  for (const site of come) await move(tx, actor, site, campaignId)
  for (const site of go) await move(tx, actor, site, null)
}

async function move(tx: Tx, actor: Actor, site: Site, campaign_id: number | null) {
  await tx.update(clientSites).set({ campaign_id }).where(eq(clientSites.id, site.id))
  await record(tx, actor, {
    kind: 'client site',
    rowId: site.id,
    before: { campaign_id: site.campaign_id },
    after: { campaign_id },
  })
}
