import { expect, test } from 'vitest'
import type { WhyCampaignIsBehind } from '../../contract.ts'
import { describeShortfall } from './why-words.ts'

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

test('a shortfall is described in one sentence, with what coincides or that no cause was found [WHY-04]', () => {
  const missing = '20 verified leads from 10/24/2026 to 11/22/2026, about 34 were expected: about 14 fewer'
  expect(describeShortfall(base)).toBe(`${missing}; no cause found in what is recorded.`)
  expect(describeShortfall({ ...base, causes: [cause], found: true })).toBe(
    `${missing}, which coincides with “Site offline: https://shop.example” (11/04/2026) and could be explained by it for 3 to 7 leads.`,
  )
})

test('a campaign only looks behind while most of the shortfall is waiting for a verdict [WHY-04]', () => {
  const waiting = { site: null, type: 'Call', channel: '', inner: 'waiting', lost: 9 } as const
  expect(describeShortfall({ ...base, segments: [waiting] })).toMatch(
    /^It may only look behind: .* but 9 more are likely/,
  )
  expect(describeShortfall({ ...base, observed: 40, shortfall: -6.4 })).toMatch(/^Not behind: 40 verified leads/)
})
