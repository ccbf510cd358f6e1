import { and, type SQL, sql } from 'drizzle-orm'
import { addDays, getToday } from '#contract/days.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { endOfZonedDay, startOfZonedDay, toInstant, toWallClock } from '#core/time/local-time.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { getFirstDays, queueSql, visibleLeadsCondition } from '#domains/leads/public.ts'
import type { homeContract } from '../contract.ts'

/** The same weekday of this many weeks is what is usual. */
const usualWeeks = 4

export async function readHomeFigures(
  db: DbOrTx,
  me: CurrentUser,
  timeZone: string,
  now = new Date(),
): Promise<ResponseOf<typeof homeContract.figures>> {
  const today = getToday(timeZone, now)
  const { time } = toWallClock(now, timeZone)
  // One range each, so that each reads only its part of an index.
  const countBetween = (from: Date, until: Date, condition?: SQL) =>
    db.$count(
      leadsTable,
      and(
        sql`not ${leadsTable.archived}`,
        sql`${leadsTable.occurred_at} >= ${from} and ${leadsTable.occurred_at} < ${until}`,
        condition,
        visibleLeadsCondition(me),
      ),
    )
  const dayEnd = endOfZonedDay(today, timeZone)
  const leads_today = await countBetween(startOfZonedDay(today, timeZone), dayEnd)
  let usual = 0
  for (let week = 1; week <= usualWeeks; week++) {
    const day = addDays(today, -7 * week)
    usual += await countBetween(startOfZonedDay(day, timeZone), toInstant(day, time, timeZone))
  }
  // As many as the tab To review has when it is opened.
  const firstDay = startOfZonedDay(getFirstDays(today).date_from, timeZone)
  const to_review = await countBetween(firstDay, dayEnd, sql.raw(queueSql('review')))
  return { leads_today, usual_by_now: Math.round((usual / usualWeeks) * 10) / 10, to_review }
}
