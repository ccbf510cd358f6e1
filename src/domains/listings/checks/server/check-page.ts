import { sql } from 'drizzle-orm'
import { conflictError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { getCid } from '#domains/listings/gmbs/maps-link.ts'
import { claimHost, extendHostClaim, waitForHost } from '#domains/sites/public.ts'
import { mapsHost, readPublicListing } from '#integrations/public-listing/public-listing.ts'
import { type DueListing, saveCheckResult } from './record-check.ts'

/** Longer than a check can take. */
const claimSeconds = 60
/** Milliseconds between two requests to Google Maps, across processes. */
export const checkPauseMs = 3000

/** Claims Google Maps for this process. Returns false while another process has it. */
export const claimMapsHost = ({ db }: AppContext) => claimHost(db, mapsHost, claimSeconds)

/** Checks a listing while its user waits. Throws 409 if other checks take too long. */
export async function checkListingNow(context: AppContext, due: DueListing, tries = 60): Promise<void> {
  if (!(await waitForHost(context.db, mapsHost, claimSeconds, tries)))
    throw conflictError('Other listings are being checked right now, please try again in a moment')
  await checkListing(context, due)
}

/** Checks a listing once Google Maps is claimed, and saves the result. */
export async function checkListing(context: AppContext, due: DueListing, between = checkPauseMs): Promise<void> {
  try {
    const answer = await readPublicListing(context.outbound, getCid(due.link) ?? '')
    await saveCheckResult(context, due, answer)
    if (answer.outcome === 'unread' && answer.rest !== null) await postponeChecks(context, answer.rest, answer.problem)
  } finally {
    await extendHostClaim(context.db, mapsHost, between / 1000).catch(() => {}) // the claim expires anyway
  }
}

/** Postpones and spreads out the checks due within the pause that Google asks for. Requested checks end with the reason. */
async function postponeChecks({ db }: AppContext, seconds: number, problem: string) {
  await db.execute(sql`
    update campaign_gmbs set
      next_check_at = now() + make_interval(secs => ${seconds} * (1 + random())),
      check_problem = case when check_asked_at is null then check_problem else ${problem} end,
      check_asked_at = null
    where deleted_at is null and (check_asked_at is not null or next_check_at < now() + make_interval(secs => ${seconds}))`)
}
