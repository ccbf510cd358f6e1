import { useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, useDeferredValue } from 'react'
import type { TableBodyProps } from '../table-column.ts'
import { TableRow } from './TableRow.tsx'
import { extractRowRange, SpacerRow } from './virtual-rows.tsx'

/** The height of the sticky head, in pixels. */
const headHeight = 36

/** Renders the visible rows and the focused row. */
export function VirtualBody<Row extends { id: number | string }, Sort extends string>(
  props: TableBodyProps<Row, Sort>,
) {
  'use no memo' // The virtualizer's state changes while its identity stays the same.
  const { rows, columns, offset, rowHeight, scroller, tint, rowClass, marks } = props
  // Rows outside the window are rendered after the first paint.
  const overscan = useDeferredValue(8, 0)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    rangeExtractor: (range) => extractRowRange(scroller, range),
    // An assumed size before the scroller is measured, so that the first paint has rows. What is above a table takes the rest.
    initialRect: { width: 0, height: window.innerHeight * 0.6 },
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
              <SpacerRow height={gap} columns={columns.length} />
              <TableRow
                row={row}
                columns={columns}
                index={index}
                offset={offset}
                height={rowHeight}
                tint={tint?.(row)}
                mark={marks?.get(row.id)}
                className={rowClass?.(row)}
                measure={virtualizer.measureElement}
              />
            </Fragment>
          )
        )
      })}
      <SpacerRow height={after} columns={columns.length} />
    </tbody>
  )
}
