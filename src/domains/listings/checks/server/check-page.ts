import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { conflictError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { getCid } from '#domains/listings/gmbs/maps-link.ts'
import { claimHost, extendHostClaim } from '#domains/sites/public.ts'
import { mapsHost, readPublicListing } from '#integrations/public-listing/public-listing.ts'
import { type DueListing, saveCheckResult } from './record-check.ts'

/** Longer than a visit can take. */
const claimSeconds = 60
/** Between two questions to Google Maps, whoever asks them. */
export const checkPauseMs = 3000

/** Whether it is our turn to ask Google Maps. */
export const claimMapsHost = ({ db }: AppContext) => claimHost(db, mapsHost, claimSeconds)

/** Checks a listing for somebody who waits. The one that is under way, and a breath after it, come first. */
export async function checkListingNow(context: AppContext, due: DueListing, tries = 60): Promise<void> {
  for (let attempt = 0; !(await claimMapsHost(context)); attempt++) {
    if (attempt === tries)
      throw conflictError('Other listings are being checked right now, please try again in a moment')
    await pause(250)
  }
  await checkListing(context, due)
}

/** Looks at a listing when it is our turn, and notes what it says. */
export async function checkListing(context: AppContext, due: DueListing, between = checkPauseMs): Promise<void> {
  try {
    const answer = await readPublicListing(context.outbound, getCid(due.link) ?? '')
    await saveCheckResult(context, due, answer)
    if (answer.outcome === 'unread' && answer.rest !== null) await postponeChecks(context, answer.rest, answer.problem)
  } finally {
    await extendHostClaim(context.db, mapsHost, between / 1000).catch(() => {}) // else the claim ends by itself
  }
}

/** Google wants no more of us for a while: what is due by then waits, and is spread anew. Who asked is told why. */
async function postponeChecks({ db }: AppContext, seconds: number, problem: string) {
  await db.execute(sql`
    update campaign_gmbs set
      next_check_at = now() + make_interval(secs => ${seconds} * (1 + random())),
      check_problem = case when check_asked_at is null then check_problem else ${problem} end,
      check_asked_at = null
    where deleted_at is null and (check_asked_at is not null or next_check_at < now() + make_interval(secs => ${seconds}))`)
}
