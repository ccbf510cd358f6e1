import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, type CalendarDay } from '#contract/days.ts'
import { allPeriod, buildCalendarChunk, chunkStarts, coverDays, type SumsPiece, splitPiece } from './periods.ts'

const day = fc.integer({ min: -400, max: 37_000 }).map((days) => addDays('2000-01-01', days))

test('any days are covered exactly once, in order, by adjacent pieces', () => {
  fc.assert(
    fc.property(fc.option(day, { nil: undefined }), fc.option(day, { nil: undefined }), (from, end) => {
      if (from !== undefined && end !== undefined && from >= end) return
      for (const finest of ['week', 'day'] as const) {
        const pieces = coverDays({ from, end }, finest)
        expect([pieces[0]!.from, pieces.at(-1)!.end]).toEqual([from, end])
        expect(touch(pieces)).toBe(true)
      }
    }),
    { seed: 27, numRuns: 300 },
  )
})

test('a range is covered by the fewest sums: years, months, weeks, and days at its edges', () => {
  const periods = (from: CalendarDay, end: CalendarDay, finest: 'week' | 'day') =>
    coverDays({ from, end }, finest).map(({ period }) => period)
  expect(periods('2024-01-01', '2026-02-01', 'day')).toEqual([2024, 2025, 202601])
  expect(periods('2025-11-28', '2026-01-01', 'day')).toEqual([20251128, 20251129, 20251130, 202512])
  expect(periods('2026-11-01', '2026-11-11', 'week')).toEqual([120261101, 120261102, null])
  expect(coverDays({ from: undefined, end: undefined }, 'week')).toMatchObject([{ period: allPeriod }])
})

test('a piece splits into parts that cover it, down to the finest level', () => {
  const walk = (piece: SumsPiece, finest: 'week' | 'day'): SumsPiece[] => {
    const parts = splitPiece(piece, finest)
    if (parts.length === 0) return [piece]
    expect([parts[0]!.from, parts.at(-1)!.end]).toEqual([piece.from, piece.end])
    expect(touch(parts)).toBe(true)
    return walk(parts[Math.floor(parts.length / 2)]!, finest)
  }
  const all = { from: undefined, end: undefined, period: allPeriod }
  expect(String(walk(all, 'day')[0]!.period)).toMatch(/^20\d{6}$/)
  expect(String(walk(all, 'week')[0]!.period)).toMatch(/^120\d{6}$/)
})

test('each day of a year is in one period of each kind, with the same numbers as the pieces', () => {
  for (const start of chunkStarts.slice(20, 30))
    for (const { day: one, periods } of buildCalendarChunk(start).days) {
      expect(coverDays({ from: one, end: addDays(one, 1) }, 'day')[0]!.period).toBe(
        periods.week! - 100_000_000 === Number(one.replaceAll('-', '')) && isWholeWeek(one)
          ? periods.week
          : periods.day,
      )
    }
})

/** Whether a day is a week of its own, cut by the ends of its month. */
const isWholeWeek = (one: CalendarDay) => {
  const [here, next] = [one, addDays(one, 1)].map((each) => new Date(`${each}T00:00:00Z`))
  return (here!.getUTCDay() === 1 || here!.getUTCDate() === 1) && (next!.getUTCDay() === 1 || next!.getUTCDate() === 1)
}

const touch = (pieces: SumsPiece[]) => pieces.every(({ from }, index) => index === 0 || pieces[index - 1]!.end === from)
