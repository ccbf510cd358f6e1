import type { ReactNode } from 'react'
import type { RowMark } from '../data/saved-rows.ts'
import type { RowShortcut } from './table-keys.ts'

/**
 * A column, for the table and the column chooser. `cell` renders light native elements. Give the array of columns a stable
 * identity (outside the component, or memoized), because rows render again when it changes.
 */
export type TableColumn<Row, Sort extends string = never> = {
  key: string
  title: string
  /** What the column chooser lists it under, where a table has many columns. */
  group?: string
  cell: (row: Row) => ReactNode
  /** Renders the head, where it is more than the title. */
  head?: () => ReactNode
  /** The name by which the server sorts this column. */
  sort?: Sort
  /** Right-aligned, for numbers. */
  align?: 'end'
  /** Pixels; columns without a width share the remaining space. */
  width?: number
  /** Is wider on a screen of more than 1440 pixels, as the table is: long texts then have more of the room that is left. */
  grows?: true
  /** Stays visible when the table is scrolled sideways. If no column is pinned to the start, the first one is. */
  pinned?: 'start' | 'end'
  /** Not printed: its cells only have buttons. Columns pinned to the end are not printed either. */
  unprinted?: boolean
  /**
   * Shown on the row's card on a phone, which has room for three. Without marked columns, the first ones are shown;
   * the one pinned to the start is the card's name.
   */
  telling?: true
  /** Returns what Ctrl C copies, where it differs from the visible text. */
  plain?: (row: Row) => string
}

/** The rows of a table and their state, as `useList` and `useArray` return them. */
export type TableSource<Row, Sort extends string = never> = {
  rows: readonly Row[] | undefined
  /** Rows that dialogs created or changed: they are marked, and stay in sight. */
  marks?: ReadonlyMap<number | string, RowMark>
  total: number | undefined
  /** When the rows were read, in milliseconds. */
  rowsReadAt?: number
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
  /** The number of filters that are on. */
  setCount?: number
  reset?: () => void
  /** Shown in an empty list: links to other places that have rows, or what the list is for. */
  elsewhere?: ReactNode
}

/** Colors a row and gives it a bar; the row must also say the same in text. */
export type RowTint = 'verified' | 'missed' | 'suspended'

export type TableBodyProps<Row, Sort extends string> = {
  rows: readonly Row[]
  marks?: ReadonlyMap<number | string, RowMark> | undefined
  columns: readonly TableColumn<Row, Sort>[]
  /** The number of rows on earlier pages. */
  offset: number
  rowHeight: number
  scroller: HTMLElement | null
  tint?: (row: Row) => RowTint | undefined
  rowClass?: (row: Row) => string | undefined
}

/** The props of a list, the same for a table and for cards. */
export type DataTableProps<Row, Sort extends string> = {
  /** What the rows are, for a screen reader. */
  label: string
  list: TableSource<Row, Sort>
  columns: readonly TableColumn<NoInfer<Row>, NoInfer<Sort>>[]
  /** Always the first column. */
  selectColumn?: TableColumn<NoInfer<Row>, NoInfer<Sort>> | undefined
  /** The table's name, if users may move and resize its columns. */
  table?: string | undefined
  /** Keys of the hidden columns. */
  hidden?: ReadonlySet<string>
  tint?: (row: NoInfer<Row>) => RowTint | undefined
  rowClass?: (row: NoInfer<Row>) => string | undefined
  /** Cells have at most two lines, so that rows need less room. */
  isTwoLine?: boolean
  /** Called on Enter on a focused row. */
  onOpen?: (row: NoInfer<Row>) => void
  /** Called when a shortcut leads past the last row, or before the first one. */
  onPast?: ((step: 1 | -1) => void) | undefined
  /** Called with the rows once they are rendered, which may be later than they arrive, and what scrolls them. Needs a stable identity. */
  onDrawn?: ((rows: readonly NoInfer<Row>[], scroller: HTMLElement) => void) | undefined
  /** Keys that act on the focused row. List them with `useShortcuts` too. */
  shortcuts?: readonly RowShortcut<NoInfer<Row>>[]
}
