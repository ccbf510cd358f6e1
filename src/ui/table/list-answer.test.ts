import { expect, test } from 'vitest'
import { keepRowOrder, shareRows } from './list-answer.ts'

const row = (id: number, name = `Lead ${id}`) => ({ id, name, tags: [{ id: 1, name: 'Spam' }] })
const list = (...data: ReturnType<typeof row>[]) => ({ data, meta: { total: data.length } })
const rowsOf = (answer: unknown) => (answer as ReturnType<typeof list>).data

test('a row that also matches the next query keeps its object, wherever it stands', () => {
  const shown = list(row(1), row(2), row(3))
  const next = rowsOf(shareRows(shown, undefined, list(row(2), row(9), row(1))))
  expect(next).toEqual([row(2), row(9), row(1)])
  expect([next[0] === shown.data[1], next[2] === shown.data[0]]).toEqual([true, true])
})

test('a row that changed is a new object, and its equal parts are not', () => {
  const shown = list(row(1))
  const [changed] = rowsOf(shareRows(shown, shown, list(row(1, 'Renamed'))))
  expect(changed).toEqual(row(1, 'Renamed'))
  expect([changed === shown.data[0], changed?.tags === shown.data[0]?.tags]).toEqual([false, true])
})

test('a response that changed nothing is the same object, so that nothing is rendered again', () => {
  const before = list(row(1), row(2))
  expect(shareRows(before, before, list(row(1), row(2)))).toBe(before)
  expect(shareRows(undefined, before, list(row(1), row(2)))).toBe(before)
})

test('the last response to the same query must not bring back what only it has', () => {
  expect(shareRows(list(row(1, 'Old')), list(row(2), row(1, 'Older')), list(row(1, 'New')))).toEqual(
    list(row(1, 'New')),
  )
})

test('a first response has nothing to share, and a missing one stays missing', () => {
  const first = list(row(1))
  expect(shareRows(undefined, undefined, first)).toEqual(first)
  expect(shareRows(first, first, undefined)).toBeUndefined()
})

test('a held list keeps its rows and their order, with new contents', () => {
  const held = keepRowOrder(list(row(1), row(2), row(3)), list(row(3, 'Verified'), row(1), row(4)))
  expect(held).toEqual({ data: [row(1), row(2), row(3, 'Verified')], meta: { total: 3 }, held: 1 })
})
