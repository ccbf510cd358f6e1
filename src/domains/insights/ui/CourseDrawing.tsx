import { useState } from 'react'
import { formatDay } from '#ui/cells/days.ts'
import drawing from '#ui/chart/axis.module.css'
import { computeChartTicks } from '#ui/chart/chart-ticks.ts'
import { useElementWidth } from '#ui/chart/useElementWidth.ts'
import type { CampaignForecast } from '../contract.ts'
import { describeForecast } from './forecast-words.ts'
import classes from './Insights.module.css'

const height = 220
const padding = { top: 16, right: 12, bottom: 24, left: 40 }

type CourseDrawingProps = { forecast: CampaignForecast; withFan: boolean }

/** The cycle's verified leads as a line, the target across, and from today on the range for 8 of 10 cycles. */
export function CourseDrawing({ forecast, withFan }: CourseDrawingProps) {
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  const width = useElementWidth(frame)
  const { course, target, cycle } = forecast
  const fan = withFan ? course.flatMap((day, index) => (day.low === null ? [] : [{ ...day, index }])) : []
  const known = course.flatMap(({ verified }, index) => (verified === null ? [] : [{ verified, index }]))
  const ticks = computeChartTicks(
    Math.max(target ?? 0, ...known.map(({ verified }) => verified), ...fan.map(({ high }) => high ?? 0)),
  )
  // A point is the end of its day; the cycle starts at zero.
  const step = Math.max(0, width - padding.left - padding.right) / course.length
  const xOf = (index: number) => padding.left + step * (index + 1)
  const yOf = (value: number) =>
    padding.top + (height - padding.top - padding.bottom) * (1 - value / (ticks.at(-1) ?? 1))
  const points = (list: readonly { index: number; value: number }[]) =>
    list.map(({ index, value }) => `${xOf(index)},${yOf(value)}`).join(' ')
  const band = [
    ...fan.map(({ index, high }) => ({ index, value: high ?? 0 })),
    ...fan.map(({ index, low }) => ({ index, value: low ?? 0 })).reverse(),
  ]
  const label = `${known.at(-1)?.verified ?? 0} verified so far. ${withFan ? describeForecast(forecast, target) : ''}`
  return (
    <div ref={setFrame} className={classes.course}>
      {width > 0 && (
        <svg width={width} height={height} display="block" role="img" aria-label={label}>
          <g className={drawing.axis}>
            {ticks.map((tick) => (
              <g key={tick}>
                <line x1={padding.left} x2={width - padding.right} y1={yOf(tick)} y2={yOf(tick)} />
                <text x={padding.left - 8} y={yOf(tick) + 4} textAnchor="end">
                  {tick.toLocaleString('en-US')}
                </text>
              </g>
            ))}
            <text x={padding.left} y={height - 6}>
              {formatDay(cycle.from)}
            </text>
            <text x={width - padding.right} y={height - 6} textAnchor="end">
              {formatDay(cycle.to)}
            </text>
          </g>
          {fan.length > 0 && (
            <g className={classes.fan}>
              <polygon points={points(band)} />
              <polyline points={points(fan.map(({ index, expected }) => ({ index, value: expected ?? 0 })))} />
            </g>
          )}
          <polyline
            className={classes.known}
            points={`${padding.left},${yOf(0)} ${points(known.map(({ index, verified }) => ({ index, value: verified })))}`}
          />
          {target !== null && (
            <g className={classes.target}>
              <line x1={padding.left} x2={width - padding.right} y1={yOf(target)} y2={yOf(target)} />
              <text x={padding.left + 4} y={yOf(target) - 6}>
                Target {target.toLocaleString('en-US')}
              </text>
            </g>
          )}
        </svg>
      )}
      <div className={classes.legend} aria-hidden="true">
        <span data-key="known">Verified</span>
        {fan.length > 0 && <span data-key="fan">Forecast (likely range)</span>}
        {target !== null && <span data-key="target">Target</span>}
      </div>
    </div>
  )
}
