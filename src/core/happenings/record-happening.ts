import { diffFields } from '../audit/write-audit.ts'
import type { Tx } from '../db/db.ts'
import { happeningsTable } from './schema.ts'

/** What is recorded, by the subject it happens to. */
export const happeningKinds = [
  'redirect_state',
  'registration',
  'site_ip',
  'site_status',
  'site_certificate',
  'google_location',
  'listing_check',
  'link_found',
  'link_lost',
] as const
export type HappeningKind = (typeof happeningKinds)[number]

export type RecordedHappening = {
  kind: HappeningKind
  subject: { type: string; id: number }
  campaign_id: number | null
  /** Null: not known before. */
  before: Record<string, unknown> | null
  after: Record<string, unknown>
}

/** Writes what became different, in the transaction that learns of it. Nothing different leaves no entry. */
export const recordHappening = (tx: Tx, happening: RecordedHappening): Promise<void> =>
  recordHappenings(tx, [happening])

/** Writes many in one statement per thousand. */
export async function recordHappenings(tx: Tx, happenings: readonly RecordedHappening[]): Promise<void> {
  const rows = happenings.flatMap(({ kind, subject, campaign_id, before, after }) => {
    const changed = before ? diffFields(before, after) : { before, after }
    if (Object.keys(changed.after).length === 0) return []
    return [{ kind, subject_type: subject.type, subject_id: subject.id, campaign_id, ...changed }]
  })
  for (let from = 0; from < rows.length; from += 1000)
    await tx.insert(happeningsTable).values(rows.slice(from, from + 1000))
}
