import { afterEach, expect, test, vi } from 'vitest'
import { addKeyMonths, apiKeysContract } from './contract.ts'

const { TZ } = process.env
afterEach(() => {
  vi.useRealTimers()
  if (TZ === undefined) delete process.env.TZ
  else process.env.TZ = TZ
})

test('a key can last a year in every zone, on a leap day, and when the clocks have changed a year later [OPEN-01]', () => {
  const leapDay = { zone: 'America/Los_Angeles', at: '2028-03-01T04:00:00Z' }
  const clocks = { zone: 'America/New_York', at: '2027-11-05T16:00:00Z' }
  for (const { zone, at } of [leapDay, clocks]) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(at) })
    process.env.TZ = zone // the browser's
    const expires_at = addKeyMonths(new Date(), 12).toISOString()
    process.env.TZ = 'UTC' // the server's
    const key = { name: 'Zapier', pages: { leads: 1 }, access: 'read', expires_at }
    expect(apiKeysContract.create.body.safeParse(key).error?.issues, zone).toBeUndefined()
  }
})
