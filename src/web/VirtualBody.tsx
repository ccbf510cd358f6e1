import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { Fragment } from 'react'
import classes from './DataTable.module.css'
import type { BodyProps } from './TableBody.tsx'
import { TableRow } from './TableRow.tsx'

/** Above these rows the head sticks. */
const headHeight = 36

/** The rows in sight, and one in which somebody types. */
export default function VirtualBody<Row extends { id: number | string }, Sort extends string>(
  props: BodyProps<Row, Sort>,
) {
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
      [...new Set([...defaultRangeExtractor(range), ...inUse(scroller, range.count)])].sort((a, b) => a - b),
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

/** The row that has the focus, unless the list has just become shorter than that. */
function inUse(scroller: HTMLElement | null, count: number): number[] {
  const row = scroller?.querySelector<HTMLElement>('tr[data-index]:focus-within')
  const index = Number(row?.dataset.index ?? -1)
  return index >= 0 && index < count ? [index] : []
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
