import { expect, test } from 'vitest'
import type { ListedStatement } from '../list/contract.ts'
import { groupByClient } from './group-by-client.ts'

/** Statements of $10.10 of these clients. */
const list = (...clients: number[]) => clients.map((id) => ({ client: { id }, total: 10.1 }) as ListedStatement)
const shown = (clients: number[], page: Partial<Parameters<typeof groupByClient>[1]> = {}) =>
  groupByClient(list(...clients), { isByClient: true, page: 1, perPage: 50, total: clients.length, ...page }).map(
    ({ client, isFirst, sum }) => (isFirst ? [client.id, sum && [sum.count, sum.total]] : null),
  )

test('a client is named once over statements that follow each other, with the sum of two and more [ACCT-04]', () => {
  expect(shown([1, 1, 1, 2, 3, 3])).toEqual([[1, [3, 30.3]], null, null, [2, undefined], [3, [2, 20.2]], null])
  expect(shown([])).toEqual([])
})

test('a client whose statements may be on another page, or elsewhere in the list, has no sum [ACCT-04]', () => {
  const clients = [1, 1, 2, 2, 3, 3]
  const sums = (page: object) => shown(clients, page).flatMap((row) => (row?.[1] ? [row[0]] : []))
  expect(sums({ perPage: 6, total: 7 })).toEqual([1, 2])
  expect(sums({ perPage: 6, total: 12, page: 2 })).toEqual([2, 3])
  expect(sums({ perPage: 6, total: 13, page: 2 })).toEqual([2])
  expect(sums({ isByClient: false })).toEqual([])
})
