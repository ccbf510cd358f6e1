import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { noPasswordMessage, notArrivedHash } from '#core/secrets/passwords.ts'
import { InvalidSettingsError } from '#core/settings/settings.ts'
import { sessionsTable, usersTable } from '#domains/access/schema.ts'
import { secondStepContract } from '#domains/access/second-factor/contract.ts'
import { removeSecondFactors } from '#domains/access/second-factor/server/remove-factors.ts'
import { updateAccount } from '#domains/access/server/accounts.ts'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { parseSettings } from '#domains/app-settings.ts'
import { type App, caller, setUp, startApp } from '#test/app.ts'
import { password } from '#test/factories.ts'
import { createKey, oidcClient, startOpenIdProvider } from '#test/openid-provider.ts'
import { singleSignOnContract } from '../contract.ts'
import { oidcStatesTable } from '../schema.ts'
import { startSessionByIdentity } from './start-session.ts'

const publicUrl = 'http://leadline.test'
type Provider = Awaited<ReturnType<typeof startOpenIdProvider>>

const settingsFor = (issuer: string, more: Record<string, string> = {}) => ({
  PUBLIC_URL: publicUrl,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: oidcClient.id,
  OIDC_CLIENT_SECRET: oidcClient.secret,
  ...more,
})

const provider = await setUp(startOpenIdProvider(`${publicUrl}/login/oidc`))
const app = await setUp(startApp({ settings: settingsFor(provider.issuer) }))
/** Counts its own calls a minute. */
const refusing = await setUp(startApp({ settings: settingsFor(provider.issuer) }))
beforeEach(() => {
  provider.tamper = null
  provider.keys = [provider.key]
})

async function begin(at = app, sent?: string) {
  const { status, body, headers } = await at.guest.call(singleSignOnContract.begin, {
    ...(sent !== undefined && { headers: { cookie: sent } }),
  })
  expect(status, JSON.stringify(body)).toBe(200)
  const [cookie = ''] = headers.getSetCookie()
  return { auth_url: body.auth_url as string, cookie: cookie.split(';')[0]!, set: cookie }
}
const finish = (body: object, cookie: string, at = app) =>
  at.guest.call(singleSignOnContract.finish, { body, headers: { cookie } })
/** Runs the whole sign-in in one browser. */
async function signOn(at = app) {
  const { auth_url, cookie } = await begin(at)
  return finish(await provider.follow(auth_url), cookie, at)
}
const refused = { status: 200, body: { error: expect.stringMatching(/^[A-Z].* .*/) } }
/** What a refused response leaves as it was; its state is used up. */
const readAll = async ({ context }: App) =>
  JSON.stringify([
    await context.db.select().from(usersTable).orderBy(usersTable.id),
    await context.db.select().from(sessionsTable).orderBy(sessionsTable.id),
  ])
const meOf = async (token: string, at = app) => (await caller(at.url, token).call(sessionContract.me)).body

