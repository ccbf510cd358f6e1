import { and, eq, gt, isNull, ne, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { record } from '#core/audit/write-audit.ts'
import type { Tx } from '#core/db/db.ts'
import { gmbLogs, gmbs } from '#domains/listings/gmbs/schema.ts'
import type { Standing } from '#domains/listings/google/labels.ts'
import type { Answer, Told } from '#integrations/public-listing/public-listing.ts'
import { fieldNames, found, notFound, place } from '../labels.ts'
import { outcomeOf as outcomeOfStanding } from './check-outcome.ts'
import { differences } from './differences.ts'

/** A listing that is being checked, by the link that it had when the check began. */
export type Due = { id: number; link: string }
type Stored = typeof gmbs.$inferSelect
type Columns = Partial<typeof gmbs.$inferInsert>
type Line = { changed: string; old: string | null; new: string | null }
/** What a check leaves: how the row stands, what became different, and whether to look again soon. */
type Outcome = { columns: Columns; lines: Line[]; standing?: Line[]; soon?: true }
/** What the linked account says. */
export type AtGoogle = { outcome: 'location'; told: Told; standing: Standing; since: Date }

/** Hours between two checks of a listing, and after one that was not the last word. */
const interval = 24
const soon = 1

/** Writes down what a check found. A listing whose link was changed meanwhile, or that was deleted, stays as it is. */
export async function note({ db }: House, due: Due, answer: Answer | AtGoogle): Promise<void> {
  await db.transaction(async (tx) => {
    const stillIt = and(eq(gmbs.id, due.id), eq(gmbs.link, due.link), isNull(gmbs.deleted_at))
    const [before] = await tx.select().from(gmbs).where(stillIt).for('update')
    if (before) await write(tx, before, await outcomeOf(tx, before, answer))
  })
}

function outcomeOf(tx: Tx, before: Stored, answer: Answer | AtGoogle): Outcome | Promise<Outcome> {
  if (answer.outcome === 'listing') return seen(before, answer.told, 'link')
  if (answer.outcome === 'location') return atGoogle(before, answer)
  if (answer.outcome === 'none') return missed(tx, before, answer.certain)
  return { columns: { check_problem: answer.problem.slice(0, 500) }, lines: [], soon: true }
}

/** What is not told this time stays as it was last seen. */
function seen({ seen: last, seen_by, gone_at }: Stored, told: Told, by: 'link' | 'google'): Outcome {
  const before = seen_by === by ? last : null // they write the same thing in other ways
  const lines = differences(before ?? {}, told).map(({ field, ...values }) => ({
    changed: fieldNames[field],
    ...values,
  }))
  const back = gone_at ? [{ changed: place, old: notFound, new: found }] : []
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

function atGoogle(before: Stored, { told, standing, since }: AtGoogle): Outcome {
  const { columns, lines } = outcomeOfStanding(before, standing, since)
  const content = seen(before, told, 'google')
  return { columns: { ...content.columns, ...columns }, lines: content.lines, standing: lines }
}

/**
 * One miss changes nothing. A page that just names no place is believed the second time only if another listing could be
 * read in between: if none can, it is the pages that have changed, not the listings.
 */
async function missed(tx: Tx, { id, gone_at, missed_at }: Stored, certain: boolean): Promise<Outcome> {
  if (gone_at) return { columns: { check_problem: null }, lines: [] }
  const isGone = missed_at !== null && (certain || (await anotherWasRead(tx, id, missed_at)))
  if (!isGone) return { columns: { missed_at: missed_at ?? new Date(), check_problem: null }, lines: [], soon: true }
  return {
    columns: { missed_at: null, gone_at: new Date(), check_problem: null },
    lines: [{ changed: place, old: found, new: notFound }],
  }
}

async function anotherWasRead(tx: Tx, id: number, since: Date): Promise<boolean> {
  const [other] = await tx
    .select({ id: gmbs.id })
    .from(gmbs)
    .where(and(gt(gmbs.seen_at, since), ne(gmbs.id, id)))
    .limit(1)
  return other !== undefined
}

async function write(tx: Tx, before: Stored, { columns, lines, standing = [], soon: isSoon }: Outcome) {
  const { id } = before
  const said = [...lines, ...standing]
  const version = before.version + 1
  await tx
    .update(gmbs)
    .set({
      ...columns,
      ...(lines.length > 0 ? marked(before, lines) : {}),
      ...(said.length > 0 ? { version, updated_at: sql`now()` } : {}),
      checked_at: sql`now()`,
      check_asked_at: null,
      next_check_at: sql`now() + make_interval(secs => ${secondsToNext(before, isSoon)})`,
    })
    .where(eq(gmbs.id, id))
  if (said.length === 0) return
  await tx.insert(gmbLogs).values(said.map((line) => ({ ...line, gmb_id: id, username: null })))
  const all = (side: 'old' | 'new') => Object.fromEntries(said.map((line) => [line.changed, line[side]]))
  const changed = lines.length > 0 || before.changed
  await record(
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
const marked = ({ changed_at, changed_fields }: Stored, lines: Line[]): Columns => ({
  changed: true,
  changed_at: changed_at ?? new Date(),
  changed_fields: [...new Set([...changed_fields, ...lines.map((line) => line.changed)])],
})

/** Listings that were entered together do not stay together: the first round ends at any time of the interval. */
function secondsToNext({ checked_at }: Stored, isSoon = false): number {
  if (isSoon) return soon * 3600 * (1 + Math.random() / 2)
  return interval * 3600 * (checked_at ? 0.97 + Math.random() * 0.03 : 0.4 + Math.random() * 0.6)
}
