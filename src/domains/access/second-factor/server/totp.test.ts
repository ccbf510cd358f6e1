import { and, eq, sql } from 'drizzle-orm'
import { generate } from 'otplib'
import { beforeEach, describe, expect, test } from 'vitest'
import { allEndpoints } from '#app/server/parts.ts'
import { auditTable } from '#core/db/schema.ts'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { adminsContract } from '#domains/access/contract.ts'
import { sessionsTable, signInFailuresTable, usersTable } from '#domains/access/schema.ts'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { type Caller, caller, setUp, startApp } from '#test/app.ts'
import { password } from '#test/factories.ts'
import { secondFactorContract, secondStepContract } from '../contract.ts'
import { recoveryCodesTable, signInChallengesTable, totpSecretsTable } from '../schema.ts'

const app = await setUp(startApp())
beforeEach(() => app.context.db.delete(signInFailuresTable))

/** Returns the code this many 30-second steps from now. */
const codeOf = (secret: string, steps = 0) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + steps * 30 })
const wrongCode = async (secret: string) => {
  const near = await Promise.all([-1, 0, 1, 2].map((steps) => codeOf(secret, steps)))
  return ['000000', '111111', '222222', '333333', '444444'].find((code) => !near.includes(code))!
}

/** Creates a person who set up an authenticator app some minutes ago: its codes of now are unused. */
async function enrolled() {
  const user = await app.make.admin()
  const me = await app.as(user)
  const { secret } = (await me.call(secondFactorContract.beginTotp)).body
  const { status, body } = await me.call(secondFactorContract.enableTotp, { body: { code: await codeOf(secret) } })
  expect(status).toBe(200)
  await app.context.db
    .update(totpSecretsTable)
    .set({ last_step: sql`last_step - 10` })
    .where(eq(totpSecretsTable.user_id, user.id))
  return { user, me, secret: secret as string, codes: body.recovery_codes as string[] }
}

const signIn = (user: { username: string }) =>
  app.guest.call(sessionContract.login, { body: { username: user.username, password } })
async function challengeOf(user: { username: string }): Promise<string> {
  const { body } = await signIn(user)
  expect(Object.keys(body)).toEqual(['second_factor'])
  return body.second_factor.challenge
}
const finish = (body: object) => app.guest.call(secondStepContract.finishLogin, { body })
const statusOf = async (who: Caller) => (await who.call(sessionContract.me)).status
const age = (who: Caller, minutes: number) =>
  app.context.db
    .update(sessionsTable)
    .set({ proven_at: sql`now() - ${minutes} * interval '1 minute'` })
    .where(eq(sessionsTable.token_hash, hashSha256(who.token!)))

