import { and, eq, isNull } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { signalsTable } from '../schema.ts'

/** Returns the sources with an open signal, as `11/callrail`: only signals decide whether a source is silent. */
export async function readSilentSources(db: DbOrTx): Promise<Set<string>> {
  const rows = await db
    .select({ id: signalsTable.subject_id })
    .from(signalsTable)
    .where(and(eq(signalsTable.detected_kind, 'source_silent'), isNull(signalsTable.closed_at)))
  return new Set(rows.map(({ id }) => id))
}
