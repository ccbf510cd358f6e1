import { type CSSProperties, useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { QueryOutdated } from '../feedback/QueryStates.tsx'
import { SkeletonRows } from '../feedback/Skeleton.tsx'
import { getPrintScale, usePrinting } from '../layout/printing.ts'
import { useIsPhone } from '../layout/useIsPhone.ts'
import { TableCards } from './cards/TableCards.tsx'
import classes from './DataTable.module.css'
import { type RowDensity, useRowDensity } from './density.ts'
import { NoRowsMessage, type NoRowsState } from './NoRowsMessage.tsx'
import { TableRow } from './rows/TableRow.tsx'
import { VirtualBody } from './rows/VirtualBody.tsx'
import { getAriaSort, SortButton } from './SortButton.tsx'
import { TableFrame, TableScroller, usePageStart } from './TableFrame.tsx'
import type { DataTableProps, TableBodyProps, TableColumn, TableSource } from './table-column.ts'
import { handleOutsideKey, handleTableKey } from './table-keys.ts'
import { useTableLayout } from './table-layout.ts'
import { useColumnMoves } from './useColumnMoves.ts'
import { useRemovedRowFocus } from './useRemovedRowFocus.ts'

/** Shows a list's rows as a table, or as cards on a phone. */
export function DataTable<Row extends { id: number | string }, Sort extends string>(props: DataTableProps<Row, Sort>) {
  return useIsPhone() ? <TableCards {...props} /> : <WideTable {...props} />
}

function WideTable<Row extends { id: number | string }, Sort extends string>(props: DataTableProps<Row, Sort>) {
  const { label, list, columns, selectColumn, hidden, onOpen, onDrawn, shortcuts, table } = props
  const [density] = useRowDensity()
  const isDense = props.isTwoLine && density === 'normal'
  const rowHeight = isDense ? twoLineHeight : rowHeights[density]
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const there = useMemo(() => pinFirstColumn(columns.filter(({ key }) => !hidden?.has(key))), [columns, hidden])
  const [arranged, layout] = useTableLayout(table, there)
  const shown = useMemo(
    () => (selectColumn ? [{ ...selectColumn, pinned: 'start' as const }, ...arranged] : arranged),
    [selectColumn, arranged],
  )
  const moves = useColumnMoves(shown, layout)
  const { moving } = moves
  const widthOf = (column: { key: string; width?: number | undefined }) =>
    (moving?.key === column.key ? moving.width : undefined) ?? layout?.widths[column.key] ?? column.width
  const widthAt = (side: 'start' | 'end') =>
    shown.reduce((sum, column) => sum + (column.pinned === side ? (widthOf(column) ?? 0) : 0), 0)
  const rows = useDeferredRows(list.rows) ?? noRows
  useEffect(() => {
    if (scroller) onDrawn?.(rows, scroller)
  }, [rows, scroller, onDrawn])
  useEffect(() => {
    if (list.marks?.get(rows[0]?.id ?? '') === 'new') scroller?.scrollTo({ top: 0 })
  }, [list.marks, rows[0]?.id, scroller])
  usePageStart(scroller, list.page)
  const followFocus = useRemovedRowFocus(list.rows && rows)
  const lastId = useRef<number | string>(undefined)
  const { onPast } = props
  // A passive effect would come after the rows are drawn: a key in between would act on a row that has left.
  useLayoutEffect(() => {
    if (!scroller || !shortcuts?.length) return
    const press = (event: KeyboardEvent) => {
      const index = Math.max(
        0,
        rows.findIndex(({ id }) => id === lastId.current),
      )
      handleOutsideKey(event, { scroller, index, rows, past: onPast, shortcuts })
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [scroller, rows, onPast, shortcuts])
  const offset = useDeferredValue(((list.page ?? 1) - 1) * (list.perPage ?? rows.length))

  return (
    <TableFrame isList fetching={list.fetching && !list.loading}>
      {list.error && list.rows && <QueryOutdated what="These rows" error={list.error} retry={list.retry} />}
      <TableScroller
        ref={setScroller}
        aria-label={label}
        over={{ top: headHeight, start: widthAt('start'), end: widthAt('end') }}
        onFocus={(event) => {
          followFocus(event)
          const index = event.target.closest<HTMLElement>('[data-index]')?.dataset.index
          if (index) lastId.current = rows[Number(index)]?.id
        }}
        onKeyDown={(event) =>
          handleTableKey(event, {
            rows,
            open: onOpen,
            past: props.onPast,
            shortcuts,
            plain: (row, column) => shown[column]?.plain?.(row),
          })
        }
      >
        <table
          className={classes.table}
          data-density={isDense ? 'lines' : density}
          data-wide={columns.length > wideTableColumns || undefined}
          style={getTableStyle(shown.map(widthOf), selectColumn?.width)}
          aria-label={label}
          aria-busy={list.fetching}
          aria-rowcount={(list.total ?? rows.length) + 1}
          aria-colcount={shown.length}
        >
          <colgroup>
            {shown.map((column) => (
              <col key={column.key} style={{ width: getColumnWidth(column, widthOf(column)) }} />
            ))}
          </colgroup>
          <TableHead columns={shown} list={list} moves={moves} />
          {rows.length > 0 ? (
            <TableBody
              rows={rows}
              marks={list.marks}
              columns={shown}
              offset={offset}
              rowHeight={rowHeight}
              scroller={scroller}
              tint={props.tint}
              rowClass={props.rowClass}
            />
          ) : (
            <tbody>
              {list.loading || list.rows?.length ? (
                <SkeletonRows rows={list.perPage ?? defaultSkeletonRows} columns={shown} height={rowHeight} />
              ) : (
                <EmptyTableBody list={list} columns={shown.length} />
              )}
            </tbody>
          )}
        </table>
      </TableScroller>
    </TableFrame>
  )
}

const noRows: readonly never[] = []

/**
 * Renders new rows at low priority, so that the page stays responsive; changes of the rows that are shown appear at once.
 */
function useDeferredRows<Row extends { id: number | string }>(rows: readonly Row[] | undefined) {
  const deferred = useDeferredValue(rows)
  return rows && deferred && haveSameIds(rows, deferred) ? rows : deferred
}

const haveSameIds = (some: readonly { id: unknown }[], others: readonly { id: unknown }[]) =>
  some.length === others.length && some.every(({ id }, index) => id === others[index]?.id)

/** A table with more columns has narrower margins, so that more of it is in sight. */
const wideTableColumns = 12
/** The height of the table head, in pixels. */
const headHeight = 36
/** The minimum height of a row, in pixels. */
const rowHeights: Record<RowDensity, number> = { compact: 32, normal: 44, comfortable: 64 }
const twoLineHeight = 40
const flexibleColumnWidth = 140

/** Pins the first column, so that the name of each row stays visible when the table is scrolled sideways. */
function pinFirstColumn<Placed extends { pinned?: 'start' | 'end' }>(columns: readonly Placed[]): readonly Placed[] {
  const [first, ...rest] = columns
  if (!first || first.pinned || rest.some(({ pinned }) => pinned === 'start')) return columns
  return [{ ...first, pinned: 'start' }, ...rest]
}

/** The typical length of a list without pages, so that little moves when its rows arrive. */
const defaultSkeletonRows = 6

/**
 * Returns a column's width for CSS: less what the margins give, so that its content keeps its room. One that grows does so unless a
 * person has set it.
 */
function getColumnWidth({ grows, width }: { grows?: true; width?: number }, current: number | undefined) {
  if (current === undefined) return undefined
  const narrowest = `${current}px - var(--given)`
  return grows && current === width
    ? `max(${narrowest}, ${(100 * current) / tableWidthAt1440}cqi)`
    : `calc(${narrowest})`
}
const tableWidthAt1440 = 1176

/** Returns the table's style. On paper columns are narrower than on a screen: their text wraps. */
function getTableStyle(widths: readonly (number | undefined)[], selectWidth = 0) {
  const full = widths.reduce<number>((sum, width) => sum + (width ?? flexibleColumnWidth), 0)
  // CSSProperties does not include custom properties.
  return {
    '--print-scale': getPrintScale(full * 0.7),
    '--select-width': `calc(${selectWidth}px - var(--given))`,
    '--full-width': `${full}px`,
    '--columns': widths.length,
  } as CSSProperties
}

function EmptyTableBody({ list, columns }: { list: NoRowsState; columns: number }) {
  return (
    <tr>
      <td colSpan={columns} className={classes.nothing}>
        <div>
          <NoRowsMessage list={list} />
        </div>
      </td>
    </tr>
  )
}

const maxPlainRows = 100
const maxPlainColumns = 12

/** The table's rows; a long or wide table renders only the visible ones. */
function TableBody<Row extends { id: number | string }, Sort extends string>(props: TableBodyProps<Row, Sort>) {
  const printing = usePrinting()
  if (printing || (props.rows.length <= maxPlainRows && props.columns.length <= maxPlainColumns))
    return <PlainBody {...props} />
  return <VirtualBody {...props} />
}

function PlainBody<Row extends { id: number | string }, Sort extends string>(props: TableBodyProps<Row, Sort>) {
  const { rows, columns, offset, rowHeight, tint, rowClass, marks } = props
  return (
    <tbody>
      {rows.map((row, index) => (
        <TableRow
          key={row.id}
          row={row}
          columns={columns}
          index={index}
          offset={offset}
          height={rowHeight}
          tint={tint?.(row)}
          mark={marks?.get(row.id)}
          className={rowClass?.(row)}
        />
      ))}
    </tbody>
  )
}

type HeadSorting<Sort extends string> = Pick<TableSource<unknown, Sort>, 'sort' | 'order' | 'sortBy'>

/** The column heads. Sortable heads are buttons, and the sorted column has `aria-sort`. */
function TableHead<Row, Sort extends string>(props: {
  columns: readonly TableColumn<Row, Sort>[]
  list: HeadSorting<Sort>
  moves: ReturnType<typeof useColumnMoves>
}) {
  const { columns, list, moves } = props
  const { moving, drag, widen, press } = moves
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((column) => (
          <th
            key={column.key}
            scope="col"
            className={classes.head}
            data-align={column.align}
            data-pinned={column.pinned}
            data-unprinted={column.unprinted}
            data-key={column.key}
            data-moving={(moving?.key === column.key && moving.width === undefined) || undefined}
            data-drop={moving?.before === column.key || undefined}
            tabIndex={drag && -1}
            onPointerDown={drag && ((event) => drag(event, column))}
            onKeyDown={press && !column.head ? (event) => press(event, column) : undefined}
            aria-sort={getAriaSort(getSortOrder(column, list))}
          >
            <HeadCellContent column={column} list={list} />
            {widen && !column.head && (
              // On the keyboard: Shift and an arrow, on the head.
              <span
                className={classes.edge}
                aria-hidden="true"
                onPointerDown={(event) => widen(event, column)}
                onDoubleClick={() => moves.resize?.(column.key, undefined)}
              />
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function HeadCellContent<Row, Sort extends string>({
  column,
  list,
}: {
  column: TableColumn<Row, Sort>
  list: HeadSorting<Sort>
}) {
  const { sort, title } = column
  const { sortBy } = list
  if (column.head) return column.head()
  if (!sort || !sortBy) return title
  return <SortButton title={title} order={getSortOrder(column, list)} sort={() => sortBy(sort)} />
}

const getSortOrder = <Row, Sort extends string>({ sort }: TableColumn<Row, Sort>, list: HeadSorting<Sort>) =>
  sort !== undefined && list.sort === sort ? (list.order ?? 'asc') : undefined
