import { Suspense, useEffect } from 'react'
import { lazyComponent } from '../data/lazy-part.ts'
import { useHeldKeys } from '../layout/held-keys.ts'
import { keepLostFocus } from '../layout/lost-focus.ts'
import { cancelOnEscape, useOverlays } from './overlays.ts'

// Loaded when first needed, or when a field has the focus: most visits need neither.
const loadToasts = () => import('./Toasts.tsx')
const loadConfirmDialog = () => import('./ConfirmDialog.tsx')
const ToastContainer = lazyComponent(loadToasts)
const ConfirmDialog = lazyComponent(loadConfirmDialog)

/** Renders questions and toasts. Mounted once, outside of all pages. */
export function OverlayHost() {
  const { question, toasts } = useOverlays()
  useEffect(keepLostFocus, [])
  useEffect(() => {
    // Without a network, what answers to what is typed could not be loaded.
    const load = ({ target }: FocusEvent) => {
      if (!(target instanceof Element) || !target.matches('input, textarea')) return
      window.removeEventListener('focusin', load)
      for (const part of [loadToasts, loadConfirmDialog]) part().catch(() => {}) // tried again when needed
    }
    window.addEventListener('focusin', load)
    return () => window.removeEventListener('focusin', load)
  }, [])
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
