import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { byteaColumn, identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import { type WebhookEventType, type WebhookMessageType, webhookMessageStates } from './labels.ts'

/** URLs that receive events. */
export const webhooksTable = pgTable(
  'webhooks',
  {
    id: identityColumn(),
    /** The creator: messages contain what this user may read. */
    user_id: integer()
      .notNull()
      .references(() => usersTable.id),
    url: text().notNull(),
    events: text().array().$type<WebhookEventType[]>().notNull(),
    /** Signs the messages. Encrypted; null only between the insert and the encryption, which needs the id. */
    secret: byteaColumn(),
    active: boolean().notNull().default(true),
    /** Why the last attempt failed, or why the webhook was switched off. */
    problem: text(),
    version: integer().notNull().default(1),
    created_at: timestampNowColumn(),
  },
  (webhook) => [index('webhooks_user').on(webhook.user_id)],
)

/** The context that the encrypted secret is bound to. */
export const webhookSecretAad = (id: number) => `webhooks.secret:${id}`

/** The outbox: one message per webhook, written in the transaction of the event. */
export const webhookMessagesTable = pgTable(
  'webhook_messages',
  {
    id: identityColumn(),
    webhook_id: integer()
      .notNull()
      .references(() => webhooksTable.id, { onDelete: 'cascade' }),
    /** The id for the receiver; the same in every attempt. */
    message_id: text().notNull(),
    type: text().$type<WebhookMessageType>().notNull(),
    /** The subject, such as `lead:7`: messages of the same subject are sent one after the other. */
    subject: text().notNull(),
    /** The exact text that is signed and sent. */
    body: text().notNull(),
    state: text({ enum: webhookMessageStates }).notNull().default('waiting'),
    /** Failed attempts since the message was last queued. They determine the next attempt. */
    failures: integer().notNull().default(0),
    /** The earliest time of the next attempt. A sender that takes a message sets it to the end of its lease. */
    due_at: timestampNowColumn(),
    created_at: timestampNowColumn(),
  },
  (message) => [
    index('webhook_messages_due').on(message.webhook_id, message.due_at).where(sql`state = 'waiting'`),
    index('webhook_messages_subject').on(message.webhook_id, message.subject, message.id).where(sql`state = 'waiting'`),
    index('webhook_messages_over').on(message.created_at).where(sql`state <> 'waiting'`),
  ],
)

/** Each attempt, with the receiver's response. */
export const webhookDeliveriesTable = pgTable(
  'webhook_deliveries',
  {
    id: identityColumn(),
    message: integer()
      .notNull()
      .references(() => webhookMessagesTable.id, { onDelete: 'cascade' }),
    webhook_id: integer()
      .notNull()
      .references(() => webhooksTable.id, { onDelete: 'cascade' }),
    at: timestampColumn().notNull(),
    attempt: integer().notNull(),
    /** Null without a response. */
    status: integer(),
    /** The response, or why there was none. */
    answer: text().notNull(),
    ms: integer().notNull(),
  },
  (delivery) => [
    index('webhook_deliveries_webhook').on(delivery.webhook_id, delivery.id),
    index('webhook_deliveries_message').on(delivery.message),
  ],
)
