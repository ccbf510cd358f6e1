import { troubleStates } from '#domains/campaigns/labels.ts'
import { shownPercent } from '#ui/cells/cells.tsx'
import { ariaSort, SortButton } from '#ui/table/SortButton.tsx'
import type { CountedByWeek } from '../contract.ts'
import { monthTitle } from '../labels.ts'
import { Gap, LeftCells, standing } from './LeftCells.tsx'
import type { LeftColumn } from './LeftColumns.tsx'
import classes from './WeeklyReport.module.css'
import { cellAt, type WeekColumn } from './week-columns.ts'

export type Sorts<Sort> = { sort: Sort; order: 'asc' | 'desc'; sortBy: (sort: Sort) => void }
type Props = {
  table: CountedByWeek
  left: readonly LeftColumn[]
  weeks: readonly WeekColumn[]
  first: number
  last: number
  sorts: Sorts<LeftColumn['sort']>
}

/** Pixels, of the three rows below: months, weeks, totals. */
export const headHeight = 100

/** Months with their average, weeks, and the totals of everything under them. */
export function WeekHead({ table, left, weeks, first, last, sorts }: Props) {
  const orderBy = ({ sort }: LeftColumn) => (sorts.sort === sort ? sorts.order : undefined)
  return (
    <thead className={classes.head}>
      <tr aria-rowindex={1} className={classes.months}>
        {left.map((column, place) => (
          <th
            key={column.sort}
            scope="col"
            rowSpan={2}
            aria-sort={ariaSort(orderBy(column))}
            {...standing(left, place)}
          >
            <SortButton title={column.title} order={orderBy(column)} sort={() => sorts.sortBy(column.sort)} narrow />
          </th>
        ))}
        {table.totals.map((month) => (
          <th key={`${month.year}-${month.month}`} scope="colgroup" colSpan={month.weeks.length + 1}>
            <span className={classes.month}>
              {monthTitle(month)}
              <span className={classes.average} title="Verified leads a campaign, on average">
                {' '}
                ({month.avg_confirmed_for_campaign ?? '–'})
              </span>
            </span>
          </th>
        ))}
      </tr>
      <tr aria-rowindex={2} className={classes.weeks}>
        <Gap columns={first} />
        {weeks.slice(first, last + 1).map((column, place) => (
          <th
            key={column.key}
            scope="col"
            className={classes.cell}
            data-total={column.week === null || undefined}
            aria-colindex={left.length + first + place + 1}
            title={column.days}
          >
            {column.title}
          </th>
        ))}
        <Gap columns={weeks.length - last - 1} />
      </tr>
      <tr aria-rowindex={3} className={classes.totals}>
        <LeftCells columns={left}>{(column) => column.total(table.total_calc)}</LeftCells>
        <Gap columns={first} />
        {weeks.slice(first, last + 1).map((column, place) => (
          <Total key={column.key} table={table} column={column} at={left.length + first + place + 1} />
        ))}
        <Gap columns={weeks.length - last - 1} />
      </tr>
    </thead>
  )
}

function Total({ table, column, at }: { table: CountedByWeek; column: WeekColumn; at: number }) {
  const cell = cellAt(table.totals, column)
  if (!cell) return <td />
  return (
    <td
      className={classes.cell}
      data-total={column.week === null || undefined}
      aria-colindex={at}
      title={`${column.days}: ${cell.avg_confirmed_for_campaign ?? '–'} verified leads a campaign, on average`}
    >
      {cell.confirmed} / {cell.missed}
    </td>
  )
}

/** How many campaigns are in which state. Its place is there before they are known. */
export function StateCounts({ table }: { table: CountedByWeek | undefined }) {
  const counters = table?.total_calc.trouble_states_counters
  const percentages = table?.total_calc.trouble_states_percentages
  return (
    <ul className={classes.states} aria-label="Campaigns by status">
      {troubleStates.map(({ value, label }) => (
        <li key={value} data-state={value}>
          {label} <b>{counters ? (counters[value] ?? 0).toLocaleString('en-US') : '…'}</b>{' '}
          <span>({percentages ? shownPercent(percentages[value] ?? 0) : '…'})</span>
        </li>
      ))}
    </ul>
  )
}
