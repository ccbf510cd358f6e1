import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, Fragment, useLayoutEffect, useMemo, useState } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { useInAppLinks } from '#ui/data/search-params.ts'
import { getPrintScale, usePrinting } from '#ui/layout/printing.ts'
import { type RowDensity, useRowDensity } from '#ui/table/density.ts'
import { extractRowRange, SpacerRow } from '#ui/table/rows/virtual-rows.tsx'
import { TableFrame, TableScroller } from '#ui/table/TableFrame.tsx'
import { handleTableKey } from '#ui/table/table-keys.ts'
import type { WeeklyReport, WeeklyReportSort } from '../contract.ts'
import { sumWidths } from './LeftCells.tsx'
import { buildFixedColumns } from './LeftColumns.tsx'
import { type SortControls, tableHeadHeight, WeekTableHead } from './WeekHead.tsx'
import classes from './WeeklyReport.module.css'
import { WeekTableRow } from './WeekRow.tsx'
import { buildWeekColumns, type WeekColumn } from './week-columns.ts'

export type WeekTableProps = {
  me: CurrentUserDto
  report: WeeklyReport
  sorts: SortControls<WeeklyReportSort>
  fetching: boolean
  /** Off for users without forecasts, and where forecasts have not been good. */
  withForecasts: boolean
}

/** Campaigns in rows, months and weeks in columns. Only visible cells are rendered, in both directions. */
export function WeekTable({ me, report, sorts, fetching, withForecasts }: WeekTableProps) {
  'use no memo' // The virtualizers change inside while keeping their identity.
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const [density] = useRowDensity()
  const printing = usePrinting()
  useInAppLinks(scroller)
  const left = useMemo(() => buildFixedColumns(me, withForecasts), [me, withForecasts])
  const months = report.weeks.map(({ month, year }) => `${year}-${month}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns depend on the months only.
  const weeks = useMemo(() => buildWeekColumns(report.weeks), [months])
  const leftWidth = sumWidths(left)
  const rowHeight = rowHeights[density]
  const { campaigns } = report

  const down = useVirtualizer({
    count: campaigns.length,
    getScrollElement: () => scroller,
    estimateSize: () => rowHeight,
    overscan: 6,
    scrollMargin: tableHeadHeight,
    rangeExtractor: (range) => extractRowRange(scroller, range),
    initialRect: { width: 0, height: 900 },
    // Scrolling in both directions renders once, not twice.
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the size of rows or columns changes.
  useLayoutEffect(() => {
    down.measure()
    across.measure()
  }, [rowHeight, weeks, leftWidth])
  // The last months matter most.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only changed months and columns scroll the table.
  useLayoutEffect(() => {
    if (scroller) scroller.scrollLeft = findScrollStart(weeks, scroller.scrollWidth - scroller.clientWidth)
  }, [scroller, months, leftWidth])

  const rows = printing ? campaigns.map((_, index) => getRowPlace(index, rowHeight)) : down.getVirtualItems()
  const seen = across.getVirtualItems()
  // Advances in strides, so that not every new column renders all rows.
  const first = printing ? 0 : Math.floor((seen[0]?.index ?? 0) / columnStride) * columnStride
  const seenEnd = Math.ceil(((seen.at(-1)?.index ?? -1) + 1) / columnStride) * columnStride
  const last = (printing ? weeks.length : Math.min(weeks.length, seenEnd)) - 1
  const after = tableHeadHeight + campaigns.length * rowHeight - (rows.at(-1)?.end ?? tableHeadHeight)
  const columns = left.length + weeks.length
  // The type of styles does not allow custom properties.
  const tableStyle = {
    width: leftWidth + sumWidths(weeks),
    '--print-scale': getPrintScale(leftWidth * 0.75 + weeks.length * printedWeekWidth),
  } as CSSProperties
  const widths = { '--fixed': `${leftWidth}px`, '--name': `${left[0]?.width}px` } as CSSProperties

  return (
    <TableFrame className={classes.frame} fetching={fetching} isList style={widths}>
      <TableScroller
        ref={setScroller}
        aria-label="Leads Table"
        over={{ top: tableHeadHeight, start: 'var(--still)' }}
        onKeyDown={(event) => handleTableKey(event, { rows: campaigns })}
      >
        <table
          className={`${classes.table} ${classes.colored}`}
          style={tableStyle}
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
          <WeekTableHead report={report} left={left} weeks={weeks} first={first} last={last} sorts={sorts} />
          <tbody>
            {rows.map(({ index, start }, place) => {
              const campaign = campaigns[index]
              const gap = start - (rows[place - 1]?.end ?? tableHeadHeight)
              return (
                campaign && (
                  <Fragment key={campaign.id}>
                    <SpacerRow height={gap} columns={columns} />
                    <WeekTableRow
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
            <SpacerRow height={after} columns={columns} />
          </tbody>
        </table>
      </TableScroller>
    </TableFrame>
  )
}

const getRowPlace = (index: number, height: number) => ({
  index,
  start: tableHeadHeight + index * height,
  end: tableHeadHeight + (index + 1) * height,
})

/** Pixels, of `12 / 3` in two lines, without padding. */
const printedWeekWidth = 24
/** Columns. */
const columnStride = 4
/** Pixels. */
const rowHeights: Record<RowDensity, number> = { compact: 32, normal: 40, comfortable: 56 }

/** Returns where the last month begins, with its total, or the last one before it that the table can be scrolled to. */
function findScrollStart(columns: readonly WeekColumn[], most: number): number {
  let [start, found] = [0, 0]
  for (const { width, week } of columns) {
    if (start > most) break
    if (week === null) found = start
    start += width
  }
  return found
}
