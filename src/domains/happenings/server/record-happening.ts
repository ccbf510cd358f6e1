import { diffFields } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { happeningsTable } from '../schema.ts'

/** The kinds of happenings, named by their subject. */
type HappeningKind =
  | 'redirect_state'
  | 'registration'
  | 'site_ip'
  | 'site_status'
  | 'site_certificate'
  | 'google_location'
  | 'listing_check'
  | 'link_found'
  | 'link_lost'

export type RecordedHappening = {
  kind: HappeningKind
  subject: { type: string; id: number }
  campaign_id: number | null
  /** Null if the value was not known before. */
  before: Record<string, unknown> | null
  after: Record<string, unknown>
}

/** Records what changed, in the caller's transaction; nothing if no value differs. */
export const recordHappening = (tx: Tx, happening: RecordedHappening): Promise<void> =>
  recordHappenings(tx, [happening])

/** Records many happenings, a thousand per statement. */
export async function recordHappenings(tx: Tx, happenings: readonly RecordedHappening[]): Promise<void> {
  const rows = happenings.flatMap(({ kind, subject, campaign_id, before, after }) => {
    const changed = before ? diffFields(before, after) : { before, after }
    if (Object.keys(changed.after).length === 0) return []
    return [{ kind, subject_type: subject.type, subject_id: subject.id, campaign_id, ...changed }]
  })
  for (let from = 0; from < rows.length; from += 1000)
    await tx.insert(happeningsTable).values(rows.slice(from, from + 1000))
}
