import { expect, test } from 'vitest'
import type { WhyCampaignIsBehind } from '../../contract.ts'
import { describeInnerPart, describeShortfall } from './why-words.ts'

const base: WhyCampaignIsBehind = {
  from: '2026-10-24',
  to: '2026-11-22',
  expected: 33.6,
  observed: 20,
  shortfall: 13.6,
  segments: [],
  causes: [],
  found: false,
}
const cause: WhyCampaignIsBehind['causes'][number] = {
  kind: 'site_offline',
  title: 'Site offline: https://shop.example',
  at: '2026-11-04T11:00:00.000Z',
  lost: { low: 3.4, mid: 5, high: 6.6 },
  rank: 1,
  because: 'Forms and web calls of this site fell while it was offline',
  door: { kind: 'probe', label: 'Check the site now', subject: 'example.com', id: 7 },
}

test('a shortfall is described in few words, with what most likely explains it, or that nothing does [WHY-04]', () => {
  const missing = '14 leads short in 30 days (20 of about 34)'
  expect(describeShortfall(base)).toBe(`${missing}. Nothing we track explains it.`)
  expect(describeShortfall({ ...base, causes: [cause], found: true })).toBe(
    `${missing}. Most likely: Site offline: https://shop.example (Nov 4), about 3–7 leads.`,
  )
  const one = { ...cause, lost: { low: 0.8, mid: 1, high: 1.2 } }
  expect(describeShortfall({ ...base, causes: [one], found: true })).toMatch(/\(Nov 4\), about 1 lead\.$/)
})

test('what came is written like what was expected [WHY-04]', () => {
  const many = { ...base, expected: 1214, observed: 1200, shortfall: 14 }
  expect(describeShortfall(many)).toContain('14 leads short in 30 days (1,200 of about 1,214)')
})

test('the day of a cause is the agency’s, which another zone may already have left [WHY-04]', () => {
  const evening = { ...cause, at: '2026-11-05T02:00:00.000Z' } // 9 PM in New York
  expect(describeShortfall({ ...base, causes: [evening], found: true })).toContain('(Nov 4)')
})

test('leads that are still to be reviewed are told before any cause [WHY-04]', () => {
  const waiting = { site: null, type: 'Call', channel: '', inner: 'waiting', lost: 9 } as const
  expect(describeShortfall({ ...base, segments: [waiting] })).toBe(
    '14 leads short in 30 days (20 of about 34), but about 9 are still to be reviewed.',
  )
  expect(describeShortfall({ ...base, observed: 40, shortfall: -6.4 })).toBe(
    'Not short: 40 leads in 30 days (about 34 expected).',
  )
})

test('what a new campaign could expect is no negative number of leads [WHY-04]', () => {
  expect(describeShortfall({ ...base, expected: -0.003, observed: 0, shortfall: -0.003 })).toBe(
    'Not short: 0 leads in 30 days (about 0 expected).',
  )
})

test('leads that came but are not verified are counted in the right number [WHY-04]', () => {
  expect(describeInnerPart({ inner: 'waiting', lost: 1.2 })).toBe('1 is still to be reviewed')
  expect(describeInnerPart({ inner: 'hidden', lost: 5 })).toBe('5 more than usual are hidden by a rule')
  expect(describeInnerPart({ inner: 'missed', lost: 1 })).toBe('1 more than usual was missed by the client')
})
