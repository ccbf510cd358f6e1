import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

/** Undefined until it is first asked for; known from then on. */
let isPrinting: boolean | undefined
const subscribers = new Set<() => void>()

/** Returns whether the page is being printed: virtual lists then render all of their rows. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribeToPrinting, () => isPrinting ?? false)

function subscribeToPrinting(notify: () => void): () => void {
  if (isPrinting === undefined) watchPrinting()
  subscribers.add(notify)
  return () => subscribers.delete(notify)
}

function watchPrinting(): void {
  const paper = window.matchMedia('print')
  const set = (now: boolean) => {
    isPrinting = now
    // The browser does not wait for asynchronous updates.
    flushSync(() => {
      for (const notify of subscribers) notify()
    })
  }
  isPrinting = paper.matches
  paper.addEventListener('change', () => set(paper.matches))
  window.addEventListener('beforeprint', () => set(true))
  window.addEventListener('afterprint', () => set(false))
}

/** The width of paper in pixels: A4 or US Letter in landscape. */
const paperWidth = 960

/** Returns the scale at which a table of this width is printed, so that all of its columns fit and stay readable. */
export const getPrintScale = (width: number): number => Math.min(1, Math.max(0.4, paperWidth / width))
