import { useEffect, useRef } from 'react'

/** Returns how to ask whether a dialog is still open: an answer that comes late must not close the one that is open by then. */
export function useIsOpen(): () => boolean {
  const isOpen = useRef(false)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  return () => isOpen.current
}
