import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { notFoundError } from '#core/http/errors.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { clientSitesTable } from '../schema.ts'

/** Matches the sites of the user's campaigns; those without a campaign are for super admins only. */
export const buildVisibleClientSitesFilter = (me: CurrentUser) =>
  and(isNull(clientSitesTable.deleted_at), inVisibleCampaigns(me, clientSitesTable.campaign_id))

/** Locks a site until the transaction ends. Throws 404 for a site that this user may not see. */
export async function lockClientSite(tx: Tx, me: CurrentUser, id: number) {
  const [site] = await tx
    .select()
    .from(clientSitesTable)
    .where(and(eq(clientSitesTable.id, id), buildVisibleClientSitesFilter(me)))
    .for('update')
  if (!site) throw notFoundError()
  return site
}
