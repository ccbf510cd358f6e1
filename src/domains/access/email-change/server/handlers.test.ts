import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { passwordResetContract } from '#domains/access/password-reset/contract.ts'
import { passwordLinksTable } from '#domains/access/password-reset/schema.ts'
import { usersTable } from '#domains/access/schema.ts'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { createFirstAdmin } from '#domains/access/sign-in/server/first-admin.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { password } from '#test/factories.ts'
import { until } from '#test/until.ts'
import { emailChangeContract } from '../contract.ts'

const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ settings: { SMTP_URL: sink.url }, work: true }))

const change = (caller: Caller, email: string) => caller.call(emailChangeContract.change, { body: { email } })
const confirm = (key: string) => app.guest.call(emailChangeContract.confirm, { body: { key } })
const readMe = async (caller: Caller) => (await caller.call(sessionContract.me)).body
const readEmail = async (id: number) =>
  (await app.context.db.select().from(usersTable).where(eq(usersTable.id, id)))[0]!.email
const findLetters = (to: string) =>
  sink.letters
    .filter((letter) => letter.to.some((one) => one.toLowerCase() === to.toLowerCase()))
    .map(({ email }) => email.text)
async function readMailedKey(to: string): Promise<string> {
  const text = await until(() => findLetters(to).find((letter) => letter?.includes('/email?key=')))
  return /\/email\?key=([\w-]+)/.exec(text)![1]!
}

test('an email changes when the link at the new address is confirmed, and the old one is told twice [MOVE-12]', async () => {
  const user = await app.make.admin()
  const me = await app.as(user)
  const asked = await change(me, 'new@person.example')
  expect([asked.status, asked.body.message]).toEqual([200, 'Open the link that we sent to new@person.example'])
  expect(await readMe(me)).toMatchObject({ email: user.email, pending_email: 'new@person.example' })
  await until(() => findLetters(user.email).length === 1)
  expect(findLetters(user.email)[0]).toContain('to new@person.example')
  expect(findLetters(user.email)[0]).not.toContain('key=')

  const key = await readMailedKey('new@person.example')
  expect(await readEmail(user.id)).toBe(user.email)
  const done = await confirm(key)
  expect([done.status, done.body.message]).toEqual([200, 'Your email is now new@person.example'])
  expect(await readMe(me)).toMatchObject({ email: 'new@person.example', pending_email: null })
  await until(() => findLetters(user.email).length === 2)
  expect(findLetters(user.email)[1]).toContain('is now new@person.example')
  expect((await confirm(key)).status).toBe(404)
  const entries = await app.context.db
    .select()
    .from(auditTable)
    .where(and(eq(auditTable.kind, 'user'), eq(auditTable.row_id, user.id)))
  expect(entries.at(-1)).toMatchObject({ user_id: user.id, after: { email: 'new@person.example' } })
})

test('the address of another account is answered alike, and its owner is mailed without a key [MOVE-12]', async () => {
  const [user, owner] = [await app.make.admin(), await app.make.admin()]
  const me = await app.as(user)
  const asked = await change(me, owner.email.toUpperCase())
  expect([asked.status, asked.body.message]).toEqual([
    200,
    `Open the link that we sent to ${owner.email.toUpperCase()}`,
  ])
  expect((await readMe(me)).pending_email).toBe(owner.email.toUpperCase())
  const text = await until(() => findLetters(owner.email)[0])
  expect(text).toContain('Nothing has changed')
  expect(text).not.toContain('key=')
})

test('an address that another account has taken since cannot be confirmed [MOVE-12]', async () => {
  const user = await app.make.admin()
  await change(await app.as(user), 'raced@person.example')
  const key = await readMailedKey('raced@person.example')
  await app.make.admin({ email: 'raced@person.example' })
  const refused = await confirm(key)
  expect([refused.status, refused.body.message]).toEqual([409, 'This email is taken'])
  expect(await readEmail(user.id)).toBe(user.email)
})

test('a newer request, a new password and a day end a link, and of two uses at once one counts [MOVE-12]', async () => {
  const { db } = app.context
  const user = await app.make.admin()
  const me = await app.as(user)
  await change(me, 'first@person.example')
  const first = await readMailedKey('first@person.example')
  await change(me, 'second@person.example')
  const second = await readMailedKey('second@person.example')
  expect((await confirm(first)).status).toBe(404)
  expect((await readMe(me)).pending_email).toBe('second@person.example')
  const both = await Promise.all([confirm(second), confirm(second)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 404])

  const late = await app.make.admin()
  await change(await app.as(late), 'late@person.example')
  const old = await readMailedKey('late@person.example')
  await db
    .update(passwordLinksTable)
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where(eq(passwordLinksTable.user_id, late.id))
  expect((await confirm(old)).status).toBe(404)
  expect((await readMe(await app.as(late))).pending_email).toBeNull()

  const changed = await app.make.admin()
  const theirs = await app.as(changed)
  await change(theirs, 'changed@person.example')
  const before = await readMailedKey('changed@person.example')
  const body = { old_password: password, new_password: 'battery staple', new_password_confirmation: 'battery staple' }
  expect((await theirs.call(sessionContract.updateProfile, { body })).status).toBe(200)
  expect((await confirm(before)).status).toBe(404)
})

test('a link for a password does not confirm an email, nor the other way round [MOVE-12]', async () => {
  const user = await app.make.admin()
  const me = await app.as(user)
  await app.guest.call(passwordResetContract.forgot, { body: { email: user.email } })
  const reset = await until(() => /reset\?key=([\w-]+)/.exec(findLetters(user.email).join('\n'))?.[1])
  expect((await confirm(reset)).status).toBe(404)
  await change(me, 'apart@person.example')
  const key = await readMailedKey('apart@person.example')
  expect((await app.guest.call(passwordResetContract.check, { body: { key } })).status).toBe(404)
  expect((await confirm(key)).status).toBe(200)
  // A link that was mailed to the old address opens nothing any more.
  expect((await app.guest.call(passwordResetContract.check, { body: { key: reset } })).status).toBe(404)
})

test('bad addresses, the same one and a fourth request within the hour are refused [MOVE-12]', async () => {
  const user = await app.make.admin()
  const me = await app.as(user)
  for (const [email, line] of [
    ['', 'Please input your email'],
    ['no address', 'Email is not valid'],
    [user.email, 'This is your email already'],
  ] as const) {
    const refused = await change(me, email)
    expect([refused.status, refused.body.errors]).toEqual([422, { email: [line] }])
  }
  for (const name of ['a', 'b', 'c']) expect((await change(me, `${name}@many.example`)).status).toBe(200)
  const fourth = await change(me, 'd@many.example')
  expect([fourth.status, fourth.headers.get('retry-after')]).toEqual([429, '3600'])
  expect((await confirm('made-up')).status).toBe(404)
})

test('the first administrator’s address is replaced at once, and no mail server is needed for that [MOVE-12]', async () => {
  const fresh = await startApp()
  try {
    await fresh.context.db.delete(usersTable)
    await createFirstAdmin(fresh.context)
    const [admin] = await fresh.context.db.select().from(usersTable)
    const me = await fresh.as(admin!)
    const saved = await change(me, 'boss@agency.example')
    expect([saved.status, saved.body.message]).toEqual([200, 'Your email is now boss@agency.example'])
    expect((await readMe(me)).email).toBe('boss@agency.example')
    const again = await change(me, 'other@agency.example')
    expect([again.status, again.body.message]).toEqual([
      409,
      'No mail server is connected: a super admin connects one under Connections',
    ])
  } finally {
    await fresh.close()
  }
})
