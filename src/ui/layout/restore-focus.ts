import { useCallback, useEffect, useRef } from 'react'

/** Returns the focus to where it was, even when the dialog is unmounted instead of closed. */
export function useRestoreFocus() {
  useEffect(() => {
    const before = document.activeElement
    return () => restoreFocusLater(before)
  }, [])
}

/** Returns a function that notes what has the focus before `busy` disables it; once that is over, it gets the focus back. */
export function useBusyFocus(busy: boolean) {
  const focused = useRef<Element | null>(null)
  useEffect(() => {
    if (!busy && focused.current) restoreFocusLater(focused.current)
  }, [busy])
  return useCallback(() => {
    focused.current = document.activeElement
  }, [])
}

/** Focuses the first field or button inside an element: as a `ref`, once that is rendered. */
export function focusFirstControl(place: HTMLElement | null) {
  place?.querySelector<HTMLElement>('input, textarea, button, a')?.focus()
}

/** `restoreFocus`, after the caller, which may move the focus itself. */
export function restoreFocusLater(before: Element | null) {
  setTimeout(() => restoreFocus(before))
}

/**
 * Focuses the element that had the focus before a dialog or a call, unless it was moved since. Does not scroll: a table would
 * move to where a pinned cell would be if it were not pinned.
 */
export function restoreFocus(before: Element | null) {
  if (document.activeElement === document.body && before instanceof HTMLElement) before.focus({ preventScroll: true })
}
