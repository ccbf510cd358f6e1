import { eq } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import type { SignalKind } from '../labels.ts'
import { signalFindingsTable } from '../schema.ts'

export type ReportedFinding = Omit<typeof signalFindingsTable.$inferInsert, 'kind' | 'found_at'>

/**
 * Replaces all findings of one kind: the runner opens a signal for each and closes the signals that are no longer
 * among them.
 */
export async function reportFindings(tx: Tx, kind: SignalKind, findings: readonly ReportedFinding[]): Promise<void> {
  await tx.delete(signalFindingsTable).where(eq(signalFindingsTable.kind, kind))
  if (findings.length > 0)
    await tx.insert(signalFindingsTable).values(findings.map((finding) => ({ ...finding, kind })))
}
