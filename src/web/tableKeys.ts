import type { KeyboardEvent } from 'react'

const typing = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true], [role=combobox]'

/**
 * Arrow keys move a focus row, Enter opens it. The focus is the browser's own, so moving it renders nothing.
 * Keys mean nothing here while somebody types.
 */
export function moveFocus(event: KeyboardEvent<HTMLElement>, rows: number, open: (index: number) => void) {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof Element))
    return
  if (event.target.matches(typing)) return
  const row = event.target.closest<HTMLTableRowElement>('tr[data-index]')
  const index = row ? Number(row.dataset.index) : -1

  if (event.key === 'Enter' && row && event.target === row) return open(index)
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  const next = event.key === 'ArrowDown' ? index + 1 : index - 1
  if (next >= 0 && next < rows) focusRow(event.currentTarget, next, row)
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