describe('setting up an authenticator app', () => {
  test('the secret has 20 bytes and its URI is what apps expect; it takes effect after its first code [SIGN-01]', async () => {
    const user = await app.make.admin()
    const me = await app.as(user)
    const { body } = await me.call(secondFactorContract.beginTotp)
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
    const uri = new URL(body.uri)
    expect([uri.protocol, uri.host, uri.searchParams.get('secret')]).toEqual(['otpauth:', 'totp', body.secret])
    expect((await signIn(user)).body.token).toBeTypeOf('string')
    expect(
      (await me.call(secondFactorContract.enableTotp, { body: { code: await wrongCode(body.secret) } })).status,
    ).toBe(422)
    const made = await me.call(secondFactorContract.enableTotp, { body: { code: await codeOf(body.secret) } })
    expect(new Set(made.body.recovery_codes).size).toBe(10)
    expect((await me.call(secondFactorContract.read)).body).toEqual({
      totp: true,
      passkeys: [],
      recovery_codes_left: 10,
      required: false,
    })
    expect((await me.call(secondFactorContract.beginTotp)).status).toBe(409)
  })

  test('secret and recovery codes are never stored in the clear or in the audit log [SIGN-01]', async () => {
    const { user, secret, codes } = await enrolled()
    const [kept] = await app.context.db.select().from(totpSecretsTable).where(eq(totpSecretsTable.user_id, user.id))
    expect(kept!.secret_encrypted.includes(secret)).toBe(false)
    const trail = JSON.stringify(await app.context.db.select().from(auditTable).where(eq(auditTable.row_id, user.id)))
    expect(trail).toContain('authenticator_app')
    for (const one of [secret, ...codes]) expect(trail).not.toContain(one)
    const hashes = await app.context.db.select().from(recoveryCodesTable).where(eq(recoveryCodesTable.user_id, user.id))
    expect(hashes.every(({ code_hash }) => code_hash.length === 32)).toBe(true)
  })

  test('turning it off takes an unused code, and removes the recovery codes [SIGN-01]', async () => {
    const { user, me, secret } = await enrolled()
    const off = async (code: string) => (await me.call(secondFactorContract.disableTotp, { body: { code } })).status
    const used = await codeOf(secret)
    await finish({ challenge: await challengeOf(user), code: used })
    expect(await off(used)).toBe(422)
    expect(await off(await codeOf(secret, 1))).toBe(204)
    expect((await me.call(secondFactorContract.read)).body).toMatchObject({ totp: false, recovery_codes_left: 0 })
    expect((await signIn(user)).body.token).toBeTypeOf('string')
    expect((await me.call(secondFactorContract.newRecoveryCodes)).status).toBe(409)
  })

  test('an app that is lost is turned off with a recovery code [SIGN-01]', async () => {
    const { user, me, codes } = await enrolled()
    const [first, second] = codes as [string, string]
    expect((await finish({ challenge: await challengeOf(user), recovery_code: first })).body.token).toBeTypeOf('string')
    const off = async (code: string) => (await me.call(secondFactorContract.disableTotp, { body: { code } })).status
    expect(await off(first)).toBe(422)
    expect(await off(second)).toBe(204)
    expect((await me.call(secondFactorContract.read)).body).toMatchObject({ totp: false, recovery_codes_left: 0 })
    expect((await me.call(secondFactorContract.beginTotp)).status).toBe(200)
  })

  test('of several uses of the first code at once, one turns the app on [SIGN-01]', async () => {
    const me = await app.as(await app.make.admin())
    const { secret } = (await me.call(secondFactorContract.beginTotp)).body
    const body = { code: await codeOf(secret) }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => me.call(secondFactorContract.enableTotp, { body })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)])
  })

  test('every change of a second factor is in the audit log [SIGN-01]', async () => {
    const { user, me, secret } = await enrolled()
    expect((await me.call(secondFactorContract.newRecoveryCodes)).status).toBe(200)
    expect((await me.call(secondFactorContract.disableTotp, { body: { code: await codeOf(secret) } })).status).toBe(204)
    const trail = await app.context.db
      .select({ by: auditTable.user_id, before: auditTable.before, after: auditTable.after })
      .from(auditTable)
      .where(and(eq(auditTable.kind, 'user'), eq(auditTable.row_id, user.id)))
      .orderBy(auditTable.id)
    const [off, on] = [{ authenticator_app: 'off' }, { authenticator_app: 'on' }]
    const codes = { before: { recovery_codes: 'old' }, after: { recovery_codes: 'new' } }
    expect(trail).toEqual(
      [{ before: off, after: on }, codes, codes, { before: on, after: off }].map((change) => ({
        by: user.id,
        ...change,
      })),
    )
  })
})

