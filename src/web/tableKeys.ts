import type { KeyboardEvent } from 'react'
import { isTaken, type Shortcut } from './shortcuts.ts'

/** What a key does with the row that has the focus. `next` moves the focus to the row below when it is done. */
export type RowShortcut<Row> = Shortcut & { run: (row: Row, element: HTMLElement) => 'next' | 'stay' }

type Means<Row> = {
  rows: readonly Row[]
  open: ((row: Row) => void) | undefined
  shortcuts: readonly RowShortcut<Row>[] | undefined
}

/**
 * Arrow keys move a focus row, Enter opens it, and a screen's own keys act on it. The focus is the browser's own, so moving
 * it renders nothing. Keys mean nothing here while somebody types.
 */
export function pressInTable<Row>(event: KeyboardEvent<HTMLElement>, { rows, open, shortcuts }: Means<Row>) {
  const { currentTarget: scroller, target, key } = event
  // A dialog that was opened from a cell is elsewhere on the page, and its keys pass by here all the same.
  if (!(target instanceof Element) || !scroller.contains(target) || isTaken(event.nativeEvent)) return
  const element = target.closest<HTMLTableRowElement>('tr[data-index]')
  const index = element ? Number(element.dataset.index) : -1
  const row = rows[index]
  const move = (to: number) => to >= 0 && to < rows.length && focusRow(scroller, to, element)

  if (key === 'ArrowDown' || key === 'ArrowUp') {
    event.preventDefault()
    move(key === 'ArrowDown' ? index + 1 : index - 1)
  } else if (row && element) {
    if (key === 'Enter' && target === element) return open?.(row)
    const shortcut = event.repeat ? undefined : shortcuts?.find((one) => one.key === key.toLowerCase())
    if (!shortcut) return
    event.preventDefault()
    if (shortcut.run(row, element) === 'next') move(index + 1)
  }
}

/** A row that is not rendered yet appears when the rows are scrolled towards it. */
function focusRow(scroller: HTMLElement, index: number, from: HTMLElement | null, tries = 8) {
  const row = scroller.querySelector<HTMLElement>(`tr[data-index="${index}"]`)
  if (row) {
    row.focus({ preventScroll: true })
    row.scrollIntoView({ block: 'nearest' })
  } else if (tries > 0) {
    const down = from === null || Number(from.dataset.index) < index
    scroller.scrollBy(0, (down ? 1 : -1) * (from?.offsetHeight ?? 44))
    requestAnimationFrame(() => focusRow(scroller, index, from, tries - 1))
  }
}
