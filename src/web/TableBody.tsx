import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, memo, type Ref } from 'react'
import classes from './DataTable.module.css'
import type { Column, Tint } from './DataTable.tsx'

type Props<Row, Sort extends string> = {
  rows: readonly Row[]
  columns: readonly Column<Row, Sort>[]
  /** How many rows stand before these, on earlier pages. */
  offset: number
  rowHeight: number
  scroller: HTMLElement | null
  tint?: (row: Row) => Tint | undefined
  rowClass?: (row: Row) => string | undefined
}

/** Long or wide tables render only the rows in sight. */
export function TableBody<Row extends { id: number | string }, Sort extends string>(props: Props<Row, Sort>) {
  return props.rows.length > 100 || props.columns.length > 12 ? <VirtualBody {...props} /> : <WholeBody {...props} />
}

function WholeBody<Row extends { id: number | string }, Sort extends string>(props: Props<Row, Sort>) {
  const { rows, columns, offset, rowHeight, tint, rowClass } = props
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
          className={rowClass?.(row)}
        />
      ))}
    </tbody>
  )
}

/** Above these rows the head sticks. */
const headHeight = 36

function VirtualBody<Row extends { id: number | string }, Sort extends string>(props: Props<Row, Sort>) {
  'use no memo' // The virtualizer changes inside while keeping its identity.
  const { rows, columns, offset, rowHeight, scroller, tint, rowClass } = props
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 8,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    // A row in which somebody types stays, however far they scroll: what was typed must not be lost.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), ...inUse(scroller)])].sort((a, b) => a - b),
    // Before the scroller is measured there must be rows already: for a first paint that is not empty.
    initialRect: { width: 0, height: 900 },
  })
  const items = virtualizer.getVirtualItems()
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? headHeight) + headHeight

  return (
    <tbody>
      {items.map(({ index, start }, place) => {
        const row = rows[index]
        const gap = start - (items[place - 1]?.end ?? headHeight)
        return (
          row && (
            <Fragment key={row.id}>
              <Spacer height={gap} columns={columns.length} />
              <TableRow
                row={row}
                columns={columns}
                index={index}
                offset={offset}
                height={rowHeight}
                tint={tint?.(row)}
                className={rowClass?.(row)}
                measure={virtualizer.measureElement}
              />
            </Fragment>
          )
        )
      })}
      <Spacer height={after} columns={columns.length} />
    </tbody>
  )
}

/** The row that has the focus. */
function inUse(scroller: HTMLElement | null): number[] {
  const row = scroller?.querySelector<HTMLElement>('tr[data-index]:focus-within')
  return row ? [Number(row.dataset.index)] : []
}

function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row without tabIndex takes no focus.
    <tr aria-hidden="true">
      <td colSpan={columns} className={classes.spacer} style={{ height }} />
    </tr>
  )
}

type RowProps<Row, Sort extends string> = {
  row: Row
  columns: readonly Column<Row, Sort>[]
  index: number
  offset: number
  height: number
  tint: Tint | undefined
  className: string | undefined
  measure?: Ref<HTMLTableRowElement>
}

function PlainRow<Row, Sort extends string>({ row, columns, index, offset, height, ...rest }: RowProps<Row, Sort>) {
  return (
    <tr
      ref={rest.measure}
      className={rest.className ? `${classes.row} ${rest.className}` : classes.row}
      data-index={index}
      data-tint={rest.tint}
      aria-rowindex={offset + index + 2}
      tabIndex={-1}
      style={{ height }}
    >
      {columns.map((column) => (
        <td key={column.key} className={classes.cell} data-align={column.align} data-pinned={column.pinned}>
          {column.cell(row)}
        </td>
      ))}
    </tr>
  )
}

// One row's change renders one row. `memo` forgets type parameters, hence the cast.
const TableRow = memo(PlainRow) as typeof PlainRow