describe('signing in at the provider', () => {
  test('the URL requests a code with PKCE, state and nonce; the cookie is HttpOnly and Lax [SIGN-02]', async () => {
    const { auth_url, set } = await begin()
    const { origin, searchParams } = new URL(auth_url)
    expect(origin).toBe(provider.issuer)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: 'leadline',
      response_type: 'code',
      redirect_uri: `${publicUrl}/login/oidc`,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    })
    for (const name of ['code_challenge', 'state', 'nonce'])
      expect(searchParams.get(name)?.length, name).toBeGreaterThanOrEqual(43)
    expect(set).toMatch(/; HttpOnly; SameSite=Lax$/)
  })

  test('it starts a session of the account with that email, in any case, and does not change the account [SIGN-02]', async () => {
    const user = await app.make.handler()
    provider.person = { email: user.email.toUpperCase(), email_verified: true, job: 'super_admin' }
    const { status, body } = await signOn()
    expect([status, Object.keys(body)]).toEqual([200, ['token']])
    expect(await meOf(body.token)).toMatchObject({ id: user.id, isAdmin: false })
  })

  test('an invited person who signs on this way is told that the account has no password', async () => {
    const user = await app.make.admin({ password_hash: notArrivedHash })
    provider.person = { email: user.email, email_verified: true }
    const me = caller(app.url, (await signOn()).body.token)
    const proof = await me.call(secondStepContract.reauthenticate, { body: { password } })
    expect(proof.body.errors).toEqual({ password: [noPasswordMessage] })
    const login = await app.guest.call(sessionContract.login, { body: { username: user.username, password } })
    expect(login.body.error).toBeTypeOf('string')
  })

  test('the email may come from the ID token [SIGN-02]', async () => {
    const user = await app.make.admin()
    provider.person = {}
    provider.tamper = (claims) => ({ claims: { ...claims, email: user.email, email_verified: true } })
    expect((await meOf((await signOn()).body.token)).id).toBe(user.id)
  })

  test('a response works once, in the browser that started the sign-in, for ten minutes [SIGN-02]', async () => {
    const user = await app.make.admin()
    provider.person = { email: user.email, email_verified: true }
    const { auth_url, cookie } = await begin()
    const answer = await provider.follow(auth_url)
    const stranger = await begin()
    expect(await finish(answer, '')).toMatchObject(refused)
    expect(await finish(answer, stranger.cookie)).toMatchObject(refused)
    expect(await finish({ ...answer, state: `${answer.state}x` }, cookie)).toMatchObject(refused)
    expect((await finish(answer, cookie)).body.token).toBeTypeOf('string')
    expect(await finish(answer, cookie)).toMatchObject(refused)
    const late = await begin()
    const lateAnswer = await provider.follow(late.auth_url)
    await app.context.db.update(oidcStatesTable).set({ expires_at: new Date(Date.now() - 1000) })
    expect(await finish(lateAnswer, late.cookie)).toMatchObject(refused)
  })

  test('of two tabs that begin at once each ends its own sign-in [SIGN-02]', async () => {
    const user = await app.make.admin()
    provider.person = { email: user.email, email_verified: true }
    const first = await begin()
    const second = await begin(app, first.cookie)
    const answers = [await provider.follow(first.auth_url), await provider.follow(second.auth_url)]
    for (const answer of answers) expect((await finish(answer, second.cookie)).body.token).toBeTypeOf('string')
    expect((await begin(app, 'leadline_oidc=chosen')).cookie, 'only one of ours is kept').not.toContain('chosen')
  })

  test('a code of another sign-in is refused because its verifier differs [SIGN-02]', async () => {
    const user = await app.make.admin()
    provider.person = { email: user.email, email_verified: true }
    const [one, other] = [await begin(), await begin()]
    const { code, iss } = await provider.follow(one.auth_url)
    const { state } = await provider.follow(other.auth_url)
    expect(await finish({ code, state, iss }, other.cookie)).toMatchObject(refused)
  })

  test('a code that was used, one that no one issued, and a response of another issuer are refused [SIGN-02]', async () => {
    const user = await app.make.admin()
    provider.person = { email: user.email, email_verified: true }
    const used = await begin()
    const answer = await provider.follow(used.auth_url)
    expect((await finish(answer, used.cookie)).body.token).toBeTypeOf('string')
    const before = await readAll(app)
    for (const change of [
      { code: answer.code },
      { code: 'invented' },
      { iss: 'https://evil.example' },
      { iss: undefined },
    ]) {
      const next = await begin()
      const real = await provider.follow(next.auth_url)
      expect(await finish({ ...real, ...change }, next.cookie), JSON.stringify(change)).toMatchObject(refused)
    }
    expect(await readAll(app)).toBe(before)
  })
})

