import { and, eq, gt, ne, type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { hashSha256, randomToken, type SecretBox } from '#core/secrets/secrets.ts'
import { remoteTokenAad, remoteTokensTable, sessionsTable } from '../schema.ts'

const sessionDays = 30
const remoteTokenDays = 90

/** Begins a session and answers its token, which is kept nowhere. */
export async function startSession(
  db: DbOrTx,
  userId: number,
  via: 'password' | 'remote_token',
  address: string,
): Promise<string> {
  const token = randomToken()
  const expires_at = new Date(Date.now() + sessionDays * 86_400_000)
  await db.insert(sessionsTable).values({ token_hash: hashSha256(token), user_id: userId, via, address, expires_at })
  return token
}

/** Ends the user's sessions, but for the one that is given. */
export async function endSessions(db: DbOrTx, userId: number, keep?: Buffer): Promise<void> {
  const others: SQL | undefined = keep && ne(sessionsTable.token_hash, keep)
  await db.delete(sessionsTable).where(and(eq(sessionsTable.user_id, userId), others))
}

/** Ends every other way in: sessions and the remote token. */
export async function revokeOtherAccess(db: DbOrTx, userId: number, keep?: Buffer): Promise<void> {
  await endSessions(db, userId, keep)
  await db.delete(remoteTokensTable).where(eq(remoteTokensTable.user_id, userId))
}

/** Makes the remote token of a customer's account, in place of the one before it, and answers it. */
export async function createRemoteToken(db: DbOrTx, secrets: SecretBox, userId: number): Promise<string> {
  const token = randomToken()
  const fresh = {
    token_hash: hashSha256(token),
    token_encrypted: secrets.seal(token, remoteTokenAad(userId)),
    expires_at: new Date(Date.now() + remoteTokenDays * 86_400_000),
  }
  await db
    .insert(remoteTokensTable)
    .values({ user_id: userId, ...fresh })
    .onConflictDoUpdate({ target: remoteTokensTable.user_id, set: { ...fresh, created_at: sql`now()` } })
  return token
}

/** The remote token of this account while it lasts. */
export async function findRemoteToken(db: DbOrTx, secrets: SecretBox, userId: number): Promise<string | null> {
  const [kept] = await db
    .select({ sealed: remoteTokensTable.token_encrypted })
    .from(remoteTokensTable)
    .where(and(eq(remoteTokensTable.user_id, userId), gt(remoteTokensTable.expires_at, sql`now()`)))
  return kept ? secrets.open(kept.sealed, remoteTokenAad(userId)) : null
}
