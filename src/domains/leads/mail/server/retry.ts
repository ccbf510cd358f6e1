import { and, asc, eq, lt, sql } from 'drizzle-orm'
import type { AppContext } from '#domains/app-context.ts'
import { mailsTable } from '../schema.ts'
import { deliverMail } from './deliver.ts'

/** Nobody hands a mail over for longer: whoever said so and is silent since has died. */
const sendingDeadline = sql`now() - interval '2 minutes'`
/** News of a lead is not worth sending any more. */
const queueDeadline = sql`now() - interval '72 hours'`

/** What a dead sender left is called uncertain; what still waits is tried again, until the first sign that the server is away. */
export async function retryMails(context: AppContext): Promise<void> {
  await expireMails(context)
  if (!context.mailer.connected) return
  const waiting = await context.db
    .select({ id: mailsTable.id })
    .from(mailsTable)
    .where(and(eq(mailsTable.state, 'queued'), lt(mailsTable.created_at, sql`now() - interval '30 seconds'`)))
    .orderBy(asc(mailsTable.id))
    .limit(500)
  for (const { id } of waiting) if ((await deliverMail(context, id)) === 'unreachable') return
}

/** A mail that may have arrived is shown as such and never sent again by itself. */
export async function expireMails({ db }: AppContext): Promise<void> {
  await db
    .update(mailsTable)
    .set({ state: 'uncertain', error: 'Interrupted while it was handed over; it may have arrived' })
    .where(and(eq(mailsTable.state, 'handing'), lt(mailsTable.handed_at, sendingDeadline)))
  await db
    .update(mailsTable)
    .set({ state: 'refused', error: sql`'Could not be sent within 72 hours' || coalesce(': ' || error, '')` })
    .where(and(eq(mailsTable.state, 'queued'), lt(mailsTable.created_at, queueDeadline)))
}
