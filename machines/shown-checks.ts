import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What was found, in the order in which it was shown. */
const shown: Record<string, unknown> = {}

export const say = (line: string) => process.stdout.write(`${line}\n`)

/** Runs a check and prints what it found; the first one that throws ends the run. */
export async function show(what: string, look: () => Promise<unknown>): Promise<void> {
  const found = await look()
  shown[what] = found
  say(`${what}: ${typeof found === 'string' ? found : JSON.stringify(found)}`)
}

export function must(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}

/** Keeps what was shown in a file next to this one. */
export function keepShown(file: string): void {
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync(join(import.meta.dirname, file), `${JSON.stringify({ date, shown }, null, 2)}\n`)
}
