import { sql } from 'drizzle-orm'
import { addDays, getToday } from '#contract/days.ts'
import { auditTable } from '#core/db/schema.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import type { AppContext } from '#domains/app-context.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import type { AgencyFacts } from './facts.ts'
import { readStoredFacts } from './stored-facts.ts'

/** As far back as models look, and a year to score them by. */
const factDays = 240 + 400

type Cached<T> = { version: string; value: T; at: number; took: number }

/**
 * Keeps what is expensive to work out while nothing has changed. What takes long is kept for a multiple of that time whatever changes,
 * so that a busy agency spends little on it.
 */
class VersionedCache<T> {
  readonly #patience: number
  #cached: Cached<T> | null = null
  #pending: { version: string; value: Promise<T> } | null = null

  constructor(patience: number) {
    this.#patience = patience
  }

  read(version: string, work: () => Promise<T> | T): Promise<T> {
    const cached = this.#cached
    const isFresh =
      cached &&
      (cached.version === version ||
        (cached.took > 300 && performance.now() - cached.at < cached.took * this.#patience))
    if (isFresh) return Promise.resolve(cached.value)
    if (this.#pending?.version !== version) {
      const pending = { version, value: this.#work(version, work) }
      this.#pending = pending
      const forget = () => {
        if (this.#pending === pending) this.#pending = null
      }
      pending.value.then(forget, forget)
    }
    return this.#pending.value
  }

  async #work(version: string, work: () => Promise<T> | T): Promise<T> {
    const started = performance.now()
    const value = await work()
    this.#cached = { version, value, at: performance.now(), took: performance.now() - started }
    return value
  }
}

type AgencyCache = { facts: VersionedCache<AgencyFacts>; derived: Map<string, VersionedCache<unknown>> }
const caches = new WeakMap<AppContext['pool'], AgencyCache>()

function cacheOf({ pool }: AppContext): AgencyCache {
  const known = caches.get(pool) ?? { facts: new VersionedCache(20), derived: new Map() }
  caches.set(pool, known)
  return known
}

/** Every write of leads, campaigns, sites and notes has an audit entry, or is a new row. */
async function readVersion({ db, settings }: AppContext): Promise<string> {
  const { rows } = await db.execute<{ version: string }>(sql`
    select concat_ws('/', (select max(id) from ${auditTable}), (select max(id) from ${leadsTable}),
      (select max(id) from ${campaignsTable})) as version`)
  return `${rows[0]?.version} ${getToday(settings.AGENCY_TIMEZONE)}`
}

/** Returns what is known of the agency's last 21 months. */
export async function readRecentFacts(context: AppContext): Promise<AgencyFacts> {
  const timeZone = context.settings.AGENCY_TIMEZONE
  return cacheOf(context).facts.read(await readVersion(context), () => {
    const since = startOfZonedDay(addDays(getToday(timeZone), -factDays), timeZone)
    return readStoredFacts(context.db, timeZone, since)
  })
}

/** Returns what `work` makes of those facts; `name` tells one result from another. */
export async function readDerivedFacts<T>(
  context: AppContext,
  name: string,
  work: (facts: AgencyFacts) => T,
): Promise<T> {
  const { derived } = cacheOf(context)
  const cache = (derived.get(name) ?? new VersionedCache<unknown>(100)) as VersionedCache<T> // made under this name
  derived.set(name, cache)
  return cache.read(await readVersion(context), async () => work(await readRecentFacts(context)))
}
