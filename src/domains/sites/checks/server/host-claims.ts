import { sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'

/** One conversation with a host at a time, in whatever process: a claim, and its end in case nobody gives it back. */

/** Whether the host is ours to speak to for so many seconds. */
export async function claimHost(db: DbOrTx, host: string, seconds: number): Promise<boolean> {
  const { rows } = await db.execute(sql`
    insert into spoken_hosts (host, until) values (${host}, now() + make_interval(secs => ${seconds}))
    on conflict (host) do update set until = excluded.until where spoken_hosts.until < now() returning host`)
  return rows.length > 0
}

export const extendHostClaim = (db: DbOrTx, host: string, seconds: number) =>
  db.execute(sql`update spoken_hosts set until = now() + make_interval(secs => ${seconds}) where host = ${host}`)

export const releaseHost = (db: DbOrTx, host: string) => db.execute(sql`delete from spoken_hosts where host = ${host}`)
