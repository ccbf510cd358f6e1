import { useEffect, useRef } from 'react'

/** What belongs to an answer that may come late: if the dialog was closed by then, another may be open, which is not for it to close. */
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
