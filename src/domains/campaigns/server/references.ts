import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { validationError } from '#core/http/errors.ts'
import { type CurrentUser, inVisibleClients } from '#domains/access/public.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { campaignCategoriesTable } from '../categories/schema.ts'

/** Ids in the form are checked like the one in the path, and locked so that their rows are not removed before the commit. */

/** Throws the same error for an unknown client and one that this person may not see. */
export async function requireClient(tx: Tx, me: CurrentUser, id: number) {
  const [client] = await tx
    .select({ id: clientsTable.id })
    .from(clientsTable)
    .where(and(eq(clientsTable.id, id), isNull(clientsTable.deleted_at), inVisibleClients(me, clientsTable.id)))
    .for('key share')
  if (!client) throw validationError({ client_id: ['There is no such client'] })
}

export async function requireCampaignCategories(tx: Tx, ids: number[]) {
  const found = await tx
    .select({ id: campaignCategoriesTable.id })
    .from(campaignCategoriesTable)
    .where(inArray(campaignCategoriesTable.id, ids))
    .orderBy(campaignCategoriesTable.id)
    .for('key share')
  if (found.length < ids.length) throw validationError({ categories: ['There is no such category'] })
}
