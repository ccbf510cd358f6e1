import { sql } from 'drizzle-orm'
import { runTransaction, type Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { releaseHost } from './host-claims.ts'
import { deleteUnusedIp, insertIp } from './ip-addresses.ts'
import type { ProbeResult } from './request-site.ts'

export type SiteKind = 'client' | 'network'
/** A site that is being checked. */
export type DueSite = { kind: SiteKind; id: number; url: string; host: string }

/** How often a site is checked, in seconds. */
export const checkIntervalSeconds = 15 * 60
/** After a first miss, to know soon whether it was one. */
const retryDelaySeconds = 60
const offlineThreshold = 2

const siteTables = {
  client: { sites: sql.identifier('client_sites'), logs: sql.identifier('client_site_logs') },
  network: { sites: sql.identifier('network_sites'), logs: sql.identifier('network_site_logs') },
} as const

type PreviousState = { status: 0 | 1 | null; misses: number; ip: string | null; is_first: boolean }

/** Writes down what a visit found, and gives the host back. A site whose address was changed meanwhile stays as it is. */
export async function saveProbeResult(
  { db, outbound }: AppContext,
  due: DueSite,
  sighting: ProbeResult,
): Promise<void> {
  const { sites } = siteTables[due.kind]
  const isNew = await runTransaction(db, async (tx) => {
    await releaseHost(tx, due.host)
    const found = await tx.execute<PreviousState>(sql`
      select status, misses, ip, checked_at is null as is_first from ${sites} where id = ${due.id} and url = ${due.url} for update`)
    const before = found.rows[0]
    if (!before) return false
    await updateSite(tx, due, sighting, before)
    return sighting.ip !== null && insertIp(tx, sighting.ip)
  })
  if (!isNew) return
  const name = await outbound.reverse(sighting.ip ?? '')
  await db.execute(sql`update ips set reverse_ip = ${name} where ip = ${sighting.ip}`)
}

async function updateSite(tx: Tx, { kind, id }: DueSite, sighting: ProbeResult, before: PreviousState) {
  const { sites, logs } = siteTables[kind]
  const misses = sighting.outcome === 'down' ? before.misses + 1 : 0
  const status = nextStatus(sighting, misses, before)
  const ip = sighting.ip ?? before.ip
  await tx.execute(sql`
    update ${sites} set status = ${status}, misses = ${Math.min(misses, 1000)}, http_status_code = ${sighting.code},
      redirect_url = ${sighting.redirect}, ip = ${ip}, tls_expires_at = ${sighting.tlsExpires?.toISOString() ?? null},
      blocked = ${sighting.outcome === 'blocked'}, problem = ${sighting.problem}, checked_at = now(),
      next_check_at = now() + make_interval(secs => ${secondsToNextCheck(misses, before)})
    where id = ${id}`)
  if (status !== before.status) await tx.execute(sql`insert into ${logs} (site_id, status) values (${id}, ${status})`)
  if (before.ip !== ip) await deleteUnusedIp(tx, before.ip)
}

/** One miss changes nothing, and a wall says nothing about what is behind it. */
function nextStatus({ outcome }: ProbeResult, misses: number, before: PreviousState): 0 | 1 | null {
  if (outcome === 'live') return 1
  return outcome === 'down' && misses >= offlineThreshold ? 0 : before.status
}

/** Sites that were entered together do not stay together: the first round ends at any time of the interval. */
function secondsToNextCheck(misses: number, { is_first }: PreviousState): number {
  if (misses === 1) return retryDelaySeconds * (1 + Math.random() / 2)
  return checkIntervalSeconds * (is_first ? 0.4 + Math.random() * 0.6 : 0.97 + Math.random() * 0.03)
}
