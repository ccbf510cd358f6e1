import { Suspense, useEffect } from 'react'
import { part } from '../data/lazy-part.ts'
import { refuse, useFloating } from './floating.ts'

// Most visits ask nothing and say nothing: each is loaded when it is first needed.
const Toasts = part(() => import('./Toasts.tsx'))
const ConfirmDialog = part(() => import('./ConfirmDialog.tsx'))

/** Where questions and toasts appear. Once, around no page in particular. */
export function FloatingPlace() {
  const { question, toasts } = useFloating()
  useEffect(() => {
    // Registered before any dialog listens: Escape answers the question and leaves the dialog under it alone.
    window.addEventListener('keydown', refuse, { capture: true })
    return () => window.removeEventListener('keydown', refuse, { capture: true })
  }, [])
  return (
    <Suspense>
      {question && <ConfirmDialog question={question} />}
      {toasts && <Toasts />}
    </Suspense>
  )
}
