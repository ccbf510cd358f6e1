import { useEffect, useRef } from 'react'

/** As long as a scanner's burst may pause. */
const lookMs = 10_000
const handEvents = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'keydown'] as const

/** Calls `seen` once, when a person uses the page, or has had it in front of them for ten seconds, while `isAsked`. */
export function usePageSeen(isAsked: boolean, seen: () => void) {
  const latest = useRef(seen)
  latest.current = seen
  useEffect(() => {
    if (!isAsked) return
    const watch = new AbortController()
    let timer: number | undefined
    const see = () => {
      watch.abort()
      latest.current()
    }
    const look = () => {
      window.clearTimeout(timer)
      if (document.visibilityState === 'visible') timer = window.setTimeout(see, lookMs)
    }
    const lookAtHand = (event: Event) => {
      if (event.isTrusted && document.visibilityState === 'visible') see()
    }
    const options = { passive: true, signal: watch.signal }
    for (const name of handEvents) window.addEventListener(name, lookAtHand, options)
    document.addEventListener('visibilitychange', look, options)
    watch.signal.addEventListener('abort', () => window.clearTimeout(timer))
    look()
    return () => watch.abort()
  }, [isAsked])
}
