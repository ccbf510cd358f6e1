import { and, asc, eq, lt, sql } from 'drizzle-orm'
import { type AppContext, defineJob } from '#domains/app-context.ts'
import { messagesTable } from '../schema.ts'
import { deliverMessage } from './deliver.ts'

/** Sends one message as soon as it is queued; the first few tries are seconds apart. */
export const sendMessageJob = defineJob<{ messageId: number }>({
  name: 'send-message',
  concurrency: 4,
  retries: 3,
  run: async (context, { messageId }) => {
    const outcome = await deliverMessage(context, messageId)
    if (outcome === 'unreachable' || outcome === 'deferred')
      throw new Error('The message could not be sent; it stays queued')
  },
})

/** Retries queued messages, marks those whose sender died as uncertain, and ends those that expired. */
const messagesSweepJob = defineJob({ name: 'messages-sweep', cron: '* * * * *', run: retryMessages })

export const messageJobs = [sendMessageJob, messagesSweepJob]

/** Retries queued messages until the process stops: emails until the mail server is unreachable, as each attempt may take seconds. */
export async function retryMessages(context: AppContext): Promise<void> {
  await endOldMessages(context)
  const queued = await context.db
    .select({ id: messagesTable.id, channel: messagesTable.channel })
    .from(messagesTable)
    .where(and(eq(messagesTable.state, 'queued'), lt(messagesTable.created_at, sql`now() - interval '30 seconds'`)))
    .orderBy(asc(messagesTable.id))
    .limit(200)
  let isMailerAway = false
  for (const { id, channel } of queued) {
    if (context.jobs.stopping.aborted) return
    if (channel === 'email' && isMailerAway) continue
    const outcome = await tryDeliverMessage(context, id)
    if (channel === 'email' && outcome === 'unreachable') isMailerAway = true
  }
}

/** A message that cannot be sent, such as one encrypted with another key, does not hold up the others. */
async function tryDeliverMessage(context: AppContext, id: number) {
  try {
    return await deliverMessage(context, id)
  } catch (error) {
    context.log.error({ err: error, message: id }, 'a message could not be sent')
    return 'nothing'
  }
}

async function endOldMessages({ db }: AppContext): Promise<void> {
  await db
    .update(messagesTable)
    .set({ state: 'uncertain', error: 'Interrupted while it was sent; it may have arrived', content: null })
    .where(and(eq(messagesTable.state, 'sending'), lt(messagesTable.sending_at, sql`now() - interval '2 minutes'`)))
  await db
    .update(messagesTable)
    .set({ state: 'refused', error: sql`'Could not be sent in time' || coalesce(': ' || error, '')`, content: null })
    .where(and(eq(messagesTable.state, 'queued'), lt(messagesTable.expires_at, sql`now()`)))
}
