import type { KeyboardEvent } from 'react'
import { copyText, getCellText, isCopyShortcut } from '../cells/clipboard.ts'
import { findOpenDialog, isKeyTaken, type KeyShortcut } from '../layout/shortcuts.ts'

/** A key that acts on the focused row; `run` returns where the focus goes next. */
export type RowShortcut<Row> = KeyShortcut & {
  run: (row: Row, element: HTMLElement) => 'next' | 'previous' | 'stay'
  /** What it does in a list that has become empty, if it needs no row. */
  runWithoutRow?: () => void
}

type TableKeyOptions<Row> = {
  rows: readonly Row[]
  open?: ((row: Row) => void) | undefined
  /** Called when a shortcut leads past the last row, or before the first one. */
  past?: ((step: 1 | -1) => void) | undefined
  shortcuts?: readonly RowShortcut<Row>[] | undefined
  /** Returns the plain value of a row's cell, where it differs from its visible text. */
  plain?: (row: Row, column: number) => string | undefined
}
/** The index of a row and of a column; without a column, the whole row has the focus. */
type CellPosition = { index: number; column: number | null }

/**
 * Handles the keys of a table: arrows move the focus from row to row and from cell to cell, Enter opens the row or goes into the
 * cell, Esc leaves it, Ctrl C copies the cell, and a screen's own keys act on the row. The focus is the browser's own, so moving it
 * renders nothing. Ignores keys in text inputs.
 */
export function handleTableKey<Row>(
  event: KeyboardEvent<HTMLElement>,
  { rows, open, past, shortcuts, plain }: TableKeyOptions<Row>,
) {
  const { currentTarget: scroller, target, key } = event
  // React also passes on the keys of a dialog that was opened from a cell, though it is elsewhere on the page.
  if (!(target instanceof HTMLElement) || !scroller.contains(target) || target.closest('[popover]')) return
  const element = target.closest<HTMLElement>(rowSelector)
  const cell = findCell(target)
  const index = element ? Number(element.dataset.index) : -1
  const row = rows[index]

  if (row && cell && isCopyShortcut(event.nativeEvent)) {
    event.preventDefault()
    const value = plain?.(row, getColumnIndex(cell)) ?? getCellText(cell)
    if (value) void copyText(value)
    return
  }
  if (key === 'Escape' && element && cell && !event.defaultPrevented && !findOpenDialog())
    return focusElement(scroller, target === cell ? element : cell)
  if (isKeyTaken(event.nativeEvent)) return
  const held = heldKeys.get(scroller)
  if (held && (findShortcut(shortcuts, event) || key === 'ArrowDown' || key === 'ArrowUp')) {
    event.preventDefault()
    held.push(key)
    return
  }

  const here = { index, column: target === cell ? getColumnIndex(cell) : null }
  const to = getNextPosition(event, here, cell)
  if (to) {
    if (to.index < 0 || to.index >= rows.length) return event.preventDefault()
    event.preventDefault()
    focusPosition(scroller, to, here)
  } else if (row && element) {
    if (key === 'Enter' && (target === element || target === cell)) return enterCell(event, cell, () => open?.(row))
    const shortcut = findShortcut(shortcuts, event)
    if (!shortcut) return
    event.preventDefault()
    const step = rowSteps[shortcut.run(row, element)]
    const next = index + step
    if (step === 0) return
    if (next >= 0 && next < rows.length) focusPosition(scroller, { ...here, index: next }, here)
    else past?.(step)
  } else if (rows.length === 0) {
    const { runWithoutRow } = findShortcut(shortcuts, event) ?? {}
    if (!runWithoutRow) return
    event.preventDefault()
    runWithoutRow()
  }
}

/**
 * Handles the keys of rows while the focus is nowhere, or outside of the screen's content, such as on the link that led here: they act on
 * the row that had the focus last, at first the first one. A step leads to that row itself.
 */
export function handleOutsideKey<Row>(
  event: globalThis.KeyboardEvent,
  { scroller, index, ...options }: TableKeyOptions<Row> & { scroller: HTMLElement; index: number },
) {
  const { target } = event
  if (
    isKeyTaken(event) ||
    !(target instanceof Element) ||
    target.matches(insideSelector) ||
    target.closest(floatingSelector)
  )
    return
  const shortcut = findShortcut(options.shortcuts, event)
  const row = options.rows[index]
  const element = scroller.querySelector<HTMLElement>(`[data-index="${index}"]`)
  if (!row || !element || !(shortcut || event.key === 'ArrowDown')) return
  event.preventDefault()
  focusElement(scroller, element)
  if (!shortcut || shortcut.key === 'j' || shortcut.key === 'k') return
  const step = rowSteps[shortcut.run(row, element)]
  const next = index + step
  const here = { index, column: null }
  if (step === 0) return
  if (next >= 0 && next < options.rows.length) focusPosition(scroller, { index: next, column: null }, here)
  else options.past?.(step)
}
/** Tabs above a list lead to it as well. */
const insideSelector = 'main :not([role=tab])'
const floatingSelector = '[role=dialog], [role=menu], [role=listbox], [popover]'

export const rowSteps = { next: 1, previous: -1, stay: 0 } as const

