import { setTimeout as pause } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import type { AppContext } from '#domains/app-context.ts'
import { webhookChannel } from '../labels.ts'
import { webhookMessagesTable, webhooksTable } from '../schema.ts'
import { deliverMessage, type WebhookMessage } from './deliver.ts'

/** Messages that one process sends to one receiver at a time. Receivers do not share it, so a dead one holds back no other. */
const maxInFlight = 5
/** A message whose sender died is taken by another after this: longer than a try lasts. */
const leaseSeconds = 30
const idleMs = 10_000
const retryMs = 1000

/**
 * Sends what waits in the outbox for as long as this process lives. The table is the queue: a sender leases a message, and one that is
 * killed leaves it there. The commit that writes a message wakes the senders; after a gap they look by themselves.
 */
export function startWebhookSender(context: AppContext): { stop(): Promise<void> } {
  let isStopping = false
  const inFlight = new Map<number, Set<Promise<void>>>()
  let alarm = new AbortController()
  const wake = () => alarm.abort()

  const send = (webhookId: number, message: WebhookMessage) => {
    const own = inFlight.get(webhookId) ?? new Set()
    inFlight.set(webhookId, own)
    const sending = deliverMessage(context, message)
      .catch((error) => context.log.warn({ err: error, message: message.message_id }, 'webhook message waits'))
      .finally(() => {
        own.delete(sending)
        wake()
      })
    own.add(sending)
  }

  /** Sends what is due. Returns in how many milliseconds there may be more. */
  const sendDue = async (): Promise<number> => {
    let next = idleMs
    for (const { id, wait } of await readWaitingWebhooks(context)) {
      const free = maxInFlight - (inFlight.get(id)?.size ?? 0)
      if (free === 0) continue // the end of one of them wakes it
      const leased = wait > 0 ? [] : await leaseMessages(context, id, free)
      for (const message of leased) send(id, message)
      next = Math.min(next, Math.max(wait, leased.length === free ? 0 : retryMs))
    }
    return next
  }

  const work = async () => {
    while (!isStopping) {
      alarm = new AbortController()
      const next = await sendDue().catch((error) => {
        context.log.warn({ err: error }, 'webhook messages wait')
        return retryMs
      })
      if (!isStopping) await pause(next, undefined, { signal: alarm.signal }).catch(() => {})
    }
    await Promise.all([...inFlight.values()].flatMap((own) => [...own]))
  }
  const unsubscribe = context.live.on(webhookChannel, wake)
  const running = work()
  return {
    stop: async () => {
      unsubscribe()
      isStopping = true
      wake()
      await running
    },
  }
}

/** Returns the active webhooks with something to send, and in how many milliseconds the first of it is due. */
async function readWaitingWebhooks({ db }: AppContext): Promise<{ id: number; wait: number }[]> {
  const { rows } = await db.execute<{ id: number; wait: number | null }>(sql`
    select id, (
      select extract(epoch from due_at - now())::float8 * 1000 from ${webhookMessagesTable} message
      where message.webhook_id = webhook.id and message.state = 'waiting' order by message.due_at limit 1
    ) as wait from ${webhooksTable} webhook where active`)
  return rows.flatMap(({ id, wait }) => (wait === null ? [] : [{ id, wait }]))
}

/** Takes messages that are due, and of each subject only the first that waits. */
async function leaseMessages({ db }: AppContext, webhookId: number, count: number): Promise<WebhookMessage[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select id from ${webhookMessagesTable} message
    where webhook_id = ${webhookId} and state = 'waiting' and due_at <= now() and not exists (
      select from ${webhookMessagesTable} earlier where earlier.webhook_id = message.webhook_id
        and earlier.subject = message.subject and earlier.state = 'waiting' and earlier.id < message.id)
    order by due_at, id limit ${count}`)
  if (rows.length === 0) return []
  return db.transaction(async (tx) => {
    const ids = rows.map(({ id }) => id)
    // What another process has taken since is either locked or not due anymore.
    const free = await tx
      .select()
      .from(webhookMessagesTable)
      .where(sql`${webhookMessagesTable.id} = any(${sql.param(ids)}::int[]) and state = 'waiting' and due_at <= now()`)
      .orderBy(webhookMessagesTable.id)
      .for('update', { skipLocked: true })
    for (const { id } of free)
      await tx
        .update(webhookMessagesTable)
        .set({ due_at: sql`now() + ${leaseSeconds} * interval '1 second'` })
        .where(eq(webhookMessagesTable.id, id))
    return free
  })
}
