import { create } from 'zustand'

const useTourStore = create(() => ({ started: false }))

/** Starts the tour, even if the person has seen it. */
export const startTour = () => useTourStore.setState({ started: true })
export const closeTour = () => useTourStore.setState({ started: false })

/** Returns whether the tour was requested. */
export const useTourStarted = () => useTourStore(({ started }) => started)
