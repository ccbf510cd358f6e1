import { afterEach, expect, test } from 'vitest'
import type { Lead } from '#domains/leads/contract.ts'
import { setClockFormat } from '#ui/cells/clock.ts'
import { formatLeadTime } from './lead-time.ts'

afterEach(() => setClockFormat('24h'))

test('the time of a lead is on the clock that its reader chose, with the zone for a client [SIGN-06]', () => {
  const lead = { lead_date: '2026-11-30', lead_time: '08:09' } as Lead
  const read = () => [formatLeadTime(lead, 'America/Chicago'), formatLeadTime(lead, null)]
  expect(read()).toEqual(['08:09 CST', '08:09'])
  setClockFormat('12h')
  expect(read()).toEqual(['08:09 AM CST', '08:09 AM'])
})
