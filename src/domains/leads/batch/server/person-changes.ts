import { and, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import { leadBatchRowsTable } from '../schema.ts'

type LeadVersion = { lead_id: number; version: number }

/** Returns the versions of these leads that people made, except those of undone batches and of their undo. */
export async function findPersonChanges(
  tx: Tx,
  ids: number[],
  { after = 0, which }: { after?: number; which?: SQL } = {},
): Promise<LeadVersion[]> {
  const { lead_id, version, undone_version } = leadBatchRowsTable
  const found = await tx
    .select({ lead_id: auditTable.row_id, version: sql<number>`${auditTable.version}` })
    .from(auditTable)
    .where(
      and(
        eq(auditTable.kind, 'lead'),
        inArray(auditTable.row_id, ids),
        sql`${auditTable.version} > ${after}`,
        which,
        // A client who rates the lead is not signed in.
        sql`(${auditTable.user_id} is not null or ${auditTable.after} ->> 'via' in ('link', 'page'))`,
      ),
    )
  const undone = await tx
    .select({ lead_id, version, undone_version })
    .from(leadBatchRowsTable)
    .where(and(inArray(lead_id, ids), isNotNull(undone_version)))
  const settled = new Set(
    undone.flatMap((one) => [toKey(one.lead_id, one.version), toKey(one.lead_id, one.undone_version)]),
  )
  return found.filter((one) => !settled.has(toKey(one.lead_id, one.version)))
}

const toKey = (leadId: number, version: number | null) => `${leadId}/${version}`
