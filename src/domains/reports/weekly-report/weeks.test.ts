import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, daysBetween, startOfWeek } from '#contract/days.ts'
import { buildChartBuckets } from '../chart/buckets.ts'
import { buildReportMonth, listReportMonths, splitIntoWeeks } from './weeks.ts'

const anyDay = fc.integer({ min: 0, max: 12_000 }).map((days) => addDays('2015-01-01', days))
const anySpan = fc
  .tuple(anyDay, fc.integer({ min: 0, max: 800 }))
  .map(([from, days]) => ({ from, to: addDays(from, days) }))

test('the weeks of a month are Monday weeks cut at its ends [LTAB-23]', () => {
  expect(buildReportMonth('2026-11-01').weeks).toEqual([
    { from: '2026-11-01', to: '2026-11-01' }, // a Sunday
    { from: '2026-11-02', to: '2026-11-08' },
    { from: '2026-11-09', to: '2026-11-15' },
    { from: '2026-11-16', to: '2026-11-22' },
    { from: '2026-11-23', to: '2026-11-29' },
    { from: '2026-11-30', to: '2026-11-30' },
  ])
  expect(buildReportMonth('2024-02-01').weeks.at(-1)).toEqual({ from: '2024-02-26', to: '2024-02-29' })
})

test('weeks cover their span without a gap, each starting on a Monday except the first [LTAB-23]', () => {
  fc.assert(
    fc.property(anySpan, (span) => {
      const weeks = splitIntoWeeks(span)
      expect([weeks[0]?.from, weeks.at(-1)?.to]).toEqual([span.from, span.to])
      for (const [index, week] of weeks.entries()) {
        expect(daysBetween(week.from, week.to)).toBeLessThan(7)
        if (index > 0)
          expect([week.from, week.from]).toEqual([addDays(weeks[index - 1]!.to, 1), startOfWeek(week.from)])
      }
    }),
  )
})

test('the chart’s buckets cover the range the same way, and have their first day [LCH-11]', () => {
  fc.assert(
    fc.property(anySpan, fc.constantFrom('week', 'month'), (span, group) => {
      const buckets = buildChartBuckets(group, span.from, span.to)
      expect([buckets[0]?.from, buckets.at(-1)?.to]).toEqual([span.from, span.to])
      for (const [index, { date, from, to }] of buckets.entries()) {
        expect(group === 'week' ? startOfWeek(date) : date.slice(8)).toBe(group === 'week' ? date : '01')
        expect(date <= from && from <= to).toBe(true)
        if (index > 0) expect(from).toBe(addDays(buckets[index - 1]!.to, 1))
      }
    }),
  )
})

test('the last twelve months end with this one; a year ends with the current month [LTAB-01]', () => {
  const names = (year: string) => listReportMonths(year, '2026-03-31').map(({ from }) => from.slice(0, 7))
  expect(names('last_12_months')).toEqual([
    ...Array.from({ length: 9 }, (_, index) => `2025-${String(index + 4).padStart(2, '0')}`),
    '2026-01',
    '2026-02',
    '2026-03',
  ])
  expect(names('2026')).toEqual(['2026-01', '2026-02', '2026-03'])
  expect([names('2024').length, names('2024')[1]]).toEqual([12, '2024-02'])
})
