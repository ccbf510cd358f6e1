import { useSyncExternalStore } from 'react'

let begun = false
const listeners = new Set<() => void>()

function set(next: boolean) {
  begun = next
  for (const tell of listeners) tell()
}

/** Takes the tour again, whether one has seen it or not. */
export const beginTour = () => set(true)
export const leaveTour = () => set(false)

/** Whether somebody has asked for it. */
export const useTourBegun = () =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => begun,
  )
