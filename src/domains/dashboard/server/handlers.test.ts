import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import { setUp, startApp } from '#test/app.ts'
import { homeContract } from '../contract.ts'
import { homeVisitsTable } from '../schema.ts'
import { readHomeFigures } from './queries.ts'

const app = await setUp(startApp())
const timeZone = app.context.settings.AGENCY_TIMEZONE
const [mine, other] = [await app.make.campaign(), await app.make.campaign()]
const admin = await app.make.admin({ campaigns: [mine.id], permissions: ['leads', 'dashboard'] })
const me = await app.as(admin)

test('the figures of Home are the leads of today beside those that are usual by now, and those to review [DESK-01]', async () => {
  const today = getToday(timeZone)
  const make = (daysAgo: number, hours: number, values: object = {}) =>
    app.make.lead({
      campaign_id: mine.id,
      occurred_at: new Date(startOfZonedDay(addDays(today, -daysAgo), timeZone).getTime() + hours * 3_600_000),
      confirmed: true,
      ...values,
    })
  await make(0, 0)
  await make(0, 1, { confirmed: false })
  await make(0, 1, { archived: true })
  await make(0, 1, { campaign_id: other.id })
  for (const weeks of [1, 2]) {
    await make(7 * weeks, 9)
    await make(7 * weeks, 9)
    await make(7 * weeks, 20)
  }
  await make(1, 9)
  const { db } = app.context
  const { body } = await me.call(homeContract.figures)
  expect(body).toMatchObject({ leads_today: 2, to_review: 1 })
  const reader = { id: admin.id, campaignIds: [mine.id], isAdmin: true }
  const noon = new Date(startOfZonedDay(today, timeZone).getTime() + 12 * 3_600_000)
  const figures = await readHomeFigures(db, reader as never, timeZone, noon)
  expect(figures.usual_by_now, 'four leads before noon on the last four of these weekdays').toBe(1)
})

test('a visit of Home ends half an hour after the last look; what came since is new [DESK-01]', async () => {
  const look = async () => (await me.call(homeContract.visit)).body.last_visit_at
  expect(await look(), 'the first visit').toBeNull()
  expect(await look()).toBeNull()
  const { db } = app.context
  const goBack = (minutes: number) =>
    db
      .update(homeVisitsTable)
      .set({ seen_at: sql`seen_at - ${minutes} * interval '1 minute'` })
      .where(eq(homeVisitsTable.user_id, admin.id))
      .returning({ seen_at: homeVisitsTable.seen_at })
  const [left] = await goBack(31)
  expect(await look()).toBe(left!.seen_at.toISOString())
  await goBack(29)
  expect(await look(), 'the same visit').toBe(left!.seen_at.toISOString())
})