/** Returns the shortcut of a key. A key that is held down repeats only moves (j and k), not actions on rows. */
export const findShortcut = <Row>(
  shortcuts: readonly RowShortcut<Row>[] | undefined,
  { key, repeat }: Pick<KeyboardEvent, 'key' | 'repeat'>,
): RowShortcut<Row> | undefined =>
  shortcuts?.find((one) => one.key === key.toLowerCase() && (!repeat || one.key === 'j' || one.key === 'k'))

/** Scrolls a row into view, rendered or not, and focuses it. */
export function focusRow(scroller: HTMLElement, index: number) {
  focusPosition(scroller, { index, column: null }, { index, column: null }, 60)
}

/** Moves the focus from a control back to its cell, where the table's keys work again. */
export function focusControlCell(control: HTMLElement) {
  const cell = findCell(control)
  const scroller = control.closest('section')
  if (cell && scroller) focusElement(scroller, cell)
  else control.blur()
}

/** A row of a table, or a card, which has no cells. */
const rowSelector = '[data-index]'
const cellSelector = `tr${rowSelector} > *`
const findCell = (target: Element) => target.closest<HTMLTableCellElement>(cellSelector)
const getColumnIndex = (cell: HTMLTableCellElement) =>
  Number(cell.getAttribute('aria-colindex') ?? cell.cellIndex + 1) - 1

/** Returns where a key moves the focus; null for other keys. A slider or a player keeps its own left and right. */
function getNextPosition(
  event: KeyboardEvent,
  here: CellPosition,
  cell: HTMLTableCellElement | null,
): CellPosition | null {
  const { key, target, shiftKey } = event
  if (key === 'ArrowDown') return { ...here, index: here.index + 1 }
  if (key === 'ArrowUp') return { ...here, index: here.index - 1 }
  const isOurs =
    target instanceof Element &&
    target.closest('table') &&
    target.matches(`${rowSelector}, ${cellSelector}, a, button, [type=checkbox]`)
  if (here.index < 0 || shiftKey || !isOurs) return null
  const column = cell ? getColumnIndex(cell) : null
  const last = Number(target.closest('table')?.getAttribute('aria-colcount')) - 1
  if (key === 'ArrowRight') return { ...here, column: column === null ? 0 : Math.min(column + 1, last) }
  if (column === null) return null
  if (key === 'ArrowLeft') return { ...here, column: column === 0 ? null : column - 1 }
  if (key === 'Home') return { ...here, column: 0 }
  return key === 'End' ? { ...here, column: last } : null
}

const controlSelectors = ['a[href]', 'button', 'input', 'select', 'textarea', 'audio'].map(
  (name) => `${name}:not(:disabled)`,
)

/** Focuses the first control of a cell; opens the row if there is none. */
function enterCell(event: KeyboardEvent, cell: HTMLTableCellElement | null, open: () => void) {
  const control = cell?.querySelector<HTMLElement>(controlSelectors.join())
  if (!control) return open()
  event.preventDefault() // else Enter would also press the control
  control.focus()
}

/** Focuses a row or cell. Those that are not rendered yet appear when the table scrolls towards them. */
function focusPosition(scroller: HTMLElement, to: CellPosition, from: CellPosition, tries = 8) {
  const row = scroller.querySelector<HTMLTableRowElement>(`[data-index="${to.index}"]`)
  const found = row && to.column !== null ? findCellAt(row, to.column) : row
  if (found) {
    focusElement(scroller, found)
    return pressHeldKeys(scroller)
  }
  if (tries === 0) return void heldKeys.delete(scroller)
  if (!heldKeys.has(scroller)) heldKeys.set(scroller, [])
  if (row) scroller.scrollLeft += ((to.column ?? 0) > (from.column ?? 0) ? 1 : -1) * scroller.clientWidth
  else scrollTowards(scroller, to.index)
  requestAnimationFrame(() => focusPosition(scroller, to, from, tries - 1))
}

/** What is pressed while the row of the next step is not rendered yet, by scroller: it is not for the row that has the focus until then. */
const heldKeys = new WeakMap<HTMLElement, string[]>()

function pressHeldKeys(scroller: HTMLElement) {
  const keys = heldKeys.get(scroller) ?? []
  heldKeys.delete(scroller)
  for (const key of keys)
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
}

/** Scrolls by the distance between a row and the nearest rendered one. */
function scrollTowards(scroller: HTMLElement, index: number) {
  const indexOf = ({ dataset }: HTMLElement) => Number(dataset.index)
  const away = (row: HTMLElement) => Math.abs(indexOf(row) - index)
  const [first, ...others] = scroller.querySelectorAll<HTMLElement>(rowSelector)
  if (!first) return
  const near = others.reduce((one, other) => (away(other) < away(one) ? other : one), first)
  scroller.scrollBy(0, (index - indexOf(near)) * near.offsetHeight)
}

const findCellAt = (row: HTMLTableRowElement, column: number) =>
  [...row.cells].find((cell) => cell.ariaHidden !== 'true' && getColumnIndex(cell) === column)

/** Focuses a row or cell, and makes Tab return to the cell that had the focus last. */
function focusElement(scroller: Element, element: HTMLElement) {
  for (const cell of scroller.querySelectorAll(`${cellSelector}[tabindex]`)) cell.removeAttribute('tabindex')
  if (!element.matches(rowSelector)) element.tabIndex = 0
  element.focus({ preventScroll: true })
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}
