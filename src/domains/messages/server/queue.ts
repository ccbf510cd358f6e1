import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Tx } from '#core/db/db.ts'
import { randomToken } from '#core/secrets/secrets.ts'
import type { AppContext } from '#domains/app-context.ts'
import { messageState, messagesTable } from '../schema.ts'
import { type EmailContent, type MessageContent, openContent, sealContent } from './content.ts'
import { sendMessageJob } from './jobs.ts'

type MessageOptions = {
  /** The subject area: `invitation`, `report`, `digest` … */
  kind: string
  /** The account of the recipient. */
  user_id?: number | null
  /** The statement or the client that it is about: `readUndelivered` tells which of them did not arrive. */
  record_id?: number
  /** If a message with this key exists, sent or not, nothing is queued. */
  dedupe_key?: string
  /** When the message is no longer worth sending; defaults to 72 hours from now. */
  expires_at?: Date
}

export type QueuedEmail = MessageOptions & {
  to: string
  /** The client that it is written to. */
  client?: EmailContent['client']
  subject: string
  html: string
  text: string
  headers?: Record<string, string>
  /** `cid` names an image that the HTML shows as `cid:…`. */
  attachments?: { filename: string; content_type: string; content: Buffer; cid?: string }[]
}

/** A POST of `{ text }`, which Slack, Mattermost, Google Chat and others take. */
type ChatMessage = MessageOptions & { url: string; text: string }

/**
 * Queues an email in the given transaction: no commit, no email. It is sent at most once, whichever process dies. Returns the
 * message's id, or null if one with the same `dedupe_key` exists.
 */
export function queueEmail(
  tx: Tx,
  context: AppContext,
  { to, client = null, subject, html, text, ...rest }: QueuedEmail,
) {
  const { headers = {}, attachments = [], ...options } = rest
  const encoded = attachments.map((file) => ({ ...file, content: file.content.toString('base64') }))
  return queueMessage(tx, context, options, {
    channel: 'email',
    recipient: to,
    content: { to, client, subject, html, text, headers, attachments: encoded },
  })
}

/** Queues a message to a chat webhook. `url` must meet the `outbound` rules when it is saved; it is checked again when it is used. */
export function queueChatMessage(tx: Tx, context: AppContext, { url, text, ...options }: ChatMessage) {
  return queueMessage(tx, context, options, {
    channel: 'chat',
    recipient: new URL(url).origin,
    content: { url, text },
  })
}

export type UntakenMessage = { created_at: Date; error: string | null; lines: string[] }

/** Matches messages of this kind that are undelivered because their webhook is gone, and that were not delivered another way yet. */
export const isUntaken = (kind: string) =>
  and(
    eq(messagesTable.channel, 'chat'),
    eq(messagesTable.kind, kind),
    eq(messagesTable.state, messageState.gone),
    isNotNull(messagesTable.content),
  )

/** Returns the messages that a user's webhook did not take, oldest first, to be delivered another way in the given transaction. */
export async function takeUntakenMessages(
  tx: Tx,
  { secrets }: AppContext,
  { kind, user_id }: { kind: string; user_id: number | null },
): Promise<UntakenMessage[]> {
  const isTheirs = user_id === null ? isNull(messagesTable.user_id) : eq(messagesTable.user_id, user_id)
  const rows = await tx
    .select()
    .from(messagesTable)
    .where(and(isUntaken(kind), isTheirs))
    .orderBy(messagesTable.id)
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await tx.update(messagesTable).set({ content: null }).where(inArray(messagesTable.id, ids))
  return rows.map(({ created_at, error, dedupe_key, content }) => {
    const opened = content && openContent(secrets, dedupe_key, content)
    return { created_at, error, lines: opened && 'url' in opened ? opened.text.split('\n') : [] }
  })
}

type NewMessage = Pick<typeof messagesTable.$inferInsert, 'channel' | 'recipient'> & { content: MessageContent }

async function queueMessage(
  tx: Tx,
  context: AppContext,
  { kind, user_id = null, record_id, dedupe_key, expires_at }: MessageOptions,
  { channel, recipient, content }: NewMessage,
): Promise<number | null> {
  const key = dedupe_key ?? `message:${randomToken(128)}`
  const [queued] = await tx
    .insert(messagesTable)
    .values({
      channel,
      kind,
      recipient,
      user_id,
      record_id: record_id ?? null,
      dedupe_key: key,
      content: sealContent(context.secrets, key, content),
      expires_at: expires_at ?? sql`now() + interval '72 hours'`,
    })
    .onConflictDoNothing({ target: messagesTable.dedupe_key })
    .returning({ id: messagesTable.id })
  if (!queued) return null
  await context.jobs.send(tx, sendMessageJob, { messageId: queued.id })
  return queued.id
}
