import { sql } from 'drizzle-orm'
import { type DbOrTx, runTransaction, type Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { recordHappenings } from '#domains/happenings/public.ts'
import { clientSitesTable } from '../../client/schema.ts'
import { releaseHost } from './host-claims.ts'
import { deleteUnusedIp, insertIp } from './ip-addresses.ts'
import { isNetworkFailure } from './reachability.ts'
import type { ProbeResult } from './request-site.ts'
import { type DueSite, siteTables } from './site-tables.ts'

/** Seconds between two checks of a site. */
export const checkIntervalSeconds = 15 * 60
/** Seconds after a first miss, to find out soon whether the site is down. */
const retryDelaySeconds = 60
const offlineThreshold = 2

type PreviousState = {
  status: 0 | 1 | null
  misses: number
  ip: string | null
  is_first: boolean
  campaign_id: number | null
  /** ISO 8601. */
  tls_expires_at: string | null
}

/** Saves the result of a check and releases the host. Skips a site whose URL has changed since the check started, or that was removed. */
export async function saveProbeResult({ db, outbound }: AppContext, due: DueSite, result: ProbeResult): Promise<void> {
  const { sites } = siteTables[due.kind]
  const isNew = await runTransaction(db, async (tx) => {
    await releaseHost(tx, due.host)
    const found = await tx.execute<PreviousState>(sql`
      select status, misses, ip, checked_at is null as is_first, ${due.kind === 'client' ? clientSitesTable.campaign_id : sql`null::int`} as campaign_id,
        to_char(tls_expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as tls_expires_at
      from ${sites} where id = ${due.id} and url = ${due.url} and ${due.kind === 'client' ? sql`deleted_at is null` : sql`true`} for update`)
    const before = found.rows[0]
    if (!before) return false
    await updateSite(tx, due, result, before)
    return result.ip !== null && insertIp(tx, result.ip)
  })
  if (!isNew) return
  const name = await outbound.reverse(result.ip ?? '')
  await db.execute(sql`update ips set reverse_ip = ${name} where ip = ${result.ip}`)
}

/** Keeps what is known of a site whose check failed because Leadline is offline, and looks again soon. */
export async function keepSiteState({ db }: AppContext, { kind, id, url, host }: DueSite): Promise<void> {
  const { sites } = siteTables[kind]
  await db.execute(sql`
    update ${sites} set unreached = true, misses = 0, checked_at = now(), next_check_at = now() + make_interval(secs => ${secondsToRetry()})
    where id = ${id} and url = ${url}`)
  await releaseHost(db, host)
}

/** Postpones the next check of a site by the usual interval. */
export const postponeCheck = (db: DbOrTx, { kind, id }: DueSite) =>
  db.execute(sql`
    update ${siteTables[kind].sites} set next_check_at = now() + make_interval(secs => ${checkIntervalSeconds}) where id = ${id}`)

async function updateSite(tx: Tx, { kind, id }: DueSite, result: ProbeResult, before: PreviousState) {
  const { sites, logs } = siteTables[kind]
  const misses = result.outcome === 'down' ? before.misses + 1 : 0
  const status = nextStatus(result, misses, before)
  const ip = result.ip ?? before.ip
  // A site that does not answer, or not to us, shows no certificate: the one known stays.
  const isUnseen = result.outcome === 'down' || result.failure !== null
  const tls_expires_at = result.tlsExpires?.toISOString() ?? (isUnseen ? before.tls_expires_at : null)
  // Only an answer says that checkers are let in again.
  const blockedSince = result.blocked
    ? sql`coalesce(blocked_since, now())`
    : result.code === null
      ? sql`blocked_since`
      : null
  await tx.execute(sql`
    update ${sites} set status = ${status}, misses = ${Math.min(misses, 1000)}, http_status_code = ${result.code},
      redirect_url = ${result.redirect}, ip = ${ip}, tls_expires_at = ${tls_expires_at},
      blocked = ${result.blocked},
      blocked_since = ${blockedSince}, problem = ${result.problem}, unreached = ${isNetworkFailure(result)}, checked_at = now(),
      next_check_at = now() + make_interval(secs => ${secondsToNextCheck(misses, before)})
    where id = ${id}`)
  if (status !== before.status) await tx.execute(sql`insert into ${logs} (site_id, status) values (${id}, ${status})`)
  if (before.ip !== ip) await deleteUnusedIp(tx, before.ip)
  const about = { subject: { type: `${kind}_site`, id }, campaign_id: before.campaign_id }
  await recordHappenings(tx, [
    { ...about, kind: 'site_status', before: { status: before.status }, after: { status } },
    { ...about, kind: 'site_ip', before: { ip: before.ip }, after: { ip } },
    {
      ...about,
      kind: 'site_certificate',
      before: { expires_at: before.tls_expires_at },
      after: { expires_at: tls_expires_at ?? before.tls_expires_at },
    },
  ])
}

/** One miss changes nothing, and an answer that shows nothing neither. */
function nextStatus({ outcome }: ProbeResult, misses: number, before: PreviousState): 0 | 1 | null {
  if (outcome === 'live') return 1
  return outcome === 'down' && misses >= offlineThreshold ? 0 : before.status
}

/** Adds jitter, so that sites added together are not always checked together. */
function secondsToNextCheck(misses: number, { is_first }: PreviousState): number {
  if (misses === 1) return secondsToRetry()
  return checkIntervalSeconds * (is_first ? 0.4 + Math.random() * 0.6 : 0.97 + Math.random() * 0.03)
}

const secondsToRetry = () => retryDelaySeconds * (1 + Math.random() / 2)
