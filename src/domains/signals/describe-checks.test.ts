import { expect, test } from 'vitest'
import { describeChecks } from './describe-checks.ts'

test('a check ends with one full stop, also behind a listing’s Inc.', () => {
  const listings = ['North Roofing', 'North Roofing Inc.'].map((title) => ({ title, suspended: true, changed: false }))
  expect(describeChecks({ probe: { calls: null, site: null, listings } }).map(({ text }) => text)).toEqual([
    'Google suspended North Roofing.',
    'Google suspended North Roofing Inc.',
  ])
})
