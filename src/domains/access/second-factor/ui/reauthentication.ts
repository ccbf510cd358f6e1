import { create } from 'zustand'
import { restoreFocusLater } from '#ui/layout/restore-focus.ts'

/** A call waiting for its caller to reauthenticate. */
type Question = { answer: (confirmed: boolean) => void }
export const useReauthentication = create<{ question: Question | null }>(() => ({ question: null }))

let asking: Promise<boolean> | null = null

/** Asks in a dialog that concurrently refused calls share. Returns whether to repeat them. */
export function askToReauthenticate(): Promise<boolean> {
  const before = document.activeElement
  asking ??= new Promise<boolean>((resolve) => {
    const answer = (confirmed: boolean) => {
      asking = null
      useReauthentication.setState({ question: null })
      resolve(confirmed)
      restoreFocusLater(before)
    }
    useReauthentication.setState({ question: { answer } })
  })
  return asking
}