describe('the second step', () => {
  test('the password alone gives no access: its challenge is not a bearer token and works once, for ten minutes [SIGN-01]', async () => {
    const { user, secret } = await enrolled()
    const { body } = await signIn(user)
    expect(body.second_factor.methods).toEqual(['totp', 'recovery'])
    const { challenge } = body.second_factor
    expect(await statusOf(caller(app.url, challenge))).toBe(401)
    const done = await finish({ challenge, code: await codeOf(secret) })
    expect(Object.keys(done.body)).toEqual(['token'])
    expect(await statusOf(caller(app.url, done.body.token))).toBe(200)
    expect((await finish({ challenge, code: await codeOf(secret, 1) })).body).toEqual({ error: expect.any(String) })
    const late = await challengeOf(user)
    await app.context.db.update(signInChallengesTable).set({ expires_at: sql`now() - interval '1 second'` })
    expect((await finish({ challenge: late, code: await codeOf(secret, 1) })).body).toEqual({
      error: expect.any(String),
    })
  })

  test('a code works once, even when used concurrently, and within one step of now [SIGN-01]', async () => {
    const { user, secret } = await enrolled()
    const code = await codeOf(secret)
    const [one, other] = [await challengeOf(user), await challengeOf(user)]
    const answers = await Promise.all([finish({ challenge: one, code }), finish({ challenge: other, code })])
    expect(answers.map(({ body }) => Object.keys(body)[0]).toSorted()).toEqual(['error', 'token'])
    const again = await challengeOf(user)
    for (const old of [code, await codeOf(secret, -1), await codeOf(secret, -2), await codeOf(secret, 3)])
      expect((await finish({ challenge: again, code: old })).body.error).toBeTypeOf('string')
    expect((await finish({ challenge: again, code: await codeOf(secret, 1) })).body.token).toBeTypeOf('string')
  })

  test('a recovery code works once, in any case and without hyphens [SIGN-01]', async () => {
    const { user, me, codes } = await enrolled()
    const typed = codes[0]!.replaceAll('-', '').toUpperCase()
    expect((await finish({ challenge: await challengeOf(user), recovery_code: typed })).body.token).toBeTypeOf('string')
    expect((await me.call(secondFactorContract.read)).body.recovery_codes_left).toBe(9)
    expect((await finish({ challenge: await challengeOf(user), recovery_code: codes[0]! })).body.error).toBeTypeOf(
      'string',
    )
    const fresh = (await me.call(secondFactorContract.newRecoveryCodes)).body.recovery_codes
    const challenge = await challengeOf(user)
    expect((await finish({ challenge, recovery_code: codes[1]! })).body.error).toBeTypeOf('string')
    expect((await finish({ challenge, recovery_code: fresh[1] })).body.token).toBeTypeOf('string')
  })

  test('ten wrong codes lock both steps, even for the right code, and a password does not unlock them [SIGN-01]', async () => {
    const { user, secret } = await enrolled()
    const challenge = await challengeOf(user)
    const code = await wrongCode(secret)
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await finish({ challenge, code })).status).toBe(200)
      if (tries === 5) await challengeOf(user)
    }
    const second = await finish({ challenge, code: await codeOf(secret) })
    expect([second.status, Number(second.headers.get('retry-after')) > 800]).toEqual([429, true])
    const first = await signIn(user)
    expect([first.status, Number(first.headers.get('retry-after')) > 800]).toEqual([429, true])
    const wrong = await app.guest.call(sessionContract.login, { body: { username: user.username, password: 'wrong' } })
    expect(wrong.body).toEqual({ error: 'Wrong username or password' })
  })

  test('no other username shares that count [SIGN-01]', async () => {
    const { user, secret } = await enrolled()
    for (let tries = 0; tries < 11; tries += 1)
      await app.guest.call(sessionContract.login, {
        body: { username: ` second factor of ${user.id}`, password: 'wrong' },
      })
    expect((await finish({ challenge: await challengeOf(user), code: await codeOf(secret) })).body.token).toBeTypeOf(
      'string',
    )
  })

  test('changing the password or deactivating the account ends a waiting sign-in [SIGN-01]', async () => {
    const { user, secret } = await enrolled()
    const root = await app.as(await app.make.superAdmin())
    const challenge = await challengeOf(user)
    expect(
      (await root.call(adminsContract.update, { params: { id: user.id }, body: { password: 'battery staple' } }))
        .status,
    ).toBe(200)
    expect((await finish({ challenge, code: await codeOf(secret) })).body).toEqual({ error: expect.any(String) })
    const other = await enrolled()
    const waiting = await challengeOf(other.user)
    await app.context.db.update(usersTable).set({ is_active: false }).where(eq(usersTable.id, other.user.id))
    expect((await finish({ challenge: waiting, code: await codeOf(other.secret) })).body).toEqual({
      error: expect.any(String),
    })
  })

  test('exactly one proof is accepted [SIGN-01]', async () => {
    const { user, codes } = await enrolled()
    const challenge = await challengeOf(user)
    expect((await finish({ challenge })).status).toBe(422)
    expect((await finish({ challenge, code: '123456', recovery_code: codes[0]! })).status).toBe(422)
  })
})

