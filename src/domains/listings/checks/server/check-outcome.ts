import { getGmbStatusName, gmbFieldLabels, suspendedStatus } from '#domains/listings/gmbs/labels.ts'
import type { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { type VerificationStatus, verificationStatusLabels } from '#domains/listings/google/labels.ts'
import { verificationLogField } from '../labels.ts'

type GmbStatusRow = Pick<typeof gmbsTable.$inferSelect, 'status' | 'standing' | 'suspended_at'>
type LogLine = { changed: string; old: string | null; new: string | null }
type StatusOutcome = {
  columns: { standing?: VerificationStatus; status?: number; suspended_at?: Date | null }
  lines: LogLine[]
}

const [liveStatus, pendingStatus, unverifiedStatus] = [1, 2, 3]
/** What a listing is when Google does not keep it off the maps any more. */
const statusByVerification: Record<Exclude<VerificationStatus, 'suspended' | 'disabled' | 'unknown'>, number> = {
  active: liveStatus,
  in_review: pendingStatus,
  pending_verification: pendingStatus,
  unverified: unverifiedStatus,
  ownership_conflict: unverifiedStatus,
}

/**
 * What Google's word on a location means for its listing: suspended or disabled, it is Suspended, since then; any other word ends
 * that. Only a new word counts, so that what staff set in between stays; and `unknown` is none.
 */
export function resolveStatusOutcome(before: GmbStatusRow, standing: VerificationStatus, since: Date): StatusOutcome {
  if (standing === 'unknown' || standing === before.standing) return { columns: {}, lines: [] }
  const isOff = standing === 'suspended' || standing === 'disabled'
  const status = isOff
    ? suspendedStatus
    : before.status === suspendedStatus
      ? statusByVerification[standing]
      : before.status
  const suspended_at = isOff ? (before.suspended_at ?? since) : status === before.status ? before.suspended_at : null
  return {
    columns: { standing, status, suspended_at },
    lines: [
      ...(before.standing === null && standing === 'active'
        ? []
        : [toLogLine(verificationLogField, before.standing, standing)]),
      ...(status === before.status
        ? []
        : [{ changed: gmbFieldLabels.status, old: getGmbStatusName(before.status), new: getGmbStatusName(status) }]),
    ],
  }
}

const toLogLine = (changed: string, old: VerificationStatus | null, now: VerificationStatus): LogLine => ({
  changed,
  old: old && verificationStatusLabels[old],
  new: verificationStatusLabels[now],
})
