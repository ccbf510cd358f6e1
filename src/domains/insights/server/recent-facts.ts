import { sql } from 'drizzle-orm'
import { addDays, type CalendarDay, getToday } from '#contract/days.ts'
import { auditTable } from '#core/db/schema.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import type { AgencyFacts } from './facts.ts'
import { forecastOptions } from './forecast-facts.ts'
import { readStoredFacts, readStoredHistories, type StoredHistories } from './stored-facts.ts'
import { VersionedCache } from './versioned-cache.ts'

/** As far back as models look from the first day that is asked about. */
export const lookbackDays = forecastOptions.historyDays
/** What is kept reaches back so far: models of a running cycle, and of a quarter. */
const cycleDays = lookbackDays + 31
const quarterDays = lookbackDays + 93

/** Of results that depend on the days asked about, so many are kept. */
const mostDerived = 8

const caches = new WeakMap<AppContext['pool'], Map<string, VersionedCache<unknown>>>()

/** Every write of leads, campaigns, sites and notes has an audit entry, or is a new row. */
async function readVersion({ db, settings }: AppContext): Promise<string> {
  const { rows } = await db.execute<{ version: string }>(sql`
    select concat_ws('/', (select max(id) from ${auditTable}), (select max(id) from ${leadsTable}),
      (select max(id) from ${campaignsTable})) as version`)
  return `${rows[0]?.version} ${getToday(settings.AGENCY_TIMEZONE)}`
}

/**
 * Returns what `work` makes of what is stored, kept while that stays as it is. `name` tells one result from another; `patience` is how
 * many times the time that it took it is kept whatever changes.
 */
export async function readDerivedFacts<T>(
  context: AppContext,
  name: string,
  patience: number,
  work: () => Promise<T> | T,
): Promise<T> {
  const derived = caches.get(context.pool) ?? new Map<string, VersionedCache<unknown>>()
  caches.set(context.pool, derived)
  const cache = (derived.get(name) ?? new VersionedCache<unknown>(patience)) as VersionedCache<T> // made under this name
  // The one that was asked for longest ago goes first.
  derived.delete(name)
  derived.set(name, cache)
  if (derived.size > mostDerived) derived.delete(derived.keys().next().value!)
  return cache.read(await readVersion(context), work)
}

/** Returns all facts from the day on that models look back to from `firstDay`. Those of the last quarter are kept. */
export async function readFactsFor(context: AppContext, firstDay: CalendarDay): Promise<AgencyFacts> {
  const timeZone = context.settings.AGENCY_TIMEZONE
  const since = (day: CalendarDay) => startOfZonedDay(day, timeZone)
  const kept = addDays(getToday(timeZone), -quarterDays)
  const wanted = addDays(firstDay, -lookbackDays)
  if (wanted < kept) return readStoredFacts(context.db, timeZone, since(wanted))
  return readDerivedFacts(context, 'facts', 20, () => readStoredFacts(context.db, timeZone, since(kept)))
}

/** Returns what forecasts of a cycle of `firstDay` or later look at. Those of the running cycles are kept. */
export async function readHistoriesFor(context: AppContext, firstDay: CalendarDay): Promise<StoredHistories> {
  const timeZone = context.settings.AGENCY_TIMEZONE
  const read = (day: CalendarDay) => readStoredHistories(context.db, timeZone, startOfZonedDay(day, timeZone))
  const kept = addDays(getToday(timeZone), -cycleDays)
  const wanted = addDays(firstDay, -lookbackDays)
  return wanted < kept ? read(wanted) : readDerivedFacts(context, 'histories', 20, () => read(kept))
}
