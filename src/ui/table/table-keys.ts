import type { KeyboardEvent } from 'react'
import { asksForCopy, copyText, textOf } from '../cells/clipboard.ts'
import { isTaken, openDialog, type Shortcut } from '../layout/shortcuts.ts'

/** What a key does with the row that has the focus. `next` moves the focus to the row below when it is done. */
export type RowShortcut<Row> = Shortcut & { run: (row: Row, element: HTMLElement) => 'next' | 'stay' }

type Means<Row> = {
  rows: readonly Row[]
  open?: ((row: Row) => void) | undefined
  shortcuts?: readonly RowShortcut<Row>[] | undefined
  /** The plain value of a row's cell, where it is another one than what can be read there. */
  plain?: (row: Row, column: number) => string | undefined
}
/** The index of a row, and of a column or none: then the whole row has the focus. */
type Place = { index: number; column: number | null }

/**
 * Arrow keys move a focus from row to row and from cell to cell, Enter opens the row or goes into the cell, Esc comes out again,
 * Ctrl C copies the cell, and a screen's own keys act on the row. The focus is the browser's own, so moving it renders nothing.
 * Keys mean nothing here while somebody types.
 */
export function pressInTable<Row>(event: KeyboardEvent<HTMLElement>, { rows, open, shortcuts, plain }: Means<Row>) {
  const { currentTarget: scroller, target, key } = event
  // A dialog that was opened from a cell is elsewhere on the page, and its keys pass by here all the same.
  if (!(target instanceof HTMLElement) || !scroller.contains(target) || target.closest('[popover]')) return
  const element = target.closest<HTMLTableRowElement>(rowsOf)
  const cell = cellOf(target)
  const index = element ? Number(element.dataset.index) : -1
  const row = rows[index]

  if (row && cell && asksForCopy(event.nativeEvent)) {
    event.preventDefault()
    const value = plain?.(row, columnOf(cell)) ?? textOf(cell)
    if (value) void copyText(value)
    return
  }
  if (key === 'Escape' && element && cell && !event.defaultPrevented && !openDialog())
    return focusOn(scroller, target === cell ? element : cell)
  if (isTaken(event.nativeEvent)) return

  const here = { index, column: target === cell ? columnOf(cell) : null }
  const to = placeAfter(event, here, cell)
  if (to) {
    if (to.index < 0 || to.index >= rows.length) return event.preventDefault()
    event.preventDefault()
    focusAt(scroller, to, here)
  } else if (row && element) {
    if (key === 'Enter' && (target === element || target === cell)) return enter(event, cell, () => open?.(row))
    const shortcut = event.repeat ? undefined : shortcuts?.find((one) => one.key === key.toLowerCase())
    if (!shortcut) return
    event.preventDefault()
    if (shortcut.run(row, element) === 'next' && index + 1 < rows.length)
      focusAt(scroller, { ...here, index: index + 1 }, here)
  }
}

/** From a control back to its cell: the keys go on from there. */
export function leaveControl(control: HTMLElement) {
  const cell = cellOf(control)
  const scroller = control.closest('section')
  if (cell && scroller) focusOn(scroller, cell)
  else control.blur()
}

const rowsOf = 'tr[data-index]'
const cellOf = (target: Element) => target.closest<HTMLTableCellElement>(`${rowsOf} > *`)
const columnOf = (cell: HTMLTableCellElement) => Number(cell.getAttribute('aria-colindex') ?? cell.cellIndex + 1) - 1

/** Where a key leads; nowhere for other keys. Left and right of a slider or a player are its own. */
function placeAfter(event: KeyboardEvent, here: Place, cell: HTMLTableCellElement | null): Place | null {
  const { key, target, shiftKey } = event
  if (key === 'ArrowDown') return { ...here, index: here.index + 1 }
  if (key === 'ArrowUp') return { ...here, index: here.index - 1 }
  const isOurs = target instanceof Element && target.matches(`${rowsOf}, ${rowsOf} > *, a, button, [type=checkbox]`)
  if (here.index < 0 || shiftKey || !isOurs) return null
  const column = cell ? columnOf(cell) : null
  const last = Number(target.closest('table')?.getAttribute('aria-colcount')) - 1
  if (key === 'ArrowRight') return { ...here, column: column === null ? 0 : Math.min(column + 1, last) }
  if (column === null) return null
  if (key === 'ArrowLeft') return { ...here, column: column === 0 ? null : column - 1 }
  if (key === 'Home') return { ...here, column: 0 }
  return key === 'End' ? { ...here, column: last } : null
}

const controls = ['a[href]', 'button', 'input', 'select', 'textarea', 'audio'].map((name) => `${name}:not(:disabled)`)

/** Into the first thing of a cell that takes the focus; one without any opens the row, as the row itself does. */
function enter(event: KeyboardEvent, cell: HTMLTableCellElement | null, open: () => void) {
  const control = cell?.querySelector<HTMLElement>(controls.join())
  if (!control) return open()
  event.preventDefault() // or it would be pressed as well
  control.focus()
}

/** Rows and columns that are not drawn yet appear when they are scrolled towards. */
function focusAt(scroller: HTMLElement, to: Place, from: Place, tries = 8) {
  const row = scroller.querySelector<HTMLTableRowElement>(`tr[data-index="${to.index}"]`)
  const found = row && to.column !== null ? cellAt(row, to.column) : row
  if (found) return focusOn(scroller, found)
  if (tries === 0) return
  if (row) scroller.scrollLeft += ((to.column ?? 0) > (from.column ?? 0) ? 1 : -1) * scroller.clientWidth
  else {
    const height = scroller.querySelector<HTMLElement>(`tr[data-index="${from.index}"]`)?.offsetHeight ?? 44
    scroller.scrollBy(0, (to.index > from.index ? 1 : -1) * height)
  }
  requestAnimationFrame(() => focusAt(scroller, to, from, tries - 1))
}

const cellAt = (row: HTMLTableRowElement, column: number) =>
  [...row.cells].find((cell) => cell.ariaHidden !== 'true' && columnOf(cell) === column)

/** Tab comes back to the cell that had the focus last. */
function focusOn(scroller: Element, element: HTMLElement) {
  for (const cell of scroller.querySelectorAll(`${rowsOf} > [tabindex]`)) cell.removeAttribute('tabindex')
  if (!element.matches(rowsOf)) element.tabIndex = 0
  element.focus({ preventScroll: true })
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
