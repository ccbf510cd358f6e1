import { and, desc, eq, isNull, or, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import type { SecretBox } from '#core/secrets/secrets.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { toDollars } from '../../cents.ts'
import { getDueDay } from '../document-text.ts'
import { statementKeysTable, statementLinesTable, statementsTable } from '../schema.ts'
import { formatNumber } from './queries.ts'
import { decryptStatementKey, openKeyCondition } from './statement-keys.ts'

/**
 * Returns the latest statements that were sent to a client and whose link is open, with what the page of the link shows. It is the client
 * who was billed: a campaign may be another one's by now. Without the secrets there are no keys.
 */
export async function readClientStatements(db: DbOrTx, secrets: SecretBox | null, clientId: number, limit: number) {
  const { campaign_id, from_day, to_day, sent_at, client_id } = statementsTable
  const rows = await db
    .select({
      from: from_day,
      to: to_day,
      campaign: sql<string>`coalesce(${statementsTable.campaign_name}, ${campaignsTable.name})`,
      month: statementsTable.month,
      ordinal: statementsTable.ordinal,
      due_on: statementsTable.due_on,
      paid_on: statementsTable.paid_on,
      key: { id: statementKeysTable.id, key: statementKeysTable.key_encrypted },
      cents: sql<number>`(select coalesce(sum(line.cents), 0)::float8 from ${statementLinesTable} line
        where line.campaign_id = ${campaign_id} and line.from_day = ${from_day})`,
    })
    .from(statementsTable)
    .innerJoin(campaignsTable, eq(campaignsTable.id, campaign_id))
    .innerJoin(
      statementKeysTable,
      and(eq(statementKeysTable.campaign_id, campaign_id), eq(statementKeysTable.from_day, from_day), openKeyCondition),
    )
    .where(or(eq(client_id, clientId), and(isNull(client_id), eq(campaignsTable.client_id, clientId))))
    .orderBy(desc(to_day), desc(sent_at), campaign_id)
    .limit(limit)
  return rows.map(({ month, ordinal, cents, key, due_on, ...statement }) => ({
    ...statement,
    number: formatNumber(month, ordinal),
    total: toDollars(cents),
    due_on: getDueDay(due_on, cents),
    key: secrets && decryptStatementKey(secrets, key),
  }))
}
