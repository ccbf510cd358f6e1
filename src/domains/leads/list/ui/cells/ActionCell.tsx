import { Menu } from '@mantine/core'
import {
  IconAlertTriangle,
  IconBan,
  IconHistory,
  IconMailCheck,
  IconMailForward,
  IconMailOff,
  IconMailQuestion,
  IconMailShare,
  IconMailX,
  IconPencil,
} from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { type Lead, leadsContract } from '#domains/leads/contract.ts'
import { useSpamActions } from '#domains/leads/detail/ui/spam-actions.ts'
import { editLeadEndpoint } from '#domains/leads/form/contract.ts'
import { leadHistoryContract } from '#domains/leads/history/contract.ts'
import { type MailState, mailKindTitles, mailState, mailStateTitles } from '#domains/leads/labels.ts'
import { leadMailsContract } from '#domains/leads/mail/contract.ts'
import { leadSpamContract } from '#domains/leads/spam/contract.ts'
import { textCell } from '#ui/cells/cells.tsx'
import { formatInstant } from '#ui/cells/timestamps.ts'
import { loadWhenOnline } from '#ui/data/lazy-part.ts'
import { useAction } from '#ui/data/useAction.ts'
import text from '#ui/theme/text.module.css'
import { useOpenLeadDialog } from '../LeadDialogs.tsx'
import type { PatchLead } from '../lead-mutations.ts'
import classes from './cells.module.css'

/** Buttons to edit the lead, see its history, mark it as spam, and send emails about a missed call. */
export function AdminLeadActions({ lead, patch, isPane }: LeadActionProps & { isPane?: boolean }) {
  const me = useCurrentUser()
  const open = useOpenLeadDialog()
  if (!leadHistoryContract.read.allow(me)) return textCell(null)
  return (
    <span className={classes.actions} data-unprinted>
      {editLeadEndpoint.allow(me) && (
        <button type="button" data-hover aria-label="Edit Lead" title="Edit Lead" onClick={() => open('edit', lead)}>
          <IconPencil size={16} aria-hidden="true" />
        </button>
      )}
      <button type="button" data-hover aria-label="History" title="History" onClick={() => open('history', lead)}>
        <IconHistory size={16} aria-hidden="true" />
      </button>
      {!isPane && leadSpamContract.mark.allow(me) && <SpamMenu lead={lead} patch={patch} />}
      {lead.mail && <MailStateIcon mail={lead.mail} />}
      {lead.missed_call && leadMailsContract.sendWarning.allow(me) && <SendMailButtons lead={lead} patch={patch} />}
    </span>
  )
}

/** A menu to mark a lead as spam, or to undo that. */
function SpamMenu({ lead, patch }: LeadActionProps) {
  const { mark, unmark } = useSpamActions(patch)
  // People who may not read tags are offered both.
  const isSpam = lead.tags?.some(({ name }) => name === 'Spam')
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <button type="button" data-hover aria-label="Spam" title="Spam">
          <IconBan size={16} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {isSpam !== false && <Menu.Item onClick={() => void unmark(lead)}>Not spam</Menu.Item>}
        {!isSpam && <Menu.Item onClick={() => void mark(lead)}>Spam</Menu.Item>}
        <Menu.Item onClick={() => void mark(lead, true)}>Spam, and block sender</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

type LeadActionProps = { lead: Lead; patch: PatchLead }

const archiveHint = 'The agency sees the archive as well.'

/** Archives the lead, which leaves the list at once. */
export function ArchiveLeadButton({ lead, patch }: LeadActionProps) {
  const me = useCurrentUser()
  const back = useAction(leadsContract.unarchive, { optimistic: ({ params }) => patch(params.id, { archived: 0 }) })
  const { run } = useAction(leadsContract.archive, {
    optimistic: ({ params }) => patch(params.id, { archived: 1 }),
    success: () => `${leadsContract.archive.success}. ${archiveHint}`,
    undo: leadsContract.unarchive.allow(me) ? (input) => void back.run(input) : undefined,
  })
  if (!leadsContract.archive.allow(me)) return null
  return <MoveLeadButton label="Archive" hint={archiveHint} move={() => void run({ params: { id: lead.id } })} />
}

/** Moves the lead back to the list. */
export function UnarchiveLeadButton({ lead, patch }: LeadActionProps) {
  const me = useCurrentUser()
  const back = useAction(leadsContract.archive, { optimistic: ({ params }) => patch(params.id, { archived: 1 }) })
  const { run } = useAction(leadsContract.unarchive, {
    optimistic: ({ params }) => patch(params.id, { archived: 0 }),
    undo: leadsContract.archive.allow(me) ? (input) => void back.run(input) : undefined,
  })
  if (!leadsContract.unarchive.allow(me)) return null
  return <MoveLeadButton label="Unarchive" move={() => void run({ params: { id: lead.id } })} />
}

function MoveLeadButton({ label, hint, move }: { label: string; hint?: string; move: () => void }) {
  // Ignores the second click of a double click: it would hit the row that has moved up.
  const once = (event: MouseEvent) => event.detail < 2 && move()
  return (
    <span className={classes.actions} data-unprinted>
      <button type="button" data-hover title={hint} onClick={once}>
        {label}
      </button>
    </span>
  )
}

const mailStateIcons = {
  [mailState.queued]: IconMailForward,
  [mailState.sending]: IconMailForward,
  [mailState.sent]: IconMailCheck,
  [mailState.unknown]: IconMailQuestion,
  [mailState.failed]: IconMailX,
  [mailState.cancelled]: IconMailOff,
} as const

/** What someone has to look into. */
const mailStateKinds: { [State in MailState]?: 'warn' | 'bad' } = {
  [mailState.unknown]: 'warn',
  [mailState.failed]: 'bad',
}

/** Shows the state of the lead's latest mail. */
function MailStateIcon({ mail: { kind, state, at, error } }: { mail: NonNullable<Lead['mail']> }) {
  const Icon = mailStateIcons[state]
  const said = `${mailKindTitles[kind]} ${mailStateTitles[state]}, ${formatInstant(at)}${error ? `: ${error}` : ''}`
  return (
    <span role="img" aria-label={said} title={said} className={classes.delivery} data-kind={mailStateKinds[state]}>
      <Icon size={16} aria-hidden="true" />
    </span>
  )
}

/** Buttons to mail the client about a missed call. The row shows at once that the mail is being sent, and soon the outcome. */
function SendMailButtons({ lead, patch }: { lead: Lead; patch: PatchLead }) {
  const warning = useAction(leadMailsContract.sendWarning)
  const notification = useAction(leadMailsContract.sendNotification)

  async function send({ run }: typeof warning) {
    const outcome = await run({ params: { id: lead.id } })
    if (!outcome.done) return
    patch(lead.id, { mail: outcome.answer.mail })
    const { pollMailState } = await loadWhenOnline(() => import('./poll-mail-state.ts'))
    void pollMailState(lead.id, patch)
  }
  return (
    <span className={classes.actions} data-unprinted>
      <button
        type="button"
        data-hover
        title="Send Warning"
        disabled={warning.running}
        onClick={() => void send(warning)}
      >
        <IconAlertTriangle size={16} aria-hidden="true" />
        <span className={text.unseen}>Send Warning</span>
      </button>
      <button
        type="button"
        data-hover
        title="Resend Notification"
        disabled={notification.running}
        onClick={() => void send(notification)}
      >
        <IconMailShare size={16} aria-hidden="true" />
        <span className={text.unseen}>Resend Notification</span>
      </button>
    </span>
  )
}