describe('what is refused', () => {
  test.each<[string, NonNullable<Provider['tamper']>]>([
    ['another nonce', (claims) => ({ claims: { ...claims, nonce: 'another' } })],
    ['no nonce', ({ nonce: _, ...claims }) => ({ claims })],
    ['another audience', (claims) => ({ claims: { ...claims, aud: 'another' } })],
    ['another issuer', (claims) => ({ claims: { ...claims, iss: 'https://evil.example' } })],
    ['a token that has expired', (claims) => ({ claims: { ...claims, exp: Math.floor(Date.now() / 1000) - 120 } })],
    ['no issuer', ({ iss: _, ...claims }) => ({ claims })],
    ['an issuer with a slash more', (claims) => ({ claims: { ...claims, iss: `${provider.issuer}/` } })],
    ['no audience', ({ aud: _, ...claims }) => ({ claims })],
    ['several audiences without ours', (claims) => ({ claims: { ...claims, aud: ['one', 'other'] } })],
    ['another authorized party', (claims) => ({ claims: { ...claims, aud: [oidcClient.id, 'other'], azp: 'other' } })],
    ['no expiry', ({ exp: _, ...claims }) => ({ claims })],
    ['no time of issue', ({ iat: _, ...claims }) => ({ claims })],
    ['a token of later', (claims) => ({ claims: { ...claims, nbf: Math.floor(Date.now() / 1000) + 600 } })],
    ['no subject', ({ sub: _, ...claims }) => ({ claims })],
    ['another subject than the user info', (claims) => ({ claims: { ...claims, sub: 'somebody else' } })],
    ['a token without a signature', () => ({ signature: '' })],
    ['a symmetric algorithm', () => ({ header: { alg: 'HS256' } })],
    ['a header that it must understand and does not', () => ({ header: { crit: ['x'], x: 1 } })],
    ['alg none', () => ({ header: { alg: 'none' }, signature: '' })],
    ['alg none with a signature', () => ({ header: { alg: 'none' } })],
    ['a signature of another key', () => ({ key: createKey('first').privateKey })],
    ['a key that is not listed', () => ({ header: { kid: 'unknown' }, key: createKey('unknown').privateKey })],
  ])('%s [SIGN-02]', async (_, tamper) => {
    const user = await refusing.make.admin()
    provider.person = { email: user.email, email_verified: true }
    provider.tamper = tamper
    const before = await readAll(refusing)
    expect(await signOn(refusing)).toMatchObject(refused)
    expect(await readAll(refusing)).toBe(before)
    provider.tamper = null
    expect((await signOn(refusing)).body.token).toBeTypeOf('string')
  })

  test.each([[false], ['true'], [1], [undefined]])('an email that is verified as %j [SIGN-02]', async (verified) => {
    const user = await app.make.admin()
    provider.person = { email: user.email, email_verified: verified }
    expect(await signOn()).toMatchObject(refused)
  })

  test('an unknown email, a client’s, and that of an inactive or deleted account; no account is created [SIGN-02]', async () => {
    const emails = [
      'stranger@a.example',
      (await app.make.customer()).email,
      (await app.make.admin({ is_active: false })).email,
      (await app.make.admin({ deleted_at: new Date() })).email,
    ]
    const before = await app.context.db.$count(usersTable)
    for (const email of emails) {
      provider.person = { email, email_verified: true }
      expect(await signOn(), email).toMatchObject(refused)
    }
    expect(await app.context.db.$count(usersTable)).toBe(before)
  })
})

describe('the keys of the provider', () => {
  let alone: App
  beforeEach(async () => {
    alone = await startApp({ settings: settingsFor(provider.issuer) })
    provider.keyRequests = 0
  })
  afterEach(() => alone.close())

  test('a new key is found, and one that is no longer listed is refused immediately [SIGN-02]', async () => {
    const user = await alone.make.admin()
    provider.person = { email: user.email, email_verified: true }
    expect((await signOn(alone)).body.token).toBeTypeOf('string')
    const next = createKey('second')
    provider.keys = [next]
    expect(await signOn(alone)).toMatchObject(refused)
    provider.tamper = () => ({ header: { kid: next.kid }, key: next.privateKey })
    expect((await signOn(alone)).body.token).toBeTypeOf('string')
    provider.tamper = null
    expect(await signOn(alone)).toMatchObject(refused)
  })

  test('the list is fetched for unknown keys at most once a minute [SIGN-02]', async () => {
    const user = await alone.make.admin()
    provider.person = { email: user.email, email_verified: true }
    for (const kid of ['a', 'b', 'c']) {
      provider.tamper = () => ({ header: { kid } })
      expect(await signOn(alone)).toMatchObject(refused)
    }
    expect(provider.keyRequests).toBe(1)
    provider.tamper = null
    expect((await signOn(alone)).body.token).toBeTypeOf('string')
  })
})

describe('roles', () => {
  let mapped: App
  beforeAll(async () => {
    mapped = await startApp({ settings: settingsFor(provider.issuer, { OIDC_ROLE_CLAIM: 'job' }) })
  })
  afterAll(() => mapped.close())

  test('a mapped claim changes the role, any other claim does not [SIGN-02]', async () => {
    const user = await mapped.make.handler()
    for (const [job, role] of [
      ['admin', 'admin'],
      [['staff', 'leads_handler'], 'leads_handler'],
      ['customer', 'leads_handler'],
      [undefined, 'leads_handler'],
      ['super_admin', 'super_admin'],
    ]) {
      provider.person = { email: user.email, email_verified: true, job }
      const { token } = (await signOn(mapped)).body
      expect((await meOf(token, mapped)).id).toBe(user.id)
      const [row] = await mapped.context.db.select().from(usersTable).where(eq(usersTable.id, user.id))
      expect(row!.role, String(job)).toBe(role)
    }
  })

  test('the last super admin keeps the role, and can sign in with the password while the provider is down [SIGN-02]', async () => {
    await mapped.context.db.update(usersTable).set({ role: 'admin' }).where(eq(usersTable.role, 'super_admin'))
    const root = await mapped.make.superAdmin()
    provider.person = { email: root.email, email_verified: true, job: 'leads_handler' }
    expect((await meOf((await signOn(mapped)).body.token, mapped)).isSuperAdmin).toBe(true)
    const gone = await startApp({ settings: settingsFor('http://127.0.0.1:1') })
    try {
      const local = await gone.make.superAdmin()
      expect((await gone.guest.call(singleSignOnContract.begin)).status).toBe(503)
      const { body } = await gone.guest.call(sessionContract.login, { body: { username: local.username, password } })
      expect(body.token).toBeTypeOf('string')
    } finally {
      await gone.close()
    }
  })
})

