import { useSyncExternalStore } from 'react'

let tourStarted = false
const tourListeners = new Set<() => void>()

function setTourStarted(next: boolean) {
  tourStarted = next
  for (const notify of tourListeners) notify()
}

/** Starts the tour, seen or not. */
export const startTour = () => setTourStarted(true)
export const closeTour = () => setTourStarted(false)

/** Returns whether the user has started it. */
export const useTourStarted = () =>
  useSyncExternalStore(
    (notify) => {
      tourListeners.add(notify)
      return () => tourListeners.delete(notify)
    },
    () => tourStarted,
  )
