import { and, eq, inArray, sql } from 'drizzle-orm'
import { hashSha256, randomToken } from '#core/secrets/secrets.ts'
import type { AppContext } from '#domains/app-context.ts'
import { ratingKeysTable } from '#domains/leads/rating/schema.ts'
import type { DeliveryResult, EmailMessage } from '#integrations/smtp/smtp.ts'
import { mailerNotConnected } from '#integrations/smtp/smtp.ts'
import { mailsTable } from '../schema.ts'
import { renderLeadEmail } from './email.ts'

type MailRow = typeof mailsTable.$inferSelect
/** A rating key: its size, and how long it is valid. Only the mail itself contains it. */
const ratingKeyBits = 128
const ratingKeyDays = 180

/**
 * Sends a queued mail at most once. Everything up to the mail server's "go ahead" can be repeated; then `handing` is committed,
 * and only the sender that commits it goes on. From then on only the server's response tells whether the mail arrived.
 */
export async function deliverMail(context: AppContext, mailId: number): Promise<DeliveryResult['outcome'] | 'nothing'> {
  const { db, mailer } = context
  const [mail] = await db
    .select()
    .from(mailsTable)
    .where(and(eq(mailsTable.id, mailId), eq(mailsTable.state, 'queued')))
  if (!mail) return 'nothing'
  if (!mailer.connected) {
    await db.update(mailsTable).set({ error: mailerNotConnected }).where(queuedMailCondition(mail))
    return 'nothing'
  }
  const key = randomToken(ratingKeyBits)
  const letter = await renderLeadEmail(context, mail, key)
  if ('unsent' in letter) {
    await db.update(mailsTable).set({ state: 'refused', error: letter.unsent }).where(queuedMailCondition(mail))
    return 'refused'
  }
  return await sendLeadEmail(context, mail, key, letter)
}

async function sendLeadEmail(
  context: AppContext,
  mail: MailRow,
  key: string,
  letter: EmailMessage,
): Promise<DeliveryResult['outcome']> {
  let isOurs = false
  const delivery = await context.mailer.send(letter, async () => {
    isOurs = await beginSending(context, mail, key)
    return isOurs
  })
  if (delivery.outcome === 'withdrawn') return 'withdrawn'
  // A mail that another sender has started is left alone. A sweep may have marked our own `uncertain`; the result overrides that.
  const row = isOurs
    ? and(eq(mailsTable.id, mail.id), inArray(mailsTable.state, ['handing', 'uncertain']))
    : queuedMailCondition(mail)
  const ended = () =>
    context.db.update(mailsTable).set(toMailUpdate(delivery)).where(row).returning({ id: mailsTable.id })
  if ((await ended()).length === 0) await ended() // the lead has just moved to another campaign, where the mail is a new row
  return delivery.outcome
}

/** Returns the mail's new columns. One that was not sent is queued again. */
function toMailUpdate(delivery: Exclude<DeliveryResult, { outcome: 'withdrawn' }>) {
  if (delivery.outcome === 'sent')
    return {
      state: 'sent' as const,
      sent_at: sql`now()`,
      error: null,
      relay_answer: delivery.answer?.slice(0, 500) ?? null,
    }
  const error = delivery.error.slice(0, 500)
  if (delivery.outcome === 'refused' || delivery.outcome === 'uncertain') return { state: delivery.outcome, error }
  return { state: 'queued' as const, handed_at: null, error }
}

/** Claims a mail. Returns true for exactly one of several senders; the mail's rating key is valid from this commit on. */
function beginSending(context: AppContext, mail: MailRow, key: string): Promise<boolean> {
  return context.db.transaction(async (tx) => {
    const begun = await tx
      .update(mailsTable)
      .set({ state: 'handing', handed_at: sql`now()`, error: null })
      .where(queuedMailCondition(mail))
      .returning({ campaign_id: mailsTable.campaign_id })
    const [ours] = begun
    if (!ours) return false
    const expires_at = new Date(Date.now() + ratingKeyDays * 86_400_000)
    await tx
      .insert(ratingKeysTable)
      .values({ ...ours, lead_id: mail.lead_id, mail_id: mail.id, key_hash: hashSha256(key), expires_at })
    return true
  })
}

/** A mail whose lead has moved since it was read stays queued, and is rendered again. */
const queuedMailCondition = ({ id, campaign_id }: MailRow) =>
  and(eq(mailsTable.id, id), eq(mailsTable.campaign_id, campaign_id), eq(mailsTable.state, 'queued'))
