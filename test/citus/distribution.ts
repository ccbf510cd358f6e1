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

const citusScript = readFileSync(join(projectRoot, 'ops/citus.sql'), 'utf8')

/** The script's statements one by one, as psql sends them: Citus refuses them as one string. */
export const citusScriptStatements = (parseSync(citusScript).stmts ?? []).map(({ stmt_location = 0, stmt_len }) =>
  Buffer.from(citusScript)
    .subarray(stmt_location, stmt_len === undefined ? undefined : stmt_location + stmt_len)
    .toString(),
)

/** What leads are joined with: ordinary tables of the coordinator, which Citus sends along as an intermediate result. */
const joinedTables = ['clients', 'users', 'campaigns', 'client_sites']

/** How the script distributes each table. */
export const distribution = readDistribution(citusScript)

function readDistribution(sql: string): Distribution {
  const distributed = new Set<string>()
  for (const call of parseStatements(sql).flatMap((statement) => nodes(statement, 'FuncCall'))) {
    const table = call.args[0].A_Const?.sval?.sval
    const name = call.funcname.at(-1).String.sval
    if (name === 'create_distributed_table') distributed.add(table)
  }
  return { distributed, joined: new Set(joinedTables) }
}
