import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '#contract/days.ts'
import { toWallClock } from '#core/time/local-time.ts'
import { findDueSlot, findEndedPeriod, findNextSlot, listScheduledSlots, type ReportSchedule } from './schedule.ts'
import { findReportedCycle, resolvePeriodSpan } from './span.ts'

const context = { clientZone: 'America/Denver', agencyZone: 'America/New_York', dueDay: 15 }
const next = (schedule: ReportSchedule, now: string, handled: string | null = null) => {
  const moment = new Date(now)
  return findNextSlot(listScheduledSlots(schedule, context, moment), moment, handled)
}

test('a week starts on Sunday 0, and the last whole week is reported [RPT-03]', () => {
  expect(next({ every: 'week', day: 1, hour: 9 }, '2026-11-18T12:00:00Z')).toEqual({
    at: new Date('2026-11-23T16:00:00Z'),
    span: { from: '2026-11-16', to: '2026-11-22' },
  })
  expect(next({ every: 'week', day: 0, hour: 9 }, '2026-11-18T12:00:00Z')).toEqual({
    at: new Date('2026-11-22T16:00:00Z'),
    span: { from: '2026-11-09', to: '2026-11-15' },
  })
})

test('a day past the end of a month is its last day [RPT-03]', () => {
  const slot = next({ every: 'month', day: 31, hour: 9 }, '2026-02-01T12:00:00Z')
  expect(slot).toEqual({ at: new Date('2026-02-28T16:00:00Z'), span: { from: '2026-01-01', to: '2026-01-31' } })
})

test('the first day of a cycle reports the cycle that has just ended [RPT-03]', () => {
  const slot = next({ every: 'cycle', day: 1, hour: 9 }, '2026-11-18T12:00:00Z')
  expect(slot).toEqual({ at: new Date('2026-12-15T16:00:00Z'), span: { from: '2026-11-15', to: '2026-12-14' } })
})

test('the hour is the client’s in summer and winter; one that does not exist moves forward [RPT-03]', () => {
  const at = (now: string, hour = 9) => next({ every: 'week', day: 0, hour }, now)?.at.toISOString()
  expect(at('2026-03-02T12:00:00Z')).toBe('2026-03-08T15:00:00.000Z')
  expect(at('2026-02-23T12:00:00Z')).toBe('2026-03-01T16:00:00.000Z')
  expect(at('2026-03-02T12:00:00Z', 2)).toBe('2026-03-08T09:00:00.000Z') // 03:00 MDT
  expect(at('2026-10-26T12:00:00Z', 1)).toBe('2026-11-01T07:00:00.000Z') // the first of two
})

test('nothing is sent before the agency’s last day of the period is over [RPT-03]', () => {
  const moment = new Date('2026-11-18T12:00:00Z')
  const east = { clientZone: 'America/New_York', agencyZone: 'America/Los_Angeles', dueDay: 1 }
  const slots = listScheduledSlots({ every: 'week', day: 1, hour: 0 }, east, moment)
  expect(findNextSlot(slots, moment, null)?.at.toISOString()).toBe('2026-11-23T08:00:00.000Z')
})

test('the last slot since the schedule was set is due; a period already handled does not return [RPT-03]', () => {
  const schedule = { every: 'week', day: 1, hour: 9 } as const
  const now = new Date('2026-11-25T12:00:00Z')
  const slots = listScheduledSlots(schedule, context, now)
  expect(findDueSlot(slots, now, new Date('2026-11-01T00:00:00Z'))?.span.from).toBe('2026-11-16')
  expect(findDueSlot(slots, now, new Date('2026-11-24T00:00:00Z'))).toBeUndefined()
  expect(next({ ...schedule, day: 5 }, '2026-11-25T12:00:00Z', '2026-11-16')?.span.from).toBe('2026-11-23')
})

test('a preview shows the last period that has ended, on any day [RPT-03]', () => {
  const ended = (every: ReportSchedule['every'], now: string) => findEndedPeriod(every, context, new Date(now))
  expect(ended('month', '2026-11-22T12:00:00Z')).toEqual({ from: '2026-10-01', to: '2026-10-31' })
  expect(ended('cycle', '2026-11-15T05:00:00Z')).toEqual({ from: '2026-10-15', to: '2026-11-14' })
  // Still the 14th for the agency.
  expect(ended('cycle', '2026-11-15T04:59:00Z')).toEqual({ from: '2026-09-15', to: '2026-10-14' })
  expect(ended('week', '2026-11-22T12:00:00Z')).toEqual({ from: '2026-11-09', to: '2026-11-15' })
})

test('slots follow each other with one period each, at the chosen hour, over two years of any schedule [RPT-03]', () => {
  const anySchedule = fc.oneof(
    fc.record({
      every: fc.constant('week' as const),
      day: fc.integer({ min: 0, max: 6 }),
      hour: fc.integer({ min: 3, max: 23 }),
    }),
    fc.record({
      every: fc.constantFrom('month' as const, 'cycle' as const),
      day: fc.integer({ min: 1, max: 31 }),
      hour: fc.integer({ min: 3, max: 23 }),
    }),
  )
  fc.assert(
    fc.property(anySchedule, fc.integer({ min: 1, max: 31 }), (schedule, dueDay) => {
      const asked = { ...context, dueDay }
      let now = new Date('2027-12-20T12:00:00Z') // over a leap day
      let before: { from: string; to: string } | undefined
      for (let step = 0; step < 16; step++) {
        const slot = findNextSlot(listScheduledSlots(schedule, asked, now), now, null)!
        expect(slot.at > now).toBe(true)
        expect(toWallClock(slot.at, context.clientZone).time).toBe(`${String(schedule.hour).padStart(2, '0')}:00:00`)
        if (before) expect(slot.span.from).toBe(addDays(before.to, 1))
        before = slot.span
        now = slot.at
      }
    }),
    { numRuns: 60 },
  )
})

test('reports of each cycle have every cycle of every campaign once, when it has ended, whatever its due day [RPT-03]', () => {
  for (let dueDay = 1; dueDay <= 31; dueDay++) {
    const cycles = listScheduledCycles(dueDay)
    for (let campaignDueDay = 1; campaignDueDay <= 31; campaignDueDay++) {
      const spans = cycles.map(({ from }) =>
        resolvePeriodSpan('cycle', findReportedCycle(from, dueDay, campaignDueDay), campaignDueDay),
      )
      expect(spans.slice(1).map(({ from }) => from)).toEqual(spans.slice(0, -1).map(({ to }) => addDays(to, 1)))
      expect(spans.filter(({ to }, index) => to > cycles[index]!.to)).toEqual([])
    }
  }
})

/** The cycles that a schedule reports one after the other, over a leap year and one that is none. */
function listScheduledCycles(dueDay: number) {
  const cycles = [resolvePeriodSpan('cycle', '2027-12-31', dueDay)]
  for (let count = 1; count < 26; count++)
    cycles.push(resolvePeriodSpan('cycle', addDays(cycles.at(-1)!.to, 1), dueDay))
  return cycles
}
