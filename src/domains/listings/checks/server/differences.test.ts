import { expect, test } from 'vitest'
import { compareListings } from './differences.ts'

const before = {
  title: 'Summit Roofing',
  address: '100 Main St, Austin, TX 78701',
  phone: '+1 512-555-0100',
  website: 'https://www.summit.example/',
}

test('a changed value is a difference, with both sides', () => {
  expect(compareListings(before, { ...before, title: 'Summit roofing', phone: '+1 512-555-0199' })).toEqual([
    { field: 'title', old: 'Summit Roofing', new: 'Summit roofing' },
    { field: 'phone', old: '+1 512-555-0100', new: '+1 512-555-0199' },
  ])
  expect(compareListings(before, { website: null })).toEqual([
    { field: 'website', old: 'https://www.summit.example/', new: null },
  ])
})

test('the same value formatted in another way is not a difference', () => {
  const now = {
    address: '100 Main St Austin TX  78701, United States',
    phone: '(512) 555-0100',
    website: 'http://summit.example?utm_source=gmb',
  }
  expect(compareListings(before, now)).toEqual([])
})

test('a missing value, or one missing before, is not a difference', () => {
  expect(compareListings(before, { title: 'Summit Roofing' })).toEqual([])
  expect(compareListings({}, before)).toEqual([])
  expect(compareListings({ closed: null }, { closed: 'permanently closed' })).toHaveLength(1)
})
