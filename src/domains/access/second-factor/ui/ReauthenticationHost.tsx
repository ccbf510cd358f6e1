import { Suspense, useEffect } from 'react'
import { setReauthentication } from '#ui/data/api.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { askToReauthenticate, useReauthentication } from './reauthentication.ts'

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
