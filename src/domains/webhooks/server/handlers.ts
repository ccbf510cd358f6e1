import { randomBytes } from 'node:crypto'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { BeforeJson } from '#contract/instants.ts'
import { writeAudit } from '#core/audit/write-audit.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { conflictError, isStale, notFoundError, staleVersionError, validationError } from '#core/http/errors.ts'
import { randomToken } from '#core/secrets/secrets.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { type AppContext, implementContract } from '#domains/app-context.ts'
import { type Webhook, webhooksContract } from '../contract.ts'
import { testMessageType, webhookChannel } from '../labels.ts'
import { webhookDeliveriesTable, webhookMessagesTable, webhookSecretAad, webhooksTable } from '../schema.ts'
import {
  assertKeyReadsEvents,
  endedProblem,
  findEndedMakers,
  findMaker,
  mayReadMessage,
  takenProblem,
} from './maker-rights.ts'
import { erasedBody } from './personal-data.ts'
import { createMessage, insertMessages } from './record-events.ts'
import { endWaits } from './sender.ts'

const webhookAuditKind = 'webhook'
const maxDeliveries = 200

export const webhooksHandlers = implementContract(webhooksContract, {
  list: async ({ db, me }) => {
    const found = await db.select().from(webhooksTable).where(isTheirs(me)).orderBy(desc(webhooksTable.id))
    const ended = await findEndedMakers(
      db,
      found.map(({ user_id }) => user_id),
    )
    // A webhook ends with its creator's rights; the row is only updated when its next message is due.
    return found.map((row) =>
      toWebhook(row.active && ended.has(row.user_id) ? { ...row, active: false, problem: endedProblem } : row),
    )
  },

  create: async ({ db, me, body, context, actor }) => {
    assertReachable(context, body.url)
    await assertKeyReadsEvents(db, me, body.events)
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    return db.transaction(async (tx) => {
      const [made] = await tx
        .insert(webhooksTable)
        .values({ ...body, user_id: me.id })
        .returning()
      const { id } = made!
      const sealed = context.secrets.seal(secret, webhookSecretAad(id))
      await tx.update(webhooksTable).set({ secret: sealed }).where(eq(webhooksTable.id, id))
      await writeAudit(tx, actor, { kind: webhookAuditKind, rowId: id, before: null, after: body })
      return { ...toWebhook(made!), secret }
    })
  },

  update: ({ db, me, params, body, context, actor }) => {
    if (body.url !== undefined) assertReachable(context, body.url)
    return db.transaction(async (tx) => {
      const before = await lockWebhook(tx, me, params.id)
      if (isStale(body.version, before.version))
        throw staleVersionError(webhooksContract.update, 'Someone else has changed this webhook', toWebhook(before))
      const { url = before.url, events = before.events, active = before.active } = body
      await assertKeyReadsEvents(tx, me, [...before.events, ...events]) // a new address receives what waits for the old one
      const isOther = url !== before.url || active !== before.active
      const version = before.version + 1
      const set = { url, events, active, version, ...(isOther && { problem: null }) }
      const [changed] = await tx.update(webhooksTable).set(set).where(eq(webhooksTable.id, before.id)).returning()
      await writeAudit(tx, actor, {
        kind: webhookAuditKind,
        rowId: before.id,
        before,
        after: { url, events, active },
        version,
      })
      if (isOther && active) await endWaits(tx, before.id)
      await wakeSenders(tx)
      return toWebhook(changed!)
    })
  },

  remove: ({ db, me, params, actor }) =>
    db.transaction(async (tx) => {
      const { id, url, events, active } = await lockWebhook(tx, me, params.id)
      await tx.delete(webhooksTable).where(eq(webhooksTable.id, id))
      await writeAudit(tx, actor, { kind: webhookAuditKind, rowId: id, before: { url, events, active }, after: null })
    }),

  test: ({ db, me, params }) =>
    db.transaction(async (tx) => {
      const { id } = await requireActiveWebhook(tx, me, params.id)
      const message = createMessage({
        webhookId: id,
        type: testMessageType,
        subject: `test:${randomToken(64)}`,
        timestamp: new Date(),
        data: { webhook_id: id, text: 'A test message from Leadline' },
      })
      await insertMessages(tx, [message])
      return { message_id: message.message_id }
    }),

  deliveries: async ({ db, me, params }) => {
    await requireWebhook(db, me, params.id)
    const found = await db
      .select({ delivery: webhookDeliveriesTable, message: webhookMessagesTable })
      .from(webhookDeliveriesTable)
      .innerJoin(webhookMessagesTable, eq(webhookMessagesTable.id, webhookDeliveriesTable.message))
      .where(eq(webhookDeliveriesTable.webhook_id, params.id))
      .orderBy(desc(webhookDeliveriesTable.id))
      .limit(maxDeliveries)
    return found.map(
      ({ delivery: { id, at, attempt, status, answer, ms }, message: { message_id, type, subject } }) => ({
        ...{ id, message_id, type, lead_id: readLeadId(subject), at, attempt, status, answer, ms },
      }),
    )
  },

  resend: ({ db, me, params, actor }) =>
    db.transaction(async (tx) => {
      const { id, user_id } = await requireActiveWebhook(tx, me, params.id)
      const [found] = await tx
        .select({
          id: webhookMessagesTable.id,
          message_id: webhookMessagesTable.message_id,
          type: webhookMessagesTable.type,
          body: webhookMessagesTable.body,
        })
        .from(webhookDeliveriesTable)
        .innerJoin(webhookMessagesTable, eq(webhookMessagesTable.id, webhookDeliveriesTable.message))
        .where(and(eq(webhookDeliveriesTable.id, params.delivery), eq(webhookDeliveriesTable.webhook_id, id)))
      if (!found) throw notFoundError()
      if (found.type !== testMessageType) await assertKeyReadsEvents(tx, me, [found.type])
      if (found.body === erasedBody) throw conflictError('The person in this message was erased')
      const maker = await findMaker(tx, user_id)
      if (!maker || !mayReadMessage(maker, found)) throw conflictError(takenProblem)
      const { message_id } = found
      await tx
        .update(webhookMessagesTable)
        .set({ state: 'waiting', failures: 0, due_at: sql`now()` })
        .where(eq(webhookMessagesTable.id, found.id))
      await writeAudit(tx, actor, { kind: webhookAuditKind, rowId: id, before: {}, after: { resent: message_id } })
      await wakeSenders(tx)
      return { message_id }
    }),
})

