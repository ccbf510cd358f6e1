import type { Lead } from '#domains/leads/contract.ts'
import { textCell } from '#ui/cells/cells.tsx'
import { PhoneCell } from '#ui/cells/PhoneCell.tsx'
import classes from './cells.module.css'

type LeadPhoneCellProps = { lead: Lead; showFirstCalls: (() => void) | undefined }

/** A phone with the badge of a first call, which filters by first calls. */
export function LeadPhoneCell({ lead: { lead_phone, first_call }, showFirstCalls }: LeadPhoneCellProps) {
  if (!lead_phone) return textCell(null)
  return (
    <div className={classes.phone}>
      <PhoneCell phone={lead_phone} />
      {first_call && (
        <button
          type="button"
          className={classes.firstCall}
          data-link
          title={showFirstCalls && 'Show first calls only'}
          disabled={!showFirstCalls}
          onClick={showFirstCalls}
        >
          First Call
        </button>
      )}
    </div>
  )
}
