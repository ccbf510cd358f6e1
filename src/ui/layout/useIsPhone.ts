import { createContext, use, useEffect, useSyncExternalStore } from 'react'

let narrow: MediaQueryList | undefined
let isPhone: boolean | undefined
let openDialogs = 0
const subscribers = new Set<() => void>()

/** Whether this is the content of a dialog. */
export const DialogContext = createContext(false)

/**
 * Returns whether the screen is too narrow for a table; false on paper. Behind an open dialog it does not change: that of a row would go
 * with the table or the cards when a phone is turned, and what is typed with it.
 */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, use(DialogContext) ? readNarrow : readIsPhone)

/** Keeps tables and cards as they are while the dialog that calls it is open. */
export function useSteadyLayout() {
  useEffect(() => {
    openDialogs += 1
    return () => {
      openDialogs -= 1
      notifyAll()
    }
  }, [])
}

function readIsPhone(): boolean {
  if (openDialogs === 0 || isPhone === undefined) isPhone = readNarrow()
  return isPhone
}

function readNarrow(): boolean {
  if (!narrow) {
    narrow = window.matchMedia('screen and (max-width: 767.98px)')
    narrow.addEventListener('change', notifyAll)
  }
  return narrow.matches
}

function notifyAll() {
  for (const notify of subscribers) notify()
}

function subscribe(notify: () => void): () => void {
  subscribers.add(notify)
  return () => subscribers.delete(notify)
}
