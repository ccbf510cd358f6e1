import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, Fragment, useLayoutEffect, useMemo, useState } from 'react'
import type { CurrentUser } from '#domains/access/sign-in/contract.ts'
import { useFollow } from '#ui/data/search-params.ts'
import { type Density, useDensity } from '#ui/table/density.ts'
import { TableFrame, TableScroller } from '#ui/table/TableFrame.tsx'
import { pressInTable } from '#ui/table/table-keys.ts'
import { inUse, Spacer } from '#ui/table/virtual-rows.tsx'
import type { CountedByWeek, TableSort } from '../contract.ts'
import { widthOf } from './LeftCells.tsx'
import { leftColumnsFor } from './LeftColumns.tsx'
import { headHeight, type Sorts, WeekHead } from './WeekHead.tsx'
import classes from './WeeklyReport.module.css'
import { WeekRow } from './WeekRow.tsx'
import { weekColumnsOf } from './week-columns.ts'

type Props = { me: CurrentUser; table: CountedByWeek; sorts: Sorts<TableSort>; fetching: boolean }

/** Campaigns downwards, months and weeks sideways. Only what is in sight is drawn, in both directions. */
export function WeekTable({ me, table, sorts, fetching }: Props) {
  'use no memo' // The virtualizers change inside while keeping their identity.
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const [density] = useDensity()
  useFollow(scroller)
  const left = useMemo(() => leftColumnsFor(me), [me])
  const months = table.weeks.map(({ month, year }) => `${year}-${month}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns are those of the months, whatever else was read.
  const weeks = useMemo(() => weekColumnsOf(table.weeks), [months])
  const leftWidth = widthOf(left)
  const rowHeight = rowHeights[density]
  const { campaigns } = table

  const down = useVirtualizer({
    count: campaigns.length,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollMargin: headHeight,
    // A row that somebody uses keeps its focus, however far they scroll.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), ...inUse(scroller, range.count)])].sort((a, b) => a - b),
    initialRect: { width: 0, height: 900 },
    // Down and across at once are one drawing, not two.
    useFlushSync: false,
  })
  const across = useVirtualizer({
    horizontal: true,
    count: weeks.length,
    getScrollElement: () => scroller,
    estimateSize: (index) => weeks[index]!.width,
    overscan: 2,
    scrollMargin: leftWidth,
    initialRect: { width: 1200, height: 0 },
    useFlushSync: false,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured anew when rows or columns are of another size.
  useLayoutEffect(() => {
    down.measure()
    across.measure()
  }, [rowHeight, weeks])
  // The months that people work on are the last ones.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other months move the table.
  useLayoutEffect(() => {
    if (scroller) scroller.scrollLeft = startBefore(weeks, scroller.scrollWidth - scroller.clientWidth)
  }, [scroller, months])

  const rows = down.getVirtualItems()
  const seen = across.getVirtualItems()
  // In strides, so that not every new column draws all rows anew.
  const first = Math.floor((seen[0]?.index ?? 0) / stride) * stride
  const last = Math.min(weeks.length, Math.ceil(((seen.at(-1)?.index ?? -1) + 1) / stride) * stride) - 1
  const after = headHeight + campaigns.length * rowHeight - (rows.at(-1)?.end ?? headHeight)
  const columns = left.length + weeks.length
  // The type of styles knows no properties of one's own.
  const widths = { '--fixed': `${leftWidth}px`, '--name': `${left[0]?.width}px` } as CSSProperties

  return (
    <TableFrame
      className={classes.frame}
      fetching={fetching}
      data-short={campaigns.length < 7 || undefined}
      style={widths}
    >
      <TableScroller
        ref={setScroller}
        aria-label="Leads Table"
        over={{ top: headHeight, start: 'var(--still)' }}
        onKeyDown={(event) => pressInTable(event, { rows: campaigns })}
      >
        <table
          className={classes.table}
          style={{ width: leftWidth + widthOf(weeks) }}
          aria-label="Leads Table"
          aria-busy={fetching}
          aria-rowcount={campaigns.length + 3}
          aria-colcount={columns}
        >
          <colgroup>
            {[...left, ...weeks].map((column) => (
              <col key={'sort' in column ? column.sort : column.key} style={{ width: column.width }} />
            ))}
          </colgroup>
          <WeekHead table={table} left={left} weeks={weeks} first={first} last={last} sorts={sorts} />
          <tbody>
            {rows.map(({ index, start }, place) => {
              const campaign = campaigns[index]
              const gap = start - (rows[place - 1]?.end ?? headHeight)
              return (
                campaign && (
                  <Fragment key={campaign.id}>
                    <Spacer height={gap} columns={columns} />
                    <WeekRow
                      me={me}
                      campaign={campaign}
                      left={left}
                      weeks={weeks}
                      first={first}
                      last={last}
                      index={index}
                      height={rowHeight}
                    />
                  </Fragment>
                )
              )
            })}
            <Spacer height={after} columns={columns} />
          </tbody>
        </table>
      </TableScroller>
    </TableFrame>
  )
}

/** Columns. */
const stride = 4
/** Pixels. */
const rowHeights: Record<Density, number> = { compact: 32, normal: 40, comfortable: 56 }

/** The last place not past `most` where a column begins: the first in sight is a whole one. */
function startBefore(columns: readonly { width: number }[], most: number): number {
  let start = 0
  for (const { width } of columns) {
    if (start + width > most) break
    start += width
  }
  return start
}
