import { expect, test } from 'vitest'
import { formatDueDay, formatShortDay, formatShortInstant } from './short-times.ts'

/** A Thursday, 07:30 in Chicago and 14:30 in Berlin. */
const now = new Date('2026-11-26T13:30:00Z')
const inChicago = { zone: 'America/Chicago', hourCycle: 'h23', now } as const
const format = (at: string, options: Parameters<typeof formatShortInstant>[1] = inChicago) =>
  formatShortInstant(new Date(at), options)

test('an instant of today is its time, one of the week its weekday and time, any other its day [DESK-03]', () => {
  const shown = {
    '2026-11-26T14:04:00Z': '8:04',
    '2026-11-26T06:00:00Z': '0:00',
    '2026-11-26T05:59:00Z': 'Wed 23:59',
    '2026-11-20T16:00:00Z': 'Fri 10:00',
    '2026-11-20T05:59:00Z': 'Nov 19',
    '2026-11-06T18:00:00Z': 'Nov 6',
    '2025-12-31T18:00:00Z': 'Dec 31, 2025',
    '2026-12-01T14:00:00Z': 'Tue 8:00',
    '2026-12-03T14:00:00Z': 'Dec 3',
  }
  expect(Object.keys(shown).map((at) => format(at))).toEqual(Object.values(shown))
})

test('the day is that of the zone, and the clock the one that the reader chose [DESK-03] [SIGN-06]', () => {
  expect(format('2026-11-25T23:30:00Z', { ...inChicago, zone: 'Europe/Berlin' })).toBe('0:30')
  const at12 = { ...inChicago, hourCycle: 'h12' } as const
  expect(format('2026-11-26T14:04:00Z', at12)).toBe('8:04 AM')
  expect(format('2026-11-25T06:04:00Z', at12)).toBe('Wed 12:04 AM')
  expect(format('2026-11-06T18:00:00Z', at12)).toBe('Nov 6')
})

test('a week that crosses the change of clocks, or the year, still counts days [DESK-03]', () => {
  const after = { ...inChicago, now: new Date('2026-11-02T06:30:00Z') }
  expect(format('2026-10-27T05:30:00Z', after)).toBe('Tue 0:30')
  expect(format('2026-10-27T04:30:00Z', after)).toBe('Oct 26')
  const january = { ...inChicago, now: new Date('2027-01-02T18:00:00Z') }
  expect(format('2026-12-30T18:00:00Z', january)).toBe('Wed 12:00')
  expect(format('2026-12-20T18:00:00Z', january)).toBe('Dec 20, 2026')
})

test('a day in few letters has its year only if that is another one, and a due day its weekday [DESK-09]', () => {
  expect(formatShortDay('2026-11-06', '2026-11-26')).toBe('Nov 6')
  expect(formatShortDay('2027-01-01', '2026-11-26')).toBe('Jan 1, 2027')
  expect(formatDueDay('2026-11-23', '2026-11-26')).toBe('Mon, Nov 23')
})
