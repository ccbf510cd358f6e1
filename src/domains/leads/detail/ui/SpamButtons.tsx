import { Button } from '@mantine/core'
import type { Lead } from '#domains/leads/contract.ts'
import { hasSpamTag } from '#domains/leads/labels.ts'
import type { PatchLead } from '#domains/leads/list/ui/lead-mutations.ts'
import { useSpamActions } from './spam-actions.ts'

/** Buttons to mark the lead as spam, to undo that, and to block the sender. */
export function SpamButtons({ lead, patch }: { lead: Lead; patch: PatchLead }) {
  const { mark, unmark } = useSpamActions(patch)
  const isSpam = hasSpamTag(lead)
  return (
    <>
      <Button
        size="compact-sm"
        variant={isSpam ? 'light' : 'default'}
        color={isSpam ? 'red' : undefined}
        aria-pressed={isSpam}
        onClick={() => void (isSpam ? unmark(lead) : mark(lead))}
      >
        Spam
      </Button>
      {!isSpam && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          title="Marks it as spam, and adds phone and email to the spammers"
          onClick={() => void mark(lead, true)}
        >
          Block sender
        </Button>
      )}
    </>
  )
}
