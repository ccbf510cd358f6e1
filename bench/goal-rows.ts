import type { Batch } from './batch.ts'
import type { Erasing } from './erasures.ts'
import type { Spread } from './http-client.ts'

export const cell = (number: number, digits = 1) => number.toFixed(digits)
export const verdict = (met: boolean) => (met ? 'met' : 'MISSED')

/** Seconds, and milliseconds for the list that is read while the batch runs. */
const batchGoals = { seconds: 30, list: 200 }

export function batchRows({ leads, seconds, undoSeconds, list, alone }: Batch): string[][] {
  const many = leads.toLocaleString('en-US')
  return [
    secondsRow(`a batch of ${many} leads`, seconds, batchGoals.seconds),
    secondsRow('undoing that batch', undoSeconds, batchGoals.seconds),
    listRow('the batch', list, batchGoals.list, ` (${cell(alone)} alone)`),
  ]
}

/** In the same units. */
const erasureGoals = { seconds: 15, list: 200 }

export const erasureRows = ({ rehearsal, erasure, list }: Erasing): string[][] => [
  secondsRow('rehearsing the erasure of a person', rehearsal, erasureGoals.seconds),
  secondsRow('erasing a person', erasure, erasureGoals.seconds),
  listRow('the erasure', list, erasureGoals.list),
]

/** Returns a row without a floor. */
export const goalRow = (name: string, ours: string, goal: string, isMet: boolean): string[] => [
  name,
  ours,
  '',
  '',
  '',
  '',
  '',
  goal,
  verdict(isMet),
]

const secondsRow = (name: string, taken: number, goal: number): string[] =>
  goalRow(name, `${cell(taken)} s`, `within ${goal} s`, taken <= goal)

const listRow = (during: string, { ninetyFifth }: Spread, goal: number, more = ''): string[] =>
  goalRow(
    `list during ${during}, 95th percentile`,
    `${cell(ninetyFifth)} ms${more}`,
    `within ${goal} ms`,
    ninetyFifth <= goal,
  )
