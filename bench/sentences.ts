import type { Export } from './export.ts'
import type { Intake } from './intake.ts'
import type { Staff } from './staff.ts'

/** What the table has no room for. */

export const memoryOf = ({ megabytes, firstBytes, peakMemory, grownBy }: Export) =>
  `The export wrote ${megabytes.toFixed(0)} MB, the first of them after ${firstBytes.toFixed(2)} s; the app's memory grew by at most ${grownBy.toFixed(0)} MB, to ${peakMemory.toFixed(0)} MB.`

export const daysWork = ({ people, seconds, requests, p50, p99, slowest }: Staff) =>
  `${people} staff made ${requests} requests in ${seconds} s: half of them were answered within ${p50.toFixed(1)} ms, 99 of 100 within ${p99.toFixed(1)} ms; what takes longest is the ${slowest}.`

export const fateOf = ({ answered, became, drained, bytes }: Intake) =>
  `${answered} events of ${bytes} bytes were answered and ${became} became a lead; the last one ${drained.toFixed(1)} s after the last answer.`
