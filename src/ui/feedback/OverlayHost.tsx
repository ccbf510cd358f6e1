import { Suspense, useEffect } from 'react'
import { lazyComponent } from '../data/lazy-part.ts'
import { useHeldKeys } from '../layout/held-keys.ts'
import { keepLostFocus } from '../layout/lost-focus.ts'
import { cancelOnEscape, useOverlays } from './overlays.ts'

// Loaded when first needed: most visits need neither.
const ToastContainer = lazyComponent(() => import('./Toasts.tsx'))
const ConfirmDialog = lazyComponent(() => import('./ConfirmDialog.tsx'))

/** Renders questions and toasts. Mounted once, outside of all pages. */
export function OverlayHost() {
  const { question, toasts } = useOverlays()
  useEffect(keepLostFocus, [])
  useHeldKeys(question !== null, () => question?.answer(false))
  useEffect(() => {
    // Registered before any dialog's listener: Escape answers the question and does not close the dialog below.
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
