import type { DbOrTx } from '#core/db/db.ts'
import type { OpenDaySpan, SumsPiece } from './periods.ts'
import { coverSelection, readPieceCounts, type SumsSelection, splitSelectionPiece } from './read-sums.ts'

/** The position of a lead among the selected ones, by date; only leads of `counter` count. */
type LeadPosition = { offset: number; order: 'asc' | 'desc'; counter: string; zone: string }
/** The days of the lead at an offset, and how many leads of these days come before it; `days` is null past the end. */
type LeadStart = { total: number; days: OpenDaySpan | null; skipped: number }

/** A piece with no more leads than this is not split further. */
const fewLeads = 500

/** Finds the days of a position in the list, by ever finer sums. Returns null without sums. */
export async function findStartDays(
  db: DbOrTx,
  selection: SumsSelection,
  position: LeadPosition,
): Promise<LeadStart | null> {
  const pieces = coverSelection(selection)
  const first = pieces && (await findPiece(db, selection, pieces, position))
  if (!first) return null
  let { piece, count, skipped } = first
  while (piece && count > fewLeads) {
    const parts = splitSelectionPiece(selection, piece)
    const next = parts.length > 0 ? await findPiece(db, selection, parts, { ...position, offset: skipped }) : null
    if (!next?.piece) break // the finest level, or leads have changed since
    ;({ piece, count, skipped } = next)
  }
  return { total: first.total, days: piece, skipped }
}

/** Returns the piece that contains the offset, and the rest of the offset within it. */
async function findPiece(
  db: DbOrTx,
  selection: SumsSelection,
  pieces: SumsPiece[],
  { offset, order, ...asked }: LeadPosition,
): Promise<{ piece: SumsPiece | null; count: number; skipped: number; total: number } | null> {
  const counts = await readPieceCounts(db, selection, pieces, asked)
  if (!counts) return null
  const total = counts.reduce((sum, count) => sum + count, 0)
  const counted = pieces.map((piece, index) => ({ piece, count: counts[index]! }))
  let skipped = offset
  for (const { piece, count } of order === 'desc' ? counted.reverse() : counted) {
    if (skipped < count) return { piece, count, skipped, total }
    skipped -= count
  }
  return { piece: null, count: 0, skipped: 0, total }
}
