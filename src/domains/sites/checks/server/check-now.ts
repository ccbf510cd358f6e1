import { setTimeout as pause } from 'node:timers/promises'
import type { House } from '#core/app-context.ts'
import { conflict } from '#core/http/errors.ts'
import { claimHost, releaseHost } from './host-claims.ts'
import { type Due, note } from './record-check.ts'
import { look } from './request-site.ts'

/** Longer than a visit can take. */
export const claimSeconds = 60

/** Visits a site for somebody who waits. A check that is under way is let finish first. */
export async function checkNow(house: House, due: Due, tries = 40): Promise<void> {
  for (let attempt = 0; !(await claimHost(house.db, due.host, claimSeconds)); attempt++) {
    if (attempt === tries) throw conflict('This host is being checked right now, please try again in a moment')
    await pause(250)
  }
  await visit(house, due)
}

/** Looks at a site whose host is claimed, and notes what it saw; the host is free again afterwards, whatever happens. */
export async function visit(house: House, due: Due): Promise<void> {
  try {
    await note(house, due, await look(house.outbound, due.url))
  } catch (error) {
    await releaseHost(house.db, due.host).catch(() => {}) // else its claim ends by itself
    throw error
  }
}
