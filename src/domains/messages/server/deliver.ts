import { and, eq, inArray, sql } from 'drizzle-orm'
import type { AppContext } from '#domains/app-context.ts'
import { OutboundError } from '#integrations/outbound/outbound-problem.ts'
import { type DeliveryResult, mailerNotConnected } from '#integrations/smtp/smtp.ts'
import { messagesTable } from '../schema.ts'
import { type ChatContent, type EmailContent, openContent } from './content.ts'
import { buildMessageId } from './message-id.ts'

type MessageRow = typeof messagesTable.$inferSelect
type MessageOutcome = DeliveryResult | { outcome: 'gone'; error: string }

/**
 * Sends one queued message, at most once: a single sender commits `sending` before the first byte goes out. From then on only
 * the receiver's answer tells whether the message arrived; without an answer it is `uncertain` and not sent again.
 */
export async function deliverMessage(
  context: AppContext,
  messageId: number,
): Promise<MessageOutcome['outcome'] | 'nothing'> {
  const { db, mailer } = context
  const [message] = await db
    .select()
    .from(messagesTable)
    .where(and(eq(messagesTable.id, messageId), eq(messagesTable.state, 'queued')))
  if (!message?.content) return 'nothing'
  if (message.channel === 'email' && !mailer.connected) {
    await db.update(messagesTable).set({ error: mailerNotConnected }).where(isQueued(message))
    return 'nothing'
  }
  let isOurs = false
  const begin = async () => {
    const started = await db
      .update(messagesTable)
      .set({ state: 'sending', sending_at: sql`now()`, error: null })
      .where(isQueued(message))
      .returning({ id: messagesTable.id })
    isOurs = started.length === 1
    return isOurs
  }
  const content = openContent(context.secrets, message.dedupe_key, message.content)
  const result =
    'url' in content
      ? await postChatMessage(context, content, begin)
      : await sendEmail(context, message, content, begin)
  if (result.outcome === 'withdrawn') return 'withdrawn'
  // Another sender finishes its own message. The sweep may have set ours to "uncertain" already; the answer is more exact.
  const row = isOurs
    ? and(eq(messagesTable.id, messageId), inArray(messagesTable.state, ['sending', 'uncertain']))
    : isQueued(message)
  await db.update(messagesTable).set(toMessageUpdate(result)).where(row)
  return result.outcome
}

const isQueued = ({ id }: MessageRow) => and(eq(messagesTable.id, id), eq(messagesTable.state, 'queued'))

function toMessageUpdate(result: Exclude<MessageOutcome, { outcome: 'withdrawn' }>) {
  if (result.outcome === 'sent') return { state: 'sent' as const, sent_at: sql`now()`, error: null, content: null }
  const error = result.error.slice(0, 500)
  if (result.outcome === 'deferred' || result.outcome === 'unreachable')
    return { state: 'queued' as const, sending_at: null, error }
  // A message that its webhook did not take because it is gone keeps its content, to be delivered another way.
  return { state: result.outcome, error, ...(result.outcome === 'gone' ? {} : { content: null }) }
}

function sendEmail(
  { mailer, settings }: AppContext,
  { id, created_at }: MessageRow,
  { to, attachments, headers, ...letter }: EmailContent,
  begin: () => Promise<boolean>,
): Promise<DeliveryResult> {
  return mailer.send(
    {
      ...letter,
      to: [to],
      messageId: buildMessageId(settings, `message-${id}`, created_at),
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...headers },
      attachments: attachments.map(({ filename, content_type, content }) => ({
        filename,
        contentType: content_type,
        content: Buffer.from(content, 'base64'),
      })),
    },
    begin,
  )
}

async function postChatMessage(
  { outbound }: AppContext,
  { url, text }: ChatContent,
  begin: () => Promise<boolean>,
): Promise<MessageOutcome> {
  if (!(await begin())) return { outcome: 'withdrawn' }
  try {
    const response = await outbound.request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
      redirects: 0,
      milliseconds: 10_000,
    })
    response.close()
    return toChatOutcome(response.status)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.kind === 'refused') return { outcome: 'refused', error: error.message }
    const isUnsent = error.kind === 'unresolved' || error.kind === 'unreachable' || error.kind === 'certificate'
    return { outcome: isUnsent ? 'unreachable' : 'uncertain', error: error.message }
  }
}

function toChatOutcome(status: number): MessageOutcome {
  if (status >= 200 && status < 300) return { outcome: 'sent' }
  const error = `The webhook answered ${status}`
  if (status === 404 || status === 410) return { outcome: 'gone', error }
  return { outcome: status === 429 || status >= 500 ? 'deferred' : 'refused', error }
}
