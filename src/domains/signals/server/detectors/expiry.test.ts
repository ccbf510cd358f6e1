import { expect, test } from 'vitest'
import type { SignalFacts } from '../facts.ts'
import { certificateDetector } from './expiry.ts'

test('the days that a certificate has left are those of the calendar, as in the list of sites [TODAY-02]', () => {
  const describe = (expires_at: string) => {
    const certificate = { type: 'client_site', id: 1, host: 'shop.example', campaign_id: 1 } as const
    const certificates = [{ ...certificate, expires_at: new Date(expires_at) }]
    const facts = { certificates, timeZone: 'America/New_York' } as unknown as SignalFacts // the detector reads no others
    const [found] = certificateDetector.detect(facts, new Date('2026-11-28T20:00:00Z')) // 3 PM there
    return found && [found.title, found.evidence.says]
  }
  expect(describe('2026-11-29T04:00:00Z')).toEqual([
    'The certificate of shop.example expires today',
    'The certificate ends on 11/28/2026.',
  ])
  expect(describe('2026-11-29T15:00:00Z')).toEqual([
    'The certificate of shop.example expires in 1 day',
    'The certificate ends on 11/29/2026.',
  ])
  expect(describe('2026-11-28T19:00:00Z')?.[0]).toBe('The certificate of shop.example has expired')
  expect(describe('2026-12-29T04:59:00Z')?.[0]).toBe('The certificate of shop.example expires in 30 days')
  expect(describe('2026-12-29T05:00:00Z')).toBeUndefined()
})
