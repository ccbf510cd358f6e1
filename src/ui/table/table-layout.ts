import { useMemo } from 'react'
import { session, type TableLayout, type TableName } from '#domains/access/sign-in/contract.ts'
import { keepMe, useMe } from '#domains/access/ui/current-user.ts'
import { useAction } from '../data/useAction.ts'

type Placed = { key: string; title: string; pinned?: 'start' | 'end'; width?: number }

/** What a person has made of a table's columns, and how they change it. Kept on the server, shown at once. */
export type Layout = {
  widths: Readonly<Record<string, number>>
  /** Puts a column before another, or last. */
  move: (key: string, before: string | null) => void
  resize: (key: string, width: number | undefined) => void
}

export const narrowest = 48
const widest = 1000

/** The columns in this person's order. Without a name the table is as it comes. */
export function useTableLayout<Column extends Placed>(
  table: TableName | undefined,
  columns: readonly Column[],
): [columns: readonly Column[], layout: Layout | undefined] {
  const [kept, keep] = useKept(table)
  const arranged = useMemo(() => arrange(columns, kept?.order), [columns, kept?.order])
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
        keep({ order, widths: { ...others, [key]: Math.round(Math.min(widest, Math.max(narrowest, width))) } })
      },
    },
  ]
}

/** Whether something was changed, and how to have it as it came. */
export function useLayoutReset(table: TableName | undefined): [changed: boolean, reset: () => void] {
  const [kept, keep] = useKept(table)
  const changed = kept !== undefined && (kept.order.length > 0 || Object.keys(kept.widths).length > 0)
  return [changed, () => keep({ order: [], widths: {} })]
}

function useKept(table: TableName | undefined): [TableLayout | undefined, (layout: TableLayout) => void] {
  const me = useMe()
  const { run } = useAction(session.saveTable, {
    optimistic: (input) => {
      if (!me || !input?.body) return () => {}
      const { table: name, ...layout } = input.body
      keepMe({ ...me, tables: { ...me.tables, [name]: layout } })
      return () => keepMe(me)
    },
  })
  return [table && me?.tables[table], (layout) => table && void run({ body: { table, ...layout } })]
}

/** Pinned columns keep their places; one that the order does not know stands after the one that it comes after. */
export function arrange<Column extends Placed>(columns: readonly Column[], order: readonly string[] = []) {
  if (order.length === 0) return columns
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const ordered = order.flatMap((key) => byKey.get(key) ?? []).filter(isMovable)
  const movable = columns.filter(isMovable)
  for (const [index, column] of movable.entries()) {
    if (ordered.includes(column)) continue
    const before = movable.slice(0, index).findLast((other) => ordered.includes(other))
    ordered.splice(before ? ordered.indexOf(before) + 1 : 0, 0, column)
  }
  const next = ordered.values()
  return columns.map((column) => (isMovable(column) ? next.next().value! : column))
}

const isMovable = ({ pinned }: Placed) => pinned === undefined
