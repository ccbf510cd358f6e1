import { Suspense, useEffect } from 'react'
import { setReauthentication } from '#ui/data/api.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { askToReauthenticate, useReauthentication } from './reauthentication.ts'

const ReauthenticationDialog = lazyComponent(() => import('./ReauthenticationDialog.tsx'))

/** Where a refused call asks who is there. Once, around no page in particular. */
export function ReauthenticationHost() {
  const { question } = useReauthentication()
  useEffect(() => setReauthentication(askToReauthenticate), [])
  return <Suspense>{question && <ReauthenticationDialog answer={question.answer} />}</Suspense>
}
