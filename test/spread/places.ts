import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadModule, parseSync } from 'libpg-query'
import { projectRoot } from '#core/settings/settings.ts'
import type { Places } from './rules.ts'
import { type Node, nodes } from './tree.ts'

await loadModule()

/** The statements of a text, each as its tree. */
export const parsed = (sql: string): Node[] =>
  (parseSync(sql).stmts ?? []).flatMap(({ stmt }) => (stmt ? [stmt as Node] : []))

export const script = readFileSync(join(projectRoot, 'ops/citus.sql'), 'utf8')

/** Where the script puts each table. */
export const places: Places = placesOf(script)

function placesOf(sql: string): Places {
  const spread = new Set<string>()
  const everywhere = new Set<string>()
  for (const call of parsed(sql).flatMap((statement) => nodes(statement, 'FuncCall'))) {
    const table = call.args[0].A_Const?.sval?.sval
    const name = call.funcname.at(-1).String.sval
    if (name === 'create_distributed_table') spread.add(table)
    if (name === 'create_reference_table') everywhere.add(table)
  }
  return { spread, everywhere }
}
