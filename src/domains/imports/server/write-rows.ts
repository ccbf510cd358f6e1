import { and, eq, inArray, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import { HttpError, isUniqueViolation } from '#core/http/errors.ts'
import type { FindUses, LineProblem } from './importable.ts'

/** Returns for each row whether the table has one with the same text in the column that identifies them. */
export async function markKnownRows<Row>(
  db: DbOrTx,
  rows: Row[],
  column: PgColumn,
  readKey: (row: Row) => string,
): Promise<('known' | 'fresh')[]> {
  const found = await db
    .select({ key: column })
    .from(column.table)
    .where(inArray(column, rows.map(readKey)))
  const keys = new Set(found.map(({ key }) => key))
  return rows.map((row) => (keys.has(readKey(row)) ? 'known' : 'fresh'))
}

/** Inserts each row in a savepoint of its own, so that a refused row does not affect the others. */
export async function writeEach<Row>(
  tx: Tx,
  rows: Row[],
  make: (tx: Tx, row: Row) => Promise<number>,
): Promise<({ id: number } | LineProblem[])[]> {
  const written: ({ id: number } | LineProblem[])[] = []
  for (const row of rows) {
    try {
      written.push({ id: await tx.transaction((inner) => make(inner, row)) })
    } catch (error) {
      written.push(toLineProblems(error))
    }
  }
  return written
}

function toLineProblems(error: unknown): LineProblem[] {
  if (isUniqueViolation(error)) return [{ field: null, says: 'Someone else has added the same in the meantime' }]
  if (!(error instanceof HttpError)) throw error
  const named = Object.entries(error.errors ?? {})
  if (named.length === 0) return [{ field: null, says: error.message }]
  return named.flatMap(([field, lines]) => lines.map((says) => ({ field: field.split('.').at(-1) ?? field, says })))
}

/**
 * Returns the rows that were changed or removed after they were created, according to the audit log, with the reason. A row whose creation is
 * no longer in it, because entries are deleted after their retention, may have been changed.
 */
export async function findChangedSince(
  tx: Tx,
  kind: string,
  thing: string,
  ids: number[],
): Promise<Map<number, string>> {
  const found = await tx
    .select({ id: auditTable.row_id, actions: sql<string[]>`array_agg(distinct ${auditTable.action})` })
    .from(auditTable)
    .where(and(eq(auditTable.kind, kind), inArray(auditTable.row_id, ids)))
    .groupBy(auditTable.row_id)
  const actionsOf = new Map(found.map(({ id, actions }) => [id, actions]))
  return new Map(
    ids.flatMap((id): [number, string][] => {
      const actions = actionsOf.get(id) ?? []
      if (actions.includes('removed')) return [[id, `Someone has removed ${thing} since`]]
      if (actions.includes('changed')) return [[id, `Someone has changed ${thing} since`]]
      return actions.includes('created')
        ? []
        : [[id, `The audit trail no longer says whether ${thing} was changed since, so it stays`]]
    }),
  )
}

/** The rows that an import adds: their table, their kind in the audit log, and what they are called in a sentence. */
type AddedRows = { table: PgTable & { id: PgColumn }; kind: string; thing: string; findUses: FindUses }

/** Removes rows that an import added, except those that are used or were changed since; returns these with the reason. */
export async function removeUnchanged(
  tx: Tx,
  ids: number[],
  { table, kind, thing, findUses }: AddedRows,
  remove: (id: number) => Promise<unknown>,
): Promise<Map<number, string>> {
  await tx.select({ id: table.id }).from(table).where(inArray(table.id, ids)).orderBy(table.id).for('update')
  const kept = new Map([...(await findUses()), ...(await findChangedSince(tx, kind, thing, ids))])
  for (const id of ids) if (!kept.has(id)) await remove(id)
  return kept
}
