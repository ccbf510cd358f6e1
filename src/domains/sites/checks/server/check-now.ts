import { conflictError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { releaseHost, waitForHost } from './host-claims.ts'
import { type DueSite, saveProbeResult } from './record-check.ts'
import { probeSite } from './request-site.ts'

/** Longer than a check can take. */
export const hostClaimSeconds = 60

/** Checks a site while its user waits. Throws 409 if another check of the host takes too long. */
export async function checkSiteNow(context: AppContext, due: DueSite): Promise<void> {
  if (!(await waitForHost(context.db, due.host, hostClaimSeconds, 40)))
    throw conflictError('This host is being checked right now, please try again in a moment')
  await checkClaimedSite(context, due)
}

/** Checks a site whose host is claimed, saves the result, and releases the host in any case. */
export async function checkClaimedSite(context: AppContext, due: DueSite): Promise<void> {
  try {
    await saveProbeResult(context, due, await probeSite(context.outbound, due.url))
  } catch (error) {
    await releaseHost(context.db, due.host).catch(() => {}) // the claim expires anyway
    throw error
  }
}
