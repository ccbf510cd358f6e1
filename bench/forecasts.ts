import { dayNumber, type ForecastHistory, type ForecastLead } from '#domains/insights/server/forecast-facts.ts'
import { fitAgencyModel, forecastCampaign } from '#domains/insights/server/forecast-model.ts'
import { startBenchServer } from './bench-server.ts'
import { day } from './cases.ts'
import { openDatabase } from './database.ts'
import { cell, verdict } from './goal-rows.ts'
import { closeConnections, median, summarizeTimes, timedGet } from './http-client.ts'
import { inColumns, say } from './report.ts'

/**
 * npm run bench -- --only forecasts [--leads 1000000]: the forecasts of all campaigns of a small and a large agency, including the fit
 * of what they share; and why one campaign is behind over a quarter, requested from the server. The first response, which reads the
 * facts and fits what campaigns share, is shown next to the median of the later ones (the 95th percentile of why).
 */
export async function measureForecasts(leads: number, rounds: number): Promise<void> {
  const rows = [
    ['what', 'ours', 'at first', 'goal', ''],
    forecastRow(60, 50, rounds),
    forecastRow(5000, 3000, rounds),
    await whyRow(leads, rounds),
  ]
  for (const row of inColumns(rows)) say(row.join('  ').trimEnd())
}

function forecastRow(campaigns: number, goal: number, rounds: number): string[] {
  const histories = createHistories(campaigns)
  // More rounds for a small agency: the first ones include compilation.
  const times = Array.from({ length: 1 + Math.max(rounds, Math.ceil(1000 / campaigns)) }, () => {
    const started = performance.now()
    const model = fitAgencyModel(histories, asOf, today)
    for (const history of histories) forecastCampaign(model, history, question)
    return performance.now() - started
  })
  const [first, ...others] = times
  return timeRow(`forecasts of ${campaigns.toLocaleString('en-US')} campaigns`, median(others), first!, goal)
}

async function whyRow(leads: number, rounds: number): Promise<string[]> {
  const database = await openDatabase(leads)
  const ours = await startBenchServer('ours', database.url)
  try {
    const ask = async (campaign: number) =>
      (await timedGet(ours, `/api/campaign/${campaign}/why?from=${day(91)}&to=${day(0)}`)).ms
    const first = await ask(1)
    const times: number[] = []
    for (let campaign = 2; campaign < 2 + 10 * rounds; campaign += 1) times.push(await ask(campaign))
    const name = `why of a campaign, a quarter, ${leads.toLocaleString('en-US')} leads, 95th percentile`
    return timeRow(name, summarizeTimes(times).ninetyFifth, first, 300)
  } finally {
    closeConnections()
    await ours.stop()
    await database.stop()
  }
}

const timeRow = (name: string, ours: number, first: number, goal: number) => [
  name,
  `${cell(ours)} ms`,
  `${cell(first)} ms`,
  `within ${goal.toLocaleString('en-US')} ms`,
  verdict(ours <= goal),
]

const msPerDay = 86_400_000
const today = dayNumber(day(0))
const asOf = today * msPerDay + msPerDay / 2
const question = { asOf, today, todayGone: 0.5, cycleFrom: today - 15, cycleTo: today + 15, target: 25 }

/** Returns about a lead a day over 240 days, judged within two days; the same in each run. */
function createHistories(campaigns: number): ForecastHistory[] {
  return Array.from({ length: campaigns }, (_, id) => {
    const leads: ForecastLead[] = []
    for (let age = 240; age >= 0; age -= 1) {
      const dice = ((id * 7919 + age * 104_729) % 1000) / 1000
      if (dice > 0.85) continue
      const at = asOf - (age + dice) * msPerDay
      const judgedAt = at + dice * 2 * msPerDay
      const isGood = (id + age) % 5 !== 0
      leads.push({
        at,
        day: Math.floor(at / msPerDay),
        type: age % 3 === 0 ? 'Form' : 'Call',
        verifiedAt: isGood ? judgedAt : null,
        judgedAt,
      })
    }
    return { id, category: String(id % 8), startDay: null, leads }
  })
}
