import { type FocusEvent, useEffect, useRef } from 'react'
import { focusRow } from './table-keys.ts'

type RowsWithIds = readonly { id: number | string }[]

/**
 * Moves the focus of a row that is removed to the row that takes its place, or to the empty list: the browser would start again at
 * the top of the page. Returns the handler of the list's focus events.
 */
export function useRemovedRowFocus(rows: RowsWithIds | undefined) {
  const focused = useRef<{ scroller: HTMLElement; index: number; id: number | string | undefined } | null>(null)
  useEffect(() => {
    if (!rows || !focused.current || rows.some(({ id }) => id === focused.current?.id)) return
    const { scroller, index } = focused.current
    focused.current = null
    if (document.activeElement !== document.body) return
    if (rows.length > 0) focusRow(scroller, Math.min(index, rows.length - 1))
    else scroller.focus({ preventScroll: true })
  }, [rows])
  return ({ currentTarget: scroller, target }: FocusEvent<HTMLElement>) => {
    const row = target.closest<HTMLElement>('[data-index]')
    const index = Number(row?.dataset.index)
    focused.current = row && { scroller, index, id: rows?.[index]?.id }
  }
}
