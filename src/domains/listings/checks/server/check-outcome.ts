import { gmbFields } from '#domains/listings/gmbs/fields.ts'
import { getGmbStatusName, suspendedStatus } from '#domains/listings/gmbs/labels.ts'
import type { GmbLogLine, GmbRow } from '#domains/listings/gmbs/server/store.ts'
import { type VerificationStatus, verificationStatusLabels } from '#domains/listings/google/labels.ts'
import { verificationLogField } from '../labels.ts'

type GmbStatusRow = Pick<GmbRow, 'status' | 'standing' | 'suspended_at'>
type StatusOutcome = {
  columns: { standing?: VerificationStatus; status?: number; suspended_at?: Date | null }
  lines: GmbLogLine[]
}

const [liveStatus, pendingStatus, unverifiedStatus] = [1, 2, 3]
/** The status of a listing that Google shows again. */
const statusByVerification: Record<Exclude<VerificationStatus, 'suspended' | 'disabled' | 'unknown'>, number> = {
  active: liveStatus,
  in_review: pendingStatus,
  pending_verification: pendingStatus,
  unverified: unverifiedStatus,
  ownership_conflict: unverifiedStatus,
}

/**
 * Derives a listing's status from Google's verification status: suspended and disabled set Suspended, any other status ends it.
 * Only a new status counts, so that a status set by staff in between is kept; `unknown` never counts.
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
        : [{ changed: gmbFields.status.label, old: getGmbStatusName(before.status), new: getGmbStatusName(status) }]),
    ],
  }
}

const toLogLine = (changed: string, old: VerificationStatus | null, now: VerificationStatus): GmbLogLine => ({
  changed,
  old: old && verificationStatusLabels[old],
  new: verificationStatusLabels[now],
})
