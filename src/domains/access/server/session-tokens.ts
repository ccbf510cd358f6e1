import { and, eq, gt, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { msPerDay } from '#contract/days.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { unauthorizedError } from '#core/http/errors.ts'
import { hashSha256, randomToken, type SecretBox } from '#core/secrets/secrets.ts'
import { passwordLinksTable } from '../password-reset/schema.ts'
import { remoteTokenAad, remoteTokensTable, type SessionVia, sessionsTable } from '../schema.ts'
import { signInChallengesTable } from '../second-factor/schema.ts'
import type { CurrentUser } from './current-user.ts'

const sessionDays = 30
const remoteTokenDays = 90
const viewMinutes = 30
const maxUserAgentLength = 300
/** A sign-in link can be passed on; no one has more devices than this. */
const maxLinkSessions = 10

/** Starts a session and returns its token, which is not stored. Who comes by a link alone has proven nothing: the link may have been passed on. */
export async function startSession(
  db: DbOrTx,
  userId: number,
  via: SessionVia,
  address: string,
  userAgent?: string,
  isProven = true,
): Promise<string> {
  if (via === 'remote_token') await endOldestLinkSessions(db, userId)
  const token = randomToken()
  const expires_at = new Date(Date.now() + sessionDays * msPerDay)
  await db.insert(sessionsTable).values({
    ...{ token_hash: hashSha256(token), user_id: userId, via, address, expires_at },
    user_agent: userAgent?.slice(0, maxUserAgentLength) ?? null,
    ...(!isProven && { proven_at: new Date(0) }),
  })
  return token
}

/** Makes room for a session that a sign-in link starts. Links used at once wait for each other, or each would see room. */
async function endOldestLinkSessions(db: DbOrTx, userId: number): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('sessions of a link'), ${userId})`)
  await db.execute(sql`
    delete from ${sessionsTable} where token_hash in (
      select token_hash from ${sessionsTable} where user_id = ${userId} and via = 'remote_token'
      order by created_at desc, id desc offset ${maxLinkSessions - 1})`)
}

/**
 * Gives a session another token and returns it; null if the session has ended. The old token opens nothing from then on; the time
 * of the sign-in, its end, its proof and the views begun in it stay.
 */
export async function tradeSession(
  tx: Tx,
  tokenHash: Buffer,
  from: { address: string; userAgent: string | undefined },
): Promise<string | null> {
  const token = randomToken()
  const traded = await tx
    .update(sessionsTable)
    .set({
      token_hash: hashSha256(token),
      address: from.address,
      user_agent: from.userAgent?.slice(0, maxUserAgentLength) ?? null,
      last_used_at: sql`now()`,
    })
    .where(and(eq(sessionsTable.token_hash, tokenHash), gt(sessionsTable.expires_at, sql`now()`)))
    .returning({ id: sessionsTable.id })
  return traded.length > 0 ? token : null
}

/**
 * Ends the session with which a browser was signed in before another one replaced it there, and in a view also the viewer's own;
 * `token` is the one that replaced it.
 */
export async function endReplacedSession(tx: Tx, replaced: Buffer, token: string | null): Promise<void> {
  const kept = token === null ? Buffer.alloc(0) : hashSha256(token)
  await tx.execute(sql`
    delete from ${sessionsTable} where token_hash in (
      select unnest(array[token_hash, viewer_session]) from ${sessionsTable} where token_hash = ${replaced})
    and token_hash <> ${kept}
    and token_hash is distinct from (select viewer_session from ${sessionsTable} where token_hash = ${kept})`)
}

/** Starts a read-only view as another person and returns its token. The view lasts half an hour, or until the viewer's session ends. */
export async function startView(
  tx: Tx,
  viewer: CurrentUser,
  userId: number,
  from: { address: string },
): Promise<string> {
  const [own] = await tx
    .select({ expires_at: sessionsTable.expires_at })
    .from(sessionsTable)
    .where(eq(sessionsTable.token_hash, viewer.sessionHash))
    .for('key share')
  if (!own) throw unauthorizedError()
  const token = randomToken()
  await tx.insert(sessionsTable).values({
    ...{ token_hash: hashSha256(token), user_id: userId, via: 'see_as', address: from.address },
    ...{ viewer_id: viewer.id, viewer_session: viewer.sessionHash },
    expires_at: new Date(Math.min(own.expires_at.getTime(), Date.now() + viewMinutes * 60_000)),
  })
  return token
}

/** Ends the user's sessions, except `keep`. */
export async function endSessions(db: DbOrTx, userId: number, keep?: Buffer): Promise<void> {
  const others: SQL | undefined = keep && ne(sessionsTable.token_hash, keep)
  await db.delete(sessionsTable).where(and(eq(sessionsTable.user_id, userId), others))
}

/** Ends all other access: sessions, sign-ins waiting for their second factor, and the remote token. */
export async function revokeOtherAccess(db: DbOrTx, userId: number, keep?: Buffer): Promise<void> {
  await endSessions(db, userId, keep)
  await db.delete(signInChallengesTable).where(eq(signInChallengesTable.user_id, userId))
  await db.delete(remoteTokensTable).where(eq(remoteTokensTable.user_id, userId))
}

/** Ends all mailed links that could still set a password. */
export async function endPasswordLinks(db: DbOrTx, userId: number): Promise<void> {
  await db
    .update(passwordLinksTable)
    .set({ ended_at: sql`now()` })
    .where(and(eq(passwordLinksTable.user_id, userId), isNull(passwordLinksTable.ended_at)))
}

/** Creates the remote token of a customer's account, which ends the previous one and what was begun with it, and returns it. */
export async function createRemoteToken(db: DbOrTx, secrets: SecretBox, userId: number): Promise<string> {
  const token = randomToken()
  const fresh = {
    token_hash: hashSha256(token),
    token_encrypted: secrets.seal(token, remoteTokenAad(userId)),
    expires_at: new Date(Date.now() + remoteTokenDays * msPerDay),
  }
  await db.delete(sessionsTable).where(and(eq(sessionsTable.user_id, userId), eq(sessionsTable.via, 'remote_token')))
  await db
    .delete(signInChallengesTable)
    .where(and(eq(signInChallengesTable.user_id, userId), eq(signInChallengesTable.via, 'remote_token')))
  await db
    .insert(remoteTokensTable)
    .values({ user_id: userId, ...fresh })
    .onConflictDoUpdate({ target: remoteTokensTable.user_id, set: { ...fresh, created_at: sql`now()` } })
  return token
}

/** Returns the remote token of this account, if it has not expired. */
export async function findRemoteToken(db: DbOrTx, secrets: SecretBox, userId: number): Promise<string | null> {
  const [kept] = await db
    .select({ sealed: remoteTokensTable.token_encrypted })
    .from(remoteTokensTable)
    .where(and(eq(remoteTokensTable.user_id, userId), gt(remoteTokensTable.expires_at, sql`now()`)))
  return kept ? secrets.open(kept.sealed, remoteTokenAad(userId)) : null
}
