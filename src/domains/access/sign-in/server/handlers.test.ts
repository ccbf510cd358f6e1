import { createHash } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  hashPassword,
  noPasswordHash,
  noPasswordMessage,
  notArrivedHash,
  verifyPassword,
} from '#core/secrets/passwords.ts'
import { preferencesContract } from '#domains/access/preferences/contract.ts'
import { remoteTokensTable, sessionsTable, signInFailuresTable, usersTable } from '#domains/access/schema.ts'
import { secondStepContract } from '#domains/access/second-factor/contract.ts'
import { secondFactorRolesTable } from '#domains/access/second-factor/schema.ts'
import { seeAsContract } from '#domains/access/see-as/contract.ts'
import { createRemoteToken } from '#domains/access/server/session-tokens.ts'
import { leadColumns, queueHiddenColumns, startHiddenColumns } from '#domains/leads/fields.ts'
import { type Caller, caller, setUp, startApp } from '#test/app.ts'
import { password } from '#test/factories.ts'
import { sessionContract } from '../contract.ts'

const app = await setUp(startApp({ settings: { CLIENT_LOGIN_URL: 'https://clients.example/sign-in' } }))
beforeEach(() => app.context.db.delete(signInFailuresTable))

const signIn = (username: string, typed = password) =>
  app.guest.call(sessionContract.login, { body: { username, password: typed } })

/** Creates a remote token like POST user/{id}/remoteToken. */
async function remoteToken(user: { id: number }, expires = new Date(Date.now() + 86_400_000)) {
  const token = `remote-${user.id}-${Math.random()}`
  await app.context.db.insert(remoteTokensTable).values({
    user_id: user.id,
    token_hash: createHash('sha256').update(token).digest(),
    token_encrypted: app.context.secrets.seal(token, `remote_tokens:${user.id}`),
    expires_at: expires,
  })
  return token
}

