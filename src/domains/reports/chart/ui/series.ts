import { addDays, addMonths, daysBetween } from '#contract/days.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { buildLeadsUrl, type LeadSeries } from '#domains/leads/ui/public.ts'
import { formatMonthTitle } from '#domains/reports/weekly-report/labels.ts'
import { formatDay } from '#ui/cells/days.ts'
import { buildChartBuckets, type ChartGroup } from '../buckets.ts'
import type { LeadChart } from '../contract.ts'

export const seriesTitles = { confirmed: 'Confirmed Leads', missed: 'Missed Leads' } as const
export const seriesNames = ['confirmed', 'missed'] as const satisfies LeadSeries[]

type PointValue = { number: number; address: string | null }
/** A week or month of the chart: its names, whether only a part of it is in the range, and its two values with their links. */
export type ChartPoint = Record<LeadSeries, PointValue> & {
  date: string
  /** Of the whole week or month. */
  days: number
  title: string
  short: string
  isPartial: boolean
}

type ChartPointsOptions = { group: ChartGroup; from: string; to: string }

/** Returns whether the chart is of these weeks or months: while others are read, it still is of those before. */
export const isChartOf = ({ statistic }: LeadChart, { group, from, to }: ChartPointsOptions): boolean =>
  statistic.dates.join() ===
  buildChartBuckets(group, from, to)
    .map(({ date }) => date)
    .join()

export function buildChartPoints(
  me: CurrentUserDto,
  { statistic, campaign_ids }: LeadChart,
  { group, from, to }: ChartPointsOptions,
): ChartPoint[] {
  return buildChartBuckets(group, from, to).map((bucket, index) => {
    const value = (series: LeadSeries): PointValue => {
      const number = statistic[series][index] ?? 0
      const address = number > 0 ? buildLeadsUrl(me, { ...bucket, campaignIds: campaign_ids }, series) : null
      return { number, address }
    }
    const { date, from, to } = bucket
    const days = daysBetween(date, group === 'week' ? addDays(date, 7) : addMonths(date, 1))
    const isPartial = from !== date || to !== addDays(date, days - 1)
    return {
      date,
      days,
      isPartial,
      ...formatBucketTitles(group, date),
      confirmed: value('confirmed'),
      missed: value('missed'),
    }
  })
}

/** The name of a point for those who do not see that it is drawn as a part. */
export const namePoint = ({ title, isPartial }: ChartPoint): string =>
  isPartial ? `${title}, only a part of it` : title

/** Returns where a day is, in weeks or months from the start of the first; null before that. */
export function findPlace(points: readonly Pick<ChartPoint, 'date' | 'days'>[], day: string): number | null {
  const index = points.findLastIndex(({ date }) => date <= day)
  const point = points[index]
  return point ? index + Math.min(1, (daysBetween(point.date, day) + 0.5) / point.days) : null
}

function formatBucketTitles(group: ChartGroup, date: string) {
  if (group === 'month') {
    const title = formatMonthTitle({ month: Number(date.slice(5, 7)), year: Number(date.slice(0, 4)) })
    return { title, short: title }
  }
  return { title: `${formatDay(date)} – ${formatDay(addDays(date, 6))}`, short: formatDay(date) ?? date }
}
