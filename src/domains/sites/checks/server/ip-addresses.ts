import { sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'

/** An address exists as long as a site uses it. */

/** Returns whether the address is new. */
export async function insertIp(tx: Tx, ip: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`insert into ips (ip) values (${ip}) on conflict (ip) do nothing returning id`)
  return rows.length > 0
}

export async function deleteUnusedIp(tx: Tx, ip: string | null): Promise<void> {
  if (ip === null) return
  await tx.execute(sql`
    delete from ips where ip = ${ip}
      and not exists (select from client_sites s where s.ip = ${ip} and s.deleted_at is null)
      and not exists (select from network_sites s where s.ip = ${ip})`)
}
