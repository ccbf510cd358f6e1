import { expect, test } from 'vitest'
import { addTerms } from './add-terms.ts'

/** Adds terms on 2026-06-15 to terms of these first and last days. Returns those of all. */
const spans = (given: [from: string, to: string | null][]) => {
  const start = given.map(([from, to]) => ({ ...addTerms([], from)[0]!, to }))
  return addTerms(start, '2026-06-15').map(({ from, to }) => [from, to])
}

test('the first terms start today, without an end [RPT-07]', () => {
  expect(spans([])).toEqual([['2026-06-15', null]])
})

test('added terms never overlap: the latest end the day before [RPT-07]', () => {
  expect(spans([['2026-01-01', null]])).toEqual([
    ['2026-01-01', '2026-06-14'],
    ['2026-06-15', null],
  ])
  expect(spans([['2026-06-15', null]])).toEqual([
    ['2026-06-15', '2026-06-15'],
    ['2026-06-16', null],
  ])
  expect(spans([['2026-07-01', '2026-12-31']])).toEqual([
    ['2026-07-01', '2026-12-31'],
    ['2027-01-01', null],
  ])
  const unsorted = spans([
    ['2026-03-01', null],
    ['2026-01-01', '2026-02-28'],
  ])
  expect(unsorted).toEqual([
    ['2026-03-01', '2026-06-14'],
    ['2026-01-01', '2026-02-28'],
    ['2026-06-15', null],
  ])
})
