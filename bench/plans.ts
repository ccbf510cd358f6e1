import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median } from './asking.ts'
import { withClient } from './database.ts'
import type { Statement } from './serve.ts'

const folder = join(import.meta.dirname, 'plans')

/** Keeps how PostgreSQL carries out the app's own statements, for a reader who wants to know what the figures rest on. */
export async function explain(databaseUrl: string, name: string, statements: Statement[]): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const parts = await withClient(databaseUrl, async (client) => {
    const found: string[] = []
    for (const { text, values } of statements) {
      await client.query(text, values) // warm
      const plan = await client.query<Record<'QUERY PLAN', string>>(`explain (analyze, buffers) ${text}`, values)
      const lines = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
      found.push(`${text.replace(/^\n+|\s+$/g, '')}\n\n-- with ${JSON.stringify(values)}\n\n${lines}\n`)
    }
    return found
  })
  const file = `${name.replace(/[^a-z0-9]+/gi, '-')}.txt`
  writeFileSync(join(folder, file), parts.join('\n'))
}

/** Milliseconds that the statements take in PostgreSQL, planning included: the median of a few executions. */
export function databaseTime(databaseUrl: string, statements: Statement[], times = 7): Promise<number> {
  return withClient(databaseUrl, async (client) => {
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
  })
}
