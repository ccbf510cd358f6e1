import { expect, test } from 'vitest'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import type { SignalFacts } from '../facts.ts'
import { targetDetector } from './targets.ts'

type Target = SignalFacts['targets'][number]
const target = (values: Partial<Target>): Target => ({
  campaign: 7,
  name: 'Austin Roofing',
  target: 30,
  cycle: { from: '2026-11-01', to: '2026-11-30' },
  verified: 8,
  expected: 17.26,
  low: 12,
  high: 22,
  chance: 0.1,
  chance_yesterday: 0.1,
  created_at: new Date('2026-01-02T00:00Z'),
  is_open: false,
  ...values,
})
// The detector reads only these facts.
const detect = (values: Partial<Target>, asOf = '2026-11-20T12:00Z') =>
  targetDetector.detect(
    { targets: [target(values)], sources: [], timeZone: 'UTC' } as unknown as SignalFacts,
    new Date(asOf),
  )

test('a campaign is behind its target at a chance under 0.2 on two days, and stays so until it is over 0.35 [PACE-06]', () => {
  expect(detect({})).toHaveLength(1)
  for (const values of [{ chance: 0.2 }, { chance_yesterday: 0.2 }, { chance_yesterday: null }])
    expect(detect(values)).toEqual([])
  for (const chance of [0.2, 0.35]) expect(detect({ chance, is_open: true })).toHaveLength(1)
  expect(detect({ chance: 0.36, is_open: true })).toEqual([])
})

test('a range of one number is no range, and nothing more is said in words', () => {
  const endOf = (values: object) => (detect(values)[0]!.evidence as { says: string }).says.split('left. ')[1]
  expect(endOf({ verified: 0, low: 0, high: 0 })).toBe('Probably no more will come.')
  expect(endOf({ verified: 8, low: 8, high: 8 })).toBe('Probably no more will come.')
  expect(endOf({ verified: 8, low: 9, high: 9 })).toBe('Likely to end at 9.')
  expect(endOf({ verified: 0, low: 0, high: 2 })).toBe('Likely to end at 0–2.')
})

test('a campaign is not behind its target before it has been here for two days, whenever it started [PACE-06] [MOVE-15]', () => {
  for (const is_open of [false, true]) {
    expect(detect({ created_at: new Date('2026-11-20T11:59Z'), is_open })).toEqual([])
    expect(detect({ created_at: new Date('2026-11-18T12:01Z'), is_open })).toEqual([])
    expect(detect({ created_at: new Date('2026-11-18T12:00Z'), is_open })).toHaveLength(1)
  }
})

test('its evidence has the range, and is a sentence [PACE-06]', () => {
  const [finding] = detect({})
  expect(finding).toMatchObject({
    kind: 'behind_target',
    subject: { type: 'campaign', id: 7, label: 'Austin Roofing' },
    campaign_id: 7,
    evidence: {
      says: '8 of 30 leads with 11 days left. Likely to end at 12–22.',
      expected: 17.3,
      chance: 0.1,
    },
  })
})

test('days left are counted as in the table: with today [PACE-06] [LTAB-24]', () => {
  const { left } = computeBillingCycle(1, '2026-11-29')
  expect(detect({}, '2026-11-29T12:00Z')[0]!.evidence.says).toContain(`8 of 30 leads with ${left} days left.`)
  expect(detect({}, '2026-11-30T12:00Z')[0]!.evidence.says).toContain('8 of 30 leads on the last day.')
})
