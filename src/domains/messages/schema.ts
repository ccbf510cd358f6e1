import { sql } from 'drizzle-orm'
import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { byteaColumn, identityColumn, timestampColumn, timestampNowColumn } from '#core/db/columns.ts'
import { usersTable } from '#domains/access/schema.ts'

/** The states of a message, and what the database calls them. `gone`: its chat webhook answered 404 or 410. */
export const messageState = {
  queued: 'queued',
  sending: 'sending',
  sent: 'sent',
  unknown: 'uncertain',
  failed: 'refused',
  gone: 'gone',
} as const
type MessageState = (typeof messageState)[keyof typeof messageState]
const messageStates = Object.values(messageState) as [MessageState, ...MessageState[]] // there are six

/**
 * Outgoing messages that do not belong to a lead: invitations, reports, signals. A lead's emails are stored with the lead
 * (leads/mail/schema.ts), because they are sharded with it.
 */
export const messagesTable = pgTable(
  'messages',
  {
    id: identityColumn(),
    channel: text({ enum: ['email', 'chat'] }).notNull(),
    /** The message's subject area, for people who read the table: `invitation`, `report`, `digest` … */
    kind: text().notNull(),
    /** The email address, or the origin of the webhook: its path is a secret. */
    recipient: text().notNull(),
    /** The account of the recipient; null for a client's address. */
    user_id: integer().references(() => usersTable.id),
    /** The statement or the client that it is about, by kind; null for other kinds. */
    record_id: bigint({ mode: 'number' }),
    /** A second message with the same key is not queued. The encrypted content is bound to it too. */
    dedupe_key: text().notNull().unique(),
    /** Encrypted, because messages carry sign-in links; null once the message was sent, given up or delivered another way. */
    content: byteaColumn(),
    state: text({ enum: messageStates }).notNull().default(messageState.queued),
    error: text(),
    created_at: timestampNowColumn(),
    /** When the message is no longer worth sending. */
    expires_at: timestampColumn().notNull(),
    sending_at: timestampColumn(),
    sent_at: timestampColumn(),
  },
  (message) => [
    index('messages_open').on(message.state).where(sql`state in ('queued', 'sending')`),
    index('messages_user').on(message.user_id, message.id),
    index('messages_record').on(message.kind, message.record_id, message.created_at).where(sql`record_id is not null`),
    index('messages_undelivered')
      .on(message.created_at)
      .where(sql`record_id is not null and state in ('refused', 'uncertain')`),
  ],
)
