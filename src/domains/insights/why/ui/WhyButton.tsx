import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { insightsContract } from '../../contract.ts'
import classes from '../../ui/Insights.module.css'

const WhyDialog = lazyComponent(() => import('./WhyDialog.tsx'))

type WhyButtonProps = {
  campaign: { id: number; name: string }
  /** In a table, where a button would be too loud. */
  isLink?: boolean
}

/** Opens the explanation of why a campaign is behind; hidden without the right to read it. */
export function WhyButton({ campaign, isLink }: WhyButtonProps) {
  const me = useCurrentUser()
  const [isOpen, setOpen] = useState(false)
  if (!me || !insightsContract.why.allow(me)) return null
  return (
    <>
      {isLink ? (
        <button
          type="button"
          className={classes.plain}
          data-link
          aria-label={`Why is ${campaign.name} behind?`}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          Why?
        </button>
      ) : (
        <Button variant="default" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          Why?
        </Button>
      )}
      {isOpen && (
        <Suspense>
          <WhyDialog campaign={campaign} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
