import { daysBetween } from '#contract/days.ts'
import { EventLane } from '#domains/insights/ui/public.ts'
import type { ChartExtent } from './ChartDrawing.tsx'
import type { ChartPoint } from './series.ts'

type ChartEventsProps = {
  campaignId: number
  points: readonly ChartPoint[]
  extent: ChartExtent
  from: string
  to: string
}

/** The lane of events under a chart's axis: each day at its position within its week or month. */
export function ChartEvents({ campaignId, points, extent, from, to }: ChartEventsProps) {
  const { whole, left, bucket } = extent
  function positionOf(day: string): number | null {
    const index = points.findLastIndex(({ date }) => date <= day)
    const point = points[index]
    if (!point) return null
    const next = points[index + 1] ?? points[index - 1]
    const days = next ? Math.abs(daysBetween(point.date, next.date)) : 7
    const part = Math.min(1, (daysBetween(point.date, day) + 0.5) / Math.max(1, days))
    return left + bucket * (index + part)
  }
  return <EventLane campaignId={campaignId} from={from} to={to} width={whole} left={left} positionOf={positionOf} />
}
