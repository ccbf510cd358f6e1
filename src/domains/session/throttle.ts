import { sql } from 'drizzle-orm'
import type { Db, Queries } from '#server/db.ts'
import { signInFailures } from './table.ts'

/** Failures are counted in PostgreSQL, so that every process counts the same ones. */
const minutes = 15
const perAccount = 10
const perAddress = 30

/**
 * Notes a try as a failure before its password is looked at, so that those that come together count each other; one that works
 * takes its note back (`clearFailures`). Answers the seconds until this account and address may try again; 0 when this one may.
 */
export async function beginTry(db: Db, account: string, address: string): Promise<number> {
  return db.transaction(async (tx) => {
    // Who tries for the same account or from the same address takes turns, always in this order.
    await tx.execute(sql`select pg_advisory_xact_lock(${addressTurn}, hashtext(${address}))`)
    await tx.execute(sql`select pg_advisory_xact_lock(${accountTurn}, hashtext(${account.toLowerCase()}))`)
    const seconds = await secondsToWait(tx, account, address)
    if (seconds === 0) await noteFailure(tx, account, address)
    return seconds
  })
}

const [addressTurn, accountTurn] = [7_318_203, 7_318_204] // any numbers of ours

/** Seconds until this account and address may try again; 0 when they may now. */
export async function secondsToWait(db: Queries, account: string, address: string): Promise<number> {
  const key = account.toLowerCase()
  // The n-th newest failure inside the window: sign-in opens again when it falls out.
  const found = await db.execute<{ wait: number }>(sql`
    with nth as (
      (select at from sign_in_failures where account = ${key} and at > now() - ${minutes} * interval '1 minute'
        order by at desc offset ${perAccount - 1} limit 1)
      union all
      (select at from sign_in_failures where address = ${address} and at > now() - ${minutes} * interval '1 minute'
        order by at desc offset ${perAddress - 1} limit 1)
    )
    select coalesce(ceil(max(extract(epoch from at + ${minutes} * interval '1 minute' - now()))), 0)::int as wait from nth`)
  return Math.max(0, found.rows[0]?.wait ?? 0)
}

export async function noteFailure(db: Queries, account: string, address: string): Promise<void> {
  await db.insert(signInFailures).values({ account: account.toLowerCase(), address })
  await db.execute(sql`delete from sign_in_failures where at < now() - interval '1 hour'`)
}

/** A sign-in that worked clears the account; the address keeps its count, or one good account would open it to guessing. */
export async function clearFailures(db: Db, account: string): Promise<void> {
  await db.execute(sql`delete from sign_in_failures where account = ${account.toLowerCase()}`)
}
