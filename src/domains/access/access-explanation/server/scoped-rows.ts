import { and, eq, isNull } from 'drizzle-orm'
import type { Endpoint } from '#contract/endpoint.ts'
import type { DbOrTx } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/server/current-user.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { canSeeLead } from '#domains/leads/public.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'

/** A row that belongs to campaigns, and who may see it. */
export type ScopedRow = {
  campaign: { id: number; name: string } | null
  isVisibleTo: (user: CurrentUser) => boolean
  /** Set where changing the row takes more than seeing it. */
  mayBeChangedBy?: (user: CurrentUser) => boolean
}
type RowKind = { paths: RegExp; rule: string; find: (db: DbOrTx, id: number) => Promise<ScopedRow | null> }

/** Returns the row that a call is about, or null if it does not exist; undefined for calls that do not depend on a campaign. */
export async function findRow(
  db: DbOrTx,
  { path }: Endpoint,
  id: number | undefined,
): Promise<{ rule: string; row: ScopedRow | null } | undefined> {
  const kind = rowKinds.find(({ paths }) => paths.test(path))
  if (!kind || id === undefined) return undefined
  return { rule: kind.rule, row: await kind.find(db, id) }
}

export const isAboutLead = ({ path }: Endpoint): boolean => leadPaths.test(path) || /^\/leads\/list\//.test(path)

const leadPaths = /^\/(lead|recording)\/:/
const campaignRule = 'the campaign is theirs'

const rowKinds: readonly RowKind[] = [
  {
    paths: leadPaths,
    rule: `${campaignRule}, and hidden leads are for admins`,
    find: async (db, id) => {
      const [lead] = await db
        .select({ campaign_id: leadsTable.campaign_id, hide: leadsTable.hide })
        .from(leadsTable)
        .where(eq(leadsTable.id, id))
      if (!lead) return null
      return { campaign: await findCampaign(db, lead.campaign_id), isVisibleTo: (user) => canSeeLead(user, lead) }
    },
  },
  {
    paths: /^\/(campaign|lead\/chart)\/:/,
    rule: campaignRule,
    find: async (db, id) => {
      const campaign = await findCampaign(db, id)
      return campaign && ofCampaign(campaign)
    },
  },
  {
    paths: /^\/clientsite\/:/,
    rule: campaignRule,
    find: async (db, id) => {
      const [site] = await db
        .select({ campaign_id: clientSitesTable.campaign_id })
        .from(clientSitesTable)
        .where(and(eq(clientSitesTable.id, id), isNull(clientSitesTable.deleted_at)))
      return site ? ofCampaign(site.campaign_id === null ? null : await findCampaign(db, site.campaign_id)) : null
    },
  },
  {
    paths: /^\/campaign-gmb\/:/,
    rule: campaignRule,
    find: async (db, id) => {
      const [gmb] = await db
        .select({ campaign_id: gmbsTable.campaign_id })
        .from(gmbsTable)
        .where(and(eq(gmbsTable.id, id), isNull(gmbsTable.deleted_at)))
      return gmb ? ofCampaign(await findCampaign(db, gmb.campaign_id)) : null
    },
  },
  {
    paths: /^\/client(-resource)?\/:/,
    rule: 'a campaign of the client is theirs, or it has none; to change it, all of them are',
    find: async (db, id) => {
      const [client] = await db
        .select({ id: clientsTable.id })
        .from(clientsTable)
        .where(and(eq(clientsTable.id, id), isNull(clientsTable.deleted_at)))
      if (!client) return null
      const found = await db
        .select({ id: campaignsTable.id })
        .from(campaignsTable)
        .where(eq(campaignsTable.client_id, id))
      const isTheirs = (user: CurrentUser) => (one: { id: number }) => user.campaignIds?.includes(one.id) ?? true
      return {
        campaign: null,
        isVisibleTo: (user) => found.length === 0 || found.some(isTheirs(user)),
        mayBeChangedBy: (user) => found.every(isTheirs(user)),
      }
    },
  },
]

/** Only super admins see a row without a campaign. */
const ofCampaign = (campaign: ScopedRow['campaign']): ScopedRow => ({
  campaign,
  isVisibleTo: ({ campaignIds }) => campaignIds === null || (campaign !== null && campaignIds.includes(campaign.id)),
})

async function findCampaign(db: DbOrTx, id: number): Promise<ScopedRow['campaign']> {
  const [campaign] = await db
    .select({ id: campaignsTable.id, name: campaignsTable.name })
    .from(campaignsTable)
    .where(eq(campaignsTable.id, id))
  return campaign ?? null
}
