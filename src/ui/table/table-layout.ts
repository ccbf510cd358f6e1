import { useMemo } from 'react'
import { type SavedTableLayout, usePerson } from '../data/person.ts'

type LayoutColumn = { key: string; title: string; pinned?: 'start' | 'end'; width?: number }

/** The user's layout of a table's columns and the functions that change it. Stored on the server, shown at once. */
export type ColumnLayout = {
  widths: Readonly<Record<string, number>>
  /** Moves a column before another one, or to the end. */
  move: (key: string, before: string | null) => void
  resize: (key: string, width: number | undefined) => void
}

const minColumnWidth = 48
const maxColumnWidth = 1000

/** Returns the columns in the user's order. A table without a name has the default layout. */
export function useTableLayout<Column extends LayoutColumn>(
  table: string | undefined,
  columns: readonly Column[],
): [columns: readonly Column[], layout: ColumnLayout | undefined] {
  const [kept, keep] = useSavedLayout(table)
  const arranged = useMemo(() => arrangeColumns(columns, kept?.order), [columns, kept?.order])
  if (!table) return [columns, undefined]
  const { order = [], widths = {} } = kept ?? {}
  return [
    arranged,
    {
      widths,
      move: (key, before) => {
        const keys = arranged.map((column) => column.key).filter((other) => other !== key)
        const place = before === null ? keys.length : keys.indexOf(before)
        keep({ order: keys.toSpliced(place, 0, key), widths })
      },
      resize: (key, width) => {
        const { [key]: _old, ...others } = widths
        if (width === undefined) return keep({ order, widths: others })
        keep({
          order,
          widths: { ...others, [key]: Math.round(Math.min(maxColumnWidth, Math.max(minColumnWidth, width))) },
        })
      },
    },
  ]
}

/** Returns whether the layout was changed, and a function that resets it. */
export function useLayoutReset(table: string | undefined): [changed: boolean, reset: () => void] {
  const [kept, keep] = useSavedLayout(table)
  const changed = kept !== undefined && (kept.order.length > 0 || Object.keys(kept.widths).length > 0)
  return [changed, () => keep({ order: [], widths: {} })]
}

function useSavedLayout(table: string | undefined): [SavedTableLayout | undefined, (layout: SavedTableLayout) => void] {
  const { tableLayouts, saveTableLayout } = usePerson()
  return [table ? tableLayouts[table] : undefined, (layout) => table && saveTableLayout(table, layout)]
}

/** Sorts columns by `order`. Pinned columns keep their places; a column that `order` lacks follows its predecessor. */
function arrangeColumns<Column extends LayoutColumn>(columns: readonly Column[], order: readonly string[] = []) {
  if (order.length === 0) return columns
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const ordered = order.flatMap((key) => byKey.get(key) ?? []).filter(isMovableColumn)
  const movable = columns.filter(isMovableColumn)
  for (const [index, column] of movable.entries()) {
    if (ordered.includes(column)) continue
    const before = movable.slice(0, index).findLast((other) => ordered.includes(other))
    ordered.splice(before ? ordered.indexOf(before) + 1 : 0, 0, column)
  }
  const next = ordered.values()
  return columns.map((column) => (isMovableColumn(column) ? next.next().value! : column))
}

const isMovableColumn = ({ pinned }: LayoutColumn) => pinned === undefined
