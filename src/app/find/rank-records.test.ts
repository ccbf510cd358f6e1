import { expect, test } from 'vitest'
import { rankRecords } from './rank-records.ts'

const records = [
  { label: 'Acme Roofing, Denver' },
  { label: 'acme  roofing', archived: true },
  { label: 'Acme Roofing old', archived: true },
  { label: 'The Acme Roofing' },
  { label: 'Ácme Roofing' },
]

test('who types a whole name gets it first, and archived records come last [WORK-12]', () => {
  expect(rankRecords(records, 'Acme roofing ').map(({ label }) => label)).toEqual([
    'Ácme Roofing',
    'acme  roofing',
    'Acme Roofing, Denver',
    'The Acme Roofing',
    'Acme Roofing old',
  ])
  expect(rankRecords(records, 'roof').map(({ archived = false }) => archived)).toEqual([
    false,
    false,
    false,
    true,
    true,
  ])
})

test('the host of a site is its name', () => {
  const sites = [{ label: 'https://shop.example/denver' }, { label: 'https://www.shop.example/' }]
  expect(rankRecords(sites, 'shop.example')[0]).toBe(sites[1])
})
