import { type KeyboardEvent, type PointerEvent as ReactPointerEvent, useState } from 'react'
import type { ColumnLayout } from './table-layout.ts'

type MovableColumn = { key: string; pinned?: 'start' | 'end'; width?: number }
/** A column that the pointer is moving or resizing. */
type ColumnMove = { key: string; width?: number; before?: string | null }

const dragThreshold = 6
const resizeStep = 16

/**
 * Moves columns by dragging their heads or with Ctrl and an arrow, and resizes them by dragging an edge or with Shift and an arrow.
 * Arrows alone move the focus from head to head.
 */
export function useColumnMoves(columns: readonly MovableColumn[], layout: ColumnLayout | undefined) {
  const [moving, setMoving] = useState<ColumnMove | null>(null)
  if (!layout) return { moving: null, drag: undefined, widen: undefined, press: undefined, resize: undefined }

  function drag(event: ReactPointerEvent<HTMLElement>, column: MovableColumn) {
    if (event.button !== 0 || column.pinned) return
    const head = event.currentTarget
    const startX = event.clientX
    let before: string | null | undefined
    trackPointer(event, {
      move: (x) => {
        if (before === undefined && Math.abs(x - startX) < dragThreshold) return
        before = findDropTarget(head, x)
        setMoving({ key: column.key, before })
      },
      end: (dropped) => {
        setMoving(null)
        if (before === undefined) return
        // The click that ends a drag must not sort.
        addEventListener('click', (click) => click.stopPropagation(), {
          capture: true,
          once: true,
          signal: nextClickSignal(),
        })
        if (dropped && before !== column.key) layout!.move(column.key, before)
      },
    })
  }

  function widen(event: ReactPointerEvent<HTMLElement>, column: MovableColumn) {
    if (event.button !== 0) return
    event.stopPropagation()
    const drawn = event.currentTarget.closest('th')!.offsetWidth
    const width = layout!.widths[column.key] ?? column.width ?? drawn
    const startX = event.clientX
    let now = width
    trackPointer(event, {
      move: (x) => {
        // Columns share spare room, so a column may be rendered wider than its width.
        now = width + (x - startX) * (width / drawn)
        setMoving({ key: column.key, width: now })
      },
      end: (dropped) => {
        setMoving(null)
        if (dropped && now !== width) layout!.resize(column.key, now)
      },
    })
  }

  function press(event: KeyboardEvent<HTMLElement>, column: MovableColumn) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0 || event.altKey || event.metaKey) return
    event.preventDefault()
    const width = layout!.widths[column.key] ?? column.width ?? event.currentTarget.offsetWidth
    if (event.shiftKey) return layout!.resize(column.key, width + step * resizeStep)
    const among = event.ctrlKey ? columns.filter(({ pinned }) => !pinned) : columns
    const index = among.findIndex(({ key }) => key === column.key)
    const neighbour = among[index + step]
    if (!neighbour || index === -1) return
    if (!event.ctrlKey) return focusHead(event.currentTarget, neighbour.key)
    layout!.move(column.key, step < 0 ? neighbour.key : (among[index + 2]?.key ?? null))
  }

  return { moving, drag, widen, press, resize: layout.resize }
}

/** Returns the key of the column before which a drop at `x` would land; null past the last movable one. */
function findDropTarget(head: HTMLElement, x: number): string | null {
  const heads = [...head.parentElement!.querySelectorAll<HTMLElement>('th:not([data-pinned])')]
  const next = heads.find((one) => {
    const { left, width } = one.getBoundingClientRect()
    return x < left + width / 2
  })
  return next?.dataset.key ?? null
}

function focusHead(from: HTMLElement, key: string | undefined) {
  const head = from.parentElement!.querySelector<HTMLElement>(`th[data-key="${key}"]`)
  const target = head?.querySelector<HTMLElement>('button') ?? head
  target?.focus()
}

/** Tracks the pointer until it is released, or Escape cancels. Does not capture it: a press without a move is still a click. */
function trackPointer(
  { pointerId }: ReactPointerEvent<HTMLElement>,
  { move, end }: { move: (x: number) => void; end: (dropped: boolean) => void },
) {
  const over = new AbortController()
  const { signal } = over
  const mine = (act: (x: number) => void) => (event: PointerEvent) =>
    event.pointerId === pointerId && act(event.clientX)
  const finish = (dropped: boolean) => {
    over.abort()
    end(dropped)
  }
  addEventListener('pointermove', mine(move), { signal })
  addEventListener(
    'pointerup',
    mine(() => finish(true)),
    { signal },
  )
  addEventListener(
    'pointercancel',
    mine(() => finish(false)),
    { signal },
  )
  addEventListener('keydown', ({ key }) => key === 'Escape' && finish(false), { signal })
}

/** The click after a drag follows at once, or not at all. */
const nextClickSignal = () => AbortSignal.timeout(50)