function readLeadId(subject: string): number | null {
  const [kind, id] = subject.split(':')
  return kind === 'lead' ? Number(id) : null
}

const isTheirs = (me: CurrentUser) => (me.isSuperAdmin ? undefined : eq(webhooksTable.user_id, me.id))

/** Early feedback for the user; the check of each connection is what counts. */
function assertReachable({ outbound }: AppContext, url: string) {
  if (!outbound.couldReach(new URL(url))) throw validationError({ url: ['The address is not on the public web'] })
}

const findTheirs = (db: DbOrTx, me: CurrentUser, id: number) =>
  db
    .select()
    .from(webhooksTable)
    .where(and(eq(webhooksTable.id, id), isTheirs(me)))

async function requireWebhook(db: DbOrTx, me: CurrentUser, id: number) {
  const [webhook] = await findTheirs(db, me, id)
  if (!webhook) throw notFoundError()
  return webhook
}

async function lockWebhook(tx: Tx, me: CurrentUser, id: number) {
  const [webhook] = await findTheirs(tx, me, id).for('update')
  if (!webhook) throw notFoundError()
  return webhook
}

/** Keeps the webhook from being removed during the transaction. */
async function requireActiveWebhook(tx: Tx, me: CurrentUser, id: number) {
  const [webhook] = await findTheirs(tx, me, id).for('key share')
  if (!webhook) throw notFoundError()
  const ended = await findEndedMakers(tx, [webhook.user_id])
  if (!webhook.active || ended.size > 0) throw conflictError('This webhook is switched off')
  return webhook
}

const wakeSenders = (tx: Tx) => tx.execute(sql`select pg_notify(${webhookChannel}, '')`)

const toWebhook = ({
  id,
  url,
  events,
  active,
  problem,
  version,
  created_at,
}: typeof webhooksTable.$inferSelect): BeforeJson<Webhook> => ({
  ...{ id, url, events, active, problem, version, created_at },
})
