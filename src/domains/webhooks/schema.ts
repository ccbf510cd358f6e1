import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { byteaColumn, identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'
import { type WebhookEventType, type WebhookMessageType, webhookMessageStates } from './labels.ts'

/** Addresses that are told what happens. */
export const webhooksTable = pgTable(
  'webhooks',
  {
    id: identityColumn(),
    /** Its maker: messages say what they may read. */
    user_id: integer()
      .notNull()
      .references(() => usersTable.id),
    url: text().notNull(),
    events: text().array().$type<WebhookEventType[]>().notNull(),
    /** Signs the messages. Encrypted; null only between the insert and the seal, which needs the id. */
    secret: byteaColumn(),
    active: boolean().notNull().default(true),
    /** Why the last try failed, or why it was switched off. */
    problem: text(),
    created_at: timestampNowColumn(),
  },
  (webhook) => [index('webhooks_user').on(webhook.user_id)],
)

/** What the encrypted secret is bound to. */
export const webhookSecretAad = (id: number) => `webhooks.secret:${id}`

/** The outbox: a message for each webhook, written in the transaction of the event. */
export const webhookMessagesTable = pgTable(
  'webhook_messages',
  {
    id: identityColumn(),
    webhook_id: integer()
      .notNull()
      .references(() => webhooksTable.id, { onDelete: 'cascade' }),
    /** What the receiver knows it by; the same in every try. */
    message_id: text().notNull(),
    type: text().$type<WebhookMessageType>().notNull(),
    /** What it is about, such as `lead:7`: messages about the same go out one after the other. */
    subject: text().notNull(),
    /** The bytes that are signed and sent. */
    body: text().notNull(),
    state: text({ enum: webhookMessageStates }).notNull().default('waiting'),
    /** Failed tries since it was last queued. They decide when the next one is. */
    failures: integer().notNull().default(0),
    /** Not before this. A sender that takes a message sets it to the end of its lease. */
    due_at: timestampNowColumn(),
    created_at: timestampNowColumn(),
  },
  (message) => [
    index('webhook_messages_due').on(message.webhook_id, message.due_at).where(sql`state = 'waiting'`),
    index('webhook_messages_subject').on(message.webhook_id, message.subject, message.id).where(sql`state = 'waiting'`),
    index('webhook_messages_over').on(message.created_at).where(sql`state <> 'waiting'`),
  ],
)

/** Each try, and what the receiver answered. */
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
    /** Null where there was no answer. */
    status: integer(),
    /** The answer, or why there was none. */
    answer: text().notNull(),
    ms: integer().notNull(),
  },
  (delivery) => [
    index('webhook_deliveries_webhook').on(delivery.webhook_id, delivery.id),
    index('webhook_deliveries_message').on(delivery.message),
  ],
)
