import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the checkout. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '')
/** Downloads other than packages: Node.js and a browser for the tests. Git-ignored; may be deleted. */
export const fetched = join(root, '.node')

/** Prints one line for a slow step. */
export const say = (line) => process.stderr.write(`leadline: ${line}\n`)
