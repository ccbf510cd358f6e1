import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { runTransaction, type Tx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { OutboundError } from '#integrations/outbound/outbound-problem.ts'
import type { OutboundResponse } from '#integrations/outbound/response.ts'
import { parseRetryAfter } from '#integrations/outbound/retry-after.ts'
import { webhookDeliveriesTable, webhookMessagesTable, webhookSecretAad, webhooksTable } from '../schema.ts'
import { endedProblem, findMaker, mayReadMessage, takenProblem } from './maker-rights.ts'

export type WebhookMessage = typeof webhookMessagesTable.$inferSelect
type Answer = { status: number | null; answer: string; at: Date; ms: number }
/** What its headers ask for: to come back after so many seconds, or to go elsewhere. */
type ReceiverAnswer = Answer & { retryAfter: number | null; movedTo: string | null }

type Asks = { 'retry-after'?: string; location?: string }

const timeoutMs = 15_000
const maxAnswerLength = 2000
/** Characters take up to four bytes. */
const maxAnswerBytes = 4 * maxAnswerLength
/** Seconds until the next attempt, after each failure. After the last one the message is given up. */
const retrySeconds = [5, 15, 60, 300, 1800, 7200, 18_000, 36_000, 86_400]
const gone = 410

/** Sends a message that this process has leased, and records the outcome. */
export async function deliverMessage(context: AppContext, message: WebhookMessage): Promise<void> {
  const { db, secrets } = context
  const [webhook] = await db.select().from(webhooksTable).where(eq(webhooksTable.id, message.webhook_id))
  if (!webhook?.active || !webhook.secret) return
  const maker = await findMaker(db, webhook.user_id)
  if (maker === null) {
    await db.update(webhooksTable).set({ active: false, problem: endedProblem }).where(eq(webhooksTable.id, webhook.id))
    return
  }
  if (!mayReadMessage(maker, message)) {
    await runTransaction(db, (tx) => endMessage(tx, message))
    return
  }
  const secret = secrets.open(webhook.secret, webhookSecretAad(webhook.id))
  const answer = await postMessage(context, webhook.url, secret, message)
  await runTransaction(db, (tx) => writeOutcome(tx, message, webhook.url, answer))
}

/** Gives up a message without sending it, and says why among the deliveries. */
async function endMessage(tx: Tx, { id, webhook_id }: WebhookMessage): Promise<void> {
  if ((await lockWebhookUrl(tx, webhook_id)) === undefined) return
  const ended = await tx
    .update(webhookMessagesTable)
    .set({ state: 'failed' })
    .where(eq(webhookMessagesTable.id, id))
    .returning({ id: webhookMessagesTable.id })
  if (ended.length > 0)
    await writeAttempt(tx, { id, webhook_id }, { status: null, answer: takenProblem, at: new Date(), ms: 0 })
}

async function writeAttempt(tx: Tx, { id, webhook_id }: Pick<WebhookMessage, 'id' | 'webhook_id'>, answer: Answer) {
  const attempt = 1 + (await tx.$count(webhookDeliveriesTable, eq(webhookDeliveriesTable.message, id)))
  await tx.insert(webhookDeliveriesTable).values({ message: id, webhook_id, attempt, ...answer })
}

/** The webhook is locked before its message, like in its removal, to avoid a deadlock. Returns its address if it is still there. */
async function lockWebhookUrl(tx: Tx, id: number): Promise<string | undefined> {
  const [webhook] = await tx
    .select({ url: webhooksTable.url })
    .from(webhooksTable)
    .where(eq(webhooksTable.id, id))
    .for('key share')
  return webhook?.url
}

async function postMessage(
  { outbound, log }: AppContext,
  url: string,
  secret: string,
  { message_id, body }: WebhookMessage,
): Promise<ReceiverAnswer> {
  const at = new Date()
  const started = performance.now()
  const ends = (status: number | null, answer: string, headers: Asks = {}): ReceiverAnswer => ({
    ...{ status, answer, at, retryAfter: parseRetryAfter(headers['retry-after']), movedTo: headers.location ?? null },
    ms: Math.round(performance.now() - started),
  })
  try {
    const response = await outbound.request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Leadline-Webhooks/1.0',
        'webhook-id': message_id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(message_id, at, body),
      },
      body,
      redirects: 0,
      milliseconds: timeoutMs,
    })
    const text = await readAnswer(response)
    return ends(response.status, text, response.headers)
  } catch (error) {
    if (error instanceof OutboundError) return ends(null, error.message)
    log.error({ err: error, message: message_id }, 'webhook message failed')
    return ends(null, 'Leadline could not send this')
  }
}

