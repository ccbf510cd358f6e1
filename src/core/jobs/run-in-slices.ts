import { setImmediate } from 'node:timers/promises'

/** In milliseconds. */
const longestSlice = 15

/** Runs a long computation and returns its result. Requests are answered between slices of a few steps each. */
export async function runInSlices<Result>(steps: Iterator<unknown, Result>): Promise<Result> {
  let started = performance.now()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - started < longestSlice) continue
    await setImmediate()
    started = performance.now()
  }
}

/** Runs it at once and returns its result, where nothing else waits. */
export function runAtOnce<Result>(steps: Iterator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
