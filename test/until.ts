import { setTimeout as pause } from 'node:timers/promises'

/** Polls until the result is truthy, and returns it. Throws after `seconds`. */
export async function until<T>(check: () => T | Promise<T>, seconds = 40): Promise<NonNullable<T>> {
  const end = Date.now() + seconds * 1000
  for (;;) {
    const result = await check()
    if (result) return result
    if (Date.now() > end) throw new Error(`Not true after ${seconds} s: ${check}`)
    await pause(20)
  }
}
