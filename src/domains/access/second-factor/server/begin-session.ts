import { and, eq, gt, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { hashSha256, randomToken } from '#core/secrets/secrets.ts'
import { type SessionVia, usersTable } from '#domains/access/schema.ts'
import { mustEnrolSql } from '#domains/access/server/current-user.ts'
import { startSession } from '#domains/access/server/session-tokens.ts'
import { type SecondFactorMethod, secondFactorMethods } from '../labels.ts'
import { passkeysTable, recoveryCodesTable, signInChallengesTable, totpSecretsTable } from '../schema.ts'
import type { signInAnswerSchema } from '../sign-in-answer.ts'

const challengeMinutes = 10

type SignIn = { userId: number; via: SessionVia; address: string; userAgent: string | undefined }
type BegunSession = Exclude<z.output<typeof signInAnswerSchema>, { error: string }>

/**
 * Continues a sign-in whose password or link was right: requires the second factor or starts the session. The caller
 * has locked the user.
 */
export async function beginSession(tx: Tx, { userId, via, address, userAgent }: SignIn): Promise<BegunSession> {
  const { totp, passkeys, recovery_codes_left, must_enrol } = await countFactors(tx, userId)
  if (totp || passkeys > 0) {
    const has: Record<SecondFactorMethod, boolean> = { totp, passkey: passkeys > 0, recovery: recovery_codes_left > 0 }
    const challenge = await createChallenge(tx, userId, via)
    return { second_factor: { challenge, methods: secondFactorMethods.filter((method) => has[method]) } }
  }
  const token = await startSession(tx, userId, via, address, userAgent, via !== 'remote_token')
  return must_enrol ? { token, must_enrol } : { token }
}

/** Returns which second factors a user has, and whether they must set one up first. Recovery codes do not count as a second factor. */
export async function countFactors(db: DbOrTx, userId: number) {
  const count = (table: PgTable, where: SQL | undefined) => sql`(select count(*)::int from ${table} where ${where})`
  const { rows } = await db.execute<FactorCounts>(sql`
    select ${count(totpSecretsTable, and(eq(totpSecretsTable.user_id, userId), isNotNull(totpSecretsTable.enabled_at)))} > 0 as totp,
      ${count(passkeysTable, eq(passkeysTable.user_id, userId))} as passkeys,
      ${count(recoveryCodesTable, eq(recoveryCodesTable.user_id, userId))} as recovery_codes_left,
      coalesce((select ${mustEnrolSql} from ${usersTable} u where u.id = ${userId}), false) as must_enrol`)
  return rows[0]!
}
type FactorCounts = { totp: boolean; passkeys: number; recovery_codes_left: number; must_enrol: boolean }

async function createChallenge(tx: Tx, userId: number, via: SessionVia): Promise<string> {
  const challenge = randomToken()
  await tx.delete(signInChallengesTable).where(lt(signInChallengesTable.expires_at, sql`now()`))
  await tx.insert(signInChallengesTable).values({
    challenge_hash: hashSha256(challenge),
    user_id: userId,
    via,
    expires_at: new Date(Date.now() + challengeMinutes * 60_000),
  })
  return challenge
}

const isLive = (challenge: string) =>
  and(eq(signInChallengesTable.challenge_hash, hashSha256(challenge)), gt(signInChallengesTable.expires_at, sql`now()`))

/** Returns the user whose sign-in waits with this challenge. */
export async function findChallengedUser(db: DbOrTx, challenge: string) {
  const [found] = await db
    .select({ id: usersTable.id, username: usersTable.username })
    .from(signInChallengesTable)
    .innerJoin(usersTable, eq(usersTable.id, signInChallengesTable.user_id))
    .where(and(isLive(challenge), usersTable.is_active, isNull(usersTable.deleted_at)))
  return found
}

/** Exchanges a challenge for a session once its second factor was right; null if the challenge has since been used or withdrawn. */
export async function redeemChallenge(
  tx: Tx,
  challenge: string,
  { id }: { id: number },
  from: { address: string; userAgent: string | undefined },
) {
  if (!(await lockActiveUser(tx, id))) return null
  const [taken] = await tx
    .delete(signInChallengesTable)
    .where(and(isLive(challenge), eq(signInChallengesTable.user_id, id)))
    .returning({ via: signInChallengesTable.via })
  return taken ? startSession(tx, id, taken.via, from.address, from.userAgent) : null
}

/** Returns whether the user may still sign in, and locks that state until the transaction ends. */
export async function lockActiveUser(tx: Tx, id: number): Promise<boolean> {
  const found = await tx
    .select({ id: usersTable.id })
    .from(usersTable)
    .where(and(eq(usersTable.id, id), usersTable.is_active, isNull(usersTable.deleted_at)))
    .for('share')
  return found.length > 0
}
