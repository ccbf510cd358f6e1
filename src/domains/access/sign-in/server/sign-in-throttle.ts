import { sql } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import { countOf } from '#contract/count-of.ts'
import { type Db, type DbOrTx, runInOneMessage } from '#core/db/db.ts'
import { getCallerNetwork } from '#core/http/caller-network.ts'
import { HttpError } from '#core/http/errors.ts'

/** Failures are counted in PostgreSQL, so that all processes share the counts. */
const throttleMinutes = 15
const maxFailuresPerAccount = 10
const maxFailuresPerAddress = 30

/**
 * Records an attempt as a failure before its password is compared, so that parallel attempts count each other;
 * `clearSignInFailures` clears it after a success. `account` is the username, or the typed name if there is no such
 * account. Returns the seconds until this account and address may try again; 0 when this attempt may proceed.
 */
export async function beginSignInAttempt(db: Db, account: string, address: string): Promise<number> {
  const network = getCallerNetwork(address)
  // Attempts on one account or from one address take turns, always locking in this order. They do not wait for the
  // disk: a crash loses at most half a second of failures.
  const [wait] = await runInOneMessage<ThrottleWait>(db, [
    sql`select set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(${addressLockKey}, hashtext(${network})),
      pg_advisory_xact_lock(${accountLockKey}, hashtext(${account.toLowerCase()}))`,
    sql`with wait as materialized (${buildThrottleQuery(account, address)}), noted as (
        insert into sign_in_failures (account, address) select ${account.toLowerCase()}, ${network} from wait where seconds <= 0
      ), ${deleteOldFailuresSql} select seconds from wait`,
  ])
  return Math.max(0, wait!.seconds)
}

/** Wrong second factors have a separate count. The leading space keeps it distinct from usernames, which are trimmed. */
export const getSecondFactorAccount = (userId: number) => ` second factor of ${userId}`

/** Throws 429 with Retry-After if there are seconds to wait. */
export function rejectThrottledSignIn(reply: FastifyReply, seconds: number) {
  if (seconds === 0) return
  reply.header('retry-after', seconds)
  const line = `Too many failed sign-ins, please try again in ${countOf(Math.ceil(seconds / 60), 'minute')}`
  throw new HttpError(429, line, undefined, { error: line })
}

const [addressLockKey, accountLockKey] = [7_318_203, 7_318_204] // arbitrary, but unique in this app

type ThrottleWait = { seconds: number }

/** Returns the seconds until this account and address may try again; 0 if they may now. */
export async function readThrottleSeconds(db: DbOrTx, account: string, address: string): Promise<number> {
  const found = await db.execute<ThrottleWait>(buildThrottleQuery(account, address))
  return Math.max(0, found.rows[0]!.seconds)
}

/** Finds the n-th newest failure in the window: sign-in works again once it leaves the window. */
const buildThrottleQuery = (account: string, address: string) => sql`
  select coalesce(ceil(max(extract(epoch from at + ${throttleMinutes} * interval '1 minute' - now()))), 0)::int as seconds from (
    (select at from sign_in_failures where account = ${account.toLowerCase()} and at > now() - ${throttleMinutes} * interval '1 minute'
      order by at desc offset ${maxFailuresPerAccount - 1} limit 1)
    union all
    (select at from sign_in_failures where address = ${getCallerNetwork(address)} and at > now() - ${throttleMinutes} * interval '1 minute'
      order by at desc offset ${maxFailuresPerAddress - 1} limit 1)
  ) nth`

export async function recordSignInFailure(db: Db, account: string, address: string): Promise<void> {
  await db.execute(sql`
    with ${deleteOldFailuresSql} insert into sign_in_failures (account, address) values (${account.toLowerCase()}, ${getCallerNetwork(address)})`)
}

const deleteOldFailuresSql = sql`forgotten as (delete from sign_in_failures where at < now() - interval '1 hour')`

/**
 * Clears the account's failures after a success. The address keeps its count, or one valid account would reset the
 * limit for guessing others.
 */
export async function clearSignInFailures(db: DbOrTx, account: string): Promise<void> {
  await db.execute(sql`delete from sign_in_failures where account = ${account.toLowerCase()}`)
}

/** Clears what was failed for a person anywhere, also in browsers that know them: the operator lifts a lockout. */
export async function clearFailuresOf(db: DbOrTx, { id, username }: { id: number; username: string }): Promise<void> {
  await db.execute(sql`
    delete from sign_in_failures
    where account in (${username.toLowerCase()}, ${getSecondFactorAccount(id)}) or account like ${` device % of ${id}`}`)
}

/** The same for what an address has failed. */
export async function clearFailuresFrom(db: DbOrTx, address: string): Promise<void> {
  await db.execute(sql`delete from sign_in_failures where address = ${getCallerNetwork(address)}`)
}
