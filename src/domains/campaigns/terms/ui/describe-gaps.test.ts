import { expect, test } from 'vitest'
import { describeGaps } from './describe-gaps.ts'

const describe = (...spans: [from: string | null, to: string | null][]) =>
  describeGaps(
    spans.map(([from, to]) => ({ from, to })),
    900,
  )

test('terms that end, and days between terms, are told with the service fee that applies then [RPT-07]', () => {
  expect(describe(['2026-01-01', '2026-11-30'])).toEqual(['From Dec 1, 2026: the service fee of $900.'])
  expect(describe(['2026-06-15', null], ['2026-01-01', '2026-05-31'])).toEqual([
    'Jun 1 – 14, 2026: the service fee of $900.',
  ])
})

test('terms that follow each other, have no end, or are not filled in yet leave no gap [RPT-07]', () => {
  expect(describe(['2026-01-01', '2026-05-31'], ['2026-06-01', null])).toEqual([])
  expect(describe([null, '2026-05-31'])).toEqual([])
  expect(describe()).toEqual([])
})
