import { conflictError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { releaseHost, waitForHost } from './host-claims.ts'
import { isFailureOurs } from './reachability.ts'
import { keepSiteState, postponeCheck, saveProbeResult } from './record-check.ts'
import { probeSite } from './request-site.ts'
import type { DueSite } from './site-tables.ts'

/** Longer than a check can take. */
export const hostClaimSeconds = 60

/**
 * Checks a site now. What a person wants to know is judged by itself; otherwise a failure may be Leadline's own. Throws 409 if another check
 * of the host takes too long.
 */
export async function checkSiteNow(context: AppContext, due: DueSite, { isByHand = true } = {}): Promise<void> {
  if (!(await waitForHost(context.db, due.host, hostClaimSeconds, 40)))
    throw conflictError('This host is being checked right now, please try again in a moment')
  await checkClaimedSite(context, due, { isByHand })
}

/** Checks a site whose host is claimed, saves the result, and releases the host in any case. */
export async function checkClaimedSite(
  context: AppContext,
  due: DueSite,
  { isByHand }: { isByHand: boolean },
): Promise<void> {
  try {
    const result = await probeSite(context.outbound, due.url)
    if (!isByHand && (await isFailureOurs(context, due, result))) await keepSiteState(context, due)
    else await saveProbeResult(context, due, result)
  } catch (error) {
    // While the host is claimed: a round would find the site due again at once, and request it without a pause.
    if (!isByHand) await postponeCheck(context.db, due).catch(() => {}) // without a database the round ends
    await releaseHost(context.db, due.host).catch(() => {}) // the claim expires anyway
    throw error
  }
}
