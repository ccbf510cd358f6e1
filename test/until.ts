import { setTimeout as pause } from 'node:timers/promises'

/** Looks again and again until what it sees is true, and answers it. For what happens elsewhere in its own time. */
export async function until<T>(look: () => T | Promise<T>, seconds = 15): Promise<NonNullable<T>> {
  const end = Date.now() + seconds * 1000
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (Date.now() > end) throw new Error(`Not so after ${seconds} s: ${look}`)
    await pause(20)
  }
}
