import type { Lead } from '#domains/leads/contract.ts'
import { CopyButton, text } from '#ui/cells/cells.tsx'
import classes from './cells.module.css'

export function EmailCell({ lead: { lead_email } }: { lead: Lead }) {
  if (!lead_email) return text(null)
  return (
    <span className={classes.contact}>
      <a href={`mailto:${lead_email}`} title={lead_email}>
        {lead_email}
      </a>
      <CopyButton value={lead_email} what="email" />
    </span>
  )
}

type PhoneProps = { lead: Lead; showFirstCalls: (() => void) | undefined }

/** The badge of a first call leads to all first calls. */
export function PhoneCell({ lead: { lead_phone, first_call }, showFirstCalls }: PhoneProps) {
  if (!lead_phone) return text(null)
  return (
    <>
      <span className={classes.contact}>
        <a href={`tel:${lead_phone.replace(/[^\d+*#,;]/g, '')}`}>{lead_phone}</a>
        <CopyButton value={lead_phone} what="phone" />
      </span>
      {first_call && (
        <button
          type="button"
          className={classes.firstCall}
          title={showFirstCalls && 'Show first calls only'}
          disabled={!showFirstCalls}
          onClick={showFirstCalls}
        >
          First Call
        </button>
      )}
    </>
  )
}