describe('signing in', () => {
  test('the right password returns a session token [LOGIN-08]', async () => {
    const user = await app.make.admin()
    const { status, body } = await signIn(user.username)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['token'])
    const me = await caller(app.url, body.token).call(sessionContract.me)
    expect(me.body.username).toBe(user.username)
  })

  test('an email works in place of the username, in any case [LOGIN-09]', async () => {
    const user = await app.make.handler()
    expect((await signIn(user.email.toUpperCase())).body.token).toBeTypeOf('string')
  })

  test.each(['ΟΔΥΣΣΕΥΣ', 'İpek'])('%s signs in under the name that was entered [LOGIN-09]', async (username) => {
    await app.make.admin({ username })
    expect(Object.keys((await signIn(username)).body)).toEqual(['token'])
  })

  test('a wrong password returns 200 with an error message and no token [LOGIN-10]', async () => {
    const user = await app.make.admin()
    const { status, body } = await signIn(user.username, 'wrong password')
    expect([status, body]).toEqual([200, { error: 'Wrong username or password' }])
  })

  test('unknown, inactive and deleted users get the same message [LOGIN-11]', async () => {
    const inactive = await app.make.admin({ is_active: false })
    const deleted = await app.make.admin({ deleted_at: new Date() })
    for (const name of ['nobody-by-this-name', inactive.username, deleted.username])
      expect((await signIn(name)).body).toEqual({ error: 'Wrong username or password' })
  })

  test('an unknown user costs as much as a password check [LOGIN-11]', async () => {
    const hash = await hashPassword('right password')
    // CPU time of this process, which is also the server: the load of the machine does not count.
    const measure = async (work: () => Promise<unknown>) => {
      const before = process.cpuUsage()
      await work()
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    let [requests, checks] = [0, 0]
    for (let round = 0; round < 5; round++) {
      requests += await measure(() => signIn(`nobody-${round}`, 'wrong password'))
      checks += await measure(() => verifyPassword('wrong password', hash))
    }
    expect(requests).toBeGreaterThan(checks / 2) // a lookup alone takes a fifth of a check
  })

  test('a customer is referred to the client login site, after the password check [LOGIN-12]', async () => {
    const customer = await app.make.customer()
    const { status, body } = await signIn(customer.username)
    expect(status).toBe(200)
    expect(body).toEqual({ error: 'Please use the client login site: https://clients.example/sign-in' })
    expect((await signIn(customer.username, 'wrong password')).body).toEqual({ error: 'Wrong username or password' })
  })

  test('missing credentials get 422 at their fields', async () => {
    const { status, body } = await app.guest.call(sessionContract.login, { body: {} })
    expect(status).toBe(422)
    expect(body.errors).toEqual({ username: ['Please input username'], password: ['Please input password'] })
  })

  test('the tenth failure locks the account, even for the right password, and says when to retry (R16) [LOGIN-13]', async () => {
    const user = await app.make.admin()
    await app.context.db
      .insert(signInFailuresTable)
      .values(Array.from({ length: 9 }, () => ({ account: user.username, address: '10.1.1.1' })))
    expect((await signIn(user.username, 'wrong password')).status).toBe(200)
    const { status, body, headers } = await signIn(user.username)
    expect(status).toBe(429)
    expect(body.error).toMatch(/^Too many failed sign-ins/)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(800)
  })

  test('a browser that has signed in before is not locked out, and has its own count', async () => {
    const user = await app.make.admin()
    const try_ = (typed: string, cookie?: string) =>
      app.guest.call(sessionContract.login, {
        body: { username: user.username, password: typed },
        headers: cookie ? { cookie } : {},
      })
    const signedIn = await try_(password)
    const [written] = signedIn.headers.getSetCookie()
    expect(written).toMatch(/^leadline_device=.*; HttpOnly; SameSite=Strict/)
    const cookie = written!.split(';')[0]!
    const strangers = Array.from({ length: 10 }, () => ({ account: user.username, address: '10.1.1.1' }))
    await app.context.db.insert(signInFailuresTable).values(strangers)
    expect((await try_(password)).status).toBe(429)
    expect((await try_(password, cookie)).body.token).toBeDefined()
    // Another user's cookie, or an altered one, does not count.
    const other = await app.make.admin()
    expect((await try_(password, cookie.replace(`=${user.id}.`, `=${other.id}.`))).status).toBe(429)
    expect((await try_(password, `${cookie}x`)).status).toBe(429)
    for (let tries = 0; tries < 10; tries += 1) expect((await try_('wrong password', cookie)).status).toBe(200)
    expect((await try_(password, cookie)).status).toBe(429)
    await app.context.db.delete(signInFailuresTable)
  })

  test('an account has one count for username and email [LOGIN-13]', async () => {
    const user = await app.make.admin()
    const names = [user.username, user.email, user.username.toUpperCase(), user.email.toUpperCase()]
    for (let tries = 0; tries < 10; tries += 1)
      expect((await signIn(names[tries % names.length]!, 'wrong password')).status).toBe(200)
    for (const name of names) expect((await signIn(name)).status, name).toBe(429)
    const change = {
      old_password: password,
      new_password: 'battery staple',
      new_password_confirmation: 'battery staple',
    }
    expect((await (await app.as(user)).call(sessionContract.updateProfile, { body: change })).status).toBe(429)
  })

  test('an unknown name is counted as typed, in any case [LOGIN-13]', async () => {
    const names = ['Nobody@example.com', 'nobody@EXAMPLE.com']
    for (let tries = 0; tries < 10; tries += 1) await signIn(names[tries % 2]!, 'wrong password')
    for (const name of names) expect((await signIn(name)).status, name).toBe(429)
    expect((await signIn('nobody-else', 'wrong password')).status).toBe(200)
  })

  test('a sign-in by email clears the failures by username [LOGIN-13]', async () => {
    const user = await app.make.admin()
    for (let tries = 0; tries < 9; tries += 1) await signIn(user.username, 'wrong password')
    expect((await signIn(user.email)).body.token).toBeTypeOf('string')
    expect((await signIn(user.username, 'wrong password')).status).toBe(200)
    expect((await signIn(user.username)).status).toBe(200)
  })

  test('failures older than fifteen minutes do not count [LOGIN-13]', async () => {
    const user = await app.make.admin()
    const at = new Date(Date.now() - 15.1 * 60_000)
    await app.context.db
      .insert(signInFailuresTable)
      .values(Array.from({ length: 40 }, () => ({ account: user.username, address: '127.0.0.1', at })))
    expect((await signIn(user.username)).status).toBe(200)
  })

  test('who may try again within a minute is told of one minute [LOGIN-13]', async () => {
    const user = await app.make.admin()
    const at = new Date(Date.now() - 14.5 * 60_000)
    await app.context.db
      .insert(signInFailuresTable)
      .values(Array.from({ length: 10 }, () => ({ account: user.username, address: '10.1.1.1', at })))
    const { status, body } = await signIn(user.username)
    expect([status, body.error]).toEqual([429, 'Too many failed sign-ins, please try again in 1 minute'])
  })

  test('the thirtieth failure locks the address, for any name (R16) [LOGIN-14]', async () => {
    const user = await app.make.admin()
    const failures = Array.from({ length: 30 }, (_, number) => ({ account: `guess-${number}`, address: '127.0.0.1' }))
    await app.context.db.insert(signInFailuresTable).values(failures)
    const { status, body, headers } = await signIn(user.username)
    expect([status, typeof body.error]).toEqual([429, 'string'])
    expect(headers.has('retry-after')).toBe(true)
  })

  test('a forwarded address from an untrusted source does not change the count (R16) [LOGIN-14]', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    await app.guest.call(sessionContract.login, { body: { username: 'nobody', password: 'wrong' }, headers })
    const [failure] = await app.context.db.select().from(signInFailuresTable)
    expect(failure?.address).toBe('127.0.0.1')
  })
})

