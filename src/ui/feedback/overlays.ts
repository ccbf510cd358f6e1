import type { ReactNode } from 'react'
import { create } from 'zustand'

/** An open question. */
export type ConfirmQuestion = {
  words: string
  /** What happens on yes, line by line. */
  details: readonly string[]
  /** Shows what the question is about, where lines of text are not enough. */
  content: ReactNode
  agree: string
  danger: boolean
  answer: (agreed: boolean) => void
}

type OverlayState = { question: ConfirmQuestion | null; toasts: boolean }

/** Overlays of the page: at most one question, and whether any toast has been shown yet. */
export const useOverlays = create<OverlayState>(() => ({ question: null, toasts: false }))

/** Answers the open question with no on Escape. */
export function cancelOnEscape(event: KeyboardEvent) {
  const { question } = useOverlays.getState()
  if (event.key !== 'Escape' || !question) return
  event.stopImmediatePropagation()
  question.answer(false)
}
