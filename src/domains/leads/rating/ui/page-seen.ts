import { useEffect, useRef } from 'react'

/** The longest pause in a scanner's burst. */
const viewMs = 10_000
const usageEvents = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'keydown'] as const

/** Calls `seen` once while `isAsked`, when a person uses the page or has had it visible for ten seconds. */
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
    const restartTimer = () => {
      window.clearTimeout(timer)
      if (document.visibilityState === 'visible') timer = window.setTimeout(see, viewMs)
    }
    const onUse = (event: Event) => {
      if (event.isTrusted && document.visibilityState === 'visible') see()
    }
    const options = { passive: true, signal: watch.signal }
    for (const name of usageEvents) window.addEventListener(name, onUse, options)
    document.addEventListener('visibilitychange', restartTimer, options)
    watch.signal.addEventListener('abort', () => window.clearTimeout(timer))
    restartTimer()
    return () => watch.abort()
  }, [isAsked])
}