describe('reauthentication', () => {
  test('is required after 15 minutes, and the password lasts for 15 more [SIGN-01]', async () => {
    const me = await app.as(await app.make.superAdmin())
    await age(me, 14)
    expect((await me.call(secondFactorContract.beginTotp)).status).toBe(200)
    await age(me, 16)
    const refused = await me.call(secondFactorContract.beginTotp)
    expect([refused.status, refused.body]).toEqual([403, { message: expect.any(String), reauthenticate: true }])
    expect((await me.call(sessionContract.me)).status).toBe(200)
    const prove = (body: object) => me.call(secondStepContract.reauthenticate, { body })
    expect((await prove({ password: 'wrong' })).status).toBe(422)
    expect((await me.call(secondFactorContract.beginTotp)).status).toBe(403)
    expect((await prove({ password })).status).toBe(204)
    expect((await me.call(secondFactorContract.beginTotp)).status).toBe(200)
  })

  test('a person with a second factor must use it [SIGN-01]', async () => {
    const { user, me, secret } = await enrolled()
    const used = await codeOf(secret)
    await finish({ challenge: await challengeOf(user), code: used })
    await age(me, 16)
    const prove = (body: object) => me.call(secondStepContract.reauthenticate, { body })
    expect((await prove({ password })).status).toBe(422)
    expect((await prove({ code: used })).status).toBe(422)
    expect((await prove({ code: await codeOf(secret, 1) })).status).toBe(204)
    expect((await me.call(secondFactorContract.newRecoveryCodes)).status).toBe(200)
  })

  test('applies to one session, and tries are throttled [SIGN-01]', async () => {
    const user = await app.make.admin()
    const [one, other] = [await app.as(user), await app.as(user)]
    await age(one, 20)
    expect((await other.call(secondFactorContract.beginTotp)).status).toBe(200)
    for (let tries = 0; tries < 10; tries += 1)
      await one.call(secondStepContract.reauthenticate, { body: { password: 'wrong' } })
    expect((await one.call(secondStepContract.reauthenticate, { body: { password } })).status).toBe(429)
  })

  const sensitive = [
    'PUT /user',
    'PUT /user/email',
    'POST /admin/admins',
    'POST /admin/admins/:id',
    'POST /admin/admins/:id/invite',
    'POST /leads-handlers',
    'POST /leads-handlers/:id/invite',
    'POST /keys',
    'POST /moves/:id/invite',
    'DELETE /keys/:id',
    'POST /erasures',
    'PATCH /leads-handlers/:id',
    'PATCH /leads-handlers/:id/move-to-admins',
    'POST /lead/export',
    'POST /user/totp',
    'PUT /user/totp',
    'DELETE /user/totp',
    'POST /user/passkeys',
    'POST /user/passkeys/options',
    'DELETE /user/passkeys/:id',
    'POST /user/recovery-codes',
  ]

  test('the calls that require it are these [SIGN-01]', () => {
    const requiring = allEndpoints.flatMap(({ endpoint }) => (endpoint.reauthenticate ? endpoint.address : []))
    expect(requiring.toSorted()).toEqual(sensitive.toSorted())
  })

  test.each(sensitive)('%s requires it before reading the body, and changes nothing [SIGN-01]', async (address) => {
    const me = await app.as(await app.make.superAdmin())
    await age(me, 16)
    const before = await app.dump()
    const [method = '', path = ''] = address.split(' ')
    const answer = await me.fetch(`/api${path.replace(':id', '1')}`, {
      method,
      body: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect([answer.status, await answer.json()]).toEqual([403, { message: expect.any(String), reauthenticate: true }])
    expect(await app.dump()).toBe(before)
  })
})