describe('settings', () => {
  test('without a provider both calls return 404 [SIGN-02]', async () => {
    const plain = await startApp()
    try {
      expect((await plain.guest.call(singleSignOnContract.begin)).status).toBe(404)
      const body = { code: 'x', state: 'y' }
      expect((await plain.guest.call(singleSignOnContract.finish, { body })).status).toBe(404)
    } finally {
      await plain.close()
    }
  })

  test('the three go together, and plain HTTP is only for localhost [SIGN-02]', () => {
    const all = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' }
    expect(parseSettings(all).OIDC_ISSUER).toBe('https://id.example')
    for (const name of Object.keys(all))
      expect(() => parseSettings({ ...all, [name]: '' }), name).toThrow(InvalidSettingsError)
    expect(() => parseSettings({ ...all, OIDC_ISSUER: 'http://id.example' })).toThrow(InvalidSettingsError)
    for (const host of ['127.0.0.1:9000', 'localhost', '[::1]:9000'])
      expect(parseSettings({ ...all, OIDC_ISSUER: `http://${host}` }).OIDC_ISSUER).toBe(`http://${host}`)
  })
})

describe('after the first sign-in the account is bound to who signed in', () => {
  const signOnAs = async (subject: string, email: string, more: object = {}) => {
    provider.subject = subject
    provider.person = { email, email_verified: true, ...more }
    const { body } = await signOn()
    provider.subject = null
    return body.token === undefined ? body.error : (await meOf(body.token)).id
  }
  const takenError =
    'This account belongs to another identity at the sign-in service. The operator of the installation can reset it by removing its second factors'

  test('someone else who gets the same address at the provider is refused', async () => {
    const user = await app.make.admin()
    expect(await signOnAs('ann', user.email)).toBe(user.id)
    expect(await signOnAs('ben', user.email)).toEqual(takenError)
    expect(await signOnAs('ann', user.email)).toBe(user.id)
    const [bound] = (await app.context.db.select().from(auditTable).where(eq(auditTable.row_id, user.id))).filter(
      ({ after }) => after && 'single_sign_on' in after,
    )
    expect(bound).toMatchObject({ kind: 'user', after: { single_sign_on: 'bound to its identity' } })
  })

  test('the same person keeps the account under a new address, verified or not, also if another account has it', async () => {
    const [user, other] = [await app.make.admin(), await app.make.admin()]
    expect(await signOnAs('cat', user.email)).toBe(user.id)
    expect(await signOnAs('cat', 'married@a.example', { email_verified: false })).toBe(user.id)
    expect(await signOnAs('cat', other.email)).toBe(user.id)
    expect(await signOnAs('dan', other.email)).toBe(other.id)
  })

  test('an unverified address binds nothing, and a closed account is not opened', async () => {
    const user = await app.make.admin()
    expect(await signOnAs('eve', user.email, { email_verified: false })).toMatch(/not verified/)
    expect(await signOnAs('fay', user.email)).toBe(user.id)
    await app.context.db.update(usersTable).set({ is_active: false }).where(eq(usersTable.id, user.id))
    expect(await signOnAs('fay', user.email)).toMatch(/no account/)
  })

  test('removing the second factors, or another email of the account, lets a new identity in', async () => {
    const user = await app.make.admin()
    expect(await signOnAs('gil', user.email)).toBe(user.id)
    await app.context.db.transaction((tx) => removeSecondFactors(tx, { me: null }, user.id))
    expect(await signOnAs('hal', user.email)).toBe(user.id)
    expect(await signOnAs('gil', user.email)).toEqual(takenError)
    await app.context.db.transaction((tx) => updateAccount(tx, { me: null }, user.id, { email: 'successor@a.example' }))
    expect(await signOnAs('hal', 'somebody@a.example')).toMatch(/no account/)
    expect(await signOnAs('ida', 'successor@a.example')).toBe(user.id)
  })

  test('of two who sign in to one account for the first time at once, one gets it', async () => {
    const user = await app.make.admin()
    const answers = await Promise.all(
      ['jan', 'kim'].map((subject) =>
        startSessionByIdentity(
          app.context,
          { issuer: provider.issuer, subject, email: user.email, isVerified: true, role: undefined },
          { address: '127.0.0.1', userAgent: undefined },
        ),
      ),
    )
    expect(answers.filter((answer) => 'token' in answer)).toHaveLength(1)
  })
})
