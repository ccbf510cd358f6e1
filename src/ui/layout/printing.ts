import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

let isPrinting = false

/** Returns whether the page is being printed: lists that draw only the rows in sight draw all of them then. */
export const usePrinting = (): boolean => useSyncExternalStore(subscribe, () => isPrinting)

function subscribe(notify: () => void): () => void {
  const paper = window.matchMedia('print')
  const set = (now: boolean) => {
    isPrinting = now
    flushSync(notify) // the browser waits for nothing that comes later
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

/** Pixels of a line on paper: A4, or US Letter, on its side. */
const paperWidth = 960

/** How much smaller a table of this width is printed: all of its columns are on the page, and can still be read. */
export const getPrintScale = (width: number): number => Math.min(1, Math.max(0.4, paperWidth / width))
