import type { Lead } from '#domains/leads/contract.ts'
import { useOpenLeadDialog } from '../LeadDialogs.tsx'
import classes from './cells.module.css'

/** Opens the leads of the same person. */
export function RelatedLeadsButton({ lead }: { lead: Lead }) {
  const open = useOpenLeadDialog()
  return (
    <span className={classes.actions} data-unprinted>
      <button type="button" onClick={() => open('related', lead)}>
        Related Leads
      </button>
    </span>
  )
}
