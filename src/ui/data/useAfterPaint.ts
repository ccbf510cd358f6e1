import { useEffect, useState } from 'react'

/** Whether the browser has painted since `isReady`: what a page shows first is neither loaded nor drawn beside what can wait. */
export function useAfterPaint(isReady: boolean): boolean {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    if (!isReady || isPainted) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true)) // the callback of a frame runs before its paint
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [isReady, isPainted])
  return isPainted
}
