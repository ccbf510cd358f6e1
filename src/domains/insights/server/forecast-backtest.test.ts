import { expect, test } from 'vitest'
import { makeForecastAgency } from '#test/insights/agency.ts'
import { chanceOfAtLeast, convolveMasses, countMass, massQuantile, sumOfChances } from './distributions.ts'
import { parseFacts } from './facts.ts'
import { backtestForecast, computeRunRate } from './forecast-backtest.ts'

const timeZone = 'UTC'
/** Read by two tests: its replay takes seconds. */
const large = makeForecastAgency(5, 45)
const largeFacts = parseFacts(large.lines)
const largeResult = backtestForecast(largeFacts, { from: large.from, to: large.to, timeZone })

test('chances are calibrated, beat the run rate, and ranges hold as often as they say [PACE-01, PACE-07]', () => {
  const { forecasts, calibration_error, brier, brier_run_rate, brier_base_rate } = largeResult
  expect(forecasts.length).toBeGreaterThan(1500)
  expect(calibration_error).toBeLessThanOrEqual(0.035)
  expect(1 - brier! / brier_run_rate!).toBeGreaterThanOrEqual(0.35)
  expect(brier!).toBeLessThan(brier_base_rate!)
  const held = forecasts.filter(({ low, high, outcome }) => outcome >= low && outcome <= high).length / forecasts.length
  expect(held).toBeGreaterThan(0.78)
  expect(held).toBeLessThan(0.92)
  // At mid-cycle, against a Poisson at today's pace.
  const targets = new Map(largeFacts.campaigns.map(({ id, target }) => [id, target!]))
  const middle = [...Map.groupBy(forecasts, ({ campaign }) => campaign).values()].flatMap((all) =>
    all.filter((_, at) => at % 5 === 2),
  )
  const squared = (chanceOf: (one: (typeof middle)[number]) => number) =>
    middle.reduce((sum, one) => sum + (chanceOf(one) - Number(one.outcome >= targets.get(one.campaign)!)) ** 2, 0)
  const poisson = ({ campaign, run_rate, verified_then }: (typeof middle)[number]) => {
    const target = targets.get(campaign)!
    const ahead = Math.max(0.001, run_rate! * target - verified_then)
    return chanceOfAtLeast(countMass(ahead, ahead), target - verified_then)
  }
  expect(1 - squared(({ chance }) => chance!) / squared(poisson)).toBeGreaterThanOrEqual(0.25)
})

test('the expected number lies within its range, also where hardly a lead comes [PACE-01]', () => {
  const replay = (share: number) => {
    const few = { ...largeFacts, leads: largeFacts.leads.filter((_, index) => index % share === 0) }
    return backtestForecast(few, { from: large.from, to: large.to, timeZone })
  }
  for (const { forecasts } of [largeResult, replay(20), replay(100)]) {
    expect(forecasts.length).toBeGreaterThan(1000)
    expect(forecasts.filter(({ low, expected, high }) => expected < low || expected > high)).toEqual([])
  }
})

test('late verdicts do not make a campaign look worse than it is [PACE-01, PACE-07]', () => {
  const { lines, from, to } = makeForecastAgency(6, 30, { delayDays: 5 })
  const { forecasts } = backtestForecast(parseFacts(lines), { from, to, timeZone })
  const sum = (of: 'expected' | 'outcome') => forecasts.reduce((total, one) => total + one[of], 0)
  expect(Math.abs(sum('expected') / sum('outcome') - 1)).toBeLessThanOrEqual(0.03)
})

test('a forecast does not use later verdicts, and the same facts give the same numbers [PACE-01, PACE-07]', () => {
  const { lines, from } = makeForecastAgency(7, 12)
  const to = '2025-03-31'
  const facts = parseFacts(lines)
  const told = backtestForecast(facts, { from, to, timeZone }).forecasts
  expect(backtestForecast(parseFacts(lines.toReversed()), { from, to, timeZone }).forecasts).toEqual(told)
  const last = told.at(-1)!
  const known = {
    ...facts,
    leads: facts.leads
      .filter(({ at }) => at <= last.as_of)
      .map((lead) => (lead.verified_at && lead.verified_at > last.as_of ? { ...lead, verified_at: null } : lead)),
  }
  const again = backtestForecast(known, { from, to, timeZone }).forecasts.at(-1)!
  expect({ ...again, outcome: last.outcome }).toEqual(last)
})

