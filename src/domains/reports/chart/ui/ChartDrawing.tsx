import { type KeyboardEvent, type ReactNode, useState } from 'react'
import type { LeadSeries } from '#domains/leads/ui/public.ts'
import drawing from '#ui/chart/axis.module.css'
import { computeChartTicks } from '#ui/chart/chart-ticks.ts'
import { useElementWidth } from '#ui/chart/useElementWidth.ts'
import { useInAppLinks } from '#ui/data/search-params.ts'
import { usePrinting } from '#ui/layout/printing.ts'
import classes from './Chart.module.css'
import { type ChartPoint, namePoint, seriesNames, seriesTitles } from './series.ts'

/** The width of the drawing, the left edge of the first bucket, and the width of a bucket. */
export type ChartExtent = { whole: number; left: number; bucket: number }
type ChartDrawingProps = {
  points: readonly ChartPoint[]
  type: 'bar' | 'line'
  label: string
  /** Pixels on the screen. */
  height?: number
  /** Shown under the axis, scrolling along with it. */
  below?: ((extent: ChartExtent) => ReactNode) | undefined
}
type ChartPosition = { index: number; series: LeadSeries }
type HitArea = { x: number; y: number; width: number; height: number }

/**
 * Draws the two series as bars or lines. Each value links to its leads: together they are one stop of the Tab key, arrow keys move
 * between them, Enter opens. Hit areas are larger than the marks.
 */
export function ChartDrawing({ points, type, label, height: high = chartHeights.screen, below }: ChartDrawingProps) {
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  const width = useElementWidth(frame)
  const height = usePrinting() ? chartHeights.paper : high
  const [at, setAt] = useState<ChartPosition>({ index: points.length - 1, series: 'confirmed' })
  const [isShown, setShown] = useState(false)
  useInAppLinks(frame)

  const bucket = (width - chartPadding.left - chartPadding.right) / points.length
  const most = (series: LeadSeries) => Math.max(1, ...points.map((point) => point[series].number))
  const ticks = computeChartTicks(most('confirmed'))
  const laneBottom = height - chartPadding.bottom
  // Missed leads are few: on the other scale they would not be seen.
  const lanes: Record<LeadSeries, ChartLane> = {
    confirmed: { top: chartPadding.top, bottom: laneBottom - missedLane.height - missedLane.gap, most: ticks.at(-1)! },
    missed: { top: laneBottom - missedLane.height, bottom: laneBottom, most: most('missed') },
  }
  const yOf = (number: number, series: LeadSeries = 'confirmed') => {
    const { top, bottom, most } = lanes[series]
    return bottom - ((bottom - top) * number) / most
  }
  const xOf = (index: number) => chartPadding.left + bucket * index
  const active = Math.min(at.index, points.length - 1)

  function move(event: KeyboardEvent) {
    const to = moveByKey(event.key, { ...at, index: active }, points.length)
    if (!to) return
    event.preventDefault()
    setAt(to)
    frame?.querySelector<HTMLElement>(`[data-at="${to.index}-${to.series}"]`)?.focus()
  }

  return (
    <div ref={setFrame} className={classes.frame} style={{ minHeight: height }} onPointerLeave={() => setShown(false)}>
      {width > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a drawing cannot have a fieldset.
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="group"
          aria-label={label}
          onKeyDown={move}
          onBlur={() => setShown(false)}
        >
          <ChartAxis ticks={ticks} yOf={yOf} width={width} height={height} points={points} bucket={bucket} xOf={xOf} />
          {isShown && (
            <rect
              className={classes.band}
              x={xOf(active)}
              y={chartPadding.top}
              width={bucket}
              height={laneBottom - chartPadding.top}
            />
          )}
          {seriesNames.map((series) =>
            type === 'bar' ? (
              <BarSeries key={series} series={series} points={points} bucket={bucket} xOf={xOf} yOf={yOf} />
            ) : (
              <LineSeries key={series} series={series} points={points} bucket={bucket} xOf={xOf} yOf={yOf} />
            ),
          )}
          {points.map((point, index) =>
            seriesNames.map((series) => (
              <ChartHitTarget
                key={`${point.date} ${series}`}
                name={`${index}-${series}`}
                address={point[series].address}
                label={`${namePoint(point)}: ${point[series].number} ${seriesTitles[series]}`}
                place={{
                  x: xOf(index),
                  y: lanes[series].top,
                  width: bucket,
                  height: lanes[series].bottom - lanes[series].top,
                }}
                isStop={index === active && series === at.series}
                onPoint={() => {
                  setAt({ index, series })
                  setShown(true)
                }}
              />
            )),
          )}
        </svg>
      )}
      {width > 0 && below?.({ whole: width, left: chartPadding.left, bucket })}
      {isShown && points[active] && <ChartTooltip point={points[active]} x={xOf(active) + bucket / 2} room={width} />}
    </div>
  )
}

/** Returns the position that an arrow key leads to; null if there is none. */
function moveByKey(key: string, { index, series }: ChartPosition, count: number): ChartPosition | null {
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -count, End: count }
  if (key === 'ArrowUp' || key === 'ArrowDown') return { index, series: series === 'missed' ? 'confirmed' : 'missed' }
  const step = steps[key]
  return step === undefined ? null : { index: Math.max(0, Math.min(count - 1, index + step)), series }
}

