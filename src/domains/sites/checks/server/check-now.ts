import { setTimeout as pause } from 'node:timers/promises'
import { conflictError } from '#core/http/errors.ts'
import type { AppContext } from '#domains/app-context.ts'
import { claimHost, releaseHost } from './host-claims.ts'
import { type DueSite, saveProbeResult } from './record-check.ts'
import { probeSite } from './request-site.ts'

/** Longer than a visit can take. */
export const hostClaimSeconds = 60

/** Visits a site for somebody who waits. A check that is under way is let finish first. */
export async function checkSiteNow(context: AppContext, due: DueSite, tries = 40): Promise<void> {
  for (let attempt = 0; !(await claimHost(context.db, due.host, hostClaimSeconds)); attempt++) {
    if (attempt === tries) throw conflictError('This host is being checked right now, please try again in a moment')
    await pause(250)
  }
  await checkClaimedSite(context, due)
}

/** Looks at a site whose host is claimed, and notes what it saw; the host is free again afterwards, whatever happens. */
export async function checkClaimedSite(context: AppContext, due: DueSite): Promise<void> {
  try {
    await saveProbeResult(context, due, await probeSite(context.outbound, due.url))
  } catch (error) {
    await releaseHost(context.db, due.host).catch(() => {}) // else its claim ends by itself
    throw error
  }
}
