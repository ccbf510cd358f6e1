import { setImmediate } from 'node:timers/promises'

/** In milliseconds. */
const longestSlice = 15
/** In milliseconds. How long it waits after a slice while requests take up the process. */
const longestPause = 45
/** In milliseconds. A turn of the event loop that takes longer did something else. */
const idleTurn = 1

/**
 * Runs a long computation and returns its result. Requests are answered between slices of a few steps each; in a busy process they get
 * three quarters of the time.
 */
export async function runInSlices<Result>(steps: Iterator<unknown, Result>): Promise<Result> {
  let started = performance.now()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() - started < longestSlice) continue
    await giveWay()
    started = performance.now()
  }
}

/** Waits until nothing else has work, or long enough. */
async function giveWay(): Promise<void> {
  const until = performance.now() + longestPause
  for (let turn = performance.now(); ; turn = performance.now()) {
    await setImmediate()
    const now = performance.now()
    if (now - turn < idleTurn || now >= until) return
  }
}

/** Runs it at once and returns its result, where nothing else waits. */
export function runAtOnce<Result>(steps: Iterator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
