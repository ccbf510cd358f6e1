import type { ReactNode } from 'react'
import { restoreFocusLater } from '../layout/restore-focus.ts'
import { useOverlays } from './overlays.ts'

type ConfirmOptions = { label: string; danger?: boolean; details?: readonly string[] | undefined; content?: ReactNode }

/** Asks the user to confirm. Returns false when the question is cancelled or closed in any way. */
export function confirmAction(words: string, agree: ConfirmOptions): Promise<boolean> {
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
          restoreFocusLater(before)
        },
      },
    })
  })
}

/** Asks before a dialog discards what was typed. */
export const confirmClose = (): Promise<boolean> =>
  confirmAction('Are you sure to close this dialog?', { label: 'Close' })
