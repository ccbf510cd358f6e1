import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { notArrivedHash } from '#core/secrets/passwords.ts'
import { passwordResetContract } from '#domains/access/password-reset/contract.ts'
import { passwordLinksTable } from '#domains/access/password-reset/schema.ts'
import { signInFailuresTable } from '#domains/access/schema.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { caller, setUp, startApp } from '#test/app.ts'
import { password } from '#test/factories.ts'
import { until, waitForJobs } from '#test/until.ts'
import { sessionContract } from '../contract.ts'

const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ work: true, settings: { SMTP_URL: sink.url } }))
const root = await app.as(await app.make.superAdmin())
beforeEach(() => app.context.db.delete(signInFailuresTable))

const signIn = (username: string, typed = password, who = app) =>
  who.guest.call(sessionContract.clientLogin, { body: { username, password: typed } })

test('clients sign in at their own page, and staff are referred to theirs after the password check [MOVE-13]', async () => {
  const customer = await app.make.customer()
  const { status, body, headers } = await signIn(customer.username)
  expect([status, Object.keys(body)]).toEqual([200, ['token']])
  expect(headers.getSetCookie()[0]).toMatch(/^leadline_device=/)
  expect((await caller(app.url, body.token).call(sessionContract.me)).body).toMatchObject({ isCustomer: true })
  expect((await signIn(customer.email)).body.token).toBeTypeOf('string')
  expect((await signIn(customer.username, 'wrong password')).body).toEqual({ error: 'Wrong username or password' })
  for (const staff of [await app.make.admin(), await app.make.handler(), await app.make.superAdmin()]) {
    expect((await signIn(staff.username)).body).toEqual({
      error: `Please use the administrator login: ${app.url}/login`,
    })
    expect((await signIn(staff.username, 'wrong password')).body).toEqual({ error: 'Wrong username or password' })
  }
  const inactive = await app.make.customer({ is_active: false })
  expect((await signIn(inactive.username)).body).toEqual({ error: 'Wrong username or password' })
  expect(
    (await app.guest.call(sessionContract.login, { body: { username: customer.username, password } })).body,
  ).toEqual({
    error: 'Please use the client login site',
  })
})

test('the two pages share the count of failures [MOVE-13]', async () => {
  const customer = await app.make.customer()
  for (let tries = 0; tries < 10; tries += 1)
    await (tries % 2
      ? signIn(customer.username, 'wrong password')
      : app.guest.call(sessionContract.login, { body: { username: customer.username, password: 'wrong password' } }))
  expect((await signIn(customer.username)).status).toBe(429)
})

test('where the agency has a client login site of its own, there is none here [MOVE-13]', async () => {
  const elsewhere = await startApp({ settings: { CLIENT_LOGIN_URL: 'https://clients.example/' } })
  const customer = await elsewhere.make.customer()
  expect((await signIn(customer.username, password, elsewhere)).status).toBe(404)
  await elsewhere.close()
})

test('a client is invited instead of given a password, chooses one and is signed in [MOVE-13]', async () => {
  const form = { name: 'Granite Roofing', user: { username: 'granite', email: 'owner@granite.example' } }
  const without = await root.call(clientsContract.create, { body: form })
  expect([without.status, without.body.errors]).toEqual([422, { password: ['Please enter password'] }])
  const { status, body: client } = await root.call(clientsContract.create, { body: { ...form, invite: 1 } })
  expect([status, client.user.username]).toEqual([200, 'granite'])
  expect((await signIn('granite', '!')).body).toEqual({ error: 'Wrong username or password' })
  await until(() => sink.letters.some(({ to }) => to.includes('owner@granite.example')))
  const [letter] = sink.letters.filter(({ to }) => to.includes('owner@granite.example'))
  const [, key] = /\/reset\?key=([\w-]+)&client=1/.exec(letter!.email.text ?? '')!
  const chosen = 'battery staple'
  const begun = await app.guest.call(passwordResetContract.reset, {
    body: { key: key!, new_password: chosen, new_password_confirmation: chosen },
  })
  expect((await caller(app.url, begun.body.token).call(sessionContract.me)).body).toMatchObject({ isCustomer: true })
  expect((await signIn('granite', chosen)).body.token).toBeTypeOf('string')
})

test('an invited client whose email is corrected is invited there, and may ask for a link once that has expired [MOVE-13]', async () => {
  const form = { name: 'Slate Roofing', user: { username: 'slate', email: 'wrong@slate.example' }, invite: 1 as const }
  const { body: client } = await root.call(clientsContract.create, { body: form })
  const readKeys = async (email: string, count = 1) => {
    const letters = () => sink.letters.filter(({ to }) => to.includes(email))
    await until(() => letters().length >= count)
    return letters().map(({ email: { text } }) => /\/reset\?key=([\w-]+)&client=1/.exec(text ?? '')![1]!)
  }
  const opens = async (key: string) => (await app.guest.call(passwordResetContract.check, { body: { key } })).status
  const save = (body: object) => root.call(clientsContract.update, { params: { id: client.id }, body })
  const [first = ''] = await readKeys('wrong@slate.example')
  expect((await save({ name: 'Slate', user: { username: 'slate', email: 'WRONG@slate.example' } })).status).toBe(200)
  expect(await opens(first), 'the address is the same').toBe(204)
  const { body: saved } = await save({ user: { email: 'owner@slate.example' } })
  expect(saved.user.email).toBe('owner@slate.example')
  const [second = ''] = await readKeys('owner@slate.example')
  expect([await opens(first), await opens(second)]).toEqual([404, 204])

  await app.context.db.update(passwordLinksTable).set({ expires_at: sql`now()` })
  expect(await opens(second)).toBe(404)
  await app.guest.call(passwordResetContract.forgot, { body: { email: 'owner@slate.example' } })
  const [, third = ''] = await readKeys('owner@slate.example', 2)
  const chosen = 'battery staple'
  const set = { key: third, new_password: chosen, new_password_confirmation: chosen }
  expect((await app.guest.call(passwordResetContract.reset, { body: set })).status).toBe(204)
  expect((await signIn('slate', chosen)).body.token).toBeTypeOf('string')

  const letters = sink.letters.length
  expect((await save({ user: { email: 'new@slate.example' } })).status).toBe(200)
  const waiting = await app.make.client()
  const moved = await app.make.customer({ client_id: waiting.id, password_hash: notArrivedHash })
  const edit = { params: { id: waiting.id }, body: { user: { email: 'mended@slate.example' } } }
  expect((await root.call(clientsContract.update, edit)).body.user.id).toBe(moved.id)
  await waitForJobs(app.context)
  expect(sink.letters.length, 'to a client who has arrived, or was never invited').toBe(letters)
})

test('without a mail server no one is invited, and nothing is stored [MOVE-13]', async () => {
  const mute = await startApp()
  const keeper = await mute.as(await mute.make.superAdmin())
  const before = await mute.dump()
  const body = { name: 'A', user: { username: 'someone', email: 'a@b.example' }, invite: 1 as const }
  expect((await keeper.call(clientsContract.create, { body })).status).toBe(409)
  expect(await mute.dump()).toBe(before)
  await mute.close()
})
