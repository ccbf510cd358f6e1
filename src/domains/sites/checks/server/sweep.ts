import { sql } from 'drizzle-orm'
import type { AppContext } from '#domains/app-context.ts'
import { checkClaimedSite, hostClaimSeconds } from './check-now.ts'
import { reviewReachability } from './reachability.ts'
import type { DueSite } from './site-tables.ts'

type SweepLimits = {
  /** The most sites visited at a time. Slow ones only occupy their slot. */
  atOnce?: number
  /** Starts no new visit after this many milliseconds. */
  milliseconds?: number
}

/** Visits every due site, client and network sites alike, one per host at a time. Returns the count. */
export async function checkDueSites(
  context: AppContext,
  { atOnce = 100, milliseconds = Number.POSITIVE_INFINITY }: SweepLimits = {},
) {
  const end = performance.now() + milliseconds
  const running = new Set<Promise<void>>()
  let visited = 0
  const canContinue = () => performance.now() < end && !context.jobs.stopping.aborted
  while (canContinue()) {
    // Claims in batches: only when at least half of the slots are free.
    const due = running.size <= atOnce / 2 ? await claimDueSites(context, atOnce - running.size) : []
    for (const site of due) {
      visited += 1
      const work = tryCheckSite(context, site).finally(() => running.delete(work))
      running.add(work)
    }
    if (due.length === 0 && running.size === 0) break
    if (running.size > 0) await Promise.race(running)
  }
  await Promise.all(running)
  await reviewReachability(context)
  return visited
}

/** A bug in one check does not stop the others. */
async function tryCheckSite(context: AppContext, site: DueSite): Promise<void> {
  try {
    await checkClaimedSite(context, site, { isByHand: false })
  } catch (error) {
    context.log.error({ err: error, site: site.url }, 'a site could not be checked')
  }
}

/** Makes every site due now: a second ago, because the column rounds to milliseconds, also up. */
export async function markAllSitesDue({ db }: AppContext): Promise<void> {
  await db.execute(sql`update client_sites set next_check_at = now() - interval '1 second' where deleted_at is null`)
  await db.execute(sql`update network_sites set next_check_at = now() - interval '1 second'`)
}

/** Claims the sites that have been due longest: one per host, and none whose host is already claimed. */
async function claimDueSites({ db }: AppContext, most: number): Promise<DueSite[]> {
  const free = sql`next_check_at <= now() and not exists (select from spoken_hosts h where h.host = s.host and h.until > now())`
  const { rows } = await db.execute<DueSite>(sql`
    with due as (
      (select 'client' as kind, id, url, host, next_check_at from client_sites s where deleted_at is null and ${free} order by next_check_at limit 1000)
      union all
      (select 'network', id, url, host, next_check_at from network_sites s where ${free} order by next_check_at limit 1000)),
    one_a_host as (select distinct on (host) * from due where host is not null order by host, next_check_at),
    claimed as (
      insert into spoken_hosts (host, until)
      select host, now() + make_interval(secs => ${hostClaimSeconds})
      from (select host from one_a_host order by next_check_at limit ${most}) longest order by host -- the same order for everybody: no deadlock
      on conflict (host) do update set until = excluded.until where spoken_hosts.until < now() returning host)
    select kind, id, url, one_a_host.host from one_a_host join claimed using (host)`)
  return rows
}
