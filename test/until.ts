import { setTimeout as pause } from 'node:timers/promises'
import type { AppContext } from '#domains/app-context.ts'

/** Polls until the result is truthy, and returns it. Throws after `seconds`. */
export async function until<T>(check: () => T | Promise<T>, seconds = 90): Promise<NonNullable<T>> {
  const end = Date.now() + seconds * 1000
  for (let wait = 10; ; wait = Math.min(wait * 1.5, 100)) {
    const result = await check()
    if (result) return result
    if (Date.now() > end) throw new Error(`Not true after ${seconds} s: ${check}`)
    await pause(wait)
  }
}

/** Waits until no job can start: a job caused by an earlier test would change what this test compares. */
export const waitForJobs = ({ pool }: AppContext) =>
  until(async () => {
    const waiting = `select from pgboss.job where state in ('created', 'retry', 'active') and start_after <= now()`
    return (await pool.query(waiting)).rowCount === 0
  })