test('a campaign without a target is forecast and not scored; cycles before its start are left out [PACE-07]', () => {
  const lines = [
    '{"kind":"campaign","id":1,"category":"Roofing","timezone":"UTC","start_date":"2025-02-10","due_date":31,"target":null}',
    ...Array.from({ length: 200 }, (_, at) =>
      JSON.stringify({
        kind: 'lead',
        id: at,
        campaign: 1,
        source: null,
        type: 'Form',
        channel: null,
        at: new Date(Date.UTC(2025, 1, 10) + at * 43_200_000).toISOString(),
        verified_at: null,
        hidden_by: null,
        missed: false,
      }),
    ),
  ]
  const result = backtestForecast(parseFacts(lines), { from: '2025-01-01', to: '2025-04-30', timeZone })
  expect(
    result.forecasts.map(({ as_of, chance, run_rate, outcome }) => [as_of.slice(0, 10), chance, run_rate, outcome]),
  ).toEqual(
    ['2025-03-05', '2025-03-10', '2025-03-15', '2025-03-20', '2025-03-25']
      .flatMap((day) => [[day, null, null, 0]])
      .concat(
        ['2025-04-05', '2025-04-10', '2025-04-15', '2025-04-20', '2025-04-25'].flatMap((day) => [[day, null, null, 0]]),
      ),
  )
  expect(result).toMatchObject({ calibration_error: null, brier: null, brier_run_rate: null })
})

test('scores can be recomputed from the forecasts shown [PACE-07]', () => {
  const { lines, from, to } = makeForecastAgency(8, 12)
  const facts = parseFacts(lines)
  const { forecasts, ...scores } = backtestForecast(facts, { from, to, timeZone })
  const targets = new Map(facts.campaigns.map(({ id, target }) => [id, target!]))
  const shown = forecasts.map(({ campaign, chance, run_rate, outcome }) => {
    const hit = Number(outcome >= targets.get(campaign)!)
    return {
      chance: chance!,
      hit,
      bin: Math.min(9, Math.floor(chance! * 10)),
      runRateMiss: Number(run_rate! >= 1) - hit,
    }
  })
  const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length
  const bins = [...Map.groupBy(shown, ({ bin }) => bin).values()]
  const gap = (bin: typeof shown) => Math.abs(mean(bin.map(({ chance }) => chance)) - mean(bin.map(({ hit }) => hit)))
  expect(scores.brier).toBe(Number(mean(shown.map(({ chance, hit }) => (chance - hit) ** 2)).toFixed(4)))
  expect(scores.brier_run_rate).toBe(Number(mean(shown.map(({ runRateMiss }) => runRateMiss ** 2)).toFixed(4)))
  const calibration = bins.reduce((sum, bin) => sum + bin.length * gap(bin), 0) / shown.length
  expect(scores.calibration_error).toBe(Number(calibration.toFixed(4)))
})

test('half a hundredth of the run rate rounds up, as in the leads table [PACE-07]', () => {
  expect(computeRunRate(199, 15, 30, 400)).toBe(1)
  expect(computeRunRate(7, 5, 31, 40)).toBe(1.09)
  expect(computeRunRate(1, 3, 31, 10)).toBe(1.03)
})

test('sums of chances and counts are exact mass functions [PACE-01]', () => {
  expect([...sumOfChances([0.5, 0.5])]).toEqual([0.25, 0.5, 0.25])
  const mass = convolveMasses(sumOfChances([0.2, 0.9]), countMass(3, 4.5))
  expect(mass.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9)
  expect(mass.reduce((sum, one, count) => sum + one * count, 0)).toBeCloseTo(4.1, 6)
  expect(chanceOfAtLeast(mass, 0)).toBe(1)
  expect(massQuantile(mass, 0.1)).toBeLessThanOrEqual(massQuantile(mass, 0.9))
})
