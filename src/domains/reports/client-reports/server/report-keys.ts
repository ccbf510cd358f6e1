import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { type AuditActor, writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { isClientActive } from '#domains/clients/public.ts'
import { createExpiry, createKey, createOpenCondition } from '#domains/documents/public.ts'
import type { ReportNumbers } from '../contract.ts'
import { clientReportsTable } from '../schema.ts'
import type { KeptReport } from './facts.ts'

export const reportAuditKind = 'client report'
const reportKeyDays = 90

type NewReport = KeptReport & Pick<ReportNumbers, 'from' | 'to'> & { isTest?: boolean }

/** Creates a report that its key opens; the key itself is not stored. */
export async function createReport(tx: Tx, actor: AuditActor, request: NewReport) {
  const { clientId, period, day, from, to, campaigns, isTest = false } = request
  const { key, key_hash } = createKey()
  const [made] = await tx
    .insert(clientReportsTable)
    .values({
      client_id: clientId,
      period,
      day,
      from,
      to,
      campaigns,
      key_hash,
      created_by: actor.me?.id ?? null,
      is_test: isTest,
      expires_at: createExpiry(reportKeyDays),
    })
    .returning({ id: clientReportsTable.id, expires_at: clientReportsTable.expires_at })
  await writeAudit(tx, actor, {
    kind: reportAuditKind,
    rowId: made!.id,
    before: null,
    after: { client_id: clientId, period, from, to },
  })
  return { id: made!.id, key, expires_at: made!.expires_at }
}

export type OpenedReport = KeptReport & { id: number; expires_at: string }

/** Neither revoked nor expired. */
export const openReportCondition = createOpenCondition(clientReportsTable.revoked_at, clientReportsTable.expires_at)

/** Finds the report that a key opens; null alike for an unknown, an expired and a revoked one, and while the client is switched off. */
export const findReportByKey = (db: DbOrTx, key: string) =>
  findReport(db, eq(clientReportsTable.key_hash, hashSha256(key)))

/** Finds a report that its own client opens. */
export const findOwnReport = (db: DbOrTx, clientId: number, id: number) =>
  findReport(db, and(eq(clientReportsTable.id, id), eq(clientReportsTable.client_id, clientId)))

async function findReport(db: DbOrTx, which: SQL | undefined): Promise<OpenedReport | null> {
  const [found] = await db
    .select({
      id: clientReportsTable.id,
      clientId: clientReportsTable.client_id,
      period: clientReportsTable.period,
      day: clientReportsTable.day,
      campaigns: clientReportsTable.campaigns,
      expires_at: clientReportsTable.expires_at,
    })
    .from(clientReportsTable)
    .where(and(which, openReportCondition))
  if (!found || !(await isClientActive(db, found.clientId))) return null
  return { ...found, expires_at: found.expires_at.toISOString() }
}

/** Notes when a person outside the agency first reads it. */
export async function noteReportOpened(db: DbOrTx, id: number): Promise<void> {
  await db
    .update(clientReportsTable)
    .set({ opened_at: sql`now()` })
    .where(and(eq(clientReportsTable.id, id), isNull(clientReportsTable.opened_at)))
}

export const buildReportUrl = (publicUrl: string, key: string) => `${publicUrl}/report/${key}`
