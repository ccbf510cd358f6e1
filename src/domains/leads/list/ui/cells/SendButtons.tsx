import type { Lead } from '#domains/leads/contract.ts'
import { history } from '#domains/leads/history/contract.ts'
import { leadMails } from '#domains/leads/mail/contract.ts'
import { call } from '#ui/data/api.ts'
import { useAction } from '#ui/data/useAction.ts'
import type { Patch } from '../lead-mutations.ts'
import classes from './cells.module.css'

/** Mails the client about a missed call. The row says at once that the mail is on its way, and soon what became of it. */
export function SendButtons({ lead, patch }: { lead: Lead; patch: Patch }) {
  const warning = useAction(leadMails.sendWarning)
  const notification = useAction(leadMails.sendNotification)

  async function send({ run }: typeof warning) {
    const outcome = await run({ params: { id: lead.id } })
    if (!outcome.done) return
    patch(lead.id, { mail: outcome.answer.mail })
    void follow(lead.id, patch)
  }
  return (
    <span className={classes.actions}>
      <button type="button" disabled={warning.running} onClick={() => void send(warning)}>
        Send Warning
      </button>
      <button type="button" disabled={notification.running} onClick={() => void send(notification)}>
        Resend Notification
      </button>
    </span>
  )
}

/** Seconds until one looks again. A mail server takes a moment; one that takes longer is told of by the next reading. */
const looks = [1, 2, 4, 8, 15]

async function follow(id: number, patch: Patch) {
  for (const seconds of looks) {
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    // Without an answer the next look asks again.
    const [latest] = (await call(history.read, { params: { id } }).catch(() => null))?.mails ?? []
    if (!latest || latest.state === 'queued' || latest.state === 'handing') continue
    const { kind, state, created_at, sent_at, error } = latest
    patch(id, { mail: { kind, state, at: sent_at ?? created_at, ...(error && { error }) } })
    return
  }
}
