import { IconHistory, IconPencil } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { useMe } from '#domains/access/ui/current-user.ts'
import { type Lead, leads } from '#domains/leads/contract.ts'
import { editLead } from '#domains/leads/form/contract.ts'
import { history } from '#domains/leads/history/contract.ts'
import { leadMails } from '#domains/leads/mail/contract.ts'
import { text } from '#ui/cells/cells.tsx'
import { useAction } from '#ui/data/useAction.ts'
import { useLeadDialogs } from '../LeadDialogs.tsx'
import type { Patch } from '../lead-mutations.ts'
import classes from './cells.module.css'
import { DeliveryMark } from './DeliveryMark.tsx'
import { SendButtons } from './SendButtons.tsx'

/** Editing the lead, what happened to it, and the mails that an agency sends by hand about a missed call. */
export function AdminActions({ lead, patch }: MoveProps) {
  const me = useMe()
  const open = useLeadDialogs()
  if (!history.read.allow(me)) return text(null)
  return (
    <span className={classes.actions}>
      {editLead.allow(me) && (
        <button type="button" aria-label="Edit Lead" title="Edit Lead" onClick={() => open('edit', lead)}>
          <IconPencil size={16} aria-hidden="true" />
        </button>
      )}
      <button type="button" aria-label="History" title="History" onClick={() => open('history', lead)}>
        <IconHistory size={16} aria-hidden="true" />
      </button>
      {lead.mail && <DeliveryMark mail={lead.mail} />}
      {lead.missed_call && leadMails.sendWarning.allow(me) && <SendButtons lead={lead} patch={patch} />}
    </span>
  )
}

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
