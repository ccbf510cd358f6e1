import { useEffect } from 'react'

/** Returns the focus to where it was, even when the dialog is unmounted instead of closed. */
export function useRestoreFocus() {
  useEffect(() => {
    const before = document.activeElement
    return () => {
      setTimeout(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
      })
    }
  }, [])
}
