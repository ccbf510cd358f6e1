import fc from 'fast-check'
import { expect, test } from 'vitest'
import { leadsContract } from '#domains/leads/contract.ts'
import { parseSearch, stringifySearch } from '../data/search-params.ts'
import { dropEmptyParams, formatFilters, getNextSorting, parseFilters, parseSorting } from './list-address.ts'

const defaults = { sort: 'lead_date', order: 'desc' } as const

test('a click on a column sorts ascending, then descending, then by the list’s default', () => {
  const up = getNextSorting('rating', defaults, defaults)
  const down = getNextSorting('rating', up, defaults)
  expect([up, down, getNextSorting('rating', down, defaults)]).toEqual([
    { sort: 'rating', order: 'asc' },
    { sort: 'rating', order: 'desc' },
    defaults,
  ])
})

test('each click on the default sort column changes the order', () => {
  const up = getNextSorting('lead_date', defaults, defaults)
  expect(up).toEqual({ sort: 'lead_date', order: 'asc' })
  expect(getNextSorting('lead_date', up, defaults)).toEqual(defaults)
})

test('an unknown sort falls back to the list’s default', () => {
  expect(parseSorting({ sort: 'password', order: 'asc' }, ['rating'], defaults)).toEqual(defaults)
})

test('an address is text: 1.10 stays 1.10 and a long number keeps its digits', () => {
  const search = { ip: '1.10', id: '12345678901234567890', flag: 'true', ids: '3,9' }
  expect(parseSearch(stringifySearch(search))).toEqual(search)
  expect(stringifySearch(search)).toContain('ids=3,9')
})

test('a query that is written into an address is read back unchanged', () => {
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

test('filters are read from an address with the types of their contract', () => {
  const filters = { campaign_ids: [3, 9], lead_search: 'roof, leak', confirmed: 1, lead_type: 'Call' }
  const search = parseSearch(stringifySearch(formatFilters(filters)))
  expect(parseFilters(leadsContract.list.list.filters, search)).toEqual(filters)
})

test('an invalid filter is ignored', () => {
  expect(
    parseFilters(leadsContract.list.list.filters, {
      lead_type: 'Smoke signal',
      campaign_ids: 'x',
      date_from: '2026-02-30',
    }),
  ).toEqual({})
})

test('an address holds what was chosen, also if it is the default of today, and an empty value for a cleared default', () => {
  const start = { date_from: '2026-02-01' }
  const chosen = { date_from: '2026-02-01', page: '2' }
  expect(dropEmptyParams({ ...chosen, lead_search: '' }, start)).toEqual(chosen)
  expect(dropEmptyParams({ date_from: '' }, start)).toEqual({ date_from: '' })
})
