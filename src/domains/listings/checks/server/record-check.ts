import { and, eq, gt, isNull, ne, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { recordHappening } from '#domains/happenings/public.ts'
import { gmbFields } from '#domains/listings/gmbs/fields.ts'
import { getGmbStatusName, liveStatus, suspendedStatus } from '#domains/listings/gmbs/labels.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { type GmbLogLine, type GmbRow, updateGmbRow } from '#domains/listings/gmbs/server/store.ts'
import { type VerificationStatus, verificationStatusLabels } from '#domains/listings/google/labels.ts'
import type { ListingResult, ListingSnapshot } from '#integrations/public-listing/public-listing.ts'
import { checkedFieldLabels, foundLabel, notFoundLabel, placeLabel, verificationLogField } from '../labels.ts'
import { compareListings } from './differences.ts'

/** A listing to check, with its link at the start of the check. */
export type DueListing = { id: number; link: string }
/** The row's new values, the log lines of its content and status, and whether to check again soon. */
type CheckOutcome = { columns: Partial<GmbRow>; lines: GmbLogLine[]; statusLines?: GmbLogLine[]; soon?: true }
/** The state of a listing in its linked Google account. */
export type GoogleListingResult = {
  outcome: 'location'
  snapshot: ListingSnapshot
  standing: VerificationStatus
  since: Date
}

/** Hours between two checks of a listing, and after an inconclusive check. */
const checkIntervalHours = 24
const recheckHours = 1

/** Saves the result of a check. Skips a listing that was deleted or whose link has changed since. */
export async function saveCheckResult(
  { db }: AppContext,
  due: DueListing,
  answer: ListingResult | GoogleListingResult,
): Promise<void> {
  await db.transaction(async (tx) => {
    const isUnchanged = and(eq(gmbsTable.id, due.id), eq(gmbsTable.link, due.link), isNull(gmbsTable.deleted_at))
    const [before] = await tx.select().from(gmbsTable).where(isUnchanged).for('update')
    if (before) await writeOutcome(tx, before, await resolveCheckOutcome(tx, before, answer))
  })
}

function resolveCheckOutcome(
  tx: Tx,
  before: GmbRow,
  answer: ListingResult | GoogleListingResult,
): CheckOutcome | Promise<CheckOutcome> {
  if (answer.outcome === 'listing') return resolveSeen(before, answer.snapshot, 'link')
  if (answer.outcome === 'location') return resolveAtGoogle(before, answer)
  if (answer.outcome === 'none') return resolveMissed(tx, before, answer.certain)
  return { columns: { check_problem: answer.problem.slice(0, 500) }, lines: [], soon: true }
}

/** Keeps the last value of fields that are missing this time. */
function resolveSeen(
  { seen: last, seen_by, gone_at }: GmbRow,
  snapshot: ListingSnapshot,
  by: 'link' | 'google',
): CheckOutcome {
  const before = seen_by === by ? last : null // each source formats values in its own way
  const lines = compareListings(before ?? {}, snapshot).map(({ field, ...values }) => ({
    changed: checkedFieldLabels[field],
    ...values,
  }))
  const back = gone_at ? [{ changed: placeLabel, old: notFoundLabel, new: foundLabel }] : []
  return {
    columns: {
      seen: { ...before, ...snapshot },
      seen_by: by,
      seen_at: new Date(),
      missed_at: null,
      gone_at: null,
      check_problem: null,
    },
    lines: [...lines, ...back],
  }
}

function resolveAtGoogle(before: GmbRow, { snapshot, standing, since }: GoogleListingResult): CheckOutcome {
  const { columns, lines } = resolveStatusOutcome(before, standing, since)
  const content = resolveSeen(before, snapshot, 'google')
  return { columns: { ...content.columns, ...columns }, lines: content.lines, statusLines: lines }
}

/**
 * One miss changes nothing. A page without any place counts as the second miss only if the page of another listing could be read in
 * between: otherwise Google has changed its pages.
 */
async function resolveMissed(tx: Tx, { id, gone_at, missed_at }: GmbRow, certain: boolean): Promise<CheckOutcome> {
  if (gone_at) return { columns: { check_problem: null }, lines: [] }
  const isGone = missed_at !== null && (certain || (await hasOtherSighting(tx, id, missed_at)))
  if (!isGone) return { columns: { missed_at: missed_at ?? new Date(), check_problem: null }, lines: [], soon: true }
  return {
    columns: { missed_at: null, gone_at: new Date(), check_problem: null },
    lines: [{ changed: placeLabel, old: foundLabel, new: notFoundLabel }],
  }
}

async function hasOtherSighting(tx: Tx, id: number, since: Date): Promise<boolean> {
  const [other] = await tx
    .select({ id: gmbsTable.id })
    .from(gmbsTable)
    .where(and(gt(gmbsTable.seen_at, since), eq(gmbsTable.seen_by, 'link'), ne(gmbsTable.id, id)))
    .limit(1)
  return other !== undefined
}

async function writeOutcome(tx: Tx, before: GmbRow, { columns, lines, statusLines = [], soon: isSoon }: CheckOutcome) {
  const allLines = [...lines, ...statusLines]
  const pick = (side: 'old' | 'new') => Object.fromEntries(allLines.map((line) => [line.changed, line[side]]))
  const hasChanged = lines.length > 0
  await updateGmbRow(tx, { me: null }, before, {
    columns: {
      ...columns,
      ...(hasChanged ? markChanged(before, lines) : {}),
      checked_at: sql`now()`,
      check_asked_at: null,
      next_check_at: sql`now() + make_interval(secs => ${getSecondsToNextCheck(before, isSoon)})`,
    },
    lines: allLines,
    audit: {
      before: { changed: before.changed, ...pick('old') },
      after: { changed: hasChanged || before.changed, ...pick('new') },
    },
  })
  const result = columns.check_problem ? 'unread' : columns.gone_at ? 'gone' : columns.missed_at ? 'missed' : 'seen'
  await recordHappening(tx, {
    kind: 'listing_check',
    subject: { type: 'listing', id: before.id },
    campaign_id: before.campaign_id,
    before: allLines.length > 0 ? pick('old') : null,
    after: { result, ...pick('new') },
  })
}

/** Marks the listing as changed since the first difference not yet accepted. */
const markChanged = ({ changed_at, changed_fields }: GmbRow, lines: GmbLogLine[]): Partial<GmbRow> => ({
  changed: true,
  changed_at: changed_at ?? new Date(),
  changed_fields: [...new Set([...changed_fields, ...lines.map((line) => line.changed)])],
})

/** Adds jitter, so that listings added together are not always checked together. */
function getSecondsToNextCheck({ checked_at }: GmbRow, isSoon = false): number {
  if (isSoon) return recheckHours * 3600 * (1 + Math.random() / 2)
  return checkIntervalHours * 3600 * (checked_at ? 0.97 + Math.random() * 0.03 : 0.4 + Math.random() * 0.6)
}

type GmbStatusRow = Pick<GmbRow, 'status' | 'standing' | 'suspended_at'>
type StatusOutcome = {
  columns: { standing?: VerificationStatus; status?: number; suspended_at?: Date | null }
  lines: GmbLogLine[]
}

const [pendingStatus, unverifiedStatus] = [2, 3]
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
function resolveStatusOutcome(before: GmbStatusRow, standing: VerificationStatus, since: Date): StatusOutcome {
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
