import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, daysBetween } from '#contract/days.ts'
import { computeBillingCycle } from './billing-cycle.ts'

const anyDay = fc.integer({ min: 0, max: 12_000 }).map((days) => addDays('2015-01-01', days))
const anyDue = fc.integer({ min: 1, max: 31 })

test('a cycle runs from one due day to the day before the next, today among its days [LTAB-24]', () => {
  expect(computeBillingCycle(15, '2026-03-20')).toEqual({
    from: '2026-03-15',
    next: '2026-04-15',
    days: 31,
    gone: 6,
    left: 26,
  })
  expect(computeBillingCycle(15, '2026-03-15')).toMatchObject({ from: '2026-03-15', gone: 1, left: 31 })
  expect(computeBillingCycle(15, '2026-03-14')).toMatchObject({
    from: '2026-02-15',
    next: '2026-03-15',
    gone: 28,
    left: 1,
  })
  expect(computeBillingCycle(1, '2026-01-31')).toMatchObject({ from: '2026-01-01', next: '2026-02-01', left: 1 })
  expect(computeBillingCycle(20, '2026-01-05')).toMatchObject({ from: '2025-12-20', next: '2026-01-20' })
})

test('in a month without the due day it is the last day, leap years too [LTAB-24]', () => {
  expect(computeBillingCycle(31, '2026-02-27')).toMatchObject({ from: '2026-01-31', next: '2026-02-28', left: 1 })
  expect(computeBillingCycle(31, '2026-02-28')).toMatchObject({
    from: '2026-02-28',
    next: '2026-03-31',
    days: 31,
    gone: 1,
  })
  expect(computeBillingCycle(30, '2024-02-28')).toMatchObject({ from: '2024-01-30', next: '2024-02-29', left: 1 })
  expect(computeBillingCycle(29, '2024-02-29')).toMatchObject({ from: '2024-02-29', next: '2024-03-29' })
  expect(computeBillingCycle(29, '2025-02-28')).toMatchObject({ from: '2025-02-28', next: '2025-03-29' })
  expect(computeBillingCycle(31, '2026-04-30')).toMatchObject({ from: '2026-04-30', next: '2026-05-31' })
})

test('every day is in exactly one cycle, and the cycles follow each other without a gap [LTAB-24]', () => {
  fc.assert(
    fc.property(anyDue, anyDay, (due, day) => {
      const { from, next, days, gone, left } = computeBillingCycle(due, day)
      expect(from <= day && day < next).toBe(true)
      expect([days, gone + left]).toEqual([daysBetween(from, next), days + 1])
      expect(computeBillingCycle(due, addDays(from, -1)).next).toBe(from)
      expect(computeBillingCycle(due, next).from).toBe(next)
      // The due day, or the last day of a month without it.
      expect(Number(from.slice(8)) === due || addDays(from, 1).endsWith('-01')).toBe(true)
    }),
  )
})
