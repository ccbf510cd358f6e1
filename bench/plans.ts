import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { withClient } from './database.ts'
import { median } from './http-client.ts'
import type { Statement } from './serve.ts'

const folder = join(import.meta.dirname, 'plans')

/** Saves PostgreSQL's plans of the app's own statements, for readers who want to know the basis of the figures. */
export const explain = (databaseUrl: string, name: string, statements: Statement[]): Promise<void> =>
  withClient(databaseUrl, (client) => explainIn(client, name, statements))

/** Returns the milliseconds that the statements take in PostgreSQL, including planning: the median of a few executions. */
export const databaseTime = (databaseUrl: string, statements: Statement[]): Promise<number> =>
  withClient(databaseUrl, (client) => databaseTimeIn(client, statements))

/** The same on a given connection, inside its open transaction. */
export async function explainIn(client: pg.Client, name: string, statements: Statement[]): Promise<void> {
  const parts: string[] = []
  for (const { text, values } of statements) {
    await client.query(text, values) // warm
    const plan = await client.query<Record<'QUERY PLAN', string>>(`explain (analyze, buffers) ${text}`, values)
    const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
    parts.push(`${text.replace(/^\n+|\s+$/g, '')}\n\n-- with ${JSON.stringify(values)}\n\n${lines}\n`)
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name.replace(/[^a-z0-9]+/gi, '-')}.txt`), parts.join('\n'))
}

export async function databaseTimeIn(client: pg.Client, statements: Statement[], times = 7): Promise<number> {
  const sums: number[] = []
  for (let nth = 0; nth < times; nth += 1) {
    let sum = 0
    for (const { text, values } of statements) {
      type Plan = { 'QUERY PLAN': [{ 'Planning Time': number; 'Execution Time': number }] }
      const { rows } = await client.query<Plan>(`explain (analyze, timing off, format json) ${text}`, values)
      const [plan] = rows[0]!['QUERY PLAN']
      sum += plan['Planning Time'] + plan['Execution Time']
    }
    sums.push(sum)
  }
  return median(sums)
}
