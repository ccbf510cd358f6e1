import { expect, test } from 'vitest'
import { addDays, addMonths, getToday } from '#contract/days.ts'
import { insightsContract } from '#domains/insights/contract.ts'
import { setUp, startApp } from '#test/app.ts'

const app = await setUp(startApp())
const today = getToday(app.context.settings.AGENCY_TIMEZONE)

test('the export leaves out chance and health where the screen does: past forecasts were no better than run rate [PACE-05]', async () => {
  // The run rate of a campaign without leads is right at once, and that of one with a lead a week wrong at first in each cycle.
  const cycle = addDays(today, -15)
  const due_date = Number(cycle.slice(-2))
  const make = (initial_target: number) =>
    app.make.campaign({ start_date: addDays(today, -200), due_date, initial_target })
  const [stopped, slow] = [await make(20), await make(3)]
  for (let day = 190; day > 0; day--)
    if (addDays(today, -day) < addMonths(cycle, -3) || day % 7 === 0) {
      const at = new Date(`${addDays(today, -day)}T16:00:00Z`)
      const campaign_id = day % 7 === 0 ? slow.id : stopped.id
      await app.make.lead({ campaign_id, confirmed: true, occurred_at: at, created_at: at })
    }
  const readColumns = async (id: number) => {
    const who = await app.as(await app.make.admin({ campaigns: [id], permissions: ['leadChart'] }))
    const score = await who.call(insightsContract.score) // the export does not wait long for it
    const headers = { 'content-type': 'application/json' }
    const answer = await who.fetch('/api/lead/table/export', { method: 'POST', headers, body: '{}' })
    const [head] = (await answer.text()).split('\r\n')
    const columns = head!.split(',').filter((one) => /Run Rate|Chance|Health/.test(one))
    return { isBetter: score.body.beats_run_rate, columns }
  }
  expect(await readColumns(slow.id)).toEqual({ isBetter: true, columns: ['Run Rate', 'Chance', 'Health'] })
  expect(await readColumns(stopped.id)).toEqual({ isBetter: false, columns: ['Run Rate'] })
})
