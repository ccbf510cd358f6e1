import { beforeEach, expect, test } from 'vitest'
import { passwordResetContract } from '#domains/access/password-reset/contract.ts'
import { signInFailuresTable } from '#domains/access/schema.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { caller, setUp, startApp } from '#test/app.ts'
import { password } from '#test/factories.ts'
import { until } from '#test/until.ts'
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

test('without a mail server no one is invited, and nothing is stored [MOVE-13]', async () => {
  const mute = await startApp()
  const keeper = await mute.as(await mute.make.superAdmin())
  const before = await mute.dump()
  const body = { name: 'A', user: { username: 'someone', email: 'a@b.example' }, invite: 1 as const }
  expect((await keeper.call(clientsContract.create, { body })).status).toBe(409)
  expect(await mute.dump()).toBe(before)
  await mute.close()
})
