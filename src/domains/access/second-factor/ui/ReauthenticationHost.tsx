import { Suspense, useEffect } from 'react'
import { setReauthentication } from '#ui/data/api.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { askToReauthenticate, useReauthentication } from './reauthentication.ts'

const ReauthenticationDialog = lazyComponent(() => import('./ReauthenticationDialog.tsx'))

/** Opens the reauthentication dialog for refused calls. Rendered once, outside all pages. */
export function ReauthenticationHost() {
  const { question } = useReauthentication()
  useEffect(() => setReauthentication(askToReauthenticate), [])
  return <Suspense>{question && <ReauthenticationDialog answer={question.answer} />}</Suspense>
}
