import { eq, sql } from 'drizzle-orm'
import { msPerDay } from '#contract/days.ts'
import type { Tx } from '#core/db/db.ts'
import { createOutbox, type DeferredRecipients, type SendPlan } from '#core/outbox/outbox.ts'
import { hashSha256, randomToken } from '#core/secrets/secrets.ts'
import type { AppContext } from '#domains/app-context.ts'
import { mailState } from '#domains/leads/labels.ts'
import { ratingKeysTable } from '#domains/leads/rating/schema.ts'
import { mailerNotConnected } from '#integrations/smtp/smtp.ts'
import { mailExpired, mailsTable } from '../schema.ts'
import { renderLeadEmail } from './email.ts'

type MailRow = typeof mailsTable.$inferSelect
/** A rating key: its size, and how long it is valid. Only the mail itself contains it. */
const ratingKeyBits = 128
const ratingKeyDays = 180

/** Sends the emails of leads. */
export const mailOutbox = createOutbox({
  table: mailsTable,
  states: { ...mailState, gone: mailState.failed },
  plan: planMail,
  // A mail whose lead has moved since it was read stays queued, and is rendered again.
  isUnchanged: ({ campaign_id }) => eq(mailsTable.campaign_id, campaign_id),
  ended: (result) =>
    result.outcome === 'sent'
      ? { relay_answer: result.answer?.slice(0, 500) ?? null, error: result.refused?.slice(0, 500) ?? null }
      : {},
  split: splitMail,
  expiry: {
    condition: sql`${mailsTable.created_at} < now() - interval '72 hours'`,
    error: mailExpired,
  },
  route: sql`'email'`,
})

async function planMail(context: AppContext, mail: MailRow): Promise<SendPlan> {
  if (!(await context.mailer.isConnected())) return { waits: mailerNotConnected }
  const key = randomToken(ratingKeyBits)
  const letter = await renderLeadEmail(context, mail, key)
  if ('unsent' in letter) return { fails: letter.unsent }
  return {
    send: (claim) => context.mailer.send(letter, claim),
    // The rating key is valid from the claim on.
    claimed: (tx) =>
      tx.insert(ratingKeysTable).values({
        ...{ campaign_id: mail.campaign_id, lead_id: mail.lead_id, mail_id: mail.id, client_id: mail.client_id },
        key_hash: hashSha256(key),
        expires_at: new Date(Date.now() + ratingKeyDays * msPerDay),
      }),
  }
}

/** Queues a mail of their own for deferred recipients. It needs no job: the sweep sends whatever is queued. */
async function splitMail(tx: Tx, id: number, { recipients, error }: DeferredRecipients) {
  const [mail] = await tx
    .update(mailsTable)
    .set({
      recipients: sql`array(select one from unnest(recipients) one where one <> all(${sql.param(recipients)}))`,
    })
    .where(eq(mailsTable.id, id))
    .returning()
  if (!mail) return
  const { lead_id, campaign_id, client_id, kind, requested_by } = mail
  await tx.insert(mailsTable).values({
    ...{ lead_id, campaign_id, client_id, kind, requested_by, recipients, error },
    again_of: mail.again_of ?? mail.id,
  })
}
