import { formatDay, getToday } from '#ui/cells/days.ts'
import { appConfig } from '#ui/data/environment.ts'
import type { WeeklyReport } from '../contract.ts'
import { formatMonthTitle } from '../labels.ts'
import { buildReportMonth, type DaySpan } from '../weeks.ts'

/** A column of the scrolling part: a month's total (`week` is null) or one of its weeks. */
export type WeekColumn = DaySpan & {
  key: string
  /** The index of the month. */
  month: number
  week: number | null
  title: string
  /** The days, formatted for users. */
  days: string
  width: number
  /** It has not begun: there is nothing to count. */
  isComing: boolean
}

export function buildWeekColumns(months: WeeklyReport['weeks']): WeekColumn[] {
  const today = getToday(appConfig.timezone)
  return months.flatMap(({ month, year }, index) => {
    const { from, to, weeks } = buildReportMonth(`${year}-${String(month).padStart(2, '0')}-01`)
    const key = `${year}-${month}`
    const total = {
      key,
      month: index,
      week: null,
      title: 'Total',
      from,
      to,
      days: formatMonthTitle({ month, year }),
      width: 84,
      isComing: from > today,
    }
    return [
      total,
      ...weeks.map((span, week) => ({
        ...span,
        key: `${key}-w${week + 1}`,
        month: index,
        week,
        title: `w${week + 1}`,
        days: `${formatDay(span.from)} – ${formatDay(span.to)}`,
        width: 68,
        isComing: span.from > today,
      })),
    ]
  })
}

type MonthCells<Cell> = readonly (Cell & { weeks: readonly Cell[] })[]

/** Returns the cell of this column. */
export function findWeekCell<Cell>(months: MonthCells<Cell>, { month, week }: WeekColumn): Cell | undefined {
  return week === null ? months[month] : months[month]?.weeks[week]
}
