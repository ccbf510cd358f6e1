import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { invalid } from '#core/http/errors.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { withTheirCampaigns } from '#domains/access/server/row-scope.ts'
import { clients } from '#domains/clients/schema.ts'
import { campaignCategories } from '../categories/schema.ts'

/** Ids in the form are checked like the one in the path, and held until the end, so that nobody removes them meanwhile. */

/** No such client, and one that this person may not see: the same words for both. */
export async function needClient(tx: Tx, me: Me, id: number) {
  const [client] = await tx
    .select({ id: clients.id })
    .from(clients)
    .where(and(eq(clients.id, id), isNull(clients.deleted_at), withTheirCampaigns(me, clients.id)))
    .for('key share')
  if (!client) throw invalid({ client_id: ['There is no such client'] })
}

export async function needCategories(tx: Tx, ids: number[]) {
  const found = await tx
    .select({ id: campaignCategories.id })
    .from(campaignCategories)
    .where(inArray(campaignCategories.id, ids))
    .orderBy(campaignCategories.id)
    .for('key share')
  if (found.length < ids.length) throw invalid({ categories: ['There is no such category'] })
}
