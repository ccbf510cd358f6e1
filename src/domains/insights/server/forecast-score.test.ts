import { expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { startApp } from '#test/app.ts'
import { insightsContract } from '../contract.ts'

// By itself: a score that took long to compute is cached despite changes.
test('the score counts the forecasts of all past cycles, however old [PACE-05]', async () => {
  const app = await startApp()
  const today = getToday(app.context.settings.AGENCY_TIMEZONE)
  const { id } = await app.make.campaign({ start_date: addDays(today, -800), due_date: 1, initial_target: 55 })
  for (let day = 800; day > 790; day--) {
    const at = new Date(`${addDays(today, -day)}T16:00:00Z`)
    await app.make.lead({ campaign_id: id, confirmed: true, occurred_at: at, created_at: at })
  }
  const owner = await app.as(await app.make.admin({ permissions: ['leadChart'], campaigns: [id] }))
  const monthOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
  const first = addDays(today, -801) // the cycle that begins after this day is the first whole one
  expect((await owner.call(insightsContract.score)).body.cases).toBe(5 * (monthOf(today) - monthOf(first) - 1))
  await app.close()
})
