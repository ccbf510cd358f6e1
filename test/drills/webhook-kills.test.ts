import { and, eq, gt, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { leadsContract } from '#domains/leads/contract.ts'
import { webhooksContract } from '#domains/webhooks/contract.ts'
import { webhookMessagesTable } from '#domains/webhooks/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { type ListeningServer, startServer, stopServer } from '#test/server-process.ts'
import { until } from '#test/until.ts'
import { startWebhookReceiver } from '#test/webhook-receiver.ts'

let worker: ListeningServer | null = null
const app = await setUp(startApp({ settings: { ALLOWED_PRIVATE_RANGES: '127.0.0.1' } }))
const receiver = await setUp(startWebhookReceiver())
afterAll(async () => {
  if (worker) await stopServer(worker, 'SIGKILL')
})

const startWorker = () => {
  const { DATABASE_URL, SECRET_KEY } = app.context.settings
  return startServer({ LEADLINE_ROLE: 'worker', ALLOWED_PRIVATE_RANGES: '127.0.0.1', DATABASE_URL, SECRET_KEY })
}

/** Expires the half-minute leases of a dead worker's messages. Returns how many there were. */
async function passLeases(): Promise<number | null> {
  const { rowCount } = await app.context.db
    .update(webhookMessagesTable)
    .set({ due_at: sql`due_at - interval '30 seconds'` })
    .where(and(eq(webhookMessagesTable.state, 'waiting'), gt(webhookMessagesTable.due_at, sql`now()`)))
  return rowCount
}

test('workers are killed while they send: each message arrives, those of a lead in order [OPEN-02]', {
  timeout: 240_000,
}, async () => {
  const root = await app.as(await app.make.superAdmin())
  const hook = { url: receiver.url, events: ['lead.verified', 'lead.rated'] }
  const { secret } = (await root.call(webhooksContract.create, { body: hook })).body
  const leads = await Promise.all(Array.from({ length: 12 }, () => app.make.lead()))
  for (const { id } of leads)
    for (const body of [{ confirmed: 1 }, { rating: '3' }, { rating: '5' }])
      expect((await root.call(leadsContract.update, { params: { id }, body })).status).toBe(200)

  // A worker dies while the receiver has its messages and has not responded.
  for (const seen of [3, 6]) {
    receiver.respond = (response) => {
      if (receiver.received.length >= seen) worker?.child.kill('SIGKILL')
      else response.end()
    }
    worker = await startWorker()
    await until(() => worker?.child.signalCode === 'SIGKILL', 90)
    expect(await passLeases()).toBeGreaterThan(0)
  }
  receiver.respond = (response) => void response.end()
  worker = await startWorker()
  await until(async () => {
    const states = await app.context.db.select({ state: webhookMessagesTable.state }).from(webhookMessagesTable)
    return states.length === 36 && states.every(({ state }) => state === 'delivered')
  }, 90)

  const told = receiver.received.map((message) => ({
    id: message.headers['webhook-id'],
    ...receiver.verify(message, secret),
  }))
  expect(new Set(told.map(({ id }) => id)).size).toBe(36)
  for (const { id } of leads) {
    // Of duplicates the first counts, as for a receiver that keeps the ids.
    const own = new Map(
      told
        .filter(({ data }) => data.id === id)
        .toReversed()
        .map((one) => [one.id, one]),
    )
    const order = told.filter((one) => own.get(one.id) === one).map(({ type, data }) => `${type} ${data.rating}`)
    expect(order).toEqual(['lead.verified null', 'lead.rated 3', 'lead.rated 5'])
  }
})
