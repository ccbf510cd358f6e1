import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { createOutbox, type SendPlan, type SendResult } from '#core/outbox/outbox.ts'
import { usersTable } from '#domains/access/schema.ts'
import { readAgency } from '#domains/agency/public.ts'
import type { AppContext } from '#domains/app-context.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { OutboundError, type OutboundErrorKind } from '#integrations/outbound/outbound-problem.ts'
import { type EmailMessage, mailerNotConnected } from '#integrations/smtp/smtp.ts'
import { messageState, messagesTable } from '../schema.ts'
import { type ChatContent, type EmailContent, openContent } from './content.ts'
import { buildMessageId } from './message-id.ts'
import { stopReasons } from './stop-emails.ts'

type MessageRow = typeof messagesTable.$inferSelect

/** Sends messages that do not belong to a lead. */
export const messageOutbox = createOutbox({
  table: messagesTable,
  states: messageState,
  plan: planMessage,
  // A message that a webhook did not take because it is gone keeps its content, to be delivered another way.
  ended: ({ outcome }) => (outcome === 'gone' ? {} : { content: null }),
  expiry: { condition: lt(messagesTable.expires_at, sql`now()`), error: 'Could not be sent in time' },
  // Of chat webhooks, those of one service.
  route: sql`case ${messagesTable.channel} when 'chat' then ${messagesTable.recipient} else ${messagesTable.channel} end`,
})

async function planMessage(context: AppContext, message: MessageRow): Promise<SendPlan> {
  const { db, mailer, secrets } = context
  if (message.user_id !== null && !(await isOpenAccount(db, message.user_id)))
    return { fails: 'The account was closed since' }
  if (message.channel === 'email' && !(await mailer.isConnected())) return { waits: mailerNotConnected }
  const content = openContent(secrets, message.dedupe_key, message.content!) // only an ended message has none
  const stopped = 'client' in content && content.client && (await findStop(db, content.client))
  if (stopped) return { fails: stopped }
  const { name } = await readAgency(db, context.settings)
  return {
    send: (claim) =>
      'url' in content
        ? postChatMessage(context, content, claim)
        : mailer.send({ ...toEmailMessage(context, message, content), sender: name }, claim),
  }
}

const isOpenAccount = async (db: DbOrTx, id: number): Promise<boolean> =>
  (await db.$count(usersTable, and(eq(usersTable.id, id), usersTable.is_active, isNull(usersTable.deleted_at)))) > 0

async function findStop(db: DbOrTx, { id, must_be_active }: NonNullable<EmailContent['client']>) {
  const [client] = await db
    .select({ removed: clientsTable.deleted_at, isActive: usersTable.is_active })
    .from(clientsTable)
    .leftJoin(usersTable, and(eq(usersTable.client_id, clientsTable.id), isNull(usersTable.deleted_at)))
    .where(eq(clientsTable.id, id))
  if (!client || client.removed) return stopReasons.removed
  return must_be_active && client.isActive === false ? stopReasons.switchedOff : null
}

const toEmailMessage = (
  { settings }: AppContext,
  { id, created_at }: MessageRow,
  { to, client: _, attachments, headers, ...letter }: EmailContent,
): EmailMessage => ({
  ...letter,
  to: [to],
  messageId: buildMessageId(settings, `message-${id}`, created_at),
  headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...headers },
  attachments: attachments.map(({ filename, content_type, content, cid }) => ({
    filename,
    contentType: content_type,
    content: Buffer.from(content, 'base64'),
    ...(cid !== undefined && { cid }),
  })),
})

async function postChatMessage(
  { outbound }: AppContext,
  { url, text }: ChatContent,
  claim: () => Promise<boolean>,
): Promise<SendResult> {
  if (!(await claim())) return { outcome: 'withdrawn' }
  try {
    const response = await outbound.request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
      redirects: 0,
      milliseconds: 10_000,
    })
    response.close()
    return toChatResult(response.status)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.kind === 'refused') return { outcome: 'failed', error: error.message }
    const isUnsent = unsentKinds.has(error.kind)
    return { outcome: isUnsent ? 'unreachable' : 'unknown', error: error.message }
  }
}

const unsentKinds: ReadonlySet<OutboundErrorKind> = new Set([
  'unresolved',
  'unanswered',
  'unreachable',
  'no ipv6',
  'no http2',
  'certificate',
])

function toChatResult(status: number): SendResult {
  if (status >= 200 && status < 300) return { outcome: 'sent' }
  const error = `The webhook answered ${status}`
  if (status === 404 || status === 410) return { outcome: 'gone', error }
  return { outcome: status === 429 || status >= 500 ? 'deferred' : 'failed', error }
}
