import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import type { KeyboardEvent } from 'react'
import type { ChangelogGridData } from './changelog-grid.ts'

/** A cell: its row among all rows, and its column, where 0 is the names. */
export type GridPosition = { row: number; column: number }

/** Extracts the visible range plus the active index. */
export const withActiveIndex = (index: number) => (range: Range) => {
  const seen = defaultRangeExtractor(range)
  return index < 0 || index >= range.count || seen.includes(index) ? seen : [...seen, index].sort((a, b) => a - b)
}

/** Returns the cell that a key leads to; null for other keys, and for keys pressed inside a cell. */
export function getNextCell(
  event: KeyboardEvent<HTMLElement>,
  { row, column }: GridPosition,
  { rows, days }: ChangelogGridData,
): GridPosition | null {
  const { target, key } = event
  if (event.altKey || event.metaKey || event.shiftKey || !(target instanceof Element)) return null
  if (!target.matches('[data-column]')) return null
  const lines = rows.flatMap(({ kind }, index) => (kind === 'line' ? index : []))
  const at = lines.indexOf(row)
  const rowAt = (to: number) => lines[Math.max(0, Math.min(to, lines.length - 1))] ?? row
  const columnAt = (to: number) => Math.max(0, Math.min(to, days.length))
  const places: Record<string, GridPosition> = {
    ArrowUp: { row: rowAt(at - 1), column },
    ArrowDown: { row: rowAt(at + 1), column },
    ArrowLeft: { row, column: columnAt(column - 1) },
    ArrowRight: { row, column: columnAt(column + 1) },
    PageUp: { row: rowAt(at - 6), column },
    PageDown: { row: rowAt(at + 6), column },
    Home: { row: event.ctrlKey ? rowAt(0) : row, column: 0 },
    End: { row: event.ctrlKey ? rowAt(lines.length) : row, column: days.length },
  }
  return places[key] ?? null
}

/** Returns a cell as plain text: a name, or its notes, one per line. */
export function getGridCellText({ rows, days }: ChangelogGridData, { row, column }: GridPosition): string {
  const found = rows[row]
  if (found?.kind !== 'line') return ''
  if (column === 0) return found.line.name
  const entries = found.cells[days[column - 1]?.day ?? '']?.data ?? []
  return entries.map(({ note }) => note).join('\n')
}
