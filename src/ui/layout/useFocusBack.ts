import { useEffect } from 'react'

/** Returns the focus to where it was, also when what opened the dialog removes it instead of closing it. */
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
