import { type KeyboardEvent, type ReactNode, useEffect, useState } from 'react'
import type { Series } from '#domains/leads/list/ui/lead-links.ts'
import { useFollow } from '#ui/data/search-params.ts'
import classes from './Chart.module.css'
import { Axis, type Drawn, height, room, Scale } from './ChartAxis.tsx'
import { bothSeries, type Point, seriesTitles, ticksFor } from './series.ts'

type Props = { points: readonly Point[]; type: 'bar' | 'line'; label: string }
type At = { index: number; series: Series }
type Place = { x: number; y: number; width: number; height: number }

const leastBucket = 9

/**
 * The two series as bars or lines. Each value is a link to its leads: one stop of the Tab key for all of them, the arrows move
 * between them, Enter opens. What a pointer can hit is larger than what is drawn.
 */
export function Drawing({ points, type, label }: Props) {
  const [frame, setFrame] = useState<HTMLElement | null>(null)
  const width = useWidth(frame)
  const [at, setAt] = useState<At>({ index: points.length - 1, series: 'confirmed' })
  const [isShown, setShown] = useState(false)
  useFollow(frame)

  const bucket = Math.max(leastBucket, (width - room.left - room.right) / points.length)
  const whole = room.left + room.right + bucket * points.length
  // What is wider than the screen begins where the news is.
  useEffect(() => {
    if (frame && width > 0) frame.scrollLeft = whole
  }, [frame, width, whole])
  const ticks = ticksFor(Math.max(0, ...points.flatMap(({ confirmed, missed }) => [confirmed.number, missed.number])))
  const inner = height - room.top - room.bottom
  const yOf = (number: number) => room.top + inner * (1 - number / ticks.at(-1)!)
  const xOf = (index: number) => room.left + bucket * index
  const active = Math.min(at.index, points.length - 1)

  function move(event: KeyboardEvent) {
    const to = moved(event.key, { ...at, index: active }, points.length)
    if (!to) return
    event.preventDefault()
    setAt(to)
    frame?.querySelector<HTMLElement>(`[data-at="${to.index}-${to.series}"]`)?.focus()
  }

  return (
    <div ref={setFrame} className={classes.frame} onPointerLeave={() => setShown(false)}>
      {width > 0 && <Scale ticks={ticks} yOf={yOf} />}
      {width > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: no fieldset stands in a drawing.
        <svg
          width={whole}
          height={height}
          role="group"
          aria-label={label}
          onKeyDown={move}
          onBlur={() => setShown(false)}
        >
          <Axis ticks={ticks} yOf={yOf} width={whole} points={points} bucket={bucket} xOf={xOf} />
          {isShown && <rect className={classes.band} x={xOf(active)} y={room.top} width={bucket} height={inner} />}
          {bothSeries.map((series) =>
            type === 'bar' ? (
              <Bars key={series} series={series} points={points} bucket={bucket} xOf={xOf} yOf={yOf} />
            ) : (
              <Line key={series} series={series} points={points} bucket={bucket} xOf={xOf} yOf={yOf} />
            ),
          )}
          {points.map((point, index) =>
            bothSeries.map((series) => (
              <Hit
                key={`${point.date} ${series}`}
                name={`${index}-${series}`}
                address={point[series].address}
                label={`${point.title}: ${point[series].number} ${seriesTitles[series]}`}
                place={hitOf({ type, point, series, x: xOf(index), width: bucket, yOf })}
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
      {isShown && points[active] && <Tip point={points[active]} x={xOf(active) + bucket / 2} room={whole} />}
    </div>
  )
}

function useWidth(element: HTMLElement | null): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return width
}

/** Where an arrow leads; null where it leads nowhere. */
function moved(key: string, { index, series }: At, count: number): At | null {
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -count, End: count }
  if (key === 'ArrowUp' || key === 'ArrowDown') return { index, series: series === 'missed' ? 'confirmed' : 'missed' }
  const step = steps[key]
  return step === undefined ? null : { index: Math.max(0, Math.min(count - 1, index + step)), series }
}

function Bars({ series, points, bucket, xOf, yOf }: Drawn & { series: Series }) {
  const width = Math.min(18, bucket * 0.4)
  const start = bucket / 2 - (series === 'confirmed' ? width : 0)
  return (
    <g className={classes.bars} data-series={series}>
      {points.map((point, index) => (
        <rect
          key={point.date}
          x={xOf(index) + start}
          y={yOf(point[series].number)}
          width={Math.max(1, width - 1)}
          height={yOf(0) - yOf(point[series].number)}
        />
      ))}
    </g>
  )
}

function Line({ series, points, bucket, xOf, yOf }: Drawn & { series: Series }) {
  const places = points.map((point, index) => [xOf(index) + bucket / 2, yOf(point[series].number)] as const)
  return (
    <g className={classes.line} data-series={series}>
      <polyline points={places.map((place) => place.join()).join(' ')} />
      {(bucket >= 14 || points.length === 1) &&
        places.map(([x, y], index) => <circle key={points[index]?.date} cx={x} cy={y} r={3} />)}
    </g>
  )
}

type Hitting = {
  type: Props['type']
  point: Point
  series: Series
  x: number
  width: number
  yOf: (number: number) => number
}

/** Bars: the left and the right half of the bucket. Lines: above and below the middle between them. */
function hitOf({ type, point, series, x, width, yOf }: Hitting): Place {
  const [top, bottom] = [room.top, height - room.bottom]
  if (type === 'bar') {
    const half = width / 2
    return { x: series === 'confirmed' ? x : x + half, y: top, width: half, height: bottom - top }
  }
  const other = series === 'confirmed' ? 'missed' : 'confirmed'
  const middle = (yOf(point.confirmed.number) + yOf(point.missed.number)) / 2
  const isAbove =
    point[series].number > point[other].number ||
    (point[series].number === point[other].number && series === 'confirmed')
  return isAbove ? { x, y: top, width, height: middle - top } : { x, y: middle, width, height: bottom - middle }
}

type HitProps = {
  name: string
  address: string | null
  label: string
  place: Place
  isStop: boolean
  onPoint: () => void
}

/** A value without leads, or without a list that one may open, is told and leads nowhere. */
function Hit({ name, address, label, place, isStop, onPoint }: HitProps): ReactNode {
  const common = {
    'data-at': name,
    'aria-label': label,
    tabIndex: isStop ? 0 : -1,
    onFocus: onPoint,
    onPointerEnter: onPoint,
    className: classes.hit,
  }
  const area = <rect {...place} />
  return address === null ? (
    // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: the arrows stop at it, so that its value is told.
    <g role="img" {...common}>
      {area}
    </g>
  ) : (
    <a href={address} {...common}>
      {area}
    </a>
  )
}

/** Beside the pointer; it says nothing that the links do not. */
function Tip({ point, x, room }: { point: Point; x: number; room: number }) {
  const isRight = x > room / 2
  return (
    <div className={classes.tip} aria-hidden="true" style={isRight ? { right: room - x + 12 } : { left: x + 12 }}>
      <b>{point.title}</b>
      {bothSeries.map((series) => (
        <span key={series} className={classes.key} data-series={series}>
          {seriesTitles[series]} <b>{point[series].number.toLocaleString('en-US')}</b>
        </span>
      ))}
    </div>
  )
}
