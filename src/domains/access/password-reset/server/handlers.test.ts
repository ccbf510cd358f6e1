import { and, eq } from 'drizzle-orm'
import pg from 'pg'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { namedPasswordMessage, notArrivedHash } from '#core/secrets/passwords.ts'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { adminsContract, leadsHandlersContract } from '#domains/access/contract.ts'
import { usersTable } from '#domains/access/schema.ts'
import { totpSecretAad, totpSecretsTable } from '#domains/access/second-factor/schema.ts'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { messagesTable } from '#domains/messages/schema.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { type Caller, caller, setUp, startApp } from '#test/app.ts'
import { password } from '#test/factories.ts'
import { until, waitForJobs } from '#test/until.ts'
import { passwordResetContract } from '../contract.ts'
import { passwordLinksTable, passwordRequestsTable } from '../schema.ts'

const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ settings: { SMTP_URL: sink.url, TRUSTED_PROXIES: '127.0.0.1' }, work: true }))
const root = await app.as(await app.make.superAdmin({ username: 'olivia' }))
beforeEach(() => app.context.db.delete(passwordRequestsTable))

const newPassword = 'battery staple'
const forgot = (email: string) => app.guest.call(passwordResetContract.forgot, { body: { email } })
const reset = (key: string, chosen = newPassword, confirmation = chosen) =>
  app.guest.call(passwordResetContract.reset, {
    body: { key, new_password: chosen, new_password_confirmation: confirmation },
  })
const check = (key: string) => app.guest.call(passwordResetContract.check, { body: { key } })
const signIn = async (username: string, typed: string) =>
  (await app.guest.call(sessionContract.login, { body: { username, password: typed } })).body

/** Returns the keys mailed to this address, latest last. */
async function readMailedKeys(email: string, count = 1): Promise<string[]> {
  const mailed = () => sink.letters.filter(({ to }) => to.includes(email))
  await until(() => mailed().length >= count)
  return mailed().map(({ email: letter }) => {
    const link = /(\S+)\/reset\?key=([\w-]+)/.exec(letter.text ?? '')
    expect(link?.[1]).toBe(app.url)
    return link![2]!
  })
}
/** Whether the person was invited and has not arrived. */
const isAwaited = (email: string) =>
  app.context.db.$count(usersTable, and(eq(usersTable.email, email), eq(usersTable.password_hash, notArrivedHash)))
const countMessages = (userId: number) => app.context.db.$count(messagesTable, eq(messagesTable.user_id, userId))

