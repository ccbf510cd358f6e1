import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { releaseHost } from '#domains/sites/checks/server/host-claims.ts'
import { mapsHost } from '#integrations/public-listing/public-listing.ts'
import { takeTurn, visit, walk } from './check-page.ts'
import { isLinked, noteLinked } from './google-check.ts'
import type { Due } from './record-check.ts'

type Bounds = {
  /** Milliseconds between two questions. */
  between?: number
  /** Begins nothing more after so many milliseconds. */
  milliseconds?: number
}

/** Notes what Google has said of linked listings, then checks every other one that is due or was asked for, one after the other. Answers how many. */
export async function checkDue(house: House, bounds: Bounds = {}): Promise<number> {
  const { between = walk, milliseconds = Number.POSITIVE_INFINITY } = bounds
  const { stopping } = house.jobs
  const end = performance.now() + milliseconds
  const rest = (time: number) => pause(time, undefined, { signal: stopping }).catch(() => {})
  let checked = await noteLinked(house)
  while (performance.now() < end && !stopping.aborted) {
    if (!(await takeTurn(house))) {
      await rest(250)
      continue
    }
    const due = await nextDue(house)
    if (!due) {
      await releaseHost(house.db, mapsHost)
      break
    }
    checked += 1
    await visitOne(house, due, between)
    await rest(between * 1.2) // who waits for one listing has a chance in between
  }
  return checked
}

/** Makes every listing due, for somebody who asks for a round now. */
export const hurry = ({ db }: House) =>
  db.execute(sql`update campaign_gmbs set next_check_at = now() where deleted_at is null`)

/** What somebody asked for comes first, then the longest due. */
async function nextDue({ db }: House): Promise<Due | undefined> {
  const { rows } = await db.execute<Due>(sql`
    (select id, link, 1 as turn, check_asked_at as at from campaign_gmbs g
      where check_asked_at is not null and deleted_at is null and not ${isLinked} order by check_asked_at, id limit 1)
    union all
    (select id, link, 2, next_check_at from campaign_gmbs g
      where next_check_at <= now() and deleted_at is null and not ${isLinked} order by next_check_at, id limit 1)
    order by turn limit 1`)
  return rows[0]
}

/** One that cannot be checked for a reason of our own stops nobody else. */
async function visitOne(house: House, due: Due, between: number): Promise<void> {
  try {
    await visit(house, due, between)
  } catch (error) {
    house.log.error({ err: error, listing: due.id }, 'a listing could not be checked')
    await house.db.execute(sql`
      update campaign_gmbs set check_asked_at = null, next_check_at = now() + interval '1 hour' where id = ${due.id}`)
  }
}
