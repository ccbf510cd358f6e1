import { type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { OutboundErrorKind } from '#integrations/outbound/outbound-problem.ts'
import { offlineSpellsTable } from '../schema.ts'
import type { ProbeResult } from './request-site.ts'
import { type DueSite, siteTables } from './site-tables.ts'

/** Whether Leadline itself reaches the internet, as its checks of sites show. While it does not, they say nothing about the sites. */

const networkFailures: ReadonlySet<OutboundErrorKind | null> = new Set<OutboundErrorKind>([
  'unresolved',
  'unanswered',
  'unreachable',
  'closed',
  'late',
])
/** How much of what was checked must fail. */
const offlineShare = 0.8
const fewestSites = 5
/** A failing site is checked again within this time, so these checks show how things are now. */
const recentSeconds = 120
/** How many other sites are checked at once when one fails. */
const comparedSites = 8

/** Returns whether a check failed in the network's own ways: no name, no connection, a reset, no answer. */
export const isNetworkFailure = ({ failure, code }: Pick<ProbeResult, 'failure' | 'code'>): boolean =>
  code === null && networkFailures.has(failure)

/** Returns whether Leadline is known to be offline. */
export async function isLeadlineOffline(db: DbOrTx): Promise<boolean> {
  const { rows } = await db.execute(sql`select from ${offlineSpellsTable} where ended_at is null`)
  return rows.length > 0
}

/**
 * Returns whether a failure that would count as a second miss is Leadline's own. At a first miss, a few other sites become due, to have
 * something to compare with at the second.
 */
export async function isFailureOurs(context: AppContext, due: DueSite, result: ProbeResult): Promise<boolean> {
  if (!isNetworkFailure(result)) return false
  const { db } = context
  if (await isLeadlineOffline(db)) return true
  const { sites } = siteTables[due.kind]
  const { rows } = await db.execute(sql`select from ${sites} where id = ${due.id} and misses > 0`)
  if (rows.length === 0) {
    await compareWithOthers(db, due)
    return false
  }
  const since = await readStartOfTrouble(db)
  const isOurs =
    areUnreached(await countChecks(db, quarterHour)) ||
    areUnreached(await countChecks(db, since)) ||
    (result.failure === 'unanswered' && (await areNamesUnresolved(context, since)))
  if (isOurs) await beginSpell(db)
  return isOurs
}

/** Begins or ends a spell by the checks of a round. */
export async function reviewReachability(context: AppContext): Promise<void> {
  const { db } = context
  const isQuarterUnreached = areUnreached(await countChecks(db, quarterHour))
  if (!(await isLeadlineOffline(db))) {
    if (isQuarterUnreached) await beginSpell(db)
    return
  }
  const recent = await countChecks(db, recently)
  const continues =
    isQuarterUnreached ||
    areUnreached(recent) ||
    (recent.checked < fewestSites && (await areNamesUnresolved(context, recently)))
  if (!continues) await db.execute(sql`update ${offlineSpellsTable} set ended_at = now() where ended_at is null`)
}

const beginSpell = (db: DbOrTx) =>
  db.execute(sql`insert into ${offlineSpellsTable} default values on conflict do nothing`)

/** Returns when the first of the sites that wait for their second check failed. */
async function readStartOfTrouble(db: DbOrTx): Promise<SQL> {
  const { rows } = await db.execute<{ since: string }>(sql`
    select coalesce(min(checked_at), now())::text as since from (
      select checked_at from ${siteTables.client.sites} where unreached and misses = 1 and deleted_at is null
      union all select checked_at from ${siteTables.network.sites} where unreached and misses = 1) site
    where checked_at > ${quarterHour}`)
  return sql`${rows[0]!.since}::timestamptz`
}

const quarterHour = sql`now() - interval '15 minutes'`
const recently = sql`now() - make_interval(secs => ${recentSeconds})`
const checkedSites = (since: SQL) => sql`
  select host, unreached from ${siteTables.client.sites} where checked_at >= ${since} and deleted_at is null
  union all select host, unreached from ${siteTables.network.sites} where checked_at >= ${since}`

type CheckCounts = { checked: number; unreached: number }

async function countChecks(db: DbOrTx, since: SQL): Promise<CheckCounts> {
  const { rows } = await db.execute<CheckCounts>(sql`
    select count(*)::int as checked, count(*) filter (where unreached)::int as unreached from (${checkedSites(since)}) site`)
  return rows[0]!
}

const areUnreached = ({ checked, unreached }: CheckCounts) =>
  checked >= fewestSites && unreached >= offlineShare * checked

/** Returns whether no name can be resolved: no site with a name was reached, and a name server has no answer for any other name either. */
async function areNamesUnresolved({ db, outbound }: AppContext, since: SQL): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select from (${checkedSites(since)}) site where not unreached and host !~ '^([0-9.]+|\\[.*\\])$' limit 1`)
  return rows.length === 0 && !(await outbound.namesResolve())
}

/** Makes a few other sites due, unless enough of them were just checked. */
async function compareWithOthers(db: DbOrTx, { host }: DueSite): Promise<void> {
  const { checked } = await countChecks(db, sql`now() - interval '1 minute'`)
  if (checked >= fewestSites) return
  // Twice, because a site may be checked while this waits for its row: its second check must not follow the first at once.
  const isUnchecked = sql`misses = 0 and checked_at < now() - interval '1 minute'`
  for (const { sites } of Object.values(siteTables))
    await db.execute(sql`
      update ${sites} set next_check_at = now() - interval '1 second' where ${isUnchecked} and id in (
        select id from ${sites} where host <> ${host} and ${isUnchecked}
          ${sites === siteTables.client.sites ? sql`and deleted_at is null` : sql``}
        order by random() limit ${comparedSites})`)
}
