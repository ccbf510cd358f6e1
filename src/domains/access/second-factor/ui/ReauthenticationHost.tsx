import { Suspense, useEffect } from 'react'
import { create } from 'zustand'
import { setReauthentication } from '#ui/data/api.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { restoreFocusLater } from '#ui/layout/restore-focus.ts'

const ReauthenticationDialog = lazyComponent(() => import('./ReauthenticationDialog.tsx'))

/** Opens the reauthentication dialog for refused calls. Rendered once, outside all pages. */
export function ReauthenticationHost() {
  const { question } = useReauthentication()
  useEffect(() => setReauthentication(askToReauthenticate), [])
  useEffect(() => {
    // Added before any dialog is open, so that the dialog underneath does not get the event.
    window.addEventListener('keydown', cancelOnEscape, { capture: true })
    return () => window.removeEventListener('keydown', cancelOnEscape, { capture: true })
  }, [])
  return <Suspense>{question && <ReauthenticationDialog answer={question.answer} />}</Suspense>
}

function cancelOnEscape(event: KeyboardEvent) {
  const { question } = useReauthentication.getState()
  if (event.key !== 'Escape' || !question) return
  event.stopImmediatePropagation()
  question.answer(false)
}

/** A call waiting for its caller to reauthenticate. */
type Question = { answer: (confirmed: boolean) => void }
const useReauthentication = create<{ question: Question | null }>(() => ({ question: null }))

let asking: Promise<boolean> | null = null

/** Asks in a dialog that concurrently refused calls share. Returns whether to repeat them. */
function askToReauthenticate(): Promise<boolean> {
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
