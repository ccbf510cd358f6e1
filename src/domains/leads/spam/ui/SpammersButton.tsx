import { Button } from '@mantine/core'
import { Suspense } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useHeldKeys } from '#ui/layout/held-keys.ts'
import { useDialog } from '#ui/layout/useDialog.ts'
import { spamContract } from '../contract.ts'

const SpammersDialog = lazyComponent(() => import('./SpammersDialog.tsx'))

/** Opens the people whose calls and forms are tagged Autospam and hidden. */
export function SpammersButton() {
  const dialog = useDialog<true>()
  useHeldKeys(dialog.opened, dialog.close)
  if (!spamContract.addSpammer.allow(useCurrentUser())) return null
  return (
    <>
      <Button variant="default" onClick={() => dialog.open(true)}>
        Spammers
      </Button>
      {dialog.subject && (
        <Suspense>
          <SpammersDialog opened={dialog.opened} onClose={dialog.close} />
        </Suspense>
      )}
    </>
  )
}
