import { IconAlertTriangle, IconMailShare } from '@tabler/icons-react'
import type { Lead } from '#domains/leads/contract.ts'
import { leadHistoryContract } from '#domains/leads/history/contract.ts'
import { mailState } from '#domains/leads/labels.ts'
import { leadMailsContract } from '#domains/leads/mail/contract.ts'
import { callApi } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import text from '#ui/theme/text.module.css'
import type { PatchLead } from '../lead-mutations.ts'
import classes from './cells.module.css'

/** Buttons to mail the client about a missed call. The row shows at once that the mail is being sent, and soon the outcome. */
export function SendMailButtons({ lead, patch }: { lead: Lead; patch: PatchLead }) {
  const warning = useAction(leadMailsContract.sendWarning)
  const notification = useAction(leadMailsContract.sendNotification)

  async function send({ run }: typeof warning) {
    const outcome = await run({ params: { id: lead.id } })
    if (!outcome.done) return
    patch(lead.id, { mail: outcome.answer.mail })
    void pollMailState(lead.id, patch)
  }
  return (
    <span className={classes.actions} data-unprinted>
      <button type="button" title="Send Warning" disabled={warning.running} onClick={() => void send(warning)}>
        <IconAlertTriangle size={16} aria-hidden="true" />
        <span className={text.unseen}>Send Warning</span>
      </button>
      <button
        type="button"
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

/** Seconds between polls. A mail that takes longer shows its outcome with the next reload. */
const pollDelays = [1, 2, 4, 8, 15]

async function pollMailState(id: number, patch: PatchLead) {
  for (const seconds of pollDelays) {
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    // After a failure the next poll tries again.
    const [latest] = (await callApi(leadHistoryContract.read, { params: { id } }).catch(() => null))?.mails ?? []
    if (!latest || latest.state === mailState.queued || latest.state === mailState.sending) continue
    const { kind, state, created_at, sent_at, error } = latest
    patch(id, { mail: { kind, state, at: sent_at ?? created_at, ...(error && { error }) } })
    return
  }
}
