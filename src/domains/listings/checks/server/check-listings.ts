import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { AppContext } from '#domains/app-context.ts'
import { releaseHost } from '#domains/sites/public.ts'
import { mapsHost } from '#integrations/public-listing/public-listing.ts'
import { checkListing, checkPauseMs, claimMapsHost } from './check-page.ts'
import { applyGoogleResults, buildLinkedCondition } from './google-check.ts'
import type { DueListing } from './record-check.ts'

type RoundLimits = {
  /** Milliseconds between two requests. */
  between?: number
  /** Starts no new check after this many milliseconds. */
  milliseconds?: number
}

/** Saves Google's results for linked listings, then checks every other due or requested listing, one at a time. Returns the count. */
export async function checkDueListings(context: AppContext, bounds: RoundLimits = {}): Promise<number> {
  const { between = checkPauseMs, milliseconds = Number.POSITIVE_INFINITY } = bounds
  const { stopping } = context.jobs
  const end = performance.now() + milliseconds
  const rest = (time: number) => pause(time, undefined, { signal: stopping }).catch(() => {})
  let checked = await applyGoogleResults(context)
  while (performance.now() < end && !stopping.aborted) {
    if (!(await claimMapsHost(context))) {
      await rest(250)
      continue
    }
    const due = await findNextDue(context)
    if (!due) {
      await releaseHost(context.db, mapsHost)
      break
    }
    checked += 1
    await tryCheckListing(context, due, between)
    await rest(between * 1.2) // leaves time for a check that a user is waiting for
  }
  return checked
}

/** Makes every listing due now. */
export const markAllDue = ({ db }: AppContext) =>
  db.execute(sql`update campaign_gmbs set next_check_at = now() where deleted_at is null`)

/** Returns requested listings first, then the one that has been due longest. */
async function findNextDue(context: AppContext): Promise<DueListing | undefined> {
  const isLinked = await buildLinkedCondition(context)
  const { rows } = await context.db.execute<DueListing>(sql`
    (select id, link, 1 as turn, check_asked_at as at from campaign_gmbs g
      where check_asked_at is not null and deleted_at is null and not ${isLinked} order by check_asked_at, id limit 1)
    union all
    (select id, link, 2, next_check_at from campaign_gmbs g
      where next_check_at <= now() and deleted_at is null and not ${isLinked} order by next_check_at, id limit 1)
    order by turn limit 1`)
  return rows[0]
}

/** A bug in one check does not stop the others. */
async function tryCheckListing(context: AppContext, due: DueListing, between: number): Promise<void> {
  try {
    await checkListing(context, due, between)
  } catch (error) {
    context.log.error({ err: error, listing: due.id }, 'a listing could not be checked')
    await context.db.execute(sql`
      update campaign_gmbs set check_asked_at = null, next_check_at = now() + interval '1 hour' where id = ${due.id}`)
  }
}
