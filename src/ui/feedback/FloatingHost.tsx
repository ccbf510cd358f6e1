import { Suspense, useEffect } from 'react'
import { lazyComponent } from '../data/lazy-part.ts'
import { useHeldKeys } from '../layout/held-keys.ts'
import { cancelOnEscape, useOverlays } from './floating.ts'

// Most visits ask nothing and say nothing: each is loaded when it is first needed.
const ToastContainer = lazyComponent(() => import('./Toasts.tsx'))
const ConfirmDialog = lazyComponent(() => import('./ConfirmDialog.tsx'))

/** Where questions and toasts appear. Once, around no page in particular. */
export function OverlayHost() {
  const { question, toasts } = useOverlays()
  useHeldKeys(question !== null, () => question?.answer(false))
  useEffect(() => {
    // Registered before any dialog listens: Escape answers the question and leaves the dialog under it alone.
    window.addEventListener('keydown', cancelOnEscape, { capture: true })
    return () => window.removeEventListener('keydown', cancelOnEscape, { capture: true })
  }, [])
  return (
    <Suspense>
      {question && <ConfirmDialog question={question} />}
      {toasts && <ToastContainer />}
    </Suspense>
  )
}
