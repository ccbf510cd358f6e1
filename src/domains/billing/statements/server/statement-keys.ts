import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { hashSha256, type SecretBox } from '#core/secrets/secrets.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { createExpiry, createKey, createOpenCondition } from '#domains/documents/public.ts'
import { stopEmails } from '#domains/messages/public.ts'
import { parseStatementId, toStatementId } from '../contract.ts'
import { statementKeysTable, statementsTable } from '../schema.ts'

const keyDays = 400

export const buildStatementUrl = (publicUrl: string, key: string) => `${publicUrl}/statement/${key}`
const getKeyAad = (id: number) => `statement_keys.key_encrypted:${id}`

/** Makes the key of a sent statement, which has no open one. */
export async function createStatementKey(tx: Tx, secrets: SecretBox, id: number) {
  const { campaignId, from } = parseStatementId(id)
  const { key, key_hash } = createKey()
  const [made] = await tx
    .insert(statementKeysTable)
    .values({
      campaign_id: campaignId,
      from_day: from,
      key_hash,
      key_encrypted: Buffer.alloc(0),
      expires_at: createExpiry(keyDays),
    })
    .returning({ id: statementKeysTable.id, expires_at: statementKeysTable.expires_at })
  await tx
    .update(statementKeysTable)
    .set({ key_encrypted: secrets.seal(key, getKeyAad(made!.id)) }) // bound to the id
    .where(eq(statementKeysTable.id, made!.id))
  return { key, expires_at: made!.expires_at }
}

/** Neither closed nor expired. */
export const openKeyCondition = createOpenCondition(statementKeysTable.closed_at, statementKeysTable.expires_at)

const isKeyOf = (id: number) => {
  const { campaignId, from } = parseStatementId(id)
  return and(eq(statementKeysTable.campaign_id, campaignId), eq(statementKeysTable.from_day, from))
}

/** Closes the key of a statement, and stops the emails that wait with it; returns whether one was open. */
export async function closeStatementKey(tx: Tx, id: number): Promise<boolean> {
  const closed = await tx
    .update(statementKeysTable)
    .set({ closed_at: sql`now()` })
    .where(and(isKeyOf(id), isNull(statementKeysTable.closed_at)))
    .returning({ id: statementKeysTable.id })
  await stopEmails(tx, { kind: 'statement', record_id: id, reason: 'closed' })
  return closed.length > 0
}

/** Returns the key that opens a statement; null while it has none, once that has expired, and for a removed client's. */
export async function readStatementKey(db: DbOrTx, secrets: SecretBox, id: number): Promise<string | null> {
  const [found] = await findOpenKeys(db, isKeyOf(id))
  return found ? decryptStatementKey(secrets, found) : null
}

export const decryptStatementKey = (secrets: SecretBox, { id, key }: { id: number; key: Buffer }): string =>
  secrets.open(key, getKeyAad(id))

/** Finds the statement that a key opens; null alike for an unknown, an expired and a closed one, and for a removed client's. */
export async function findStatementByKey(db: DbOrTx, key: string): Promise<number | null> {
  const [found] = await findOpenKeys(db, eq(statementKeysTable.key_hash, hashSha256(key)))
  return found ? toStatementId(found.campaign_id, found.from) : null
}

const findOpenKeys = (db: DbOrTx, which: SQL | undefined) =>
  db
    .select({
      id: statementKeysTable.id,
      key: statementKeysTable.key_encrypted,
      campaign_id: statementKeysTable.campaign_id,
      from: statementKeysTable.from_day,
    })
    .from(statementKeysTable)
    .innerJoin(
      statementsTable,
      and(
        eq(statementsTable.campaign_id, statementKeysTable.campaign_id),
        eq(statementsTable.from_day, statementKeysTable.from_day),
      ),
    )
    .innerJoin(campaignsTable, eq(campaignsTable.id, statementsTable.campaign_id))
    .leftJoin(
      clientsTable,
      eq(clientsTable.id, sql`coalesce(${statementsTable.client_id}, ${campaignsTable.client_id})`),
    )
    .where(and(which, openKeyCondition, or(isNull(clientsTable.id), isNull(clientsTable.deleted_at))))
