import { type ReactNode, useSyncExternalStore } from 'react'

/** A question that waits for its answer. */
export type ConfirmQuestion = {
  words: string
  /** What saying yes brings about, line by line. */
  details: readonly string[]
  /** What is asked about, where lines of text do not show it. */
  content: ReactNode
  agree: string
  danger: boolean
  answer: (agreed: boolean) => void
}

type OverlayState = { question: ConfirmQuestion | null; toasts: boolean }

/** What floats over the page: at most one question, and toasts from the first one on. */
let overlayState: OverlayState = { question: null, toasts: false }
const overlayListeners = new Set<() => void>()

export function updateOverlays(change: Partial<OverlayState>) {
  overlayState = { ...overlayState, ...change }
  for (const tell of overlayListeners) tell()
}

/** Escape is no. */
export function cancelOnEscape(event: KeyboardEvent) {
  if (event.key !== 'Escape' || !overlayState.question) return
  event.stopImmediatePropagation()
  overlayState.question.answer(false)
}

export function useOverlayState(): OverlayState {
  return useSyncExternalStore(subscribeOverlays, () => overlayState)
}

function subscribeOverlays(tell: () => void) {
  overlayListeners.add(tell)
  return () => {
    overlayListeners.delete(tell)
  }
}
