import { setTimeout as pause } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { webhookChannel } from '../labels.ts'
import { webhookMessagesTable, webhooksTable } from '../schema.ts'
import { deliverMessage, type WebhookMessage } from './deliver.ts'

/** Concurrent messages of one process per receiver. Each receiver has its own limit, so a dead one does not hold back others. */
const maxInFlight = 5
/** After this, a message whose sender died is taken by another; longer than any attempt. */
const leaseSeconds = 30
const idleMs = 10_000
const retryMs = 1000

/**
 * Sends the messages in the outbox for as long as this process lives. The table is the queue: a sender leases a message, and a killed one
 * leaves it there. The commit that writes a message wakes the senders; they also poll.
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
      .catch((error) => context.log.warn({ err: error, message: message.message_id }, 'webhook message delayed'))
      .finally(() => {
        own.delete(sending)
        wake()
      })
    own.add(sending)
  }

  /** Sends due messages. Returns the milliseconds until there may be more. */
  const sendDue = async (): Promise<number> => {
    let next = idleMs
    for (const { id, wait } of await readWaitingWebhooks(context)) {
      const free = maxInFlight - (inFlight.get(id)?.size ?? 0)
      if (free === 0) continue // wakes up when one of them ends
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
        context.log.warn({ err: error }, 'webhook messages delayed')
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

/** Returns the active webhooks with waiting messages, and the milliseconds until the first is due. */
async function readWaitingWebhooks({ db }: AppContext): Promise<{ id: number; wait: number }[]> {
  const { rows } = await db.execute<{ id: number; wait: number | null }>(sql`
    select id, (
      select extract(epoch from due_at - now())::float8 * 1000 from ${webhookMessagesTable} message
      where message.webhook_id = webhook.id and message.state = 'waiting' order by message.due_at limit 1
    ) as wait from ${webhooksTable} webhook where active`)
  return rows.flatMap(({ id, wait }) => (wait === null ? [] : [{ id, wait }]))
}

/** Leases due messages, only the first waiting one of each subject. */
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
    // Messages taken by another process since are either locked or no longer due.
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

/** Makes what waits for a later try due now, except for messages that may be being sent. */
export const endWaits = (tx: Tx, webhookId: number) =>
  tx.execute(sql`
    update ${webhookMessagesTable} set due_at = now()
    where webhook_id = ${webhookId} and state = 'waiting' and due_at > now() + ${leaseSeconds} * interval '1 second'`)
