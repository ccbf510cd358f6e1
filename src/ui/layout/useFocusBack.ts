import { useEffect } from 'react'

/** Returns the focus to where it was, also when whoever opened the dialog takes it away instead of closing it. */
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
