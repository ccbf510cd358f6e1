import { eq } from 'drizzle-orm'
import type { Endpoint } from '#contract/endpoint.ts'
import type { DbOrTx } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/server/current-user.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'

/** A row that belongs to campaigns, and who may see it. */
export type ScopedRow = {
  campaign: { id: number; name: string } | null
  isVisibleTo: (user: CurrentUser) => boolean
  /** Set where changing the row takes more than seeing it. */
  mayBeChangedBy?: (user: CurrentUser) => boolean
}

/** A kind of row that belongs to campaigns: the addresses of its calls, who may see it as a sentence, and how it is found. */
export type ScopedRows = { paths: RegExp; rule: string; find: (db: DbOrTx, id: number) => Promise<ScopedRow | null> }

/** The calls about an entity whose fields depend on the person, and what the person may do with each. */
export type ExplainedFields = {
  paths: RegExp
  explain: (user: CurrentUser) => Record<string, 'write' | 'read' | 'none'>
}

/** Returns the row that a call is about, or null if it does not exist; undefined for calls that do not depend on a campaign. */
export async function findScopedRow(
  db: DbOrTx,
  kinds: readonly ScopedRows[],
  { path }: Endpoint,
  id: number | undefined,
): Promise<{ rule: string; row: ScopedRow | null } | undefined> {
  const kind = kinds.find(({ paths }) => paths.test(path))
  if (!kind || id === undefined) return undefined
  return { rule: kind.rule, row: await kind.find(db, id) }
}

export const campaignRule = 'the campaign is theirs'

type FindCampaignOfRow = (db: DbOrTx, id: number) => PromiseLike<{ campaign_id: number | null }[]>

/** Describes rows that the people of their campaign may see; those without one are for super admins. */
export const describeCampaignRows = (paths: RegExp, findCampaignOf: FindCampaignOfRow): ScopedRows => ({
  paths,
  rule: campaignRule,
  find: async (db, id) => {
    const [row] = await findCampaignOf(db, id)
    if (!row) return null
    const campaign = await findCampaign(db, row.campaign_id)
    return {
      campaign,
      isVisibleTo: ({ campaignIds }) =>
        campaignIds === null || (campaign !== null && campaignIds.includes(campaign.id)),
    }
  },
})

export async function findCampaign(db: DbOrTx, id: number | null): Promise<ScopedRow['campaign']> {
  if (id === null) return null
  const [campaign] = await db
    .select({ id: campaignsTable.id, name: campaignsTable.name })
    .from(campaignsTable)
    .where(eq(campaignsTable.id, id))
  return campaign ?? null
}
