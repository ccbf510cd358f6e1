import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { notFound } from '#core/http/errors.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { inTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { clientSites } from '../schema.ts'

/** The sites of their campaigns; those without one are for super admins only. */
export const visibleTo = (me: Me) => and(isNull(clientSites.deleted_at), inTheirCampaigns(me, clientSites.campaign_id))

/** Held until the transaction ends. Throws 404 for what this person does not see. */
export async function lockSite(tx: Tx, me: Me, id: number) {
  const [site] = await tx
    .select()
    .from(clientSites)
    .where(and(eq(clientSites.id, id), visibleTo(me)))
    .for('update')
  if (!site) throw notFound()
  return site
}
