import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadModule, parseSync } from 'libpg-query'
import { projectRoot } from '#core/settings/settings.ts'
import { type Node, nodes } from './parse-tree.ts'
import type { Distribution } from './rules.ts'

await loadModule()

/** Returns the parse tree of each statement. */
export const parseStatements = (sql: string): Node[] =>
  (parseSync(sql).stmts ?? []).flatMap(({ stmt }) => (stmt ? [stmt as Node] : []))

export const citusScript = readFileSync(join(projectRoot, 'ops/citus.sql'), 'utf8')

/** How the script distributes each table. */
export const distribution = readDistribution(citusScript)

function readDistribution(sql: string): Distribution {
  const distributed = new Set<string>()
  const reference = new Set<string>()
  for (const call of parseStatements(sql).flatMap((statement) => nodes(statement, 'FuncCall'))) {
    const table = call.args[0].A_Const?.sval?.sval
    const name = call.funcname.at(-1).String.sval
    if (name === 'create_distributed_table') distributed.add(table)
    if (name === 'create_reference_table') reference.add(table)
  }
  return { distributed, reference }
}
