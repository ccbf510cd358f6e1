import { Button } from '@mantine/core'
import type { Lead } from '#domains/leads/contract.ts'
import { useEditLead } from '../LeadEditing.tsx'
import classes from './cells.module.css'

/** Verifies the lead, or takes that back. `hint` names its key, which only verifies. */
export function VerifyButton({ lead, hint }: { lead: Lead; hint?: string }) {
  const edit = useEditLead()
  const isVerified = lead.confirmed === 1
  return (
    <Button
      size={hint ? 'compact-sm' : 'sm'}
      variant={isVerified ? 'light' : 'filled'}
      aria-pressed={isVerified}
      title={isVerified ? 'Click to take it back' : undefined}
      rightSection={hint && <KeyHint letter={hint} />}
      onClick={() => edit(lead, 'confirmed', isVerified ? 0 : 1)}
    >
      {isVerified ? 'Verified' : 'Verify'}
    </Button>
  )
}

/** The key of a button; the list of shortcuts tells a screen reader. */
export const KeyHint = ({ letter }: { letter: string }) => (
  <span className={classes.key} aria-hidden="true">
    {letter}
  </span>
)
