import { sql } from 'drizzle-orm'
import { addDays, type CalendarDay, getToday } from '#contract/days.ts'
import { auditTable } from '#core/db/schema.ts'
import { createOncePer } from '#core/once-per.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import type { AgencyFacts } from './facts.ts'
import { forecastOptions } from './forecast-facts.ts'
import { readStoredFacts, readStoredHistories, type StoredHistories } from './stored-facts.ts'
import { VersionedCache } from './versioned-cache.ts'

/** Days that models look back from the first requested day. */
const lookbackDays = forecastOptions.historyDays
/** Days that the caches cover: for models of a running cycle, and of a quarter. */
const cycleDays = lookbackDays + 31
const quarterDays = lookbackDays + 93

/** A large agency's histories are read again for at most a fortieth of the time: it keeps PostgreSQL busy for half a second. */
const historiesPatience = 40

/** How many results for specific days are cached. */
const mostDerived = 8

const getCaches = createOncePer((_pool: AppContext['pool']) => new Map<string, VersionedCache<unknown>>())

/**
 * Returns the version of the facts: every write of leads, campaigns, sites and notes adds an audit entry or a row. The sum of the newest ids,
 * because a transaction that takes an id before another can end after it.
 */
async function readVersion({ db, settings }: AppContext): Promise<string> {
  const newest = [auditTable, leadsTable, campaignsTable].map(
    (table) => sql`(select sum(id) from (select id from ${table} order by id desc limit 500) newest)`,
  )
  const { rows } = await db.execute<{ version: string }>(
    sql`select concat_ws('/', ${sql.join(newest, sql`, `)}) as version`,
  )
  return `${rows[0]?.version} ${getToday(settings.AGENCY_TIMEZONE)}`
}

/**
 * Returns the result of `work`, cached until its `version` changes: by default, that of the stored facts. `name` identifies the result;
 * for `keepFactor` times its computing time it is kept despite changes.
 */
export async function readDerivedFacts<T>(
  context: AppContext,
  name: string,
  keepFactor: number,
  work: () => Promise<T> | T,
  version?: string,
): Promise<T> {
  const derived = getCaches(context.pool)
  const cache = (derived.get(name) ?? new VersionedCache<unknown>(keepFactor)) as VersionedCache<T> // always created under this name
  // Evicts the least recently used.
  derived.delete(name)
  derived.set(name, cache)
  if (derived.size > mostDerived) derived.delete(derived.keys().next().value!)
  return cache.read(version ?? (await readVersion(context)), work)
}

/** Returns all facts that models of `firstDay` or later need; those made at `asOf` need no later leads. The last quarter's are cached, and go on until now. */
export async function readFactsFor(context: AppContext, firstDay: CalendarDay, asOf?: number): Promise<AgencyFacts> {
  const timeZone = context.settings.AGENCY_TIMEZONE
  const since = (day: CalendarDay) => startOfZonedDay(day, timeZone)
  const kept = addDays(getToday(timeZone), -quarterDays)
  const wanted = addDays(firstDay, -lookbackDays)
  if (wanted < kept)
    return readStoredFacts(context.db, timeZone, since(wanted), asOf === undefined ? undefined : new Date(asOf))
  return readDerivedFacts(context, 'facts', 20, () => readStoredFacts(context.db, timeZone, since(kept)))
}

/**
 * Returns what forecasts of cycles from `firstDay` on need; those made at `asOf` or earlier need no later leads. The running cycles'
 * histories are cached, and go on until now.
 */
export async function readHistoriesFor(
  context: AppContext,
  firstDay: CalendarDay,
  asOf?: number,
): Promise<StoredHistories> {
  const timeZone = context.settings.AGENCY_TIMEZONE
  const read = (day: CalendarDay, until?: Date) =>
    readStoredHistories(context.db, timeZone, startOfZonedDay(day, timeZone), until)
  const kept = addDays(getToday(timeZone), -cycleDays)
  const wanted = addDays(firstDay, -lookbackDays)
  if (wanted < kept) return read(wanted, asOf === undefined ? undefined : new Date(asOf))
  return readDerivedFacts(context, 'histories', historiesPatience, () => read(kept))
}