/** Returns the start of the response body. An error after the headers does not change the outcome. */
async function readAnswer(response: OutboundResponse): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of response.chunks()) {
      parts.push(part)
      bytes += part.length
      if (bytes >= maxAnswerBytes) break
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
  }
  const text = Buffer.concat(parts).toString('utf8').replaceAll('\0', '').toWellFormed()
  return text.slice(0, maxAnswerLength).toWellFormed()
}

/** Only 2xx is success. After 410 the webhook is switched off, and the message waits until it is switched on again. */
async function writeOutcome(tx: Tx, message: WebhookMessage, url: string, response: ReceiverAnswer): Promise<void> {
  const { retryAfter, movedTo: _, ...answer } = response
  const { id, webhook_id, subject } = message
  const newestUrl = await lockWebhookUrl(tx, webhook_id)
  if (newestUrl === undefined) return // removed while the message was being sent
  const [held] = await tx.select().from(webhookMessagesTable).where(eq(webhookMessagesTable.id, id)).for('update')
  if (!held) return
  await writeAttempt(tx, message, answer)

  const isTaken = answer.status !== null && answer.status >= 200 && answer.status < 300
  const isGone = answer.status === gone
  const isElsewhere = url !== newestUrl // an address that the webhook has left says nothing about the new one
  const isDueNow = isGone || isElsewhere
  const planned = isTaken ? undefined : retrySeconds[held.failures]
  // A receiver that says when it has room again would refuse every try before.
  const requestedWait = !isElsewhere && (answer.status === 429 || answer.status === 503) ? (retryAfter ?? 0) : 0
  const wait = planned === undefined ? undefined : Math.max(planned, requestedWait)
  const next = isTaken
    ? { state: 'delivered' as const, failures: 0 }
    : isDueNow
      ? { due_at: sql`now()` }
      : wait === undefined
        ? { state: 'failed' as const }
        : { failures: held.failures + 1, due_at: secondsFromNow(wait) }
  await tx.update(webhookMessagesTable).set(next).where(eq(webhookMessagesTable.id, id))

  // Later messages of the same subject wait as long as this one, so that they are not polled in vain; all of a receiver that asked to wait.
  const later = and(
    eq(webhookMessagesTable.webhook_id, webhook_id),
    eq(webhookMessagesTable.state, 'waiting'),
    requestedWait > 0
      ? lt(webhookMessagesTable.due_at, secondsFromNow(requestedWait))
      : and(eq(webhookMessagesTable.subject, subject), gt(webhookMessagesTable.id, id)),
  )
  await tx
    .update(webhookMessagesTable)
    .set({ due_at: isDueNow ? sql`now()` : secondsFromNow(Math.max(wait ?? 0, requestedWait)) })
    .where(later)

  const problem = isTaken ? null : describeProblem(response)
  if (isElsewhere) return
  await tx
    .update(webhooksTable)
    .set({ problem, ...(isGone && { active: false }) })
    .where(and(eq(webhooksTable.id, webhook_id), eq(webhooksTable.active, true), isOtherProblem(problem)))
}

/** Most attempts end like the one before, so the webhook row is not written. */
const isOtherProblem = (problem: string | null) => sql`${webhooksTable.problem} is distinct from ${problem}`

const secondsFromNow = (seconds: number) => sql`now() + ${seconds} * interval '1 second'`

function describeProblem({ status, answer, movedTo }: ReceiverAnswer): string {
  if (status === null) return answer
  if (status === gone) return 'The receiver answered 410, so the webhook was switched off'
  const isMoved = movedTo !== null && status >= 300 && status < 400
  return `The receiver answered ${status}${isMoved ? `, a redirect to ${movedTo.slice(0, 200)}: enter the address that takes messages` : ''}`
}
