import { and, asc, eq, lt, sql } from 'drizzle-orm'
import type { AppContext } from '#domains/app-context.ts'
import { mailsTable } from '../schema.ts'
import { deliverMail } from './deliver.ts'

/** Sending never takes longer: a sender of a mail that has been `handing` since then has died. */
const sendingDeadline = sql`now() - interval '2 minutes'`
/** A mail that was queued before then is too old to send. */
const queueDeadline = sql`now() - interval '72 hours'`

/** Marks mails of dead senders as uncertain, and retries queued mails until the server is unreachable or the process stops. */
export async function retryMails(context: AppContext): Promise<void> {
  await expireMails(context)
  if (!context.mailer.connected) return
  const waiting = await context.db
    .select({ id: mailsTable.id })
    .from(mailsTable)
    .where(and(eq(mailsTable.state, 'queued'), lt(mailsTable.created_at, sql`now() - interval '30 seconds'`)))
    .orderBy(asc(mailsTable.id))
    .limit(500)
  for (const { id } of waiting) {
    if (context.jobs.stopping.aborted) return
    if ((await deliverMail(context, id)) === 'unreachable') return
  }
}

/** Ends stuck mails. One that may have arrived becomes `uncertain` and is never sent again automatically. */
export async function expireMails({ db }: AppContext): Promise<void> {
  await db
    .update(mailsTable)
    .set({ state: 'uncertain', error: 'Interrupted while sending; it may have arrived' })
    .where(and(eq(mailsTable.state, 'handing'), lt(mailsTable.handed_at, sendingDeadline)))
  await db
    .update(mailsTable)
    .set({ state: 'refused', error: sql`'Could not be sent within 72 hours' || coalesce(': ' || error, '')` })
    .where(and(eq(mailsTable.state, 'queued'), lt(mailsTable.created_at, queueDeadline)))
}
