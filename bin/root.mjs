import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The top of the checkout, wherever we were started. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '')
/** What we fetch beside the packages: Node.js itself, a browser for the tests. Git-ignored; may be deleted. */
export const fetched = join(root, '.node')

/** One calm line for each step that takes a while. */
export const say = (line) => process.stderr.write(`leadline: ${line}\n`)
