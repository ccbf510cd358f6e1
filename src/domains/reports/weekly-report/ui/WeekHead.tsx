import { type TroubleState, troubleStates } from '#domains/campaigns/labels.ts'
import { formatPercent } from '#ui/cells/cells.tsx'
import { getAriaSort, SortButton } from '#ui/table/SortButton.tsx'
import type { FilterBinding } from '#ui/table/useList.ts'
import text from '#ui/theme/text.module.css'
import type { WeeklyReport } from '../contract.ts'
import { formatMonthTitle } from '../labels.ts'
import { ColumnGap, FixedCells, stickyCellProps } from './LeftCells.tsx'
import type { FixedColumn } from './LeftColumns.tsx'
import classes from './WeeklyReport.module.css'
import { findWeekCell, type WeekColumn } from './week-columns.ts'

export type SortControls<Sort> = { sort: Sort; order: 'asc' | 'desc'; sortBy: (sort: Sort) => void }
type WeekHeadProps = {
  report: WeeklyReport
  left: readonly FixedColumn[]
  weeks: readonly WeekColumn[]
  first: number
  last: number
  sorts: SortControls<FixedColumn['sort']>
}

/** Pixels, of the three rows below: months, weeks, totals. */
export const tableHeadHeight = 100

/** Months with their average, weeks, and the totals of the columns. */
export function WeekTableHead({ report, left, weeks, first, last, sorts }: WeekHeadProps) {
  const orderBy = ({ sort }: FixedColumn) => (sorts.sort === sort ? sorts.order : undefined)
  return (
    <thead className={classes.head}>
      <tr aria-rowindex={1} className={classes.months}>
        {left.map((column, place) => (
          <th
            key={column.sort}
            scope="col"
            rowSpan={2}
            aria-sort={getAriaSort(orderBy(column))}
            {...stickyCellProps(left, place)}
          >
            <SortButton title={column.title} order={orderBy(column)} sort={() => sorts.sortBy(column.sort)} narrow />
          </th>
        ))}
        {report.totals.map((month) => (
          <th key={`${month.year}-${month.month}`} scope="colgroup" colSpan={month.weeks.length + 1}>
            <span className={classes.month}>
              {formatMonthTitle(month)}
              <span className={text.light} title="Verified leads a campaign, on average">
                {' '}
                ({month.avg_confirmed_for_campaign ?? '–'})
              </span>
            </span>
          </th>
        ))}
      </tr>
      <tr aria-rowindex={2} className={classes.weeks}>
        <ColumnGap columns={first} />
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
        <ColumnGap columns={weeks.length - last - 1} />
      </tr>
      <tr aria-rowindex={3} className={classes.totals}>
        <FixedCells columns={left}>{(column) => column.total(report.total_calc)}</FixedCells>
        <ColumnGap columns={first} />
        {weeks.slice(first, last + 1).map((column, place) => (
          <WeekTotalCell key={column.key} report={report} column={column} at={left.length + first + place + 1} />
        ))}
        <ColumnGap columns={weeks.length - last - 1} />
      </tr>
    </thead>
  )
}

function WeekTotalCell({ report, column, at }: { report: WeeklyReport; column: WeekColumn; at: number }) {
  const cell = findWeekCell(report.totals, column)
  if (!cell) return <td />
  return (
    <td
      className={classes.cell}
      data-total={column.week === null || undefined}
      aria-colindex={at}
      title={`${column.days}: ${cell.avg_confirmed_for_campaign ?? '–'} verified leads per campaign on average`}
    >
      {!column.isComing && `${cell.confirmed} / ${cell.missed}`}
    </td>
  )
}

type StatesFilter = FilterBinding<TroubleState[] | undefined>

/** The number of campaigns in each state; pressing one filters by it. Its space is reserved before the numbers are loaded. */
export function CampaignStateCounts({ report, at }: { report: WeeklyReport | undefined; at: StatesFilter }) {
  const chosen = new Set(at.value)
  const toggle = (state: TroubleState) => {
    const next = troubleStates.map(({ value }) => value).filter((value) => chosen.has(value) !== (value === state))
    at.set(next.length > 0 ? next : undefined)
  }
  const counters = report?.total_calc.trouble_states_counters
  const percentages = report?.total_calc.trouble_states_percentages
  return (
    <ul aria-label="Campaigns by status">
      {troubleStates.map(({ value, label }) => (
        <li key={value} data-state={value}>
          <button type="button" aria-pressed={chosen.has(value)} onClick={() => toggle(value)}>
            {label} <b>{counters ? (counters[value] ?? 0).toLocaleString('en-US') : '…'}</b>{' '}
            <span>({percentages ? formatPercent(percentages[value] ?? 0) : '…'})</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
