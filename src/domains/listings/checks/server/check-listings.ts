import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { AppContext } from '#domains/app-context.ts'
import { releaseHost } from '#domains/sites/public.ts'
import { mapsHost } from '#integrations/public-listing/public-listing.ts'
import { checkListing, checkPauseMs, claimMapsHost } from './check-page.ts'
import { applyGoogleResults, linkedCondition } from './google-check.ts'
import type { DueListing } from './record-check.ts'

type RoundLimits = {
  /** Milliseconds between two questions. */
  between?: number
  /** Begins nothing more after so many milliseconds. */
  milliseconds?: number
}

/** Notes what Google has said of linked listings, then checks every other one that is due or was asked for, one after the other. Answers how many. */
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
    await rest(between * 1.2) // who waits for one listing has a chance in between
  }
  return checked
}

/** Makes every listing due, for somebody who asks for a round now. */
export const markAllDue = ({ db }: AppContext) =>
  db.execute(sql`update campaign_gmbs set next_check_at = now() where deleted_at is null`)

/** What somebody asked for comes first, then the longest due. */
async function findNextDue({ db }: AppContext): Promise<DueListing | undefined> {
  const { rows } = await db.execute<DueListing>(sql`
    (select id, link, 1 as turn, check_asked_at as at from campaign_gmbs g
      where check_asked_at is not null and deleted_at is null and not ${linkedCondition} order by check_asked_at, id limit 1)
    union all
    (select id, link, 2, next_check_at from campaign_gmbs g
      where next_check_at <= now() and deleted_at is null and not ${linkedCondition} order by next_check_at, id limit 1)
    order by turn limit 1`)
  return rows[0]
}

/** One that cannot be checked for a reason of our own stops nobody else. */
async function tryCheckListing(context: AppContext, due: DueListing, between: number): Promise<void> {
  try {
    await checkListing(context, due, between)
  } catch (error) {
    context.log.error({ err: error, listing: due.id }, 'a listing could not be checked')
    await context.db.execute(sql`
      update campaign_gmbs set check_asked_at = null, next_check_at = now() + interval '1 hour' where id = ${due.id}`)
  }
}
