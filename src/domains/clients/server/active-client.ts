import { and, eq, isNull } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { usersTable } from '#domains/access/schema.ts'
import { clientsTable } from '../schema.ts'

export const inactiveClientMessage = 'This client is not active: switch it on first'

/** Returns whether a client is not removed and its account not switched off: otherwise the links that the client got are closed. */
export async function isClientActive(db: DbOrTx, id: number): Promise<boolean> {
  const [client] = await db
    .select({ isRemoved: clientsTable.deleted_at, isActive: usersTable.is_active })
    .from(clientsTable)
    .leftJoin(usersTable, and(eq(usersTable.client_id, clientsTable.id), isNull(usersTable.deleted_at)))
    .where(eq(clientsTable.id, id))
  return client !== undefined && client.isRemoved === null && client.isActive !== false
}
