import { and, eq, ne, type SQL } from 'drizzle-orm'
import type { Queries } from '#server/db.ts'
import { randomToken, sha256 } from '#server/secrets.ts'
import { remoteTokens, sessions } from './table.ts'

const days = 30

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
