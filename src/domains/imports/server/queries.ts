import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { QueryOf } from '#contract/endpoint.ts'
import type { Queries } from '#core/db/db.ts'
import { notFound } from '#core/http/errors.ts'
import { users } from '#domains/access/schema.ts'
import { isoInstant } from '#domains/sites/checks/server/serializer.ts'
import type { imports as contract, Import } from '../contract.ts'
import { importProblems, imports } from '../schema.ts'

/** Imports and their problems, as super admins read them. */

export async function importsPage(db: Queries, query: QueryOf<typeof contract.list>) {
  const where = query.kind && eq(imports.kind, query.kind)
  const direction = query.order === 'asc' ? asc : desc
  const [data, total] = await Promise.all([
    rows(db)
      .where(where)
      .orderBy(direction(imports.created_at), direction(imports.id))
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page),
    db.$count(imports, where),
  ])
  return { data, total }
}

/** Throws 404 where there is none. */
export async function readImport(db: Queries, id: number): Promise<Import> {
  const [row] = await rows(db).where(eq(imports.id, id))
  if (!row) throw notFound()
  return row
}

export async function problemsPage(db: Queries, importId: number, query: QueryOf<typeof contract.problems>) {
  const { id, line, column, says, kind } = importProblems
  const where = and(eq(importProblems.import_id, importId), query.kind && eq(kind, query.kind))
  const direction = query.order === 'asc' ? asc : desc
  const [data, total] = await Promise.all([
    db
      .select({ id, line, column, says })
      .from(importProblems)
      .where(where)
      .orderBy(direction(line), direction(id))
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page),
    db.$count(importProblems, where),
  ])
  return { data, total }
}

/** A task that nobody has worked on for so long has lost its worker, or there is none. */
const isStill = sql`${imports.state} in ('checking', 'running', 'undoing') and ${imports.updated_at} < now() - interval '2 minutes'`
const standsStill = 'Nobody has worked on it for two minutes'

const rows = (db: Queries) =>
  db
    .select({
      id: imports.id,
      kind: imports.kind,
      file_name: imports.file_name,
      state: imports.state,
      username: users.username,
      created_at: sql<string>`${isoInstant(imports.created_at)}`,
      done_at: isoInstant(imports.done_at),
      undone_at: isoInstant(imports.undone_at),
      lines: imports.lines,
      dealt_with: sql<number>`${imports.fresh} + ${imports.known} + ${imports.refused}`,
      fresh: imports.fresh,
      known: imports.known,
      refused: imports.refused,
      made: imports.made,
      removed: imports.removed,
      kept: imports.kept,
      problem: sql<string | null>`coalesce(${imports.problem}, case when ${isStill} then ${standsStill} end)`,
    })
    .from(imports)
    .innerJoin(users, eq(users.id, imports.user_id))
    .$dynamic()
