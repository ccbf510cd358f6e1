import { expect, test } from 'vitest'
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
const detect = (values: Partial<Target>) =>
  targetDetector.detect(
    { targets: [target(values)], sources: [], timeZone: 'UTC' } as unknown as SignalFacts,
    new Date('2026-11-20T12:00Z'),
  )

test('a campaign is behind its target at a chance under 0.2 on two days, and stays so until it is over 0.35 [PACE-06]', () => {
  expect(detect({})).toHaveLength(1)
  for (const values of [{ chance: 0.2 }, { chance_yesterday: 0.2 }, { chance_yesterday: null }])
    expect(detect(values)).toEqual([])
  for (const chance of [0.2, 0.35]) expect(detect({ chance, is_open: true })).toHaveLength(1)
  expect(detect({ chance: 0.36, is_open: true })).toEqual([])
})

test('a range of one number is no range, and nothing more is said in words', () => {
  const saysOf = (values: object) => (detect(values)[0]!.evidence as { says: string }).says.split(': ')[1]
  expect(saysOf({ verified: 0, low: 0, high: 0 })).toBe('none so far, and probably no more.')
  expect(saysOf({ verified: 8, low: 8, high: 8 })).toBe('8 so far, and probably no more.')
  expect(saysOf({ verified: 8, low: 9, high: 9 })).toBe('8 so far, 9 likely in the end.')
  expect(saysOf({ verified: 0, low: 0, high: 2 })).toBe('none so far, 0 to 2 likely in the end.')
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
      says: 'On 11/20/2026 the chance of 30 verified leads by 11/30/2026 was 10%: 8 so far, 12 to 22 likely in the end.',
      expected: 17.3,
      chance: 0.1,
    },
  })
})
