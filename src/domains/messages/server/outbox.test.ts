import { createServer } from 'node:http'
import { eq, ne } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { usersTable } from '#domains/access/schema.ts'
import { startListening, stopListening } from '#integrations/fakes/local-server.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { OutboundError } from '#integrations/outbound/outbound-problem.ts'
import { setUp, startApp } from '#test/app.ts'
import { messagesTable } from '../schema.ts'
import { renderNoticeEmail } from './notice-email.tsx'
import { messageOutbox } from './outbox.ts'
import { type QueuedEmail, queueChatMessage, queueEmail } from './queue.ts'

const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ settings: { SMTP_URL: sink.url, ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' } }))
beforeEach(async () => {
  await app.context.db.delete(messagesTable)
  Object.assign(sink, { manner: 'take', read: 0 })
  sink.letters.length = 0
})

const find = async (id: number) =>
  (await app.context.db.select().from(messagesTable).where(eq(messagesTable.id, id)))[0]!
const invitation: QueuedEmail = {
  kind: 'invitation',
  to: 'new@agency.example',
  subject: 'Invitation',
  html: '<p>secret-link</p>',
  text: 'secret-link',
}
const queue = async (email: Partial<QueuedEmail> = {}) =>
  (await app.context.db.transaction((tx) => queueEmail(tx, app.context, { ...invitation, ...email }))) ?? 0

test('a message is sent once however often its job runs, with its attachment and headers', async () => {
  const id = await queue({
    headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    attachments: [{ filename: 'report.pdf', content_type: 'application/pdf', content: Buffer.from('%PDF-1.7') }],
  })
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => messageOutbox.send(app.context, id)))
  expect(outcomes.filter((outcome) => outcome === 'sent')).toHaveLength(1)
  expect(sink.letters).toHaveLength(1)
  const { to, raw, email } = sink.letters[0]!
  expect(to).toEqual(['new@agency.example'])
  expect(raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  expect(email.attachments[0]).toMatchObject({ filename: 'report.pdf', mimeType: 'application/pdf' })
})

test('a message’s content is encrypted while it waits and deleted once it is sent', async () => {
  const id = await queue()
  const before = await find(id)
  expect(before.content?.includes('secret-link')).toBe(false)
  await messageOutbox.send(app.context, id)
  expect(await find(id)).toMatchObject({ state: 'sent', content: null })
})

test('a second message with the same key is not queued', async () => {
  expect(await queue({ dedupe_key: 'report:1:2026-11' })).toBeGreaterThan(0)
  expect(await queue({ dedupe_key: 'report:1:2026-11' })).toBe(0)
})

test('a retry tries an unreachable mail server once, and nothing more once the process stops', async () => {
  const ids = [await queue(), await queue()]
  await app.context.db.update(messagesTable).set({ created_at: new Date(Date.now() - 60_000) })
  const jobs = { stopping: AbortSignal.abort() } as typeof app.context.jobs // all that a retry reads
  await messageOutbox.retry({ ...app.context, jobs })
  expect((await find(ids[0]!)).state).toBe('queued')
  let tries = 0
  const send = async () => {
    tries += 1
    return { outcome: 'unreachable' as const, error: 'away' }
  }
  await messageOutbox.retry({ ...app.context, mailer: { ...app.context.mailer, send } })
  expect(tries).toBe(1)
  await messageOutbox.retry(app.context)
  for (const id of ids) expect((await find(id)).state).toBe('sent')
})

test.each(['failed', 'unknown', 'deferred'] as const)(
  'a message that ends as %s does not hold up the others of a retry',
  async (outcome) => {
    const ids = [await queue(), await queue()]
    await app.context.db.update(messagesTable).set({ created_at: new Date(Date.now() - 60_000) })
    const { mailer } = app.context
    let tries = 0
    const send: typeof mailer.send = async (letter, claim) => {
      tries += 1
      return tries === 1 ? { outcome, error: 'not this one' } : mailer.send(letter, claim)
    }
    await messageOutbox.retry({ ...app.context, mailer: { ...mailer, send } })
    expect((await find(ids[0]!)).error).toBe('not this one')
    expect((await find(ids[1]!)).state).toBe('sent')
  },
)

test('a message waits while the mail server defers it, and ends as refused when it has expired', async () => {
  sink.manner = 'defer'
  const id = await queue()
  expect(await messageOutbox.send(app.context, id)).toBe('deferred')
  expect(await find(id)).toMatchObject({ state: 'queued', error: expect.stringContaining('451') })
  await app.context.db
    .update(messagesTable)
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where(eq(messagesTable.id, id))
  await messageOutbox.retry(app.context)
  expect(await find(id)).toMatchObject({ state: 'refused', content: null })
})

test('a message that waits for the mail server is not sent to an account that was closed or switched off since', async () => {
  const { db } = app.context
  const [closed, off, there] = [await app.make.admin(), await app.make.admin(), await app.make.admin()]
  const ids = [
    await queue({ user_id: closed.id }),
    await queue({ user_id: off.id }),
    await queue({ user_id: there.id }),
  ]
  await db.update(usersTable).set({ is_active: false, deleted_at: new Date() }).where(eq(usersTable.id, closed.id))
  await db.update(usersTable).set({ is_active: false }).where(eq(usersTable.id, off.id))
  for (const id of ids) await messageOutbox.send(app.context, id)
  expect(sink.letters).toHaveLength(1)
  expect((await find(ids[2]!)).state).toBe('sent')
  for (const id of ids.slice(0, 2))
    expect(await find(id)).toMatchObject({ state: 'refused', content: null, error: 'The account was closed since' })
})

