import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

let isPrinting = false

/** Returns whether the page is being printed: virtual lists then render all of their rows. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting)

function subscribe(notify: () => void): () => void {
  const paper = window.matchMedia('print')
  const set = (now: boolean) => {
    isPrinting = now
    flushSync(notify) // the browser does not wait for asynchronous updates
  }
  const changed = () => set(paper.matches)
  const begun = () => set(true)
  const ended = () => set(false)
  paper.addEventListener('change', changed)
  window.addEventListener('beforeprint', begun)
  window.addEventListener('afterprint', ended)
  return () => {
    paper.removeEventListener('change', changed)
    window.removeEventListener('beforeprint', begun)
    window.removeEventListener('afterprint', ended)
  }
}

/** The width of paper in pixels: A4 or US Letter in landscape. */
const paperWidth = 960

/** Returns the scale at which a table of this width is printed, so that all of its columns fit and stay readable. */
export const getPrintScale = (width: number): number => Math.min(1, Math.max(0.4, paperWidth / width))
