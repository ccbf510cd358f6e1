import { and, eq, inArray, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { randomToken, sha256 } from '#core/secrets/secrets.ts'
import { ratingKeys } from '#domains/leads/rating/schema.ts'
import type { Delivery, Letter } from '#integrations/smtp/smtp.ts'
import { notConnected } from '#integrations/smtp/smtp.ts'
import { mails } from '../schema.ts'
import { letterOf } from './email.ts'

type Mail = typeof mails.$inferSelect
/** How a rating key of a mail lives: 128 random bits, known to the mail alone. */
const keyBits = 128
const keyDays = 180

/**
 * Hands a waiting mail over, once. Everything up to the mail server's "go ahead" can be repeated; then `handing` is committed,
 * and whoever does not commit it sends nothing. From there on only the server's answer, or nobody, knows whether it arrived.
 */
export async function deliver(house: House, mailId: number): Promise<Delivery['outcome'] | 'nothing'> {
  const { db, mailer } = house
  const [mail] = await db
    .select()
    .from(mails)
    .where(and(eq(mails.id, mailId), eq(mails.state, 'queued')))
  if (!mail) return 'nothing'
  if (!mailer.connected) {
    await db.update(mails).set({ error: notConnected }).where(isQueued(mail))
    return 'nothing'
  }
  const key = randomToken(keyBits)
  const letter = await letterOf(house, mail, key)
  if (!letter) {
    const error = 'The lead was hidden before the mail went out'
    await db.update(mails).set({ state: 'refused', error }).where(isQueued(mail))
    return 'refused'
  }
  return await send(house, mail, key, letter)
}

async function send(house: House, mail: Mail, key: string, letter: Letter): Promise<Delivery['outcome']> {
  let isOurs = false
  const delivery = await house.mailer.send(letter, async () => {
    isOurs = await beginHanding(house, mail, key)
    return isOurs
  })
  if (delivery.outcome === 'withdrawn') return 'withdrawn'
  // What another sender has begun is theirs to end. Of ours a sweep may have said "uncertain" meanwhile; we know better.
  const row = isOurs ? and(eq(mails.id, mail.id), inArray(mails.state, ['handing', 'uncertain'])) : isQueued(mail)
  const ended = () => house.db.update(mails).set(after(delivery)).where(row).returning({ id: mails.id })
  if ((await ended()).length === 0) await ended() // its lead was just given to another campaign, where the mail is another row
  return delivery.outcome
}

/** What becomes of a mail. One that did not go out waits again. */
function after(delivery: Exclude<Delivery, { outcome: 'withdrawn' }>) {
  if (delivery.outcome === 'sent') return { state: 'sent' as const, sent_at: sql`now()`, error: null }
  const error = delivery.error.slice(0, 500)
  if (delivery.outcome === 'refused' || delivery.outcome === 'uncertain') return { state: delivery.outcome, error }
  return { state: 'queued' as const, handed_at: null, error }
}

/** True for exactly one of however many try; the key in the letter opens its lead from this commit on. */
function beginHanding(house: House, mail: Mail, key: string): Promise<boolean> {
  return house.db.transaction(async (tx) => {
    const begun = await tx
      .update(mails)
      .set({ state: 'handing', handed_at: sql`now()`, error: null })
      .where(isQueued(mail))
      .returning({ campaign_id: mails.campaign_id })
    const [ours] = begun
    if (!ours) return false
    const expires_at = new Date(Date.now() + keyDays * 86_400_000)
    await tx
      .insert(ratingKeys)
      .values({ ...ours, lead_id: mail.lead_id, mail_id: mail.id, key_hash: sha256(key), expires_at })
    return true
  })
}

const isQueued = (mail: Mail) => and(eq(mails.id, mail.id), eq(mails.state, 'queued'))
