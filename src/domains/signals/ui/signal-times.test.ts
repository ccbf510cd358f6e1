import { expect, test } from 'vitest'
import type { Signal } from '../contract.ts'
import { formatAge, getSignalStart } from './signal-times.ts'

test('an age counts its largest unit, and is never nothing', () => {
  const now = Date.parse('2026-11-27T12:00:00Z')
  const ages = ['11:59:50', '11:58:00', '10:00:00'].map((time) => formatAge(`2026-11-27T${time}Z`, now))
  expect([...ages, formatAge('2026-11-25T12:00:00Z', now)]).toEqual(['1 minute', '2 minutes', '2 hours', '2 days'])
})

test('a closed signal began when its problem did, not when it was found [DESK-01]', () => {
  const evidence = { says: 'Leads are coming in again.', opened_with: { last_lead_at: '2026-11-20T10:00:00Z' } }
  expect(getSignalStart({ opened_at: '2026-11-24T08:00:00Z', evidence } as Partial<Signal> as Signal)).toBe(
    '2026-11-20T10:00:00Z',
  )
})
