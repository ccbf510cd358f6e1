import { Suspense, useEffect } from 'react'
import { create } from 'zustand'
import { setSignInPrompts } from '#ui/data/api.ts'
import { lazyComponent, loadWhenOnline } from '#ui/data/lazy-part.ts'
import { onSessionEnd } from '#ui/data/session-token.ts'
import { restoreFocusLater } from '#ui/layout/restore-focus.ts'

const ReauthenticationDialog = lazyComponent(() => import('../../second-factor/ui/ReauthenticationDialog.tsx'))
const RenewalDialog = lazyComponent(() => import('./RenewalDialog.tsx'))

/** Opens the dialogs in which a refused call asks who is there. Rendered once, outside all pages. */
export function SignInPrompts() {
  const { reauthentication, renewal } = usePrompts()
  useEffect(() => {
    setSignInPrompts({
      reauthenticate: () => askOnce('reauthentication'),
      renewSession: async (...refused) => {
        const { renewSession } = await loadWhenOnline(() => import('./renew-session.ts'))
        return renewSession(...refused, () => askOnce('renewal'))
      },
    })
    const stop = onSessionEnd(() => usePrompts.getState().renewal?.(false))
    // Added before any dialog is open, so that the dialog underneath does not get the event.
    window.addEventListener('keydown', holdEscape, { capture: true })
    return () => {
      stop()
      window.removeEventListener('keydown', holdEscape, { capture: true })
    }
  }, [])
  return (
    <Suspense>
      {reauthentication && <ReauthenticationDialog answer={reauthentication} />}
      {renewal && <RenewalDialog answer={renewal} />}
    </Suspense>
  )
}

/** Cancels a reauthentication. A renewal stays: leaving the page takes a click. */
function holdEscape(event: KeyboardEvent) {
  const { reauthentication, renewal } = usePrompts.getState()
  if (event.key !== 'Escape' || !(reauthentication || renewal)) return
  event.stopImmediatePropagation()
  if (!renewal) reauthentication?.(false)
}

/** Answers the calls that wait: whether to repeat them. */
type Answer = (proceed: boolean) => void
type PromptKind = 'reauthentication' | 'renewal'
const usePrompts = create<{ [Kind in PromptKind]?: Answer | undefined }>(() => ({}))
const asking = new Map<PromptKind, Promise<boolean>>()

/** Asks in a dialog that concurrently refused calls share. */
function askOnce(kind: PromptKind): Promise<boolean> {
  const running = asking.get(kind)
  if (running) return running
  const before = document.activeElement
  const answered = new Promise<boolean>((resolve) => {
    const answer = (proceed: boolean) => {
      asking.delete(kind)
      usePrompts.setState({ [kind]: undefined })
      resolve(proceed)
      restoreFocusLater(before)
    }
    usePrompts.setState({ [kind]: answer })
  })
  asking.set(kind, answered)
  return answered
}
