import { labels, statusName, suspended } from '#domains/listings/gmbs/labels.ts'
import type { gmbs } from '#domains/listings/gmbs/schema.ts'
import { type Standing, standingNames } from '#domains/listings/google/labels.ts'
import { standingField } from '../labels.ts'

type Stored = Pick<typeof gmbs.$inferSelect, 'status' | 'standing' | 'suspended_at'>
type Line = { changed: string; old: string | null; new: string | null }
type Outcome = { columns: { standing?: Standing; status?: number; suspended_at?: Date | null }; lines: Line[] }

const [live, pending, unverified] = [1, 2, 3]
/** What a listing is when Google does not keep it off the maps any more. */
const statusOf: Record<Exclude<Standing, 'suspended' | 'disabled' | 'unknown'>, number> = {
  active: live,
  in_review: pending,
  pending_verification: pending,
  unverified,
  ownership_conflict: unverified,
}

/**
 * What Google's word on a location means for its listing: suspended or disabled, it is Suspended, since then; any other word ends
 * that. Only a new word counts, so that what staff set in between stays; and `unknown` is none.
 */
export function outcomeOf(before: Stored, standing: Standing, since: Date): Outcome {
  if (standing === 'unknown' || standing === before.standing) return { columns: {}, lines: [] }
  const isOff = standing === 'suspended' || standing === 'disabled'
  const status = isOff ? suspended : before.status === suspended ? statusOf[standing] : before.status
  const suspended_at = isOff ? (before.suspended_at ?? since) : status === before.status ? before.suspended_at : null
  return {
    columns: { standing, status, suspended_at },
    lines: [
      ...(before.standing === null && standing === 'active' ? [] : [line(standingField, before.standing, standing)]),
      ...(status === before.status
        ? []
        : [{ changed: labels.status, old: statusName(before.status), new: statusName(status) }]),
    ],
  }
}

const line = (changed: string, old: Standing | null, now: Standing): Line => ({
  changed,
  old: old && standingNames[old],
  new: standingNames[now],
})
