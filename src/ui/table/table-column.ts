import type { ReactNode } from 'react'
import type { TableName } from '#contract/tables.ts'
import type { RowMark } from '../data/saved-rows.ts'
import type { RowShortcut } from './table-keys.ts'

/**
 * One column, for the table and the column chooser alike. `cell` renders a light native cell; give the array a stable
 * identity (outside the component, or made once), because a row renders again when it changes.
 */
export type TableColumn<Row, Sort extends string = never> = {
  key: string
  title: string
  cell: (row: Row) => ReactNode
  /** Stands in the head, where that is more than the title. */
  head?: () => ReactNode
  /** The column that the server sorts by. */
  sort?: Sort
  /** Numbers end right. */
  align?: 'end'
  /** Pixels; a column without a width shares what is left. */
  width?: number
  /** Stays in sight when the table is scrolled sideways. Where no column says that of the start, the first one does. */
  pinned?: 'start' | 'end'
  /**
   * Stands on the card that the row is on a phone, which has room for three. Those that no screen names are the first ones;
   * what is pinned to the start is the card's name.
   */
  telling?: true
  /** What Ctrl C copies, where it is not what can be read in the cell. */
  plain?: (row: Row) => string
}

/** Rows and where they stand: what `useList` and `useArray` give, and the table shows. */
export type TableSource<Row, Sort extends string = never> = {
  rows: readonly Row[] | undefined
  /** Rows that dialogs made or changed: they say so, and stay in sight. */
  marks?: ReadonlyMap<number | string, RowMark>
  total: number | undefined
  loading: boolean
  fetching: boolean
  error: Error | null
  retry: () => void
  page?: number
  perPage?: number
  sort?: Sort
  order?: 'asc' | 'desc'
  sortBy?: (column: Sort) => void
  /** Whether filters are on; an empty list then offers to reset them. */
  changed?: boolean
  reset?: () => void
  /** Stands in an empty list: where else there is something. */
  elsewhere?: ReactNode
}

/** Colors a row and gives it a bar; the row must say the same in words. */
export type RowTint = 'verified' | 'missed' | 'suspended'

export type TableBodyProps<Row, Sort extends string> = {
  rows: readonly Row[]
  marks?: ReadonlyMap<number | string, RowMark> | undefined
  columns: readonly TableColumn<Row, Sort>[]
  /** How many rows stand before these, on earlier pages. */
  offset: number
  rowHeight: number
  scroller: HTMLElement | null
  tint?: (row: Row) => RowTint | undefined
  rowClass?: (row: Row) => string | undefined
}

/** What a screen says of its list: the same for a table and for cards. */
export type DataTableProps<Row, Sort extends string> = {
  /** What the rows are, for a screen reader. */
  label: string
  list: TableSource<Row, Sort>
  columns: readonly TableColumn<NoInfer<Row>, NoInfer<Sort>>[]
  /** Stands before the others, whatever their order. */
  selectColumn?: TableColumn<NoInfer<Row>, NoInfer<Sort>> | undefined
  /** Its name, where people may move and widen its columns. */
  table?: TableName
  /** Keys of the columns that are not shown. */
  hidden?: ReadonlySet<string>
  tint?: (row: NoInfer<Row>) => RowTint | undefined
  rowClass?: (row: NoInfer<Row>) => string | undefined
  /** What Enter on a focused row does. */
  onOpen?: (row: NoInfer<Row>) => void
  /** What a key does that leads past the last row, or before the first one. */
  onPast?: ((step: 1 | -1) => void) | undefined
  /** Told the list's rows once they are drawn, which may be later than they are there. Keeps its identity. */
  onDrawn?: ((rows: readonly NoInfer<Row>[]) => void) | undefined
  /** Keys that act on the focused row. Tell of them with `useShortcuts` too. */
  shortcuts?: readonly RowShortcut<NoInfer<Row>>[]
}
