import type { MouseEvent } from 'react'
import { text } from '#web/cells.tsx'
import { useMe } from '#web/me.ts'
import { useAction } from '#web/useAction.ts'
import { EditLead } from '../adding/LeadDialog.tsx'
import { type Lead, leads } from '../contract.ts'
import { leadMails } from '../mails/contract.ts'
import classes from './cells.module.css'

/** Editing the lead, and the mails that an agency sends by hand about a missed call. */
export function AdminActions({ lead }: { lead: Lead }) {
  const me = useMe()
  if (!leadMails.sendWarning.allow(me)) return text(null)
  return (
    <span className={classes.actions}>
      <EditLead lead={lead} />
      {lead.missed_call && <Mails lead={lead} />}
    </span>
  )
}

function Mails({ lead }: { lead: Lead }) {
  const warning = useAction(leadMails.sendWarning)
  const notification = useAction(leadMails.sendNotification)
  const input = { params: { id: lead.id } }
  return (
    <span className={classes.actions}>
      <button type="button" disabled={warning.running} onClick={() => void warning.run(input)}>
        Send Warning
      </button>
      <button type="button" disabled={notification.running} onClick={() => void notification.run(input)}>
        Resend Notification
      </button>
    </span>
  )
}

type Patch = (id: number, fields: Partial<Lead>) => () => void
type MoveProps = { lead: Lead; patch: Patch }

const both = 'The agency sees the archive as well.'

/** Takes the lead out of the list at once. */
export function Archive({ lead, patch }: MoveProps) {
  const me = useMe()
  const back = useAction(leads.unarchive, { optimistic: ({ params }) => patch(params.id, { archived: 0 }) })
  const { run } = useAction(leads.archive, {
    optimistic: ({ params }) => patch(params.id, { archived: 1 }),
    says: () => `${leads.archive.says}. ${both}`,
    undo: leads.unarchive.allow(me) ? (input) => void back.run(input) : undefined,
  })
  return <MoveButton label="Archive" says={both} move={() => void run({ params: { id: lead.id } })} />
}

/** Brings the lead back to the list. */
export function Unarchive({ lead, patch }: MoveProps) {
  const me = useMe()
  const back = useAction(leads.archive, { optimistic: ({ params }) => patch(params.id, { archived: 1 }) })
  const { run } = useAction(leads.unarchive, {
    optimistic: ({ params }) => patch(params.id, { archived: 0 }),
    undo: leads.archive.allow(me) ? (input) => void back.run(input) : undefined,
  })
  return <MoveButton label="Unarchive" move={() => void run({ params: { id: lead.id } })} />
}

function MoveButton({ label, says, move }: { label: string; says?: string; move: () => void }) {
  // The second click of a double click meets the row that has moved up.
  const once = (event: MouseEvent) => event.detail < 2 && move()
  return (
    <span className={classes.actions}>
      <button type="button" title={says} onClick={once}>
        {label}
      </button>
    </span>
  )
}
