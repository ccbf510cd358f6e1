import { expect, test } from 'vitest'
import { findPlace } from './series.ts'

const month = (date: string, days: number) => ({ date, days })

test('a day has its place within its own week or month, whatever the length of the others [TODAY-04]', () => {
  const months = [month('2026-01-01', 31), month('2026-02-01', 28)]
  expect(findPlace(months, '2026-01-01')).toBeCloseTo(0.5 / 31)
  expect(findPlace(months, '2026-02-28')).toBeCloseTo(1 + 27.5 / 28)
  expect(findPlace([month('2026-03-01', 31)], '2026-03-20')).toBeCloseTo(19.5 / 31)
  expect(findPlace(months, '2025-12-31')).toBeNull()
})
