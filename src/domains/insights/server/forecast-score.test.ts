import { expect, onTestFinished, test } from 'vitest'
import { addDays, getToday, startOfMonth } from '#contract/days.ts'
import { startApp } from '#test/app.ts'
import { insightsContract } from '../contract.ts'

// An app for each test: a score that took long to compute is cached despite changes.
async function setUpScore() {
  const app = await startApp()
  onTestFinished(() => app.close())
  return { app, today: getToday(app.context.settings.AGENCY_TIMEZONE) }
}

test('the score counts the forecasts of all past cycles, however old [PACE-05]', async () => {
  const { app, today } = await setUpScore()
  const { id } = await app.make.campaign({ start_date: addDays(today, -800), due_date: 1, initial_target: 55 })
  for (let day = 800; day > 790; day--) {
    const at = new Date(`${addDays(today, -day)}T16:00:00Z`)
    await app.make.lead({ campaign_id: id, confirmed: true, occurred_at: at, created_at: at })
  }
  const owner = await app.as(await app.make.admin({ permissions: ['leadChart'], campaigns: [id] }))
  const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
  const first = addDays(today, -801) // the cycle that begins after this day is the first whole one
  expect((await owner.call(insightsContract.score)).body.cases).toBe(5 * (monthOf(today) - monthOf(first) - 1))
})

test('verified leads that were imported count from the day they came, so that past forecasts are scored as if made here [PACE-05]', async () => {
  const { app, today } = await setUpScore()
  const { id } = await app.make.campaign({ start_date: addDays(today, -200), due_date: 1, initial_target: 55 })
  for (let day = 120; day > 0; day--)
    for (const at of [`${addDays(today, -day)}T16:00:00Z`, `${addDays(today, -day)}T16:30:00Z`])
      await app.make.lead({ campaign_id: id, confirmed: true, occurred_at: new Date(at), created_at: new Date() })
  const owner = await app.as(await app.make.admin({ permissions: ['leadChart'], campaigns: [id] }))
  const asOf = addDays(startOfMonth(today), -1)
  const { body: forecast } = await owner.call(insightsContract.forecast, { params: { id }, query: { asOf } })
  expect(forecast.verified).toBe(Number(asOf.slice(8)) * 2)
  const { body } = await owner.call(insightsContract.score)
  expect(body.cases).toBeGreaterThan(0)
  expect(body.brier_run_rate, 'each was on its way to the target').toBe(0)
})
