import { shownDay } from '#ui/cells/days.ts'
import type { CountedByWeek } from '../contract.ts'
import { monthTitle } from '../labels.ts'
import { monthOf, type Span } from '../weeks.ts'

/** A column of the scrolling part: a month's total (`week` is null) or one of its weeks. */
export type WeekColumn = Span & {
  key: string
  /** Its place among the months. */
  month: number
  week: number | null
  title: string
  /** The days, as a person reads them. */
  days: string
  width: number
}

export function weekColumnsOf(months: CountedByWeek['weeks']): WeekColumn[] {
  return months.flatMap(({ month, year }, index) => {
    const { from, to, weeks } = monthOf(`${year}-${String(month).padStart(2, '0')}-01`)
    const key = `${year}-${month}`
    const total = {
      key,
      month: index,
      week: null,
      title: 'Total',
      from,
      to,
      days: monthTitle({ month, year }),
      width: 84,
    }
    return [
      total,
      ...weeks.map((span, week) => ({
        ...span,
        key: `${key}-w${week + 1}`,
        month: index,
        week,
        title: `w${week + 1}`,
        days: `${shownDay(span.from)} – ${shownDay(span.to)}`,
        width: 68,
      })),
    ]
  })
}

type Months<Cell> = readonly (Cell & { weeks: readonly Cell[] })[]

/** What stands in this column. */
export function cellAt<Cell>(months: Months<Cell>, { month, week }: WeekColumn): Cell | undefined {
  return week === null ? months[month] : months[month]?.weeks[week]
}
