import { and, asc, eq, lt, sql } from 'drizzle-orm'
import type { House } from '#core/app-context.ts'
import { mails } from '../schema.ts'
import { deliver } from './deliver.ts'

/** Nobody hands a mail over for longer: whoever said so and is silent since has died. */
const longestHanding = sql`now() - interval '2 minutes'`
/** News of a lead is not worth sending any more. */
const oldest = sql`now() - interval '72 hours'`

/** What a dead sender left is called uncertain; what still waits is tried again, until the first sign that the server is away. */
export async function retryMails(house: House): Promise<void> {
  await giveUp(house)
  if (!house.mailer.connected) return
  const waiting = await house.db
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.state, 'queued'), lt(mails.created_at, sql`now() - interval '30 seconds'`)))
    .orderBy(asc(mails.id))
    .limit(500)
  for (const { id } of waiting) if ((await deliver(house, id)) === 'unreachable') return
}

/** A mail that may have arrived is shown as such and never sent again by itself. */
export async function giveUp({ db }: House): Promise<void> {
  await db
    .update(mails)
    .set({ state: 'uncertain', error: 'Interrupted while it was handed over; it may have arrived' })
    .where(and(eq(mails.state, 'handing'), lt(mails.handed_at, longestHanding)))
  await db
    .update(mails)
    .set({ state: 'refused', error: sql`'Could not be sent within 72 hours' || coalesce(': ' || error, '')` })
    .where(and(eq(mails.state, 'queued'), lt(mails.created_at, oldest)))
}
