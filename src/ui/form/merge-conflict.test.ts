import { expect, test } from 'vitest'
import { findMergeConflict } from './merge-conflict.ts'

test('an unedited field takes the newer value; a field that both changed needs a choice [LEAD-79]', () => {
  const seen = { name: 'Ann', notes: null, source: 'A', on: true, count: 0, version: 1 }
  const mine = { ...seen, name: 'Anna', source: 'B', on: false }
  const now = { ...seen, name: 'Bea', notes: 'theirs', source: 'B', on: true, count: 7, version: 3 }
  expect(findMergeConflict(seen, mine, now)).toEqual({
    taken: { notes: 'theirs', count: 7, version: 3 },
    open: { name: 'Bea' },
  })
})

test('a cleared field equals one that was never filled in', () => {
  expect(findMergeConflict({ name: null }, { name: '' }, { name: 'Bea' })).toEqual({ taken: { name: 'Bea' }, open: {} })
  expect(findMergeConflict({ name: 'Ann' }, { name: '' }, { name: null })).toEqual({ taken: {}, open: {} })
  expect(findMergeConflict({ on: false }, { on: true }, { on: false })).toEqual({ taken: {}, open: {} })
})
