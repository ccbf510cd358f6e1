import type { DbOrTx } from '#core/db/db.ts'
import type { OpenDaySpan, SumsPiece } from './periods.ts'
import { coverSelection, readPieceCounts, type SumsSelection, splitSelectionPiece } from './read-sums.ts'

/** Which of the selected leads to find, in the order of their dates; `counter` names those that are counted. */
export type LeadPosition = { offset: number; order: 'asc' | 'desc'; counter: string; zone: string }
/** The days in which the lead at an offset is, and how many leads of these days come before it; null days where there is none. */
export type LeadStart = { total: number; days: OpenDaySpan | null; skipped: number }

/** A piece with few leads is not worth a look at its parts. */
const fewLeads = 500

/** Finds in which days a place of the list is, by sums that get finer at each step. Null where leads are not added up. */
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
    if (!next?.piece) break // there is nothing finer, or leads have changed since
    ;({ piece, count, skipped } = next)
  }
  return { total: first.total, days: piece, skipped }
}

/** The piece that holds the offset, and what of the offset is in it. */
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
