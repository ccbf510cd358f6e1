import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { audit } from '#core/db/schema.ts'
import { isDuplicate, Refusal } from '#core/http/errors.ts'
import type { Wrong } from './importable.ts'

/** Makes each by itself, so that one that is refused, by whatever rule of its domain, costs itself alone. */
export async function writeEach<Row>(
  tx: Tx,
  rows: Row[],
  make: (tx: Tx, row: Row) => Promise<number>,
): Promise<({ id: number } | Wrong[])[]> {
  const written: ({ id: number } | Wrong[])[] = []
  for (const row of rows) {
    try {
      written.push({ id: await tx.transaction((inner) => make(inner, row)) })
    } catch (error) {
      written.push(reasons(error))
    }
  }
  return written
}

function reasons(error: unknown): Wrong[] {
  if (isDuplicate(error)) return [{ field: null, says: 'Somebody has made the same meanwhile' }]
  if (!(error instanceof Refusal)) throw error
  const named = Object.entries(error.errors ?? {})
  if (named.length === 0) return [{ field: null, says: error.message }]
  return named.flatMap(([field, lines]) => lines.map((says) => ({ field: field.split('.').at(-1) ?? field, says })))
}

/** Those of which the trail knows more than that they were made, and what has become of them. */
export async function changedSince(tx: Tx, kind: string, thing: string, ids: number[]): Promise<Map<number, string>> {
  const found = await tx
    .select({ id: audit.row_id, gone: sql<boolean>`bool_or(${audit.action} = 'removed')` })
    .from(audit)
    .where(and(eq(audit.kind, kind), inArray(audit.row_id, ids), ne(audit.action, 'created')))
    .groupBy(audit.row_id)
  return new Map(found.map(({ id, gone }) => [id, `Somebody has ${gone ? 'removed' : 'changed'} ${thing} since`]))
}
