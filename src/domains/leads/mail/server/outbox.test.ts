import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ratingKeysTable } from '#domains/leads/rating/schema.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { createMailer } from '#integrations/smtp/smtp.ts'
import { setUp, startApp } from '#test/app.ts'
import { earlier } from '#test/earlier-time.ts'
import { builtProgram } from '../../../../../bin/build-server.mjs'
import { mailsTable } from '../schema.ts'
import { enqueueMail } from './enqueue.ts'
import { mailOutbox } from './outbox.ts'

const ends: (() => unknown)[] = []

const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ settings: { SMTP_URL: sink.url } }))
const client = await app.make.client({ emails: ['owner@client.example'] })
const campaign_id = (await app.make.campaign({ client_id: client.id })).id
beforeEach(async () => {
  await app.context.db.delete(mailsTable)
  await app.context.pool.query(`delete from pgboss.job where name = 'send-mail'`)
  Object.assign(sink, { manner: 'take', read: 0 })
  sink.letters.length = 0
  sink.unknown.clear()
  sink.busy.clear()
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const find = async (id: number) => (await app.context.db.select().from(mailsTable).where(eq(mailsTable.id, id)))[0]!
async function queued(): Promise<number> {
  const lead = await app.make.lead({ campaign_id })
  const enqueued = await app.context.db.transaction((tx) =>
    enqueueMail(tx, app.context, { leadId: lead.id, kind: 'notification', requestedBy: null }),
  )
  return 'mail' in enqueued ? enqueued.mail.id : 0
}
const age = (id: number, minutes: number) => {
  const [created, handed] = [earlier('created_at', minutes * 60), earlier('handed_at', minutes * 60)]
  return app.context.pool.query(`update mails set created_at = ${created}, handed_at = ${handed} where id = ${id}`)
}

test('however often a mail’s job runs, concurrently or again, one email is sent [IN-18]', async () => {
  const id = await queued()
  const outcomes = await Promise.all(Array.from({ length: 12 }, () => mailOutbox.send(app.context, id)))
  expect(outcomes.filter((outcome) => outcome === 'sent')).toHaveLength(1)
  expect(await mailOutbox.send(app.context, id)).toBe('nothing')
  await mailOutbox.retry(app.context)
  expect(sink.letters).toHaveLength(1)
  expect(await find(id)).toMatchObject({ state: 'sent', error: null })
  expect(await app.context.db.$count(ratingKeysTable, eq(ratingKeysTable.mail_id, id))).toBe(1)
})

test('an unreachable or busy mail server leaves the mail waiting; it is sent when the server is back [IN-18]', async () => {
  const id = await queued()
  sink.manner = 'defer'
  expect(await mailOutbox.send(app.context, id)).toBe('deferred')
  expect(await find(id)).toMatchObject({ state: 'queued', error: expect.stringContaining('451') })
  const away = {
    ...app.context,
    mailer: createMailer(async () => ({ url: 'smtp://127.0.0.1:1', from: 'a@b.example' })),
  }
  expect(await mailOutbox.send(away, id)).toBe('unreachable')
  expect(await find(id)).toMatchObject({
    state: 'queued',
    sending_at: null,
    error: expect.stringContaining('ECONNREFUSED'),
  })
  sink.manner = 'take'
  await age(id, 1)
  await mailOutbox.retry(app.context)
  expect(await find(id)).toMatchObject({ state: 'sent' })
  expect(sink.letters).toHaveLength(1)
})

test('a sender that fails while another one sends the same mail leaves it to the other [IN-18]', async () => {
  const id = await queued()
  const late = async () => {
    expect(await mailOutbox.send(app.context, id)).toBe('sent')
    return { outcome: 'unreachable' as const, error: 'too late' }
  }
  const other = { ...app.context, mailer: { ...app.context.mailer, send: late } }
  expect(await mailOutbox.send(other, id)).toBe('unreachable')
  expect(await find(id)).toMatchObject({ state: 'sent', error: null })
})

test('a permanently rejected mail is refused with the server’s message and never retried [IN-18]', async () => {
  for (const [manner, words] of [
    ['refuse', '554 Not wanted here'],
    ['refuse recipient', '550 No such mailbox'],
  ] as const) {
    const id = await queued()
    sink.manner = manner
    expect(await mailOutbox.send(app.context, id)).toBe('failed')
    expect(await find(id)).toMatchObject({ state: 'refused', error: expect.stringContaining(words) })
    sink.manner = 'take'
    await age(id, 1)
    await mailOutbox.retry(app.context)
  }
  expect(sink.letters).toEqual([])
})

test('a mail that the server took for some of its recipients is sent, and says who did not get it [IN-18]', async () => {
  const id = await queued()
  const { recipients } = await find(id)
  sink.unknown.add('gone@client.example')
  await app.context.db
    .update(mailsTable)
    .set({ recipients: [...recipients, 'gone@client.example'] })
    .where(eq(mailsTable.id, id))
  expect(await mailOutbox.send(app.context, id)).toBe('sent')
  expect(await find(id)).toMatchObject({
    ...{ state: 'sent', relay_answer: expect.stringMatching(/^250 /) },
    error: 'Not delivered to gone@client.example: 550 No such mailbox',
  })
  expect(sink.letters.map(({ to }) => to)).toEqual([recipients])
})

test('recipients that the server defers while it takes the others get the mail later, and only they [IN-18]', async () => {
  const id = await queued()
  const { recipients } = await find(id)
  sink.unknown.add('gone@client.example')
  sink.busy.add('Full@client.example')
  await app.context.db
    .update(mailsTable)
    .set({ recipients: [...recipients, 'gone@client.example', 'Full@Client.example'] })
    .where(eq(mailsTable.id, id))
  expect(await mailOutbox.send(app.context, id)).toBe('sent')
  expect(await find(id)).toMatchObject({
    ...{ state: 'sent', recipients: [...recipients, 'gone@client.example'] },
    error: 'Not delivered to gone@client.example: 550 No such mailbox',
  })
  const findRest = async () => (await app.context.db.select().from(mailsTable).where(eq(mailsTable.again_of, id)))[0]!
  const rest = await findRest()
  expect(rest).toMatchObject({
    ...{ state: 'queued', kind: 'notification', recipients: ['Full@Client.example'], requested_by: null },
    error: expect.stringContaining('450 Try again later'),
  })
  await age(rest.id, 1)
  await mailOutbox.retry(app.context)
  expect(await findRest()).toMatchObject({ state: 'queued', error: expect.stringContaining('450 Try again later') })
  sink.busy.clear()
  await mailOutbox.retry(app.context)
  expect(await findRest()).toMatchObject({ state: 'sent', error: null })
  expect(sink.letters.map(({ to }) => to.map((one) => one.toLowerCase()))).toEqual([
    recipients,
    ['full@client.example'],
  ])
  expect(new Set(sink.letters.map(({ email }) => email.messageId)).size).toBe(1)
})

test('a server that hangs up after reading the mail leaves it uncertain: it may have arrived, and is not sent again [IN-18]', async () => {
  const id = await queued()
  sink.manner = 'hang up'
  expect(await mailOutbox.send(app.context, id)).toBe('unknown')
  expect([sink.read, (await find(id)).state]).toEqual([1, 'uncertain'])
  sink.manner = 'take'
  await age(id, 10)
  await mailOutbox.retry(app.context)
  expect(await mailOutbox.send(app.context, id)).toBe('nothing')
  expect(sink.letters).toEqual([])
})

test('a mail that could not be sent for three days is given up and says so', async () => {
  const id = await queued()
  await age(id, 73 * 60)
  await mailOutbox.retry(app.context)
  expect(await find(id)).toMatchObject({ state: 'refused', error: 'Could not be sent within 72 hours' })
  expect(sink.letters).toEqual([])
})

test('a process that stops sends no further waiting mail: a kill would leave it uncertain', async () => {
  const id = await queued()
  await age(id, 1)
  const jobs = { stopping: AbortSignal.abort() } as typeof app.context.jobs // all that a retry reads
  await mailOutbox.retry({ ...app.context, jobs })
  expect(await find(id)).toMatchObject({ state: 'queued' })
  await mailOutbox.retry(app.context)
  expect(await find(id)).toMatchObject({ state: 'sent' })
})

// ——— killed ———

/** Starts a separate worker on this database: `npm start` with LEADLINE_ROLE=worker. */
function startWorker(): ChildProcess {
  const child = spawn(process.execPath, [builtProgram('server')], {
    env: {
      ...process.env,
      LEADLINE_ROLE: 'worker',
      DATABASE_URL: app.context.pool.options.connectionString,
      SMTP_URL: sink.url,
      SECRET_KEY: '5e'.repeat(32),
      PUBLIC_URL: app.url,
      LOG_LEVEL: 'silent',
      APP_ENV: 'test',
    },
    stdio: 'ignore',
  })
  ends.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  return child
}
const until = (look: () => unknown, wanted: unknown) =>
  expect.poll(look, { timeout: 60_000, interval: 50 }).toBe(wanted)

test('a worker that is killed while it sends a mail leaves it uncertain, visible, and never sent again automatically (R19) [IN-18]', {
  timeout: 180_000,
}, async () => {
  const id = await queued()
  sink.manner = 'hang' // the server reads the whole mail and never responds
  const first = startWorker()
  await until(() => sink.read, 1)
  expect(await find(id)).toMatchObject({ state: 'handing' })
  first.kill('SIGKILL')
  await once(first, 'exit')
  sink.manner = 'take'

  await age(id, 1) // it might still be sending
  await mailOutbox.retry(app.context)
  expect(await find(id)).toMatchObject({ state: 'handing' })
  await age(id, 2)
  startWorker()
  await until(async () => (await find(id)).state, 'uncertain')
  expect(await find(id)).toMatchObject({ error: 'Interrupted while sending; it may have arrived' })
  const other = await queued()
  await until(async () => (await find(other)).state, 'sent')
  // On a slow machine the worker's schedules also send signals to people.
  expect(sink.letters.filter(({ raw }) => /^Message-ID: <lead-/im.test(raw))).toHaveLength(1)
  expect(await find(id)).toMatchObject({ state: 'uncertain' })
})
