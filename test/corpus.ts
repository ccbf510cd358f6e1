import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Inputs as the world sends them, with their right values: one a line, with the public report that it was made after. A new report adds a
 * line.
 */
export const readCorpus = <Case>(name: string): Case[] =>
  readFileSync(join(import.meta.dirname, `corpus/${name}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Case) // the name says which
