import type { ServerResponse } from 'node:http'
import { and, eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { adminsContract } from '#domains/access/contract.ts'
import { apiKeysContract } from '#domains/access/keys/contract.ts'
import { userCampaignsTable, usersTable } from '#domains/access/schema.ts'
import { erasuresContract } from '#domains/audit/erasures/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { type Caller, caller, setUp, startApp } from '#test/app.ts'
import { until } from '#test/until.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#test/webhook-receiver.ts'
import { type WebhookDelivery, webhooksContract } from '../contract.ts'
import { webhookMessagesTable, webhooksTable } from '../schema.ts'

let receivers: WebhookReceiver[] = []
const app = await setUp(startApp({ work: true, settings: { ALLOWED_PRIVATE_RANGES: '127.0.0.1' } }))
const root = await app.as(await app.make.superAdmin())
beforeEach(() => {
  receivers = []
})
afterEach(async () => {
  await app.context.pool.query('delete from webhooks')
  await Promise.all(receivers.map((receiver) => receiver.close()))
})

async function startReceiver() {
  const receiver = await startWebhookReceiver()
  receivers.push(receiver)
  return receiver
}
const create = async (url: string, who = root) => {
  const { status, body } = await who.call(webhooksContract.create, { body: { url, events: ['lead.verified'] } })
  expect(status, JSON.stringify(body)).toBe(200)
  return body as { id: number; secret: string }
}
const readWebhook = async (id: number) =>
  (await root.call(webhooksContract.list)).body.find((webhook: { id: number }) => webhook.id === id)
const readDeliveries = async (id: number): Promise<WebhookDelivery[]> =>
  (await root.call(webhooksContract.deliveries, { params: { id } })).body
const verify = async (id: number) => {
  for (const confirmed of [0, 1] as const)
    expect((await root.call(leadsContract.update, { params: { id }, body: { confirmed } })).status).toBe(200)
}
/** Makes waiting messages due now. */
const hurry = async () => {
  await app.context.db.update(webhookMessagesTable).set({ due_at: sql`now() - interval '1 minute'` })
  await app.context.pool.query(`select pg_notify('leadline_webhook', '')`)
}

test('a webhook is created with its secret, changed, tested and removed; others neither see nor change it [OPEN-02]', async () => {
  const receiver = await startReceiver()
  const [morgan, other] = [await app.as(await app.make.admin()), await app.as(await app.make.admin())]
  const { id, secret } = await create(receiver.url, morgan)
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const row = { id, url: receiver.url, events: ['lead.verified'], active: true, problem: null, version: 1 }
  expect((await morgan.call(webhooksContract.list)).body).toEqual([{ ...row, created_at: expect.any(String) }])
  expect((await other.call(webhooksContract.list)).body).toEqual([])
  for (const call of [
    webhooksContract.update,
    webhooksContract.remove,
    webhooksContract.test,
    webhooksContract.deliveries,
  ])
    expect((await other.call(call, { params: { id }, ...(call.method === 'PUT' ? { body: {} } : {}) })).status).toBe(
      404,
    )
  const events = ['signal.closed', 'lead.created']
  const changed = await morgan.call(webhooksContract.update, { params: { id }, body: { events } })
  expect(changed.body.events).toEqual(['lead.created', 'signal.closed'])
  const tested = await morgan.call(webhooksContract.test, { params: { id } })
  await until(() => receiver.received.length === 1)
  const message = receiver.received[0]!
  expect(message.headers['webhook-id']).toBe(tested.body.message_id)
  expect(receiver.verify(message, secret)).toMatchObject({ type: 'test', data: { webhook_id: id } })
  expect(() => receiver.verify({ ...message, text: `${message.text} ` }, secret)).toThrow('No matching signature')
  await morgan.call(webhooksContract.update, { params: { id }, body: { active: false } })
  expect((await morgan.call(webhooksContract.test, { params: { id } })).status).toBe(409)
  expect((await morgan.call(webhooksContract.remove, { params: { id } })).status).toBe(204)
  expect((await morgan.call(webhooksContract.list)).body).toEqual([])
  const trail = await app.context.db
    .select()
    .from(auditTable)
    .where(and(eq(auditTable.kind, 'webhook'), eq(auditTable.row_id, id)))
  expect(trail.map(({ action }) => action)).toEqual(['created', 'changed', 'changed', 'removed'])
  expect(JSON.stringify(trail)).not.toContain(secret)
})

test('a delivery names the lead that its message is about, and none for a test [OPEN-02]', async () => {
  const receiver = await startReceiver()
  const { id } = await create(receiver.url)
  const lead = await app.make.lead()
  await verify(lead.id)
  await root.call(webhooksContract.test, { params: { id } })
  const read = async () => (await readDeliveries(id)).map(({ type, lead_id }) => `${type} ${lead_id}`).toSorted()
  await until(async () => (await read()).length === 2)
  expect(await read()).toEqual([`lead.verified ${lead.id}`, 'test null'])
  await root.call(webhooksContract.remove, { params: { id } })
})

test('invalid addresses, and those not on the public web, are refused [OPEN-02]', async () => {
  const before = await app.dump()
  const statusOf = async (url: unknown, events: unknown = ['lead.created']) =>
    (await root.call(webhooksContract.create, { body: { url, events } })).status
  for (const url of ['', 'ftp://a.example', 'http://10.0.0.1/hook', 'http://[::1]/', 'http://me:secret@a.example/', 7])
    expect(await statusOf(url), String(url)).toBe(422)
  expect(await statusOf('https://a.example', ['lead.eaten'])).toBe(422)
  expect(await statusOf('https://a.example', [])).toBe(422)
  expect(await app.dump()).toBe(before)
})

test('the outbound guard checks every connection, and its refusal reveals nothing about our network [OPEN-02]', async () => {
  const receiver = await startReceiver()
  const { id } = await create(receiver.url)
  const port = new URL(receiver.url).port
  await app.context.db.update(webhooksTable).set({ url: `http://127.0.0.2:${port}/hook` })
  await root.call(webhooksContract.test, { params: { id } })
  const delivery = await until(async () => (await readDeliveries(id))[0])
  expect(delivery).toMatchObject({ status: null, answer: 'The address is not on the public web' })
  expect(receiver.received).toEqual([])
})

test('only 2xx is success: redirects are not followed, and failures are retried later with the same id and bytes [OPEN-02]', async () => {
  const [receiver, elsewhere] = [await startReceiver(), await startReceiver()]
  const { id, secret } = await create(receiver.url)
  const answers = [
    [302, ''],
    [500, 'x'.repeat(3000)],
    [404, 'gone\0fishing'],
    [204, ''],
  ] as const
  receiver.respond = (response) => {
    const [status, text] = answers[receiver.received.length - 1] ?? answers[3]
    response.writeHead(status, { location: elsewhere.url }).end(text)
  }
  const { id: lead } = await app.make.lead()
  await verify(lead)
  for (const [count, seconds] of [
    [1, 5],
    [2, 15],
    [3, 60],
  ] as const) {
    await until(async () => (await readDeliveries(id)).length === count)
    const [message] = await app.context.db.select().from(webhookMessagesTable)
    const [last] = await readDeliveries(id)
    const wait = (message!.due_at.getTime() - Date.parse(last!.at)) / 1000
    expect(wait).toBeGreaterThanOrEqual(seconds)
    expect(wait).toBeLessThan(2 * seconds)
    expect((await readWebhook(id)).problem).toContain(String(answers[count - 1]![0]))
    await hurry()
  }
  await until(async () => (await readDeliveries(id)).length === 4)
  const deliveries = await readDeliveries(id)
  expect(deliveries.map(({ attempt, status }) => [attempt, status])).toEqual([
    [4, 204],
    [3, 404],
    [2, 500],
    [1, 302],
  ])
  expect(deliveries[2]?.answer).toBe('x'.repeat(2000))
  expect(deliveries[1]?.answer).toBe('gonefishing')
  expect(deliveries[0]).toMatchObject({
    type: 'lead.verified',
    message_id: receiver.received[0]!.headers['webhook-id'],
  })
  expect(new Set(receiver.received.map(({ text, headers }) => `${headers['webhook-id']} ${text}`)).size).toBe(1)
  for (const message of receiver.received) receiver.verify(message, secret)
  expect(elsewhere.received).toEqual([])
  expect(await readWebhook(id)).toMatchObject({ active: true, problem: null })
})

test('a receiver that is asked too often is asked again later [OPEN-02]', async () => {
  const receiver = await startReceiver()
  const { id } = await create(receiver.url)
  receiver.respond = (response) => void response.writeHead(receiver.received.length === 1 ? 429 : 204).end()
  await verify((await app.make.lead()).id)
  await until(async () => (await readDeliveries(id)).length === 1)
  expect((await app.context.db.select().from(webhookMessagesTable))[0]!.state).toBe('waiting')
  await hurry()
  await until(async () => (await readDeliveries(id)).length === 2)
  expect((await readDeliveries(id)).map(({ attempt, status }) => [attempt, status])).toEqual([
    [2, 204],
    [1, 429],
  ])
  expect(await readWebhook(id)).toMatchObject({ active: true, problem: null })
})

test.each([
  ['in seconds', () => '3600'],
  ['as a date', () => new Date(Date.now() + 3_605_000).toUTCString()],
])('a receiver that says %s when it has room again gets no message before [OPEN-02]', async (_, after) => {
  const receiver = await startReceiver()
  const { id } = await create(receiver.url)
  receiver.respond = (response) => void response.writeHead(429, { 'retry-after': after() }).end()
  await verify((await app.make.lead()).id)
  await until(async () => (await readDeliveries(id)).length === 1)
  const waits = async () =>
    (await app.context.db.select().from(webhookMessagesTable)).map(({ due_at }) => due_at.getTime() - Date.now())
  for (const wait of await waits()) expect(wait).toBeGreaterThan(3_500_000)
  await app.context.db.update(webhookMessagesTable).set({ due_at: sql`now() + interval '10 minutes'` })
  await verify((await app.make.lead()).id)
  await until(async () => (await readDeliveries(id)).length === 2)
  for (const wait of await waits()) expect(wait).toBeGreaterThan(3_500_000)
})

test('a receiver that only redirects is named with where it sends to [OPEN-02]', async () => {
  const receiver = await startReceiver()
  const { id } = await create(receiver.url)
  receiver.respond = (response) => void response.writeHead(308, { location: 'https://www.crm.example/hook' }).end()
  await root.call(webhooksContract.test, { params: { id } })
  const problem =
    'The receiver answered 308, a redirect to https://www.crm.example/hook: enter the address that takes messages'
  expect(await until(async () => (await readWebhook(id)).problem)).toBe(problem)
})

test('after the last attempt a message is given up; it can be sent again, with the same id [OPEN-02]', async () => {
  const receiver = await startReceiver()
  receiver.respond = (response) => void response.writeHead(503).end()
  const { id } = await create(receiver.url)
  await verify((await app.make.lead()).id)
  for (let count = 1; count <= 10; count += 1) {
    await until(async () => (await readDeliveries(id)).length === count)
    if (count < 10) await hurry()
  }
  const [given] = await app.context.db.select().from(webhookMessagesTable)
  expect(given?.state).toBe('failed')
  receiver.respond = (response) => void response.end('at last')
  const [last] = await readDeliveries(id)
  const resent = await root.call(webhooksContract.resend, { params: { id, delivery: last!.id } })
  expect(resent.body).toEqual({ message_id: given?.message_id })
  await until(async () => (await readDeliveries(id)).length === 11)
  expect((await readDeliveries(id))[0]).toMatchObject({ attempt: 11, status: 200, answer: 'at last' })
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  const elsewhere = await create(receiver.url)
  const foreign = { params: { id: elsewhere.id, delivery: last!.id } }
  expect((await root.call(webhooksContract.resend, foreign)).status).toBe(404)
})

test.each([
  [200, 'delivered'],
  [500, 'failed'], // it would have been sent again by itself
] as const)('a message about an erased person is not sent again after the answer %i', async (status, state) => {
  const receiver = await startReceiver()
  receiver.respond = (response) => void response.writeHead(status).end()
  const { id } = await create(receiver.url)
  await verify((await app.make.lead({ lead_phone: '512-555-0147', phone_key: '+15125550147' })).id)
  const [sent] = await until(async () => {
    const deliveries = await readDeliveries(id)
    return deliveries.length === 1 ? deliveries : null
  })
  const person = { phone: '512-555-0147', email: 'zelda@a.example' }
  const { total } = (await root.call(erasuresContract.rehearse, { body: person })).body
  expect((await root.call(erasuresContract.erase, { body: { ...person, total } })).status).toBe(200)
  const resent = await root.call(webhooksContract.resend, { params: { id, delivery: sent!.id } })
  expect([resent.status, resent.body.message]).toEqual([409, 'The person in this message was erased'])
  expect(await app.context.db.select().from(webhookMessagesTable)).toMatchObject([{ state }])
})

test('a later message of a lead waits for the earlier one; other leads and other receivers do not [OPEN-02]', async () => {
  const [slow, dead, fine] = [await startReceiver(), await startReceiver(), await startReceiver()]
  const [first, second] = [(await app.make.lead()).id, (await app.make.lead()).id]
  const idsOf = (receiver: WebhookReceiver) => receiver.bodies().map(({ data }) => data.id)
  slow.respond = (response, { text }) => void response.writeHead(JSON.parse(text).data.id === first ? 500 : 200).end()
  dead.respond = () => {} // never answers
  const { id: slowId } = await create(slow.url)
  for (const { url } of [dead, fine]) await create(url)
  for (const id of [first, first, second]) await verify(id)
  await until(() => fine.received.length === 3)
  expect(idsOf(fine).filter((id) => id === first)).toHaveLength(2)
  await until(() => slow.received.some(({ text }) => JSON.parse(text).data.id === second))
  await until(async () => {
    const failed = `select from webhook_messages where webhook_id = ${slowId} and failures > 0`
    return (await app.context.pool.query(failed)).rows.length === 1
  })
  expect(idsOf(slow).toSorted()).toEqual([first, second].toSorted()) // not yet the second message of the first
  slow.respond = (response) => void response.end()
  await hurry()
  await until(() => slow.bodies().length === 3)
  const order = slow.bodies().filter(({ data }) => data.id === first)
  expect(order.map(({ timestamp }) => timestamp)).toEqual(order.map(({ timestamp }) => timestamp).toSorted())
})

test('a message that fails delays only later messages of its subject [OPEN-02]', async () => {
  const receiver = await startReceiver()
  const leads = await Promise.all(Array.from({ length: 7 }, () => app.make.lead()))
  const [first, ...others] = leads.map(({ id }) => id)
  const held = new Map<number, ServerResponse>()
  receiver.respond = (response, { text }) => void held.set(JSON.parse(text).data.id, response)
  const { id } = await create(receiver.url)
  for (const lead of [first!, first!, ...others]) await verify(lead)
  await until(() => held.size === 5) // as many as are sent at once
  // It has failed six times before: the next attempt is hours away.
  const ofFirst = eq(webhookMessagesTable.subject, `lead:${first}`)
  await app.context.db.update(webhookMessagesTable).set({ failures: 6 }).where(ofFirst)
  held.get(first!)!.writeHead(503).end()
  await until(async () => (await readDeliveries(id)).length === 1)
  receiver.respond = (response) => void response.end()
  for (const response of held.values()) response.end()
  await until(async () => (await readDeliveries(id)).length === 1 + others.length)
  const waiting = await app.context.db
    .select()
    .from(webhookMessagesTable)
    .where(eq(webhookMessagesTable.state, 'waiting'))
  expect(waiting.map(({ subject }) => subject)).toEqual([`lead:${first}`, `lead:${first}`])
  for (const { due_at } of waiting) expect(due_at.getTime()).toBeGreaterThan(Date.now() + 3_600_000)
})

test('410 switches a webhook off; switched on again, it gets the waiting messages [OPEN-02]', async () => {
  const receiver = await startReceiver()
  receiver.respond = (response) => void response.writeHead(410).end()
  const { id } = await create(receiver.url)
  const { id: lead } = await app.make.lead()
  await verify(lead)
  await until(async () => !(await readWebhook(id)).active)
  expect((await readWebhook(id)).problem).toContain('410')
  await verify(lead) // nothing is recorded for this
  receiver.respond = (response) => void response.end()
  const on = await root.call(webhooksContract.update, { params: { id }, body: { active: true } })
  expect(on.body).toMatchObject({ active: true, problem: null })
  await until(async () => (await readDeliveries(id)).some(({ status }) => status === 200))
  expect([receiver.received.length, receiver.bodies().length]).toEqual([2, 1])
})

test('410 of an address that a webhook has left does not switch it off [OPEN-02]', async () => {
  const [old, receiver] = [await startReceiver(), await startReceiver()]
  const { id } = await create(old.url)
  const held = await new Promise<ServerResponse>((resolve) => {
    old.respond = resolve
    void app.make.lead().then((lead) => verify(lead.id))
  })
  expect((await root.call(webhooksContract.update, { params: { id }, body: { url: receiver.url } })).status).toBe(200)
  held.writeHead(410).end()
  await until(async () => (await readDeliveries(id)).length > 0)
  expect(await readWebhook(id)).toMatchObject({ active: true, problem: null })
  await until(async () => (await readDeliveries(id)).some(({ status }) => status === 200))
  expect((await readDeliveries(id)).map(({ status }) => status)).toEqual([200, 410])
  expect(receiver.bodies()).toHaveLength(1)
})

test.each(['a new address', 'switching it off and on'])(
  '%s sends at once what waits for a later try [OPEN-02]',
  async (way) => {
    const [old, receiver] = [await startReceiver(), way === 'a new address' ? await startReceiver() : null]
    old.respond = (response) => void response.writeHead(503, { 'retry-after': '3600' }).end()
    const { id } = await create(old.url)
    const change = (body: object) => root.call(webhooksContract.update, { params: { id }, body })
    const { id: lead } = await app.make.lead()
    await verify(lead)
    await until(async () => (await readDeliveries(id)).length === 1)
    await verify(lead)
    old.respond = (response) => void response.end()
    if (receiver) await change({ url: receiver.url })
    else for (const active of [false, true]) await change({ active })
    await until(async () => (await readDeliveries(id)).length === 3)
    expect((await readDeliveries(id)).map(({ status }) => status)).toEqual([200, 200, 503])
    expect((receiver ?? old).bodies()).toHaveLength(2)
  },
)

test('messages that failed before a 410 are sent when the webhook is switched on again [OPEN-02]', async () => {
  const receiver = await startReceiver()
  const [failing, gone] = [(await app.make.lead()).id, (await app.make.lead()).id]
  receiver.respond = (response, { text }) =>
    void response.writeHead(JSON.parse(text).data.id === failing ? 500 : 410).end()
  const { id } = await create(receiver.url)
  await verify(failing)
  await until(async () => (await readDeliveries(id)).length === 1)
  const nextDay = { due_at: sql`now() + interval '1 day'` } // as after many failures
  await app.context.db.update(webhookMessagesTable).set(nextDay)
  await verify(gone)
  await until(async () => !(await readWebhook(id)).active)
  receiver.respond = (response) => void response.end()
  await root.call(webhooksContract.update, { params: { id }, body: { active: true } })
  await until(async () => (await readDeliveries(id)).filter(({ status }) => status === 200).length === 2)
})

test('an address that a webhook has left delays nothing [OPEN-02]', async () => {
  const [old, receiver] = [await startReceiver(), await startReceiver()]
  const { id } = await create(old.url)
  const { id: lead } = await app.make.lead()
  const held = await new Promise<ServerResponse>((resolve) => {
    old.respond = resolve
    void verify(lead)
  })
  await verify(lead)
  await root.call(webhooksContract.update, { params: { id }, body: { url: receiver.url } })
  held.writeHead(503, { 'retry-after': '3600' }).end()
  await until(() => receiver.received.length === 2)
})

test('a webhook ends with its creator, or when they may not read leads anymore [OPEN-02]', async () => {
  const receiver = await startReceiver()
  const campaign = await app.make.campaign()
  const maker = await app.make.admin({ campaigns: [campaign.id] })
  const { id } = await create(receiver.url, await app.as(maker))
  const lead = await app.make.lead({ campaign_id: campaign.id })
  receiver.respond = (response) => void response.writeHead(500).end()
  await verify(lead.id)
  await until(async () => (await readDeliveries(id)).length === 1)
  await app.context.db.update(usersTable).set({ permissions: [] }).where(eq(usersTable.id, maker.id))
  await hurry()
  await until(async () => !(await readWebhook(id)).active)
  await verify(lead.id)
  expect(await app.context.db.$count(webhookMessagesTable)).toBe(1)
  expect(receiver.received).toHaveLength(1)
})

test('a message of a campaign that its maker has lost is neither tried again nor sent again; other campaigns go on [OPEN-02]', async () => {
  const receiver = await startReceiver()
  const [lost, kept] = [await app.make.campaign(), await app.make.campaign()]
  const maker = await app.make.admin({ campaigns: [lost.id, kept.id] })
  const { id } = await create(receiver.url, await app.as(maker))
  receiver.respond = (response) => void response.writeHead(500).end()
  await verify((await app.make.lead({ campaign_id: lost.id })).id)
  await until(async () => (await readDeliveries(id)).length === 1)
  const ofLost = and(eq(userCampaignsTable.user_id, maker.id), eq(userCampaignsTable.campaign_id, lost.id))
  await app.context.db.delete(userCampaignsTable).where(ofLost)
  receiver.respond = (response) => void response.end()
  await hurry()
  await until(async () => (await readDeliveries(id)).length === 2)
  const [ended] = await readDeliveries(id)
  const answer = 'The creator of this webhook may no longer read what this message is about'
  expect(ended).toMatchObject({ attempt: 2, status: null, answer })
  expect(await app.context.db.select().from(webhookMessagesTable)).toMatchObject([{ state: 'failed' }])
  const again = await root.call(webhooksContract.resend, { params: { id, delivery: ended!.id } })
  expect([again.status, again.body.message]).toEqual([409, answer])
  expect(receiver.received).toHaveLength(1)
  await verify((await app.make.lead({ campaign_id: kept.id })).id)
  await until(() => receiver.received.length === 2)
})

test('a message with fields of a lead that its maker may not read anymore is neither tried again nor sent again [OPEN-02]', async () => {
  const receiver = await startReceiver()
  const campaign = await app.make.campaign()
  const maker = await app.make.admin({ campaigns: [campaign.id] })
  const { id } = await create(receiver.url, await app.as(maker))
  receiver.respond = (response) => void response.writeHead(500).end()
  const { id: lead } = await app.make.lead({ campaign_id: campaign.id })
  await verify(lead)
  await until(async () => (await readDeliveries(id)).length === 1)
  const permissions = maker.permissions.filter((page) => page !== 'show_lead_http_columns')
  await app.context.db.update(usersTable).set({ permissions }).where(eq(usersTable.id, maker.id))
  receiver.respond = (response) => void response.end()
  await hurry()
  await until(async () => (await readDeliveries(id)).length === 2)
  const [ended] = await readDeliveries(id)
  const answer = 'The creator of this webhook may no longer read what this message is about'
  expect(ended).toMatchObject({ attempt: 2, status: null, answer })
  const again = await root.call(webhooksContract.resend, { params: { id, delivery: ended!.id } })
  expect([again.status, again.body.message]).toEqual([409, answer])
  receiver.respond = (response) => void response.writeHead(500).end()
  await verify(lead) // has what they may read, and is tried again
  await until(() => receiver.received.length === 2)
  await until(async () => (await readDeliveries(id)).length === 3)
  receiver.respond = (response) => void response.end()
  await hurry()
  await until(() => receiver.received.length === 3)
})

test('a webhook is shown as off as soon as its creator has left, before a message is due [OPEN-02]', async () => {
  const receiver = await startReceiver()
  const maker = await app.make.admin()
  const { id } = await create(receiver.url, await app.as(maker))
  await root.call(adminsContract.remove, { params: { id: maker.id } })
  expect(await readWebhook(id)).toMatchObject({ active: false, problem: expect.stringContaining('may no longer') })
  expect((await root.call(webhooksContract.test, { params: { id } })).status).toBe(409)
})

test('an API key cannot add a webhook that receives more than the key may read [OPEN-01, OPEN-02]', async () => {
  const receiver = await startReceiver()
  const maker = await app.as(await app.make.admin())
  const keyOf = async (who: Caller, pages: object) => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const { body } = await who.call(apiKeysContract.create, { body: { name: 'k', pages, access: 'write', expires_at } })
    return caller(app.url, body.key)
  }
  const [few, enough] = [await keyOf(maker, { leads: 1 }), await keyOf(maker, { leads: 1, show_lead_http_columns: 1 })]
  const add = async (who: Caller, type: string) =>
    (await who.call(webhooksContract.create, { body: { url: receiver.url, events: [type] } })).status
  for (const type of ['lead.created', 'signal.opened', 'statement.sent']) expect(await add(few, type)).toBe(403)
  const ofRoot = await keyOf(root, { leads: 1, show_lead_http_columns: 1 })
  expect(await add(ofRoot, 'lead.created')).toBe(403)
  expect(await add(enough, 'signal.opened')).toBe(403)
  expect(await app.context.db.$count(webhooksTable)).toBe(0)
  const { id } = (await enough.call(webhooksContract.create, { body: { url: receiver.url, events: ['lead.created'] } }))
    .body
  const change = (who: Caller, body: object) => who.call(webhooksContract.update, { params: { id }, body })
  expect((await change(few, { url: `${receiver.url}/elsewhere` })).status).toBe(403)
  expect((await change(enough, { events: ['statement.sent'] })).status).toBe(403)
  expect((await change(enough, { url: `${receiver.url}/elsewhere` })).status).toBe(200)
})

