import { expect, test } from 'vitest'
import { describeResults } from './results-sentence.ts'

const month = {
  period: 'month',
  isRunning: false,
  verified: 38,
  verified_before: 33,
  under_review: 0,
  target: 21,
  won: 3,
  won_value: 33_975,
} as const
const say = (more: object) => describeResults({ ...month, ...more })

test('a report is said in a sentence: leads against the target and the period before, won jobs and their worth [ACCT-05]', () => {
  expect(say({})).toBe(
    '38 verified leads, 17 above the target of 21 and 5 more than the month before. 3 won jobs worth $33,975.',
  )
  expect(say({ verified: 1, target: 21, verified_before: 1, won: 1, won_value: 0 })).toBe(
    '1 verified lead, 20 below the target of 21 and as many as the month before. 1 won job.',
  )
  expect(say({ verified: 21, verified_before: 30, won: 0, under_review: 2 })).toBe(
    '21 verified leads, exactly the target of 21 and 9 fewer than the month before. 2 of them are under review.',
  )
  expect(say({ target: 0, verified_before: null, won: 1, won_value: 0.5, under_review: 1 })).toBe(
    '38 verified leads. 1 of them is under review. 1 won job worth $0.50.',
  )
  expect(say({ verified: 0, target: 0, verified_before: null, won: 0 })).toBe(
    'There were no verified leads in this period.',
  )
  expect(say({ verified: 0, verified_before: 2, won: 0 })).toBe(
    'There were no verified leads in this period, 21 below the target of 21 and 2 fewer than the month before.',
  )
})

test('a period that is not over is compared with as much of the one before [ACCT-05]', () => {
  expect(say({ period: 'cycle', isRunning: true, verified: 12, verified_before: 9, won: 0 })).toBe(
    '12 verified leads so far, 9 to go to the target of 21 and 3 more than at the same point of the cycle before.',
  )
  expect(say({ isRunning: true, verified: 0, verified_before: null, won: 0 })).toBe(
    'There are no verified leads in this period yet, 21 to go to the target of 21.',
  )
  expect(say({ period: 'cycle', isRunning: true, verified: 0, verified_before: 0, won: 0 })).toBe(
    'There are no verified leads in this period yet, 21 to go to the target of 21.',
  )
})
