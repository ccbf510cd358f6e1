import { and, eq, isNull } from 'drizzle-orm'
import type { CurrentUser, ScopedRows } from '#domains/access/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '../schema.ts'

/** Who may see and who may change a client, as its calls decide it. */
export const clientRows: ScopedRows = {
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
}
