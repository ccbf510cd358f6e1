import { expect, test } from 'vitest'
import { endOfZonedDay, startOfZonedDay, toInstant, toWallClock } from './local-time.ts'

const zone = 'America/New_York'

test('a local time is converted in summer and winter [LEAD-78]', () => {
  expect(toInstant('2026-01-15', '09:30', zone).toISOString()).toBe('2026-01-15T14:30:00.000Z')
  expect(toInstant('2026-07-15', '09:30:07', zone).toISOString()).toBe('2026-07-15T13:30:07.000Z')
})

test('a time that does not exist moves forward [LEAD-78]', () => {
  const moved = toInstant('2026-03-08', '02:30', zone)
  expect(moved.toISOString()).toBe('2026-03-08T07:30:00.000Z')
  expect(toWallClock(moved, zone)).toEqual({ day: '2026-03-08', time: '03:30:00' })
})

test('a time that exists twice is the first one [LEAD-78]', () => {
  expect(toInstant('2026-11-01', '01:30', zone).toISOString()).toBe('2026-11-01T05:30:00.000Z')
  expect(toWallClock(new Date('2026-11-01T06:30:00Z'), zone)).toEqual({ day: '2026-11-01', time: '01:30:00' })
})

test('the days on which clocks change have 23 and 25 hours [LEAD-78]', () => {
  const hours = (day: string) => (endOfZonedDay(day, zone).getTime() - startOfZonedDay(day, zone).getTime()) / 3_600_000
  expect([hours('2026-03-08'), hours('2026-06-01'), hours('2026-11-01')]).toEqual([23, 24, 25])
})

test('days follow each other without a gap, also where midnight is skipped, doubled, or a day is missing [LEAD-78]', () => {
  for (const [where, from] of [
    ['America/Havana', '2026-03-01'],
    ['America/Havana', '2026-10-25'],
    ['Asia/Beirut', '2026-03-25'],
    ['Pacific/Apia', '2011-12-27'],
    ['Asia/Kathmandu', '2026-12-28'],
  ] as const) {
    let day: string = from
    for (let step = 0; step < 12; step++) {
      const next = new Date(Date.parse(`${day}T00:00Z`) + 86_400_000).toISOString().slice(0, 10)
      expect(endOfZonedDay(day, where)).toEqual(startOfZonedDay(next, where))
      expect(startOfZonedDay(next, where).getTime()).toBeGreaterThanOrEqual(startOfZonedDay(day, where).getTime())
      day = next
    }
  }
})

test('local times around clock changes convert back to the same instant', () => {
  const aWeek = 7 * 86_400_000
  for (const change of ['2025-03-09', '2025-11-02', '2026-03-08', '2026-11-01'].map((day) => Date.parse(day)))
    for (let instant = change - aWeek; instant < change + aWeek; instant += 1_800_000) {
      const { day, time } = toWallClock(new Date(instant), zone)
      const back = toInstant(day, time, zone).getTime()
      if (back !== instant) expect(instant - back).toBe(3_600_000) // the second of a doubled hour
    }
})

test('an offset that has seconds is right', () => {
  // Monrovia was 44 minutes and 30 seconds behind UTC until this half minute.
  expect(toWallClock(new Date('1972-01-07T00:44:20Z'), 'Africa/Monrovia').time).toBe('23:59:50')
  expect(toWallClock(new Date('1972-01-07T00:44:40Z'), 'Africa/Monrovia').time).toBe('00:44:40')
})
