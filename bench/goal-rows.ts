import type { Batch } from './batch.ts'
import type { Erasing } from './erasures.ts'
import type { Spread } from './http-client.ts'

export const cell = (number: number, digits = 1) => number.toFixed(digits)
export const verdict = (met: boolean) => (met ? 'met' : 'MISSED')

/** Seconds; and milliseconds of the list that is read while the batch runs. */
const batchGoals = { seconds: 30, list: 200 }

export function batchRows({ leads, seconds, undoSeconds, list, alone }: Batch): string[][] {
  const many = leads.toLocaleString('en-US')
  return [
    secondsRow(`a batch of ${many} leads`, seconds, batchGoals.seconds),
    secondsRow('its undo', undoSeconds, batchGoals.seconds),
    listRow(list, batchGoals.list, ` (${cell(alone)} alone)`),
  ]
}

/** As above. */
const erasureGoals = { seconds: 15, list: 200 }

export const erasureRows = ({ rehearsal, erasure, list }: Erasing): string[][] => [
  secondsRow('what erasing a person would do', rehearsal, erasureGoals.seconds),
  secondsRow('the erasure', erasure, erasureGoals.seconds),
  listRow(list, erasureGoals.list),
]

/** What has no floor. */
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

const listRow = ({ ninetyFifth }: Spread, goal: number, more = ''): string[] =>
  goalRow(
    'the list meanwhile, 95th percentile',
    `${cell(ninetyFifth)} ms${more}`,
    `within ${goal} ms`,
    ninetyFifth <= goal,
  )
