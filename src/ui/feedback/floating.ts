import type { ReactNode } from 'react'
import { create } from 'zustand'

/** A question that waits for its answer. */
export type ConfirmQuestion = {
  words: string
  /** What saying yes brings about, line by line. */
  details: readonly string[]
  /** What the question is about, where lines of text do not show it. */
  content: ReactNode
  agree: string
  danger: boolean
  answer: (agreed: boolean) => void
}

type OverlayState = { question: ConfirmQuestion | null; toasts: boolean }

/** What floats over the page: at most one question, and toasts from the first one on. */
export const useOverlays = create<OverlayState>(() => ({ question: null, toasts: false }))

/** Escape is no. */
export function cancelOnEscape(event: KeyboardEvent) {
  const { question } = useOverlays.getState()
  if (event.key !== 'Escape' || !question) return
  event.stopImmediatePropagation()
  question.answer(false)
}
