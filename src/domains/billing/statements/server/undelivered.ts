import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { BeforeJson } from '#contract/instants.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { readUndelivered, readUndeliveredOf, type UndeliveredEmails } from '#domains/messages/public.ts'
import { parseStatementId, toStatementId } from '../contract.ts'
import type { ListedStatement } from '../list/contract.ts'
import { statementsTable } from '../schema.ts'
import { formatNumber } from './queries.ts'

export type UndeliveredStatement = UndeliveredEmails & { campaign_id: number; number: string | null; client: string }

/** Returns the statements that did not arrive when they were last emailed, to clients who are still there. */
export async function readUndeliveredStatements(db: DbOrTx, since: Date): Promise<UndeliveredStatement[]> {
  const undelivered = await readUndelivered(db, 'statement', since)
  if (undelivered.length === 0) return []
  const { campaign_id, from_day, month, ordinal, client_name } = statementsTable
  const isOneOf = undelivered.map(({ record_id }) => {
    const { campaignId, from } = parseStatementId(record_id)
    return and(eq(campaign_id, campaignId), eq(from_day, from))
  })
  const statements = await db
    .select({
      campaign_id,
      from_day,
      month,
      ordinal,
      client: sql<string>`coalesce(${client_name}, ${clientsTable.name})`,
    })
    .from(statementsTable)
    .innerJoin(campaignsTable, eq(campaignsTable.id, campaign_id))
    .innerJoin(
      clientsTable,
      eq(clientsTable.id, sql`coalesce(${statementsTable.client_id}, ${campaignsTable.client_id})`),
    )
    .where(and(or(...isOneOf), isNull(clientsTable.deleted_at)))
  const byId = new Map(undelivered.map((one) => [one.record_id, one]))
  return statements.map((one) => ({
    ...byId.get(toStatementId(one.campaign_id, one.from_day))!, // they were asked for by it
    campaign_id: one.campaign_id,
    number: formatNumber(one.month, one.ordinal),
    client: one.client,
  }))
}

/** Returns whom a statement has not reached since it was last emailed. */
export async function readUndeliveredTo(db: DbOrTx, { id, mailed_at }: BeforeJson<ListedStatement>) {
  if (mailed_at === null) return []
  const emails = await readUndeliveredOf(db, { kind: 'statement', record_id: id, since: new Date(mailed_at) })
  return emails.map(({ recipient, waits, error }) => ({ email: recipient, waits, because: error }))
}
