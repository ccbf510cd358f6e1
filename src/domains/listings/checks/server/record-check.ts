import { and, eq, gt, isNull, ne, sql } from 'drizzle-orm'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { gmbLogsTable, gmbsTable } from '#domains/listings/gmbs/schema.ts'
import type { VerificationStatus } from '#domains/listings/google/labels.ts'
import type { ListingResult, ListingSnapshot } from '#integrations/public-listing/public-listing.ts'
import { checkedFieldLabels, foundLabel, notFoundLabel, placeLabel } from '../labels.ts'
import { resolveStatusOutcome } from './check-outcome.ts'
import { compareListings } from './differences.ts'

/** A listing that is being checked, by the link that it had when the check began. */
export type DueListing = { id: number; link: string }
type GmbRow = typeof gmbsTable.$inferSelect
type GmbValues = Partial<typeof gmbsTable.$inferInsert>
type LogLine = { changed: string; old: string | null; new: string | null }
/** What a check leaves: how the row stands, what became different, and whether to look again soon. */
type CheckOutcome = { columns: GmbValues; lines: LogLine[]; standing?: LogLine[]; soon?: true }
/** What the linked account says. */
export type GoogleListingResult = {
  outcome: 'location'
  told: ListingSnapshot
  standing: VerificationStatus
  since: Date
}

/** Hours between two checks of a listing, and after one that was not the last word. */
const checkIntervalHours = 24
const recheckHours = 1

/** Writes down what a check found. A listing whose link was changed meanwhile, or that was deleted, stays as it is. */
export async function saveCheckResult(
  { db }: AppContext,
  due: DueListing,
  answer: ListingResult | GoogleListingResult,
): Promise<void> {
  await db.transaction(async (tx) => {
    const stillIt = and(eq(gmbsTable.id, due.id), eq(gmbsTable.link, due.link), isNull(gmbsTable.deleted_at))
    const [before] = await tx.select().from(gmbsTable).where(stillIt).for('update')
    if (before) await writeOutcome(tx, before, await resolveCheckOutcome(tx, before, answer))
  })
}

function resolveCheckOutcome(
  tx: Tx,
  before: GmbRow,
  answer: ListingResult | GoogleListingResult,
): CheckOutcome | Promise<CheckOutcome> {
  if (answer.outcome === 'listing') return resolveSeen(before, answer.told, 'link')
  if (answer.outcome === 'location') return resolveAtGoogle(before, answer)
  if (answer.outcome === 'none') return resolveMissed(tx, before, answer.certain)
  return { columns: { check_problem: answer.problem.slice(0, 500) }, lines: [], soon: true }
}

/** What is not told this time stays as it was last seen. */
function resolveSeen(
  { seen: last, seen_by, gone_at }: GmbRow,
  told: ListingSnapshot,
  by: 'link' | 'google',
): CheckOutcome {
  const before = seen_by === by ? last : null // they write the same thing in other ways
  const lines = compareListings(before ?? {}, told).map(({ field, ...values }) => ({
    changed: checkedFieldLabels[field],
    ...values,
  }))
  const back = gone_at ? [{ changed: placeLabel, old: notFoundLabel, new: foundLabel }] : []
  return {
    columns: {
      seen: { ...before, ...told },
      seen_by: by,
      seen_at: new Date(),
      missed_at: null,
      gone_at: null,
      check_problem: null,
    },
    lines: [...lines, ...back],
  }
}

function resolveAtGoogle(before: GmbRow, { told, standing, since }: GoogleListingResult): CheckOutcome {
  const { columns, lines } = resolveStatusOutcome(before, standing, since)
  const content = resolveSeen(before, told, 'google')
  return { columns: { ...content.columns, ...columns }, lines: content.lines, standing: lines }
}

/**
 * One miss changes nothing. A page that just names no place is believed the second time only if another listing could be
 * read in between: if none can, it is the pages that have changed, not the listings.
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
    .where(and(gt(gmbsTable.seen_at, since), ne(gmbsTable.id, id)))
    .limit(1)
  return other !== undefined
}

async function writeOutcome(tx: Tx, before: GmbRow, { columns, lines, standing = [], soon: isSoon }: CheckOutcome) {
  const { id } = before
  const said = [...lines, ...standing]
  const version = before.version + 1
  await tx
    .update(gmbsTable)
    .set({
      ...columns,
      ...(lines.length > 0 ? markChanged(before, lines) : {}),
      ...(said.length > 0 ? { version, updated_at: sql`now()` } : {}),
      checked_at: sql`now()`,
      check_asked_at: null,
      next_check_at: sql`now() + make_interval(secs => ${getSecondsToNextCheck(before, isSoon)})`,
    })
    .where(eq(gmbsTable.id, id))
  if (said.length === 0) return
  await tx.insert(gmbLogsTable).values(said.map((line) => ({ ...line, gmb_id: id, username: null })))
  const all = (side: 'old' | 'new') => Object.fromEntries(said.map((line) => [line.changed, line[side]]))
  const changed = lines.length > 0 || before.changed
  await writeAudit(
    tx,
    { me: null },
    {
      kind: 'listing',
      rowId: id,
      before: { changed: before.changed, ...all('old') },
      after: { changed, ...all('new') },
      version,
    },
  )
}

/** Changed since the first difference that nobody has accepted. */
const markChanged = ({ changed_at, changed_fields }: GmbRow, lines: LogLine[]): GmbValues => ({
  changed: true,
  changed_at: changed_at ?? new Date(),
  changed_fields: [...new Set([...changed_fields, ...lines.map((line) => line.changed)])],
})

/** Listings that were entered together do not stay together: the first round ends at any time of the interval. */
function getSecondsToNextCheck({ checked_at }: GmbRow, isSoon = false): number {
  if (isSoon) return recheckHours * 3600 * (1 + Math.random() / 2)
  return checkIntervalHours * 3600 * (checked_at ? 0.97 + Math.random() * 0.03 : 0.4 + Math.random() * 0.6)
}
