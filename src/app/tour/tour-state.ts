import { useSyncExternalStore } from 'react'

let tourStarted = false
const tourListeners = new Set<() => void>()

function setTourStarted(next: boolean) {
  tourStarted = next
  for (const tell of tourListeners) tell()
}

/** Takes the tour again, whether one has seen it or not. */
export const startTour = () => setTourStarted(true)
export const closeTour = () => setTourStarted(false)

/** Whether somebody has asked for it. */
export const useTourStarted = () =>
  useSyncExternalStore(
    (tell) => {
      tourListeners.add(tell)
      return () => tourListeners.delete(tell)
    },
    () => tourStarted,
  )
