import type { KeyboardEvent } from 'react'

const typing = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true], [role=combobox]'

/**
 * Arrow keys move a focus row, Enter opens it. The focus is the browser's own, so moving it renders nothing.
 * Keys mean nothing here while somebody types.
 */
export function moveFocus(event: KeyboardEvent<HTMLElement>, open: (index: number) => void) {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof Element))
    return
  if (event.target.matches(typing)) return
  const row = event.target.closest<HTMLTableRowElement>('tr[data-index]')

  if (event.key === 'Enter' && row && event.target === row) return open(Number(row.dataset.index))
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  const next = row ? neighbour(row, event.key) : event.currentTarget.querySelector<HTMLElement>('tr[data-index]')
  // Rows beyond the rendered ones appear as the last of these scrolls into sight.
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
}

function neighbour(row: HTMLElement, key: 'ArrowDown' | 'ArrowUp'): HTMLElement | null {
  const next = key === 'ArrowDown' ? row.nextElementSibling : row.previousElementSibling
  return next instanceof HTMLElement && next.matches('tr[data-index]') ? next : null
}
