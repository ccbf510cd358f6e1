import { Button } from '@mantine/core'
import { type KeyboardEvent, memo, type RefObject, useEffect, useRef } from 'react'
import { countOf } from '#contract/count-of.ts'
import arrange from '#ui/layout/arrange.module.css'
import text from '#ui/theme/text.module.css'
import { type GeoPoint, maxPolygonPoints, minPolygonPoints } from '../polygon.ts'
import type { AreaDrawing, DrawingStep } from './drawing.ts'
import type { DrawingMap } from './drawn-map.ts'
import classes from './PointList.module.css'

type PointListProps = {
  drawing: AreaDrawing
  step: (step: DrawingStep) => void
  view: RefObject<DrawingMap | null>
  fixed: boolean
}

/** Pixels that an arrow key moves a point, without and with Shift. */
const [nudgePixels, fineNudgePixels] = [10, 1]
const arrowDirections: Record<string, [right: number, down: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The numbered corners, for editing by keyboard as with the mouse on the map. Only one of them is a Tab stop. */
export function PointList({ drawing, step, view, fixed }: PointListProps) {
  const { points } = drawing.shape
  const selected = drawing.selected ?? 0
  const list = useRef<HTMLOListElement>(null)
  const hasFocus = useRef(false)
  useEffect(() => {
    const item = list.current?.querySelector<HTMLElement>(`[data-index="${drawing.selected}"]`)
    item?.scrollIntoView({ block: 'nearest' })
    if (hasFocus.current) item?.focus()
  }, [drawing.selected])

  const addAfter = (index: number) => {
    const [here, next] = [points[index]!, points[(index + 1) % points.length]!]
    step({ do: 'insert', index: index + 1, point: { lat: (here.lat + next.lat) / 2, lng: (here.lng + next.lng) / 2 } })
  }
  function press(event: KeyboardEvent) {
    const here = points[selected]
    if (!here || event.ctrlKey || event.metaKey || event.altKey) return
    const direction = arrowDirections[event.key]
    const to = { Home: 0, End: points.length - 1, PageUp: selected - 1, PageDown: selected + 1 }[event.key]
    if (direction && view.current && !fixed) {
      const pixels = event.shiftKey ? fineNudgePixels : nudgePixels
      const [right, down] = direction
      step({ do: 'nudge', index: selected, point: view.current.beside(here, right * pixels, down * pixels) })
    } else if (to !== undefined) step({ do: 'select', index: Math.max(0, Math.min(points.length - 1, to)) })
    else if ((event.key === 'Delete' || event.key === 'Backspace') && !fixed) step({ do: 'remove', index: selected })
    else if (event.key === 'Insert' && !fixed) addAfter(selected)
    else return
    event.preventDefault()
  }

  return (
    <section className={arrange.stackNarrow}>
      <header className={arrange.line}>
        <h2 className={arrange.grow}>{countOf(points.length, 'point')}</h2>
        {!fixed && (
          <>
            <Button
              variant="default"
              size="compact-sm"
              disabled={points.length >= maxPolygonPoints}
              onClick={() => addAfter(selected)}
            >
              Add point
            </Button>
            <Button
              variant="default"
              size="compact-sm"
              disabled={points.length <= minPolygonPoints}
              onClick={() => step({ do: 'remove', index: selected })}
            >
              Delete point
            </Button>
          </>
        )}
      </header>
      <ol
        ref={list}
        className={classes.list}
        aria-label="Points"
        onKeyDown={press}
        onFocus={() => {
          hasFocus.current = true
        }}
        onBlur={() => {
          hasFocus.current = false
        }}
      >
        {points.map((point, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a corner is identified by its position.
          <PointRow key={index} index={index} point={point} isChosen={index === selected} step={step} />
        ))}
      </ol>
      {!fixed && (
        <details className={text.caption}>
          <summary>Keys</summary>
          Arrows move a point (Shift: fine). Page Up/Down: next point. Ins/Del: add/remove.
        </details>
      )}
      <output className={text.unseen}>{drawing.nudging !== null && `Moved to ${formatPoint(points[selected])}`}</output>
    </section>
  )
}

type PointRowProps = { index: number; point: GeoPoint; isChosen: boolean; step: (step: DrawingStep) => void }

const PointRow = memo(function Row({ index, point, isChosen, step }: PointRowProps) {
  return (
    <li>
      <button
        type="button"
        data-hover
        data-ring-inside
        data-index={index}
        aria-current={isChosen || undefined}
        tabIndex={isChosen ? 0 : -1}
        onClick={() => step({ do: 'select', index })}
      >
        <span>
          <span className={text.unseen}>Point </span>
          {index + 1}
        </span>
        <span>{point.lat.toFixed(5)}</span>
        <span>{point.lng.toFixed(5)}</span>
      </button>
    </li>
  )
})

const formatPoint = (point: GeoPoint | undefined) => (point ? `${point.lat.toFixed(5)}, ${point.lng.toFixed(5)}` : '')
