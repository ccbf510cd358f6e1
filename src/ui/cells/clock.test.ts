import { afterEach, expect, test } from 'vitest'
import { formatClock, setClockFormat } from './clock.ts'

afterEach(() => setClockFormat('24h'))

test('a time of day is shown in the 12- or 24-hour format that the user chose [SIGN-06]', () => {
  const times = ['00:00', '00:05:59', '11:59', '12:00', '13:07', '23:59']
  expect(times.map(formatClock)).toEqual(['00:00', '00:05', '11:59', '12:00', '13:07', '23:59'])
  setClockFormat('12h')
  expect(times.map(formatClock)).toEqual(['12:00 AM', '12:05 AM', '11:59 AM', '12:00 PM', '01:07 PM', '11:59 PM'])
  expect([formatClock(null), formatClock(''), formatClock('noon')]).toEqual([null, null, null])
})
