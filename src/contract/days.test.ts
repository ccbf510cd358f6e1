import { expect, test } from 'vitest'
import { addMonths, addWorkingDays, clampDayOfMonth, formatDaySpan, isCalendarDay, startOfWeek } from './days.ts'
import { getWallClockZoneName } from './zoned-time.ts'

test('working days are from Monday to Friday', () => {
  const from = (day: string) => [1, 2, 5].map((days) => addWorkingDays(day, days))
  expect(from('2026-11-26')).toEqual(['2026-11-27', '2026-11-30', '2026-12-03']) // a Thursday
  expect(from('2026-11-27')).toEqual(['2026-11-30', '2026-12-01', '2026-12-04'])
  expect(from('2026-11-28')).toEqual(['2026-11-30', '2026-12-01', '2026-12-04'])
  expect(from('2026-11-29')).toEqual(['2026-11-30', '2026-12-01', '2026-12-04'])
  expect(addWorkingDays('2026-11-28', 0)).toBe('2026-11-28')
})

test('a month later is the same day, or the last one of a shorter month, also over the end of a year', () => {
  expect(addMonths('2026-10-31', 2)).toBe('2026-12-31')
  expect(addMonths('2026-10-31', 1)).toBe('2026-11-30')
  expect(addMonths('2026-12-29', 2)).toBe('2027-02-28')
  expect(addMonths('2028-01-30', 1)).toBe('2028-02-29')
  expect(addMonths('2026-03-31', -1)).toBe('2026-02-28')
  expect(addMonths('2026-01-15', -1)).toBe('2025-12-15')
  expect(clampDayOfMonth(2026, 13, 31)).toBe('2027-01-31')
})

test('weeks begin on Monday, and a day exists or not', () => {
  expect(['2026-11-23', '2026-11-26', '2026-11-29'].map(startOfWeek)).toEqual(Array(3).fill('2026-11-23'))
  expect(['2026-02-28', '2026-02-29', '2028-02-29', '2026-2-8', 'soon'].map(isCalendarDay)).toEqual([
    true,
    false,
    true,
    false,
    false,
  ])
})

test('days in words name each month and year only as often as they differ', () => {
  const format = (from: string, to: string) => formatDaySpan({ from, to })
  expect(format('2026-11-09', '2026-11-09')).toBe('Nov 9, 2026')
  expect(format('2026-11-09', '2026-11-15')).toBe('Nov 9 – 15, 2026')
  expect(format('2026-10-28', '2026-11-03')).toBe('Oct 28 – Nov 3, 2026')
  expect(format('2026-12-28', '2027-01-03')).toBe('Dec 28, 2026 – Jan 3, 2027')
  expect(format('2025-11-09', '2026-11-09')).toBe('Nov 9, 2025 – Nov 9, 2026')
})

test('a local time is named with the zone that holds then, west and east of Greenwich, and by the half hour', () => {
  expect(getWallClockZoneName('2026-11-22', '00:05', 'America/Denver')).toBe('MST')
  expect(getWallClockZoneName('2026-07-22', '00:05', 'America/Denver')).toBe('MDT')
  // An hour before and after the clocks of the zone change.
  expect(getWallClockZoneName('2026-03-08', '01:30', 'America/Chicago')).toBe('CST')
  expect(getWallClockZoneName('2026-03-08', '03:30', 'America/Chicago')).toBe('CDT')
  expect(getWallClockZoneName('2026-03-29', '03:30', 'Europe/Berlin')).toBe('GMT+2')
  expect(getWallClockZoneName('2026-03-29', '01:30', 'Europe/Berlin')).toBe('GMT+1')
  expect(getWallClockZoneName('2026-04-05', '01:50', 'Australia/Adelaide')).toBe('GMT+10:30')
})
