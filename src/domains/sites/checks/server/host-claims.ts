import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'

/** Limits requests to one at a time per host, across processes. A claim expires, in case its process dies. */

/** Claims a host for some seconds. Returns false while it is taken. */
export async function claimHost(db: DbOrTx, host: string, seconds: number): Promise<boolean> {
  const { rows } = await db.execute(sql`
    insert into spoken_hosts (host, until) values (${host}, now() + make_interval(secs => ${seconds}))
    on conflict (host) do update set until = excluded.until where spoken_hosts.until < now() returning host`)
  return rows.length > 0
}

/** Waits for a claim of the host. Returns false if it is still taken after `tries`, a quarter of a second apart. */
export async function waitForHost(
  db: DbOrTx,
  host: string,
  seconds: number,
  tries = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  for (let attempt = 0; !(await claimHost(db, host, seconds)); attempt++) {
    if (attempt >= tries) return false
    await pause(250)
  }
  return true
}

export const extendHostClaim = (db: DbOrTx, host: string, seconds: number) =>
  db.execute(sql`update spoken_hosts set until = now() + make_interval(secs => ${seconds}) where host = ${host}`)

export const releaseHost = (db: DbOrTx, host: string) => db.execute(sql`delete from spoken_hosts where host = ${host}`)
