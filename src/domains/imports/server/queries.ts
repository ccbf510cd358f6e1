import { and, eq, sql } from 'drizzle-orm'
import type { QueryOf } from '#contract/endpoint.ts'
import { listFilters } from '#contract/field-definitions.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { matchFilters, selectFields } from '#core/db/field-columns.ts'
import { isoTimestampSql, sortDirection } from '#core/db/list-sql.ts'
import { readPage } from '#core/db/read-page.ts'
import { notFoundError } from '#core/http/errors.ts'
import { usersTable } from '#domains/access/schema.ts'
import type { Import, importsContract } from '../contract.ts'
import { importFields, importProblemFields, importProblemFilters } from '../fields.ts'
import { importProblemsTable, importsTable } from '../schema.ts'

/** Imports and their problems, for super admins. */

export async function readImportsPage(db: DbOrTx, query: QueryOf<typeof importsContract.list>) {
  const where = matchFilters(listFilters(importFields), importsTable, query, {})
  const direction = sortDirection(query.order)
  const imports = selectImports(db).where(where).orderBy(direction(importsTable.created_at), direction(importsTable.id))
  return readPage(imports, db.$count(importsTable, where), query)
}

/** Returns an import. Throws 404 if there is none. */
export async function readImport(db: DbOrTx, id: number): Promise<Import> {
  const [row] = await selectImports(db).where(eq(importsTable.id, id))
  if (!row) throw notFoundError()
  return row
}

export async function readImportProblems(
  db: DbOrTx,
  importId: number,
  query: QueryOf<typeof importsContract.problems>,
) {
  const { id, line, import_id } = importProblemsTable
  const where = and(eq(import_id, importId), matchFilters(importProblemFilters, importProblemsTable, query, {}))
  const direction = sortDirection(query.order)
  const problems = db
    .select(selectFields(importProblemFields, importProblemsTable, {}))
    .from(importProblemsTable)
    .where(where)
    .orderBy(direction(line), direction(id))
  return readPage(problems, db.$count(importProblemsTable, where), query)
}

/** Groups the refused lines by problem; all repeated lines are one group. */
export async function readProblemGroups(db: DbOrTx, importId: number, query: QueryOf<typeof importsContract.groups>) {
  const { column, value, line, import_id, kind } = importProblemsTable
  const says = sql<string>`regexp_replace(${importProblemsTable.says}, '^Repeats line [0-9]+$', 'It repeats another line')`
  const lines = sql<number>`count(distinct ${line})::int`
  const groups = db
    .select({ column, says: says.as('reason'), value, lines: lines.as('lines') })
    .from(importProblemsTable)
    .where(and(eq(import_id, importId), eq(kind, 'refused')))
    .groupBy(column, sql`2`, value)
    .as('groups')
  const direction = sortDirection(query.order)
  const sorted = db
    .select({ column: groups.column, says: groups.says, value: groups.value, lines: groups.lines })
    .from(groups)
    .orderBy(direction(groups.lines), groups.column, groups.says, groups.value)
  return readPage(sorted, db.$count(groups), query)
}

/** A task without progress for this long has no worker. */
const stalledCondition = sql`${importsTable.state} in ('checking', 'running', 'undoing') and ${importsTable.updated_at} < now() - interval '2 minutes'`
const stalledMessage = 'There has been no progress for two minutes'

const selectImports = (db: DbOrTx) =>
  db
    .select(
      selectFields(importFields, importsTable, {
        username: sql`${usersTable.username}`,
        created_at: isoTimestampSql(importsTable.created_at),
        done_at: isoTimestampSql(importsTable.done_at),
        undone_at: isoTimestampSql(importsTable.undone_at),
        dealt_with: sql`${importsTable.fresh} + ${importsTable.known} + ${importsTable.refused}`,
        problem: sql`coalesce(${importsTable.problem}, case when ${stalledCondition} then ${stalledMessage} end)`,
      }),
    )
    .from(importsTable)
    .innerJoin(usersTable, eq(usersTable.id, importsTable.user_id))
    .$dynamic()
