import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { insightsContract } from '../../contract.ts'

const WhyDialog = lazyComponent(() => import('./WhyDialog.tsx'))

/** Opens the explanation of why a campaign is behind; hidden without the right to read it. */
export function WhyButton({ campaign }: { campaign: { id: number; name: string } }) {
  const me = useCurrentUser()
  const [isOpen, setOpen] = useState(false)
  if (!me || !insightsContract.why.allow(me)) return null
  return (
    <>
      <Button variant="default" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Why?
      </Button>
      {isOpen && (
        <Suspense>
          <WhyDialog campaign={campaign} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
