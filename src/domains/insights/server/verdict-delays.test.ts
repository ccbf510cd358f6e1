import { expect, test } from 'vitest'
import { msPerDay } from '#contract/days.ts'
import type { ForecastLead } from './forecast-facts.ts'
import { fitVerdictModel, pendingChance } from './forecast-model.ts'

const asOf = Date.parse('2026-11-28T12:00:00Z')

/** Of ten leads eight are verified: after two days, or before they came here. */
const listLeads = (count: number, isImported: boolean): ForecastLead[] =>
  Array.from({ length: count }, (_, nth) => {
    const at = asOf - (20 + (nth % 100)) * msPerDay
    const judgedAt = isImported ? at : at + 2 * msPerDay
    const isVerified = nth % 10 < 8
    const verdict = { verifiedAt: isVerified ? judgedAt : null, judgedAt: isVerified || !isImported ? judgedAt : null }
    return { at, day: Math.floor(at / msPerDay), type: 'Call', ...verdict }
  })

function findChance(leads: ForecastLead[], days: number): number {
  const model = fitVerdictModel([{ id: 1, category: 'Roofing', startDay: null, leads }], asOf)
  const waiting = { at: asOf - days * msPerDay, day: 0, type: 'Call', verifiedAt: null, judgedAt: null } as const
  return pendingChance(model, waiting, model.share.Call)
}

test('leads that were imported as verified say how many are, and not that it takes no time [PACE-02]', () => {
  const [own, imported] = [listLeads(100, false), listLeads(900, true)]
  for (const days of [0.5, 1]) expect(findChance([...own, ...imported], days)).toBeCloseTo(findChance(own, days), 1)
  expect(findChance(imported, 0.5)).toBeGreaterThan(0.6)
})
