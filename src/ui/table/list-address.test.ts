import fc from 'fast-check'
import { expect, test } from 'vitest'
import { leadsContract } from '#domains/leads/contract.ts'
import { parseSearch, stringifySearch } from '../data/search-params.ts'
import { dropDefaultParams, formatFilters, getNextSorting, parseFilters, parseSorting } from './list-address.ts'

const defaults = { sort: 'lead_date', order: 'desc' } as const

test('a click on a column sorts up, then down, then as the list does by itself', () => {
  const up = getNextSorting('rating', defaults, defaults)
  const down = getNextSorting('rating', up, defaults)
  expect([up, down, getNextSorting('rating', down, defaults)]).toEqual([
    { sort: 'rating', order: 'asc' },
    { sort: 'rating', order: 'desc' },
    defaults,
  ])
})

test('no click on the column that the list is sorted by already does nothing', () => {
  const up = getNextSorting('lead_date', defaults, defaults)
  expect(up).toEqual({ sort: 'lead_date', order: 'asc' })
  expect(getNextSorting('lead_date', up, defaults)).toEqual(defaults)
})

test('a sort that the list does not know falls back to its own', () => {
  expect(parseSorting({ sort: 'password', order: 'asc' }, ['rating'], defaults)).toEqual(defaults)
})

test('an address is text: 1.10 stays 1.10 and a long number keeps its digits', () => {
  const search = { ip: '1.10', id: '12345678901234567890', flag: 'true', ids: '3,9' }
  expect(parseSearch(stringifySearch(search))).toEqual(search)
  expect(stringifySearch(search)).toContain('ids=3,9')
})

test('whatever is written into an address is read back from it', () => {
  const word = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed())
  fc.assert(
    fc.property(
      fc.dictionary(
        word.filter((name) => name !== '__proto__'),
        word,
      ),
      (search) => {
        expect(parseSearch(stringifySearch(search))).toEqual(search)
      },
    ),
  )
})

test('filters come back from an address as their contract types them', () => {
  const filters = { campaign_ids: [3, 9], lead_search: 'roof, leak', confirmed: 1, lead_type: 'Call' }
  const search = parseSearch(stringifySearch(formatFilters(filters)))
  expect(parseFilters(leadsContract.list.list.filters, search)).toEqual(filters)
})

test('a filter that does not parse is not set', () => {
  expect(
    parseFilters(leadsContract.list.list.filters, {
      lead_type: 'Smoke signal',
      campaign_ids: 'x',
      date_from: '2026-02-30',
    }),
  ).toEqual({})
})

test('an address holds only what differs from the start, and says when a start was cleared', () => {
  const start = { date_from: '2026-02-01' }
  expect(dropDefaultParams({ date_from: '2026-02-01', lead_search: '', page: '2' }, start)).toEqual({ page: '2' })
  expect(dropDefaultParams({ date_from: '' }, start)).toEqual({ date_from: '' })
})
