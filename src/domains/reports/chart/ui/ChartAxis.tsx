import classes from './Chart.module.css'
import type { ChartPoint } from './series.ts'

/** The drawing's size in pixels, and the room around what is drawn in it. */
export const chartHeight = 400
export const chartPadding = { top: 12, right: 12, bottom: 28, left: 44 }

/** What is drawn, and where each of it stands. */
export type ChartGeometry = {
  points: readonly ChartPoint[]
  bucket: number
  xOf: (index: number) => number
  yOf: (number: number) => number
}

/** What the lines stand for. It stays while what is wider than the screen moves along under it. */
export function ChartScale({ ticks, yOf }: Pick<ChartGeometry, 'yOf'> & { ticks: number[] }) {
  return (
    <svg
      className={`${classes.axis} ${classes.scale}`}
      width={chartPadding.left}
      height={chartHeight}
      aria-hidden="true"
    >
      {ticks.map((tick) => (
        <text key={tick} x={chartPadding.left - 8} y={yOf(tick) + 4} textAnchor="end">
          {tick.toLocaleString('en-US')}
        </text>
      ))}
    </svg>
  )
}

/** The lines across, and the days under them. */
export function ChartAxis({
  ticks,
  width,
  points,
  bucket,
  xOf,
  yOf,
}: ChartGeometry & { ticks: number[]; width: number }) {
  const every = Math.ceil(84 / bucket)
  return (
    <g className={classes.axis}>
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
          index % every === 0 &&
          xOf(index) + 76 < width && (
            <text key={date} x={xOf(index) + 2} y={chartHeight - 8}>
              {short}
            </text>
          ),
      )}
    </g>
  )
}
