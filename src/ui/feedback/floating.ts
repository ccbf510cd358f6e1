import { type ReactNode, useSyncExternalStore } from 'react'

/** A question that waits for its answer. */
export type Question = {
  words: string
  /** What saying yes brings about, line by line. */
  details: readonly string[]
  /** What is asked about, where lines of text do not show it. */
  content: ReactNode
  agree: string
  danger: boolean
  answer: (agreed: boolean) => void
}

type Floating = { question: Question | null; toasts: boolean }

/** What floats over the page: at most one question, and toasts from the first one on. */
let floating: Floating = { question: null, toasts: false }
const listeners = new Set<() => void>()

export function float(change: Partial<Floating>) {
  floating = { ...floating, ...change }
  for (const tell of listeners) tell()
}

/** Escape is no. */
export function refuse(event: KeyboardEvent) {
  if (event.key !== 'Escape' || !floating.question) return
  event.stopImmediatePropagation()
  floating.question.answer(false)
}

export function useFloating(): Floating {
  return useSyncExternalStore(listen, () => floating)
}

function listen(tell: () => void) {
  listeners.add(tell)
  return () => {
    listeners.delete(tell)
  }
}