test('a message whose sender died is uncertain and never sent again', async () => {
  const id = await queue()
  await app.context.db
    .update(messagesTable)
    .set({ state: 'sending', sending_at: new Date(Date.now() - 180_000) })
    .where(eq(messagesTable.id, id))
  await messageOutbox.retry(app.context)
  expect(await find(id)).toMatchObject({ state: 'uncertain' })
  expect(await messageOutbox.send(app.context, id)).toBe('nothing')
  expect(sink.letters).toHaveLength(0)
})

test('the mail server’s answer counts, even after the message was taken for interrupted', async () => {
  const id = await queue()
  const { mailer } = app.context
  const send: typeof mailer.send = async (letter, claim) => {
    if (!(await claim())) throw new Error('another sender was faster')
    await app.context.db.update(messagesTable).set({ sending_at: new Date(Date.now() - 180_000) })
    await messageOutbox.expire(app.context)
    expect((await find(id)).state).toBe('uncertain')
    return mailer.send(letter, async () => true)
  }
  expect(await messageOutbox.send({ ...app.context, mailer: { ...mailer, send } }, id)).toBe('sent')
  expect(await find(id)).toMatchObject({ state: 'sent', error: null, content: null })
})

test('a message that cannot be opened holds up no other message', async () => {
  const [broken, whole] = [await queue(), await queue()]
  await app.context.db.update(messagesTable).set({ created_at: new Date(Date.now() - 60_000) })
  await app.context.db
    .update(messagesTable)
    .set({ content: Buffer.alloc(60) })
    .where(eq(messagesTable.id, broken))
  await messageOutbox.retry(app.context)
  expect([(await find(broken)).state, (await find(whole)).state]).toEqual(['queued', 'sent'])
})

test('many messages that cannot be sent do not keep a later one from being tried again', async () => {
  const { db } = app.context
  const [first] = await db
    .select()
    .from(messagesTable)
    .where(eq(messagesTable.id, await queue()))
  const { id: _, ...broken } = first!
  const others = Array.from({ length: 599 }, (_, at) => ({ ...broken, dedupe_key: `broken:${at}` }))
  await db.insert(messagesTable).values(others)
  const whole = await queue()
  await db.update(messagesTable).set({ created_at: new Date(Date.now() - 60_000) })
  await db
    .update(messagesTable)
    .set({ content: Buffer.alloc(60) })
    .where(ne(messagesTable.id, whole))
  for (let minute = 0; minute < 2; minute += 1) await messageOutbox.retry(app.context)
  expect((await find(whole)).state).toBe('sent')
  await db.delete(messagesTable)
  const next = await queue()
  await db.update(messagesTable).set({ created_at: new Date(Date.now() - 60_000) })
  await messageOutbox.retry(app.context)
  expect((await find(next)).state).toBe('sent')
})

test('a retry asks a chat service that cannot be reached once', async () => {
  const queueChat = (path: string) =>
    app.context.db.transaction((tx) =>
      queueChatMessage(tx, app.context, { kind: 'signal', url: `https://chat.example/${path}`, text: 'Site offline' }),
    )
  for (const path of ['a', 'b', 'c']) await queueChat(path)
  await app.context.db.update(messagesTable).set({ created_at: new Date(Date.now() - 60_000) })
  const asked: string[] = []
  const { outbound } = app.context
  const request: typeof outbound.request = async (url) => {
    asked.push(String(url))
    throw new OutboundError('unanswered', 'No answer')
  }
  await messageOutbox.retry({ ...app.context, outbound: Object.assign(Object.create(outbound), { request }) })
  expect(asked).toEqual(['https://chat.example/a'])
})

test('a chat webhook gets the text as JSON; 500, 503 and 429 are retried, 400 and 404 are final', async () => {
  const received: string[] = []
  let status = 0
  const server = createServer((request, response) => {
    request.on('data', (chunk) => received.push(String(chunk)))
    request.on('end', () => response.writeHead(status).end())
  })
  const port = await startListening(server)
  const queueChat = async (url = `http://127.0.0.1:${port}/hook`) =>
    (await app.context.db.transaction((tx) =>
      queueChatMessage(tx, app.context, { kind: 'signal', url, text: 'Site offline' }),
    )) ?? 0
  const id = await queueChat()
  for (const passing of [503, 500, 429]) {
    status = passing
    expect(await messageOutbox.send(app.context, id), String(status)).toBe('deferred')
  }
  status = 200
  expect(await messageOutbox.send(app.context, id)).toBe('sent')
  expect(received).toEqual(Array.from({ length: 4 }, () => '{"text":"Site offline"}'))
  status = 400
  expect(await messageOutbox.send(app.context, await queueChat())).toBe('failed')
  status = 404
  const gone = await queueChat()
  expect(await messageOutbox.send(app.context, gone)).toBe('gone')
  expect(await find(gone)).toMatchObject({ state: 'gone', recipient: `http://127.0.0.1:${port}` })
  expect((await find(gone)).content, 'kept for another way of delivery').not.toBeNull()
  await stopListening(server)
  expect(await messageOutbox.send(app.context, await queueChat('http://10.0.0.1/')), 'nothing was sent').toBe('failed')
})

test('a notice email says the same in HTML and in text', async () => {
  const { html, text } = await renderNoticeEmail({
    about: 'Leadline',
    title: 'You are invited',
    paragraphs: ['Choose a password to sign in.'],
    button: { label: 'Choose a password', url: 'https://leads.example/reset?key=abc' },
    reason: 'An administrator made an account for you.',
  })
  for (const part of ['You are invited', 'Choose a password to sign in.', 'https://leads.example/reset?key=abc'])
    expect([html.includes(part), text.includes(part)]).toEqual([true, true])
})
