import { EventLane } from '#domains/insights/ui/public.ts'
import type { ChartExtent } from './ChartDrawing.tsx'
import { type ChartPoint, findPlace } from './series.ts'

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
    const place = findPlace(points, day)
    return place === null ? null : left + bucket * place
  }
  return <EventLane campaignId={campaignId} from={from} to={to} width={whole} left={left} positionOf={positionOf} />
}