describe('forgot password', () => {
  test('mails a key of 128 bits that sets the password once, for an hour, without signing in [SIGN-03]', async () => {
    const user = await app.make.admin()
    const before = await app.as(user)
    const asked = await forgot(user.email.toUpperCase())
    expect(asked.status).toBe(200)
    const [key = ''] = await readMailedKeys(user.email)
    expect(Buffer.from(key, 'base64url')).toHaveLength(16)
    const [link] = await app.context.db
      .select()
      .from(passwordLinksTable)
      .where(eq(passwordLinksTable.key_hash, hashSha256(key)))
    expect(link!.expires_at.getTime() - link!.created_at.getTime()).toBeLessThanOrEqual(3_660_000)

    const used = await reset(key)
    expect([used.status, used.body]).toEqual([204, undefined])
    expect((await before.call(sessionContract.me)).status).toBe(401)
    expect(await signIn(user.username, newPassword)).toHaveProperty('token')
    expect(await signIn(user.username, password)).toHaveProperty('error')
    expect((await reset(key, 'another staple')).status).toBe(404)
    const entries = await app.context.db
      .select()
      .from(auditTable)
      .where(and(eq(auditTable.kind, 'user'), eq(auditTable.row_id, user.id)))
    expect(entries.at(-1)).toMatchObject({ user_id: user.id, after: { password: 'changed' } })
  })

  test('returns the same response for an unknown address or a closed account, and mails nothing [SIGN-03]', async () => {
    const user = await app.make.admin()
    const closed = await app.make.admin({ is_active: false })
    const answers = await Promise.all([user.email, closed.email, 'unknown@example.com'].map(forgot))
    for (const { status, body } of answers) expect([status, body]).toEqual([200, answers[0]!.body])
    await waitForJobs(app.context)
    expect(await countMessages(user.id)).toBe(1)
    expect(await countMessages(closed.id)).toBe(0)
    expect((await forgot('no address')).status).toBe(422)
  })

  test('makes the same statements and enqueues one job before the response, whether the address is known or not', async () => {
    const idle = await startApp({ settings: { SMTP_URL: sink.url } })
    const user = await idle.make.admin()
    const database = new URL(idle.context.pool.options.connectionString!).pathname.slice(1)
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const observe = async (email: string) => {
      query.mockClear()
      const { status } = await idle.guest.call(passwordResetContract.forgot, { body: { email } })
      expect(status).toBe(200)
      // The workers of the other app look for jobs in their own database.
      const own = query.mock.calls.filter((_, call) => (query.mock.contexts[call] as pg.Client).database === database)
      return own.map(([sent]) => (typeof sent === 'string' ? sent : (sent as { text: string }).text))
    }
    await observe(user.email) // what is made once for a connection
    const known = await observe(user.email)
    const unknown = await observe('unknown@example.com')
    query.mockRestore()
    expect(unknown).toEqual(known)
    const { rows } = await idle.context.pool.query(`select data from pgboss.job where name = 'password-reset'`)
    expect(rows).toHaveLength(3)
    expect(JSON.stringify(rows)).not.toContain('example.com')
    await idle.close()
  })

  test('mails one address at most three times an hour, even with parallel requests [SIGN-03]', async () => {
    const user = await app.make.handler()
    const answers = await Promise.all(Array.from({ length: 6 }, () => forgot(user.email)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    await waitForJobs(app.context)
    expect(await countMessages(user.id)).toBe(3)
    const keys = await readMailedKeys(user.email, 3)
    expect((await reset(keys[1]!)).status).toBe(204)
    // A used key ends the others, and does not allow a fourth.
    for (const key of keys) expect((await reset(key, 'another staple')).status).toBe(404)
    await forgot(user.email)
    await waitForJobs(app.context)
    expect(await countMessages(user.id)).toBe(3)
  })

  test('refuses a caller’s 31st request within an hour, and says when to retry [SIGN-03]', async () => {
    for (let request = 0; request < 30; request += 1) expect((await forgot('unknown@example.com')).status).toBe(200)
    const refused = await forgot('unknown@example.com')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500)
  })

  test('counts the addresses of one IPv6 network together [SIGN-03]', async () => {
    const ask = (address: string) =>
      app.guest.call(passwordResetContract.forgot, {
        body: { email: 'unknown@example.com' },
        headers: { 'x-forwarded-for': address },
      })
    for (let host = 1; host <= 30; host += 1) expect((await ask(`2001:db8::${host}`)).status).toBe(200)
    expect((await ask('2001:db8::31')).status).toBe(429)
    expect((await ask('2001:db8:0:1::31')).status).toBe(200)
  })

  test('the key ends after an hour, with the account, and when the password changes another way [SIGN-03]', async () => {
    const { db } = app.context
    const open = async () => {
      const user = await app.make.admin()
      await forgot(user.email)
      return { user, key: (await readMailedKeys(user.email))[0]! }
    }
    const old = await open()
    await db
      .update(passwordLinksTable)
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where(eq(passwordLinksTable.user_id, old.user.id))
    const closed = await open()
    await root.call(adminsContract.remove, { params: { id: closed.user.id } })
    const changed = await open()
    await root.call(adminsContract.update, { params: { id: changed.user.id }, body: { password: 'given by olivia' } })
    for (const { key } of [old, closed, changed])
      expect([(await check(key)).status, (await reset(key)).status]).toEqual([404, 404])
    expect((await reset('made-up')).status).toBe(404)
  })

  test('a bad password does not use up the key; of two concurrent uses, one wins [SIGN-03]', async () => {
    const user = await app.make.admin()
    await forgot(user.email)
    const [key = ''] = await readMailedKeys(user.email)
    expect((await check(key)).status).toBe(204)
    expect((await reset(key, 'short')).body.errors).toHaveProperty('new_password')
    expect((await reset(key, 'password123')).body.errors).toHaveProperty('new_password')
    expect((await reset(key, newPassword, 'battery stable')).body.errors).toEqual({
      new_password_confirmation: ["Passwords don't match!"],
    })
    const both = await Promise.all([reset(key, 'the first staple'), reset(key, 'the second staple')])
    expect(both.map(({ status }) => status).sort()).toEqual([204, 404])
  })

  test('the key is only in the mail, not in the database or the audit log [SIGN-03]', async () => {
    const user = await app.make.admin()
    await forgot(user.email)
    const [key = ''] = await readMailedKeys(user.email)
    const { rows } = await app.context.pool.query<{ found: string }>(
      `select 'link' as found from password_links row where row::text like $1
       union all select 'message' from messages row where row::text like $1
       union all select 'audit' from audit row where row::text like $1`,
      [`%${key}%`],
    )
    expect(rows).toEqual([])
  })
})

describe('an invitation', () => {
  const form = (name: string) => ({ username: name, email: `${name}@agency.example`, invite: 1 })

  test.each([
    ['an admin', adminsContract.create],
    ['a leads handler', leadsHandlersContract.create],
  ] as const)(
    'creates %s who chooses the password with a mailed link, valid for 24 hours, and is signed in by it [SIGN-03, MOVE-13]',
    async (who, create) => {
      const name = who.replaceAll(' ', '-')
      const made = await root.call(create, { body: form(name) })
      expect(made.status).toBe(200)
      const [key = ''] = await readMailedKeys(`${name}@agency.example`)
      const [link] = await app.context.db
        .select()
        .from(passwordLinksTable)
        .where(eq(passwordLinksTable.user_id, made.body.id))
      expect(link!.expires_at.getTime() - link!.created_at.getTime()).toBeGreaterThan(23 * 3_600_000)
      expect(await signIn(name, '')).toBeDefined()
      expect(await signIn(name, notArrivedHash)).toHaveProperty('error')
      expect(await isAwaited(`${name}@agency.example`)).toBe(1)
      const arrived = await reset(key)
      expect(arrived.status).toBe(200)
      const theirs = caller(app.url, arrived.body.token)
      expect((await theirs.call(sessionContract.me)).body).toMatchObject({ username: name })
      expect((await reset(key)).status).toBe(404)
      expect(await isAwaited(`${name}@agency.example`)).toBe(0)
      expect(await signIn(name, newPassword)).toHaveProperty('token')
      const entries = await app.context.db.select().from(auditTable).where(eq(auditTable.kind, 'invitation'))
      expect(entries.at(-1)).toMatchObject({ username: 'olivia', row_id: made.body.id })
    },
  )

  test('also works for existing accounts, sent by those who may set their password [SIGN-03]', async () => {
    const { make } = app
    const campaign = await make.campaign()
    const admin = await make.admin({ campaigns: [campaign.id], permissions: ['leads'] })
    const handler = await make.handler({ campaigns: [campaign.id], permissions: ['leads'] })
    const inviteAdmin = (who: Caller, id: number) => who.call(passwordResetContract.inviteAdmin, { params: { id } })
    const inviteHandler = (who: Caller, id: number) => who.call(passwordResetContract.inviteHandler, { params: { id } })
    expect((await inviteAdmin(root, admin.id)).status).toBe(204)
    expect((await inviteHandler(root, handler.id)).status).toBe(204)
    expect((await inviteAdmin(root, handler.id)).status).toBe(404)
    expect((await inviteHandler(root, 999_999)).status).toBe(404)
    // Nothing changes before the link is used.
    expect(await signIn(admin.username, password)).toHaveProperty('token')

    const keeper = await app.as(await make.admin({ permissions: ['admin_pages', 'leads_handlers'], campaigns: [] }))
    const links = () => app.context.db.$count(passwordLinksTable)
    const before = await links()
    expect((await inviteAdmin(keeper, admin.id)).status).toBe(403)
    expect((await inviteHandler(keeper, handler.id)).status).toBe(404)
    expect(await links()).toBe(before)
  })

  test('or a password is required [SIGN-03]', async () => {
    const { invite: _, ...named } = form('passworded')
    const refused = await root.call(adminsContract.create, { body: { ...named, password: '' } })
    expect([refused.status, refused.body.errors]).toEqual([422, { password: ['Please enter password'] }])
    const empty = await root.call(leadsHandlersContract.create, { body: {} })
    expect(Object.keys(empty.body.errors).sort()).toEqual(['email', 'password', 'username'])
    expect((await root.call(adminsContract.create, { body: { ...named, password } })).status).toBe(200)
    expect(await signIn('passworded', password)).toHaveProperty('token')
  })

  test('without a mail server creates no account and says so [SIGN-03]', async () => {
    const deaf = await startApp()
    try {
      const someone = await deaf.as(await deaf.make.superAdmin())
      const refused = await someone.call(adminsContract.create, { body: form('unheard') })
      expect([refused.status, refused.body.message]).toEqual([
        409,
        'No mail server is connected: a super admin connects one under Connections',
      ])
      expect(await deaf.context.db.$count(usersTable, eq(usersTable.username, 'unheard'))).toBe(0)
    } finally {
      await deaf.close()
    }
  })
})

test('an invited person with a second factor is asked for it [MOVE-13]', async () => {
  const user = await app.make.admin()
  await app.context.db.insert(totpSecretsTable).values({
    ...{ user_id: user.id, enabled_at: new Date() },
    secret_encrypted: app.context.secrets.seal('JBSWY3DPEHPK3PXP', totpSecretAad(user.id)),
  })
  expect((await root.call(passwordResetContract.inviteAdmin, { params: { id: user.id } })).status).toBe(204)
  const [key = ''] = await readMailedKeys(user.email)
  const answer = await reset(key)
  expect(answer.body).toEqual({ second_factor: { challenge: expect.any(String), methods: ['totp'] } })
})

describe('a password', () => {
  const refusal = { new_password: [namedPasswordMessage] }

  test('may not contain the nickname or the company’s name, at any of the six doors [MOVE-13]', async () => {
    const { make } = app
    const user = await make.admin({ username: 'Zoë.Ortiz' })
    await forgot(user.email)
    const [key = ''] = await readMailedKeys(user.email)
    expect((await reset(key, 'my zoe-ortiz 77')).body.errors).toEqual(refusal)
    const change = {
      old_password: password,
      new_password: 'ZOEORTIZ rocks',
      new_password_confirmation: 'ZOEORTIZ rocks',
    }
    const own = await (await app.as(user)).call(sessionContract.updateProfile, { body: change })
    expect(own.body.errors).toEqual(refusal)

    const set = (typed: string) => ({ body: { password: typed } })
    const admin = await root.call(adminsContract.update, { params: { id: user.id }, ...set('zoeortiz 1') })
    expect(admin.body.errors).toEqual({ password: [namedPasswordMessage] })
    const handler = await make.handler({ username: 'handlerjane' })
    const changed = await root.call(leadsHandlersContract.update, {
      params: { id: handler.id },
      ...set('x handler-jane x'),
    })
    expect(changed.body.errors).toEqual({ password: [namedPasswordMessage] })
    const named = { username: 'newperson', email: 'newperson@agency.example', password: 'the NEW person' }
    for (const create of [adminsContract.create, leadsHandlersContract.create])
      expect((await root.call(create, { body: named })).body.errors).toEqual({ password: [namedPasswordMessage] })

    const client = { name: 'Bayou Roofing, LLC', timezone: 'America/Chicago', emails: '' }
    const login = { username: 'bayou', email: 'bayou@client.example' }
    const create = (typed: string) =>
      root.call(clientsContract.create, { body: { ...client, user: login, password: typed } as never })
    for (const typed of ['bayou roofing llc', 'i love b-a-y-o-u'])
      expect((await create(typed)).body.errors, typed).toEqual({ password: [namedPasswordMessage] })
    const made = await create('battery staple')
    expect(made.status).toBe(200)
    const params = { id: made.body.id }
    const patch = (body: object) => root.call(clientsContract.update, { params, body: body as never })
    expect((await patch({ password: 'BayouRoofingLLC!' })).body.errors).toEqual({ password: [namedPasswordMessage] })
    expect((await patch({ name: 'Cypress Gutters', password: 'cypress gutters' })).body.errors).toEqual({
      password: [namedPasswordMessage],
    })
  })

  test('is not compared with names of under four letters [MOVE-13]', async () => {
    const user = await app.make.admin({ username: 'ann' })
    await forgot(user.email)
    const [key = ''] = await readMailedKeys(user.email)
    expect((await reset(key, 'annual staples')).status).toBe(204)
  })
})
