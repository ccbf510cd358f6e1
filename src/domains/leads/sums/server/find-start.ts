import type { DbOrTx } from '#core/db/db.ts'
import type { OpenDaySpan, SumsPiece } from './periods.ts'
import { type CountedSelection, readPieceCounts, splitSelectionPiece } from './read-sums.ts'

/** The position of a lead among the counted ones, by date. */
type LeadPosition = { offset: number; order: 'asc' | 'desc'; zone: string }
/** The days of the lead at an offset, and how many leads of these days come before it; `days` is null past the end. */
type LeadStart = { total: number; days: OpenDaySpan | null; skipped: number }

/** A piece with no more leads than this is not split further. */
const fewLeads = 500

/** Finds the days of a position in the list, by ever finer sums. Returns null without sums. */
export async function findStartDays(
  db: DbOrTx,
  counted: CountedSelection,
  position: LeadPosition,
): Promise<LeadStart | null> {
  const first = await findPiece(db, counted, position)
  if (!first) return null
  let { piece, count, skipped } = first
  while (piece && count > fewLeads) {
    const pieces = splitSelectionPiece(counted.selection, piece)
    const next =
      pieces.length > 0 ? await findPiece(db, { ...counted, pieces }, { ...position, offset: skipped }) : null
    if (!next?.piece) break // the finest level, or leads have changed since
    ;({ piece, count, skipped } = next)
  }
  return { total: first.total, days: piece, skipped }
}

/** Returns the piece that contains the offset, and the rest of the offset within it. */
async function findPiece(
  db: DbOrTx,
  counted: CountedSelection,
  { offset, order, zone }: LeadPosition,
): Promise<{ piece: SumsPiece | null; count: number; skipped: number; total: number } | null> {
  const counts = await readPieceCounts(db, counted, zone)
  if (!counts) return null
  const total = counts.reduce((sum, count) => sum + count, 0)
  const found = counted.pieces.map((piece, index) => ({ piece, count: counts[index]! }))
  let skipped = offset
  for (const { piece, count } of order === 'desc' ? found.reverse() : found) {
    if (skipped < count) return { piece, count, skipped, total }
    skipped -= count
  }
  return { piece: null, count: 0, skipped: 0, total }
}
