import type { ReactNode } from 'react'
import { useOverlays } from './floating.ts'

type ConfirmOptions = { label: string; danger?: boolean; details?: readonly string[] | undefined; content?: ReactNode }

/** Asks the user to confirm. Returns false when the question is cancelled or closed in any way. */
export function confirmAction(words: string, agree: ConfirmOptions = { label: 'Yes' }): Promise<boolean> {
  const before = document.activeElement
  return new Promise((resolve) => {
    useOverlays.setState({
      question: {
        words,
        agree: agree.label,
        danger: agree.danger ?? false,
        details: agree.details ?? [],
        content: agree.content ?? null,
        answer: (agreed) => {
          useOverlays.setState({ question: null })
          resolve(agreed)
          // After the caller has run: it may remove the element that asked.
          setTimeout(() => {
            if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
          })
        },
      },
    })
  })
}
