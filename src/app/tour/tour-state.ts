import { create } from 'zustand'

const useTourStore = create(() => ({ started: false }))

/** Takes the tour again, whether one has seen it or not. */
export const startTour = () => useTourStore.setState({ started: true })
export const closeTour = () => useTourStore.setState({ started: false })

/** Whether the tour was asked for. */
export const useTourStarted = () => useTourStore(({ started }) => started)
