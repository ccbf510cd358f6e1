import drawing from '#ui/chart/axis.module.css'
import classes from './Chart.module.css'
import type { ChartPoint } from './series.ts'

/** The drawing's height in pixels, and the padding around its plot. On paper it is lower, to share a page with what is above it. */
export const chartHeights = { screen: 400, paper: 170 }
export const chartPadding = { top: 12, right: 12, bottom: 28, left: 44 }

/** Pixels, of the longest label. */
const labelWidth = 76

/** The points and their positions. */
export type ChartGeometry = {
  points: readonly ChartPoint[]
  bucket: number
  xOf: (index: number) => number
  yOf: (number: number) => number
}

/** The values of the grid lines. */
const TickLabels = ({ ticks, yOf }: Pick<ChartGeometry, 'yOf'> & { ticks: number[] }) =>
  ticks.map((tick) => (
    <text key={tick} x={chartPadding.left - 8} y={yOf(tick) + 4} textAnchor="end">
      {tick.toLocaleString('en-US')}
    </text>
  ))

/** A label that would not fit ends at the right edge. */
function AxisLabel({ x, width, height, text }: { x: number; width: number; height: number; text: string }) {
  const isPast = x + labelWidth > width
  return (
    <text x={isPast ? width - 2 : x} y={height - 8} textAnchor={isPast ? 'end' : 'start'}>
      {text}
    </text>
  )
}

/** The grid lines, and the days under them, counted from the last one, which matters most. */
export function ChartAxis({
  ticks,
  width,
  height,
  points,
  bucket,
  xOf,
  yOf,
}: ChartGeometry & { ticks: number[]; width: number; height: number }) {
  const every = Math.ceil(84 / bucket)
  return (
    <g className={`${drawing.axis} ${classes.axis}`}>
      <TickLabels ticks={ticks} yOf={yOf} />
      {ticks.map((tick) => (
        <line
          key={tick}
          x1={chartPadding.left}
          x2={width - chartPadding.right}
          y1={yOf(tick)}
          y2={yOf(tick)}
          data-zero={tick === 0 || undefined}
        />
      ))}
      {points.map(
        ({ date, short }, index) =>
          (points.length - 1 - index) % every === 0 &&
          (index === points.length - 1 || xOf(index) + labelWidth < width - labelWidth - 8) && (
            <AxisLabel key={date} x={xOf(index) + 2} width={width} height={height} text={short} />
          ),
      )}
    </g>
  )
}
