import { useEffect, useRef } from 'react'

/** Calls `poll` every so many milliseconds while `isActive`, but not for a page in the background. */
export function usePolling(isActive: boolean, milliseconds: number, poll: () => void) {
  const latest = useRef(poll)
  useEffect(() => {
    latest.current = poll
  })
  useEffect(() => {
    if (!isActive) return
    const timer = window.setInterval(() => {
      if (document.visibilityState === 'visible') latest.current()
    }, milliseconds)
    return () => window.clearInterval(timer)
  }, [isActive, milliseconds])
}
