import { inArray, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { campaignsTable } from '../schema.ts'

/**
 * Gives campaigns whose sites change a new version. An open form of one has the sites of before: saved, it would undo the change, so it
 * must end in a conflict.
 */
export async function renewCampaignVersions(tx: Tx, ids: readonly (number | null)[]): Promise<void> {
  const campaigns = [...new Set(ids.filter((id) => id !== null))]
  if (campaigns.length === 0) return
  await tx
    .update(campaignsTable)
    .set({ version: sql`${campaignsTable.version} + 1` })
    .where(inArray(campaignsTable.id, campaigns))
}