function BarSeries({ series, points, bucket, xOf, yOf }: ChartGeometry & { series: LeadSeries }) {
  const width = Math.min(24, Math.max(1, bucket * 0.6))
  return (
    <g className={classes.bars} data-printed-colors data-series={series}>
      {points.map((point, index) => (
        <rect
          key={point.date}
          x={xOf(index) + (bucket - width) / 2}
          y={yOf(point[series].number, series)}
          width={width}
          height={yOf(0, series) - yOf(point[series].number, series)}
          data-partial={point.isPartial || undefined}
        />
      ))}
    </g>
  )
}

function LineSeries({ series, points, bucket, xOf, yOf }: ChartGeometry & { series: LeadSeries }) {
  const places = points.map((point, index) => [xOf(index) + bucket / 2, yOf(point[series].number, series)] as const)
  return (
    <g className={classes.line} data-series={series}>
      <polyline points={places.map((place) => place.join()).join(' ')} />
      {(bucket >= 14 || points.length === 1) &&
        places.map(([x, y], index) => <circle key={points[index]?.date} cx={x} cy={y} r={3} />)}
    </g>
  )
}

type HitTargetProps = {
  name: string
  address: string | null
  label: string
  place: HitArea
  isStop: boolean
  onPoint: () => void
}

/** A value without leads, or without a list that the user may open, is announced but is not a link. */
function ChartHitTarget({ name, address, label, place, isStop, onPoint }: HitTargetProps): ReactNode {
  const common = {
    'data-at': name,
    'aria-label': label,
    tabIndex: isStop ? 0 : -1,
    onFocus: onPoint,
    onPointerEnter: onPoint,
    className: classes.hit,
    'data-ringless': true,
  }
  const area = <rect {...place} />
  return address === null ? (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: arrow keys stop here, so that the value is announced.
    <g role="img" {...common}>
      {area}
    </g>
  ) : (
    <a href={address} {...common}>
      {area}
    </a>
  )
}

/** Shown beside the pointer; has no content beyond that of the links. */
function ChartTooltip({ point, x, room }: { point: ChartPoint; x: number; room: number }) {
  const isRight = x > room / 2
  return (
    <div
      className={classes.tip}
      data-unprinted
      aria-hidden="true"
      style={isRight ? { right: room - x + 12 } : { left: x + 12 }}
    >
      <b>{point.title}</b>
      {point.isPartial && <span>Only a part is in the range</span>}
      {seriesNames.map((series) => (
        <span key={series} className={classes.key} data-series={series}>
          {seriesTitles[series]} <b>{point[series].number.toLocaleString('en-US')}</b>
        </span>
      ))}
    </div>
  )
}

/** The drawing's height in pixels, and the padding around its plot. On paper it is lower, to share a page with what is above it. */
const chartHeights = { screen: 400, paper: 170 }
const chartPadding = { top: 12, right: 12, bottom: 28, left: 44 }

/** The lane of missed leads, and the space above it. */
const missedLane = { height: 40, gap: 8 }

/** Pixels, of the longest label, and of a month's. */
const labelWidth = 76
const monthWidth = 36

/** The points and their positions. */
type ChartGeometry = {
  points: readonly ChartPoint[]
  bucket: number
  xOf: (index: number) => number
  yOf: (number: number, series?: LeadSeries) => number
}
/** Where a series is drawn, and the value of its top. */
type ChartLane = { top: number; bottom: number; most: number }

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

/** The grid lines, and below them the months that begin, and the last day or month, which matters most. */
function ChartAxis({
  ticks,
  width,
  height,
  points,
  bucket,
  xOf,
  yOf,
}: ChartGeometry & { ticks: number[]; width: number; height: number }) {
  const last = points.length - 1
  const begins = points.flatMap(({ date }, index) =>
    index > 0 && date.slice(0, 7) !== points[index - 1]!.date.slice(0, 7) ? [index] : [],
  )
  const every = Math.ceil((monthWidth * begins.length) / (bucket * points.length))
  return (
    <g className={`${drawing.axis} ${classes.axis}`}>
      <TickLabels ticks={ticks} yOf={yOf} />
      {[...ticks.map((tick) => yOf(tick)), yOf(0, 'missed')].map((y) => (
        <line
          key={y}
          x1={chartPadding.left}
          x2={width - chartPadding.right}
          y1={y}
          y2={y}
          data-zero={y === yOf(0) || y === yOf(0, 'missed') || undefined}
        />
      ))}
      {begins
        .filter((index, place) => place % every === 0 && xOf(index) + monthWidth < width - labelWidth - 8)
        .map((index) => (
          <AxisLabel
            key={index}
            x={xOf(index) + 2}
            width={width}
            height={height}
            text={formatMonthStart(points[index]!.date)}
          />
        ))}
      {points[last] && <AxisLabel x={xOf(last) + 2} width={width} height={height} text={points[last].short} />}
    </g>
  )
}

/** January has its year. */
const formatMonthStart = (date: string) =>
  new Date(`${date}T12:00:00Z`).toLocaleDateString('en-US', {
    month: date.slice(5, 7) === '01' ? undefined : 'short',
    year: date.slice(5, 7) === '01' ? 'numeric' : undefined,
    timeZone: 'UTC',
  })