describe('guessing', () => {
  test('parallel guesses are counted like sequential ones (R16) [LOGIN-13]', async () => {
    const user = await app.make.admin()
    const answers = await Promise.all(Array.from({ length: 25 }, () => signIn(user.username, 'wrong password')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
  })

  test('behind a configured proxy the count is for the address that the proxy adds, not for one that the caller sends (R16) [LOGIN-14]', async () => {
    const proxied = await startApp({ settings: { TRUSTED_PROXIES: '127.0.0.1' } })
    try {
      const guess = async (forwarded: string, typed = 'wrong password', username = 'nobody') => {
        const headers = { 'x-forwarded-for': forwarded }
        return proxied.guest.call(sessionContract.login, { body: { username, password: typed }, headers })
      }
      await guess('203.0.113.66, 198.51.100.7')
      const [failure] = await proxied.context.db.select().from(signInFailuresTable)
      expect(failure?.address).toBe('198.51.100.7')
      const failures = Array.from({ length: 29 }, (_, number) => ({ account: `g-${number}`, address: '198.51.100.7' }))
      await proxied.context.db.insert(signInFailuresTable).values(failures)
      const user = await proxied.make.admin()
      expect((await guess('198.51.100.7', password, user.username)).status).toBe(429)
      expect((await guess('203.0.113.9, 198.51.100.7', password, user.username)).status).toBe(429)
      expect((await guess('198.51.100.8', password, user.username)).body.token).toBeTypeOf('string')

      await guess('2001:db8:1:2::a')
      const others = failures.map(({ account }) => ({ account, address: '2001:db8:1:2::/64' }))
      await proxied.context.db.insert(signInFailuresTable).values(others)
      expect((await guess('2001:db8:1:2::b', password, user.username)).status).toBe(429)
      expect((await guess('2001:db8:1:3::b', password, user.username)).body.token).toBeTypeOf('string')
    } finally {
      await proxied.close()
    }
  })
})

describe('a session', () => {
  test('its token is 256 random bits, stored only as SHA-256, for 30 days [LOGIN-19]', async () => {
    const user = await app.make.admin()
    const { token } = (await signIn(user.username)).body
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const [row] = await app.context.db.select().from(sessionsTable).where(eq(sessionsTable.user_id, user.id))
    expect(row!.token_hash).toEqual(createHash('sha256').update(token).digest())
    expect((row!.expires_at.getTime() - Date.now()) / 86_400_000).toBeCloseTo(30, 2)
  })

  test('it returns 401 once it has expired [LOGIN-19]', async () => {
    const user = await app.make.admin()
    const someone = await app.as(user)
    await app.context.db
      .update(sessionsTable)
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where(eq(sessionsTable.user_id, user.id))
    expect((await someone.call(sessionContract.me)).status).toBe(401)
  })

  test('GET user/me without a token, or with an unknown one, returns 401 [LOGIN-17]', async () => {
    expect((await app.guest.call(sessionContract.me)).status).toBe(401)
    expect((await caller(app.url, 'made-up').call(sessionContract.me)).status).toBe(401)
  })

  test('logging out ends it [LOGIN-18]', async () => {
    const someone = await app.as(await app.make.admin())
    expect((await someone.call(sessionContract.logout)).status).toBe(204)
    expect((await someone.call(sessionContract.me)).status).toBe(401)
    expect((await app.guest.call(sessionContract.logout)).status).toBe(204)
  })

  test('logging out everywhere ends all sessions of the user', async () => {
    const user = await app.make.admin()
    const [here, there] = [await app.as(user), await app.as(user)]
    await here.call(sessionContract.logout, { body: { all: 1 } })
    expect((await there.call(sessionContract.me)).status).toBe(401)
  })

  test('deactivating the user ends it on the next request', async () => {
    const user = await app.make.admin()
    const someone = await app.as(user)
    await app.context.db.update(usersTable).set({ is_active: false }).where(eq(usersTable.id, user.id))
    expect((await someone.call(sessionContract.me)).status).toBe(401)
  })

  test('GET user/me returns the user and their pages [LOGIN-16]', async () => {
    const user = await app.make.admin({ permissions: ['leads', 'show_lead_http_columns'] })
    const { body } = await (await app.as(user)).call(sessionContract.me)
    expect(body).toMatchObject({
      id: user.id,
      username: user.username,
      email: user.email,
      isAdmin: true,
      isSuperAdmin: false,
    })
    expect(body.tools_links).toEqual([])
    expect(body.hidden_columns).toEqual([
      { view: 'leads.list', hidden_columns: startHiddenColumns },
      { view: 'leads.review', hidden_columns: queueHiddenColumns },
      { view: 'leads.missed', hidden_columns: queueHiddenColumns },
    ])
    expect(body.chosen_views).toEqual([])
    const held = Object.entries(body.permissions).filter(([, on]) => on)
    expect(held.map(([flag]) => flag)).toEqual(['leads', 'show_lead_http_columns'])
    expect(JSON.stringify(body)).not.toMatch(/password|argon2|remote/)
  })

  test('pages that a role may not hold have no effect, however they got there [PERM-02]', async () => {
    const handler = await app.make.handler({ permissions: ['leads', 'admin_pages', 'leadsRelated'] })
    const { body } = await (await app.as(handler)).call(sessionContract.me)
    expect(body).toMatchObject({ isAdmin: false, isSuperAdmin: false })
    expect(body.permissions).toMatchObject({ leads: true, admin_pages: false, leadsRelated: false })
  })

  test('a super admin has every flag, even if none is ticked [PERM-03]', async () => {
    const { body } = await (await app.as(await app.make.superAdmin())).call(sessionContract.me)
    expect(Object.values(body.permissions)).not.toContain(false)
  })
})

describe('signing in by token', () => {
  test('a remote token opens a new session of that customer [LOGIN-15]', async () => {
    const customer = await app.make.customer()
    const token = await remoteToken(customer)
    const { body } = await app.guest.call(sessionContract.authByToken, { body: { token } })
    expect(body.token).not.toBe(token)
    const me = await caller(app.url, body.token).call(sessionContract.me)
    expect(me.body).toMatchObject({ id: customer.id, isAdmin: false })
  })

  const trade = async (token: string | null, who: Caller = app.guest, more: object = {}) =>
    (await who.call(sessionContract.authByToken, { body: { token, ...more } })).body
  const nameOf = async (token: string) => (await caller(app.url, token).call(sessionContract.me)).body.username ?? null
  const readSessions = (user: { id: number }) =>
    app.context.db.select().from(sessionsTable).where(eq(sessionsTable.user_id, user.id))

  test('a live session token is traded for another one of the same session, and is dead itself [LOGIN-15]', async () => {
    const user = await app.make.admin()
    const someone = await app.as(user)
    const early = new Date(Date.now() - 3_600_000)
    await app.context.db
      .update(sessionsTable)
      .set({ created_at: early, proven_at: early })
      .where(eq(sessionsTable.user_id, user.id))
    const [before] = await readSessions(user)
    const { token, ...more } = await trade(someone.token)
    expect([token === someone.token, more]).toEqual([false, {}])
    expect([await nameOf(token), await nameOf(someone.token!)]).toEqual([user.username, null])
    const [after, ...others] = await readSessions(user)
    expect(others).toEqual([])
    const { id, via, created_at, proven_at, expires_at } = before!
    expect(after).toMatchObject({ id, via, created_at, proven_at, expires_at })
    expect(await trade(someone.token)).toEqual({
      error: 'This sign-in link no longer works. Ask the agency for a new one.',
    })
  })

  test('a traded session still has to set up a second factor, and stays the view that it was [LOGIN-15]', async () => {
    const { db } = app.context
    const [handler, olivia] = [await app.make.handler(), await app.make.superAdmin()]
    const own = await app.as(olivia)
    const view = (await own.call(seeAsContract.begin, { params: { id: handler.id } })).body.token
    const traded = await trade(own.token)
    expect(await nameOf(view)).toBe(handler.username)
    const again = (await trade(view)).token
    const { body } = await caller(app.url, again).call(sessionContract.me)
    expect(body).toMatchObject({ username: handler.username, seen_by: { id: olivia.id } })
    expect([await nameOf(traded.token), await nameOf(view)]).toEqual([olivia.username, null])
    await db.insert(secondFactorRolesTable).values({ role: 'leads_handler' })
    const session = await app.as(await app.make.handler())
    const answer = await trade(session.token)
    expect(answer).toEqual({ token: expect.any(String), must_enrol: true })
    expect((await caller(app.url, answer.token).call(sessionContract.updateProfile)).body.must_enrol).toBe(true)
    await db.delete(secondFactorRolesTable)
  })

  test('where someone else is signed in it names both and changes nothing until they agree [LOGIN-15]', async () => {
    const customer = await app.make.customer()
    const [morgan, olivia] = [await app.make.admin(), await app.make.superAdmin()]
    const link = await remoteToken(customer)
    const [theirs, own] = [await app.as(morgan), await app.as(olivia)]
    const view = caller(app.url, (await own.call(seeAsContract.begin, { params: { id: customer.id } })).body.token)
    for (const [who, signed_in] of [
      [theirs, morgan.username],
      [view, olivia.username],
    ] as const) {
      const before = await app.dump()
      const sessions = await app.context.db.$count(sessionsTable)
      expect(await trade(link, who)).toEqual({ other_person: { signed_in, link: customer.username } })
      expect([await app.dump(), await app.context.db.$count(sessionsTable)]).toEqual([before, sessions])
      const { token } = await trade(link, who, { replace: 1 })
      expect([await nameOf(token), await nameOf(who.token!)]).toEqual([customer.username, null])
    }
    expect(await nameOf(own.token!)).toBeNull()
    const session = await app.as(morgan)
    const other = await app.as(olivia)
    expect(await trade(session.token, other)).toHaveProperty('other_person')
    expect([await nameOf(session.token!), await nameOf(other.token!)]).toEqual([morgan.username, olivia.username])
  })

  test('a link has ten sessions at once, the oldest end first; a link and an address have twenty uses a minute', async () => {
    const proxied = await startApp({ settings: { TRUSTED_PROXIES: '127.0.0.1' } })
    try {
      const { db, secrets } = proxied.context
      const linkOf = (user: { id: number }) => createRemoteToken(db, secrets, user.id)
      const follow = (token: string, address: string) =>
        proxied.guest.call(
          { ...sessionContract.authByToken, response: undefined },
          { body: { token }, headers: { 'x-forwarded-for': address } },
        )
      const customer = await proxied.make.customer()
      const own = await proxied.as(customer)
      const link = await linkOf(customer)
      const first = (await follow(link, '198.51.100.1')).body.token
      const later = await Promise.all(Array.from({ length: 12 }, () => follow(link, '198.51.100.2')))
      const sessions = await db.select().from(sessionsTable).where(eq(sessionsTable.user_id, customer.id))
      expect(sessions.filter(({ via }) => via === 'remote_token')).toHaveLength(10)
      const nameAt = async (token: string) =>
        (await caller(proxied.url, token).call(sessionContract.me)).body.username ?? null
      const names = await Promise.all([first, own.token!, ...later.map(({ body }) => body.token)].map(nameAt))
      expect([names[0], names[1]]).toEqual([null, customer.username])

      for (let used = 13; used < 20; used += 1) await follow(link, '198.51.100.3')
      const worn = await follow(link, '198.51.100.4')
      expect([worn.status, worn.body.message]).toEqual([
        429,
        'This sign-in link was used 20 times within a minute, please try again later',
      ])
      expect(Number(worn.headers.get('retry-after'))).toBeGreaterThan(0)
      const other = await linkOf(await proxied.make.customer())
      expect((await follow(other, '198.51.100.4')).body).toHaveProperty('token')
      for (let used = 12; used < 20; used += 1) await follow('made-up', '198.51.100.2')
      const full = await follow(other, '198.51.100.2')
      expect([full.status, full.body.message]).toEqual([
        429,
        'Sign-in links were opened 20 times within a minute from this network, please try again later',
      ])
      expect((await follow(other, '198.51.100.5')).body).toHaveProperty('token')
    } finally {
      await proxied.close()
    }
  })

  test('one’s own link asks nothing, and ends the session that it replaces [LOGIN-15]', async () => {
    const customer = await app.make.customer()
    const link = await remoteToken(customer)
    const first = await app.as(customer)
    const { token } = await trade(link, first)
    expect([await nameOf(token), await nameOf(first.token!)]).toEqual([customer.username, null])
    const traded = await trade(token, caller(app.url, token))
    expect(await nameOf(traded.token)).toBe(customer.username)
  })

  test('unknown, expired, inactive and staff tokens get the same error [LOGIN-15]', async () => {
    const expired = await remoteToken(await app.make.customer(), new Date(Date.now() - 1000))
    const inactive = await remoteToken(await app.make.customer({ is_active: false }))
    const staff = await remoteToken(await app.make.superAdmin())
    for (const token of ['made-up', expired, inactive, staff]) {
      const { status, body } = await app.guest.call(sessionContract.authByToken, { body: { token } })
      expect([status, body]).toEqual([
        200,
        { error: 'This sign-in link no longer works. Ask the agency for a new one.' },
      ])
    }
  })

  test('failed sign-ins under any name leave the links of others alone [LOGIN-13]', async () => {
    const token = await remoteToken(await app.make.customer())
    for (let tries = 0; tries < 10; tries += 1)
      for (const name of ['a sign-in link', ' sign-in link']) await signIn(name, 'wrong password')
    expect((await app.guest.call(sessionContract.authByToken, { body: { token } })).body).toHaveProperty('token')
  })

  test('a remote token is not a bearer token [LOGIN-22]', async () => {
    const token = await remoteToken(await app.make.customer())
    expect((await caller(app.url, token).call(sessionContract.me)).status).toBe(401)
  })
})

describe('changing the password', () => {
  const change = { old_password: password, new_password: 'battery staple', new_password_confirmation: 'battery staple' }

  test('the new one signs in, the old one does not, and it is stored as argon2id [PROF-09, LOGIN-21]', async () => {
    const user = await app.make.admin()
    const { status } = await (await app.as(user)).call(sessionContract.updateProfile, { body: change })
    expect(status).toBe(200)
    expect((await signIn(user.username, 'battery staple')).body.token).toBeTypeOf('string')
    expect((await signIn(user.username)).body.error).toBeTypeOf('string')
    const [row] = await app.context.db.select().from(usersTable).where(eq(usersTable.id, user.id))
    expect(row!.password_hash).toMatch(/^\$argon2id\$/)
  })

  test('it ends the user’s other sessions and remote token, and keeps this session [LOGIN-20]', async () => {
    const customer = await app.make.customer()
    await remoteToken(customer)
    const [here, there] = [await app.as(customer), await app.as(customer)]
    await here.call(sessionContract.updateProfile, { body: change })
    expect((await here.call(sessionContract.me)).status).toBe(200)
    expect((await there.call(sessionContract.me)).status).toBe(401)
    expect(await app.context.db.$count(remoteTokensTable, eq(remoteTokensTable.user_id, customer.id))).toBe(0)
  })

  test('a wrong old password is refused at its field and changes nothing [PROF-10]', async () => {
    const user = await app.make.admin()
    const someone = await app.as(user)
    const before = await app.dump()
    const { status, body } = await someone.call(sessionContract.updateProfile, {
      body: { ...change, old_password: 'wrong' },
    })
    expect([status, body.errors]).toEqual([422, { old_password: ['The old password is wrong'] }])
    expect(await app.dump()).toBe(before)
  })

  test('someone without a password is told how to choose one', async () => {
    for (const password_hash of [noPasswordHash, notArrivedHash]) {
      const someone = await app.as(await app.make.admin({ password_hash }))
      const { body } = await someone.call(sessionContract.updateProfile, { body: change })
      expect(body.errors).toEqual({ old_password: [noPasswordMessage] })
    }
  })

  test.each([
    ['short', 'The password must be at least 8 character'],
    ['x'.repeat(129), 'The password must be at most 128 characters'],
  ])('a new password of a wrong length is refused: %s [PROF-11, LOGIN-21]', async (typed, line) => {
    const someone = await app.as(await app.make.admin())
    const before = await app.dump()
    const body = { ...change, new_password: typed, new_password_confirmation: typed }
    const answer = await someone.call(sessionContract.updateProfile, { body })
    expect([answer.status, answer.body.errors.new_password]).toEqual([422, [line]])
    expect(await app.dump()).toBe(before)
  })

  test('every empty field gets its own message', async () => {
    const { body } = await (await app.as(await app.make.admin())).call(sessionContract.updateProfile, { body: {} })
    expect(body.errors).toEqual({
      old_password: ['Please input old password'],
      new_password: ['Please input new password'],
      new_password_confirmation: ['Please input new password confirmation'],
    })
  })

  test.each(['role', 'id', 'email', 'username', 'isAdmin', 'permissions'])(
    '%s in the body is refused by name',
    async (field) => {
      const someone = await app.as(await app.make.handler())
      const before = await app.dump()
      const { status, body } = await someone.call(sessionContract.updateProfile, {
        body: { ...change, [field]: 'super_admin' },
      })
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
      expect(await app.dump()).toBe(before)
    },
  )

  test('guessing the old password locks the account like guessing at sign-in', async () => {
    const user = await app.make.admin()
    const someone = await app.as(user)
    await app.context.db
      .insert(signInFailuresTable)
      .values(Array.from({ length: 10 }, () => ({ account: user.username, address: '10.1.1.1' })))
    expect((await someone.call(sessionContract.updateProfile, { body: change })).status).toBe(429)
  })

  test('strangers who guess do not keep the owner’s browser from proving and changing the password', async () => {
    const user = await app.make.admin()
    const first = await signIn(user.username)
    const cookieOf = ({ headers }: { headers: Headers }) => headers.getSetCookie()[0]!.split(';')[0]!
    let cookie = cookieOf(first)
    const me = caller(app.url, first.body.token)
    const strangers = Array.from({ length: 10 }, () => ({ account: user.username, address: '10.1.1.1' }))
    await app.context.db.insert(signInFailuresTable).values(strangers)
    const prove = (typed: string) =>
      me.call(secondStepContract.reauthenticate, { body: { password: typed }, headers: { cookie } })
    expect((await prove(password)).status).toBe(204)
    const changed = await me.call(sessionContract.updateProfile, { body: change, headers: { cookie } })
    expect(changed.status).toBe(200)
    cookie = cookieOf(changed)
    expect((await prove(change.new_password)).status).toBe(204)
    // Its own failures count, and those of the strangers stay.
    expect(await app.context.db.$count(signInFailuresTable)).toBe(10)
    for (let tries = 0; tries < 10; tries += 1) await prove('wrong password')
    expect((await prove(change.new_password)).status).toBe(429)
  })

  test('the audit log records that the password changed, not the password', async () => {
    const user = await app.make.admin()
    await (await app.as(user)).call(sessionContract.updateProfile, { body: change })
    const { rows } = await app.context.db.execute(
      sql`select after::text from audit where kind = 'user' and row_id = ${user.id}`,
    )
    expect(rows).toEqual([{ after: '{"password": "changed"}' }])
  })
})

describe('hidden columns', () => {
  test('they are saved for the view, from the body or the query [LEAD-68]', async () => {
    const someone = await app.as(await app.make.admin())
    await someone.call(preferencesContract.saveColumns, { body: { view: 'leads.list', hidden_columns: 'notes,gclid' } })
    expect((await someone.call(sessionContract.me)).body.hidden_columns[0].hidden_columns).toEqual(['notes', 'gclid'])
    await someone.call(preferencesContract.saveColumns, { query: { view: 'leads.list', hidden_columns: 'rating' } })
    expect((await someone.call(sessionContract.me)).body.hidden_columns[0].hidden_columns).toEqual(['rating'])
  })

  test('the user has them as a list whose first item holds the names; an empty list means all are visible [LEAD-69]', async () => {
    const someone = await app.as(await app.make.admin())
    await someone.call(preferencesContract.saveColumns, { body: { view: 'leads.list', hidden_columns: 'notes' } })
    await someone.call(preferencesContract.saveColumns, { body: { view: 'leads.list', hidden_columns: '' } })
    expect((await someone.call(sessionContract.me)).body.hidden_columns[0]).toEqual({
      view: 'leads.list',
      hidden_columns: [],
    })
  })

  test('each queue of leads has columns of its own: nine until a person chooses [DESK-02]', async () => {
    const someone = await app.as(await app.make.admin())
    const readHidden = async () => {
      const { body } = await someone.call(sessionContract.me)
      return Object.fromEntries(
        body.hidden_columns.map(({ view, hidden_columns }: Record<string, unknown>) => [view, hidden_columns]),
      )
    }
    const before = await readHidden()
    const nine = 'campaign_name,lead_date,lead_type,lead_name,lead_phone,message,tags,confirmed,client_progress'
    for (const view of ['leads.review', 'leads.missed'])
      expect(leadColumns.filter((name) => !before[view].includes(name)).join()).toBe(nine)
    await someone.call(preferencesContract.saveColumns, { query: { view: 'leads.review', hidden_columns: 'notes' } })
    expect(await readHidden()).toEqual({ ...before, 'leads.review': ['notes'] })
  })

  test('what two tabs hide at once in two views is kept for both [DESK-02]', async () => {
    const someone = await app.as(await app.make.admin())
    const views = ['leads.list', 'leads.review', 'leads.missed']
    await Promise.all(
      views.map((view) => someone.call(preferencesContract.saveColumns, { body: { view, hidden_columns: 'notes' } })),
    )
    const { hidden_columns } = (await someone.call(sessionContract.me)).body
    for (const view of views) expect(hidden_columns).toContainEqual({ view, hidden_columns: ['notes'] })
  })

  test('an unknown view or column is refused by its name and nothing is saved [API-11]', async () => {
    const someone = await app.as(await app.make.admin())
    const before = await app.dump()
    for (const [choice, field] of [
      [{ hidden_columns: 'notes' }, 'view'],
      [{ view: 'users', hidden_columns: 'id' }, 'view'],
      [{ view: 'leads.list', hidden_columns: 'password' }, 'hidden_columns'],
    ] as const) {
      const { status, body } = await someone.call(preferencesContract.saveColumns, { body: choice })
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
    }
    expect(await app.dump()).toBe(before)
  })
})

describe('the first sign-in tour', () => {
  const ahead = (user: { id: number }) =>
    app.context.db.update(usersTable).set({ saw_tour: false }).where(eq(usersTable.id, user.id))

  test('a new user has it until they end it, only for themselves', async () => {
    const [ann, ben] = [await app.make.handler(), await app.make.customer()]
    await Promise.all([ahead(ann), ahead(ben)])
    const caller = await app.as(ann)
    expect((await caller.call(sessionContract.me)).body.saw_tour).toBe(false)
    expect((await caller.call(preferencesContract.endTour)).body.saw_tour).toBe(true)
    expect((await caller.call(sessionContract.me)).body.saw_tour).toBe(true)
    expect((await caller.call(preferencesContract.endTour)).status).toBe(200) // a second browser ends it again
    expect((await (await app.as(ben)).call(sessionContract.me)).body).toMatchObject({
      saw_tour: false,
      isCustomer: true,
    })
  })

  test('a guest cannot end it, and no one can end it for another person', async () => {
    const [ann, ben] = [await app.make.admin(), await app.make.admin()]
    await Promise.all([ahead(ann), ahead(ben)])
    const before = await app.dump()
    expect((await app.guest.call(preferencesContract.endTour)).status).toBe(401)
    expect((await caller(app.url, 'made-up').call(preferencesContract.endTour)).status).toBe(401)
    expect(await app.dump()).toBe(before)
    await (await app.as(ann)).call(preferencesContract.endTour, {
      query: { id: ben.id },
      body: { id: ben.id, user_id: ben.id },
    })
    expect((await (await app.as(ben)).call(sessionContract.me)).body.saw_tour).toBe(false)
  })
})
