import { and, eq, gt, ne, type SQL, sql } from 'drizzle-orm'
import type { Queries } from '#core/db/db.ts'
import { randomToken, type Secrets, sha256 } from '#core/secrets/secrets.ts'
import { remoteTokenPlace, remoteTokens, sessions } from '../schema.ts'

const days = 30
const remoteDays = 90

/** Begins a session and answers its token, which is kept nowhere. */
export async function beginSession(
  db: Queries,
  userId: number,
  via: 'password' | 'remote_token',
  address: string,
): Promise<string> {
  const token = randomToken()
  const expires_at = new Date(Date.now() + days * 86_400_000)
  await db.insert(sessions).values({ token_hash: sha256(token), user_id: userId, via, address, expires_at })
  return token
}

/** Ends the user's sessions, but for the one that is given. */
export async function endSessions(db: Queries, userId: number, keep?: Buffer): Promise<void> {
  const others: SQL | undefined = keep && ne(sessions.token_hash, keep)
  await db.delete(sessions).where(and(eq(sessions.user_id, userId), others))
}

/** Ends every other way in: sessions and the remote token. */
export async function endOtherAccess(db: Queries, userId: number, keep?: Buffer): Promise<void> {
  await endSessions(db, userId, keep)
  await db.delete(remoteTokens).where(eq(remoteTokens.user_id, userId))
}

/** Makes the remote token of a customer's account, in place of the one before it, and answers it. */
export async function newRemoteToken(db: Queries, secrets: Secrets, userId: number): Promise<string> {
  const token = randomToken()
  const fresh = {
    token_hash: sha256(token),
    token_encrypted: secrets.seal(token, remoteTokenPlace(userId)),
    expires_at: new Date(Date.now() + remoteDays * 86_400_000),
  }
  await db
    .insert(remoteTokens)
    .values({ user_id: userId, ...fresh })
    .onConflictDoUpdate({ target: remoteTokens.user_id, set: { ...fresh, created_at: sql`now()` } })
  return token
}

/** The remote token of this account while it lasts. */
export async function remoteTokenOf(db: Queries, secrets: Secrets, userId: number): Promise<string | null> {
  const [kept] = await db
    .select({ sealed: remoteTokens.token_encrypted })
    .from(remoteTokens)
    .where(and(eq(remoteTokens.user_id, userId), gt(remoteTokens.expires_at, sql`now()`)))
  return kept ? secrets.open(kept.sealed, remoteTokenPlace(userId)) : null
}
