import { eq, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { randomToken } from '#core/secrets/secrets.ts'
import { type CurrentUser, findCurrentUserById } from '#domains/access/public.ts'
import { canKeepWebhooks } from '../contract.ts'
import { type WebhookEventType, type WebhookMessageType, webhookChannel } from '../labels.ts'
import { webhookMessagesTable, webhooksTable } from '../schema.ts'

/** An event and its subject: `lead:7`. Events of the same subject are sent in the order in which they are recorded. */
export type WebhookEvent = { type: WebhookEventType; subject: string }

/**
 * Records events in the transaction of the write that causes them: a message for each active webhook that subscribes to one. `readData`
 * returns, by subject, what this reader may read now; subjects missing from the result are not sent. Nothing is read if no webhook
 * subscribes.
 */
export async function recordWebhookEvents(
  tx: Tx,
  events: readonly WebhookEvent[],
  readData: (reader: CurrentUser, subjects: string[]) => Promise<ReadonlyMap<string, unknown>>,
): Promise<void> {
  if (events.length === 0) return
  const types = new Set(events.map(({ type }) => type))
  const active = await readActiveWebhooks(tx)
  const subscribed = active.filter((webhook) => webhook.events.some((type) => types.has(type)))
  const messages: (typeof webhookMessagesTable.$inferInsert)[] = []
  const timestamp = new Date()
  for (const [userId, webhooks] of Map.groupBy(subscribed, ({ user_id }) => user_id)) {
    const reader = await findCurrentUserById(tx, userId)
    if (!reader || !canKeepWebhooks(reader)) continue
    const wanted = events.filter(({ type }) => webhooks.some((webhook) => webhook.events.includes(type)))
    const data = await readData(reader, [...new Set(wanted.map(({ subject }) => subject))])
    for (const { type, subject } of wanted)
      for (const webhook of webhooks)
        if (webhook.events.includes(type) && data.has(subject))
          messages.push(createMessage({ webhookId: webhook.id, type, subject, timestamp, data: data.get(subject) }))
  }
  await insertMessages(tx, messages)
}

/** Locks the webhooks: a removal before the commit would make the messages fail. */
const readActiveWebhooks = (tx: Tx) =>
  tx
    .select({ id: webhooksTable.id, user_id: webhooksTable.user_id, events: webhooksTable.events })
    .from(webhooksTable)
    .where(eq(webhooksTable.active, true))
    .orderBy(webhooksTable.id)
    .for('key share')

type MessageContent = {
  webhookId: number
  type: WebhookMessageType
  subject: string
  timestamp: Date
  data: unknown
}

export const createMessage = ({ webhookId, type, subject, timestamp, data }: MessageContent) => ({
  webhook_id: webhookId,
  message_id: `msg_${randomToken(144)}`,
  type,
  subject,
  body: JSON.stringify({ type, timestamp: timestamp.toISOString(), data }),
})

/** Messages per statement: PostgreSQL allows 65,535 parameters. */
const insertSize = 1000

/** Writes messages to the outbox; the commit wakes the senders. */
export async function insertMessages(tx: Tx, messages: (typeof webhookMessagesTable.$inferInsert)[]): Promise<void> {
  for (let from = 0; from < messages.length; from += insertSize)
    await tx.insert(webhookMessagesTable).values(messages.slice(from, from + insertSize))
  if (messages.length > 0) await tx.execute(sql`select pg_notify(${webhookChannel}, '')`)
}
