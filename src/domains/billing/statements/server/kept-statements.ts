import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { statementsTable } from '../schema.ts'

/** Names the client of the sent statements of a campaign that goes to another one: an earlier version did not. */
export async function keepStatementsWith(tx: Tx, campaignId: number, client: number): Promise<void> {
  const name = sql`(select name from ${clientsTable} where id = ${client})`
  await tx
    .update(statementsTable)
    .set({ client_id: client, client_name: name })
    .where(and(eq(statementsTable.campaign_id, campaignId), isNull(statementsTable.client_id)))
}
