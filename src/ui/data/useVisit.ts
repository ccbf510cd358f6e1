import { useEffect, useRef } from 'react'

const neededMs = 2000
const gestures = ['pointerdown', 'pointermove', 'keydown', 'scroll', 'wheel', 'touchstart'] as const

/**
 * Calls back once when a person looks at the page: it was visible for two seconds, and something was moved, pressed or scrolled. A
 * program that opens links does neither.
 */
export function useVisit(isShown: boolean, onVisit: () => void) {
  const latest = useRef(onVisit)
  useEffect(() => {
    latest.current = onVisit
  })
  useEffect(() => {
    if (!isShown) return
    const controller = new AbortController()
    let visibleMs = 0
    let since: number | null = null
    let hasMoved = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const check = () => {
      const seen = visibleMs + (since === null ? 0 : performance.now() - since)
      if (hasMoved && seen >= neededMs) {
        stop()
        latest.current()
      }
    }
    const follow = () => {
      if (since !== null) visibleMs += performance.now() - since
      since = document.visibilityState === 'visible' ? performance.now() : null
      clearTimeout(timer)
      if (since !== null) timer = setTimeout(check, Math.max(0, neededMs - visibleMs))
    }
    const stop = () => {
      clearTimeout(timer)
      controller.abort()
    }
    const move = (event: Event) => {
      if (!event.isTrusted) return
      hasMoved = true
      check()
    }
    for (const gesture of gestures)
      addEventListener(gesture, move, { signal: controller.signal, passive: true, capture: true })
    document.addEventListener('visibilitychange', follow, { signal: controller.signal })
    follow()
    return stop
  }, [isShown])
}
