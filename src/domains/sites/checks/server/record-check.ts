import { sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { type Tx, transaction } from '#core/db/db.ts'
import { releaseHost } from './host-claims.ts'
import { forgetUnused, keepAddress } from './ip-addresses.ts'
import type { Sighting } from './request-site.ts'

export type Kind = 'client' | 'network'
/** A site that is being checked. */
export type Due = { kind: Kind; id: number; url: string; host: string }

/** How often a site is checked, in seconds. */
export const interval = 15 * 60
/** After a first miss, to know soon whether it was one. */
const soon = 60
const missesToBeOffline = 2

const tables = {
  client: { sites: sql.identifier('client_sites'), logs: sql.identifier('client_site_logs') },
  network: { sites: sql.identifier('network_sites'), logs: sql.identifier('network_site_logs') },
} as const

type Before = { status: 0 | 1 | null; misses: number; ip: string | null; is_first: boolean }

/** Writes down what a visit found, and gives the host back. A site whose address was changed meanwhile stays as it is. */
export async function note({ db, outbound }: House, due: Due, sighting: Sighting): Promise<void> {
  const { sites } = tables[due.kind]
  const isNew = await transaction(db, async (tx) => {
    await releaseHost(tx, due.host)
    const found = await tx.execute<Before>(sql`
      select status, misses, ip, checked_at is null as is_first from ${sites} where id = ${due.id} and url = ${due.url} for update`)
    const before = found.rows[0]
    if (!before) return false
    await write(tx, due, sighting, before)
    return sighting.ip !== null && keepAddress(tx, sighting.ip)
  })
  if (!isNew) return
  const name = await outbound.reverse(sighting.ip ?? '')
  await db.execute(sql`update ips set reverse_ip = ${name} where ip = ${sighting.ip}`)
}

async function write(tx: Tx, { kind, id }: Due, sighting: Sighting, before: Before) {
  const { sites, logs } = tables[kind]
  const misses = sighting.outcome === 'down' ? before.misses + 1 : 0
  const status = statusAfter(sighting, misses, before)
  const ip = sighting.ip ?? before.ip
  await tx.execute(sql`
    update ${sites} set status = ${status}, misses = ${Math.min(misses, 1000)}, http_status_code = ${sighting.code},
      redirect_url = ${sighting.redirect}, ip = ${ip}, tls_expires_at = ${sighting.tlsExpires?.toISOString() ?? null},
      blocked = ${sighting.outcome === 'blocked'}, problem = ${sighting.problem}, checked_at = now(),
      next_check_at = now() + make_interval(secs => ${secondsToNext(misses, before)})
    where id = ${id}`)
  if (status !== before.status) await tx.execute(sql`insert into ${logs} (site_id, status) values (${id}, ${status})`)
  if (before.ip !== ip) await forgetUnused(tx, before.ip)
}

/** One miss changes nothing, and a wall says nothing about what is behind it. */
function statusAfter({ outcome }: Sighting, misses: number, before: Before): 0 | 1 | null {
  if (outcome === 'live') return 1
  return outcome === 'down' && misses >= missesToBeOffline ? 0 : before.status
}

/** Sites that were entered together do not stay together: the first round ends at any time of the interval. */
function secondsToNext(misses: number, { is_first }: Before): number {
  if (misses === 1) return soon * (1 + Math.random() / 2)
  return interval * (is_first ? 0.4 + Math.random() * 0.6 : 0.97 + Math.random() * 0.03)
}
