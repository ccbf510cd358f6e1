import type { Lead } from '#domains/leads/contract.ts'
import { useLeadDialogs } from '../LeadDialogs.tsx'
import classes from './cells.module.css'

/** Opens the leads of the same person. */
export function RelatedButton({ lead }: { lead: Lead }) {
  const open = useLeadDialogs()
  return (
    <span className={classes.actions}>
      <button type="button" onClick={() => open('related', lead)}>
        Related Leads
      </button>
    </span>
  )
}