test('an API key neither moves events that it may not read to another address nor sends them again [OPEN-01, OPEN-02]', async () => {
  const receiver = await startReceiver()
  const campaign = await app.make.campaign()
  const maker = await app.make.admin({ campaigns: [campaign.id] })
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const key = { name: 'k', pages: { leads: 1, campaigns: 1 }, access: 'write', expires_at }
  const of = await app.as(maker)
  const by = caller(app.url, (await of.call(apiKeysContract.create, { body: key })).body.key)
  const { id } = await create(receiver.url, of)
  const change = (body: object) => by.call(webhooksContract.update, { params: { id }, body })
  const elsewhere = { url: `${receiver.url}/elsewhere`, events: ['statement.sent'] }
  expect((await change(elsewhere)).status).toBe(403)
  await verify((await app.make.lead({ campaign_id: campaign.id })).id)
  await until(async () => (await readDeliveries(id)).length === 1)
  await of.call(webhooksContract.update, { params: { id }, body: elsewhere })
  const again = async () => {
    const [last] = await readDeliveries(id)
    return (await by.call(webhooksContract.resend, { params: { id, delivery: last!.id } })).status
  }
  expect(await again()).toBe(403)
  expect((await by.call(webhooksContract.test, { params: { id } })).status).toBe(200)
  await until(async () => (await readDeliveries(id)).length === 2)
  expect(await again(), 'a test message').toBe(200)
})
