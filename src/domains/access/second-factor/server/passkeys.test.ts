import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { allEndpoints } from '#app/server/parts.ts'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { preferencesContract } from '#domains/access/preferences/contract.ts'
import { sessionsTable, signInFailuresTable, usersTable } from '#domains/access/schema.ts'
import { startSession } from '#domains/access/server/session-tokens.ts'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { type Caller, caller, setUp, startApp } from '#test/app.ts'
import { createAuthenticator } from '#test/authenticator.ts'
import { password } from '#test/factories.ts'
import { requiredRolesContract, secondFactorContract, secondStepContract } from '../contract.ts'
import { passkeyChallengesTable, passkeysTable, secondFactorRolesTable } from '../schema.ts'

const app = await setUp(startApp({ settings: { PUBLIC_URL: 'https://leadline.example' } }))
beforeEach(() => app.context.db.delete(signInFailuresTable))

const origin = 'https://leadline.example'

async function addPasskey(me: Caller, device = createAuthenticator(origin)) {
  const options = (await me.call(secondFactorContract.passkeyOptions)).body
  const body = { name: 'Laptop', credential: device.register(options) }
  const answer = await me.call(secondFactorContract.addPasskey, { body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return { device, id: answer.body.id as number }
}
async function withPasskey() {
  const user = await app.make.admin()
  const me = await app.as(user)
  return { user, me, ...(await addPasskey(me)) }
}
const signIn = (user: { username: string }) =>
  app.guest.call(sessionContract.login, { body: { username: user.username, password } })
const optionsFor = async (challenge?: string) =>
  (await app.guest.call(secondStepContract.passkeyLoginOptions, { body: challenge ? { challenge } : {} })).body
const enter = (credential: object) => app.guest.call(secondStepContract.passkeyLogin, { body: { credential } })
const refused = { error: expect.stringMatching(/^[A-Z].* .*/) }
/** What a refused response leaves as it was; its challenge is used up. */
const readAll = async () =>
  JSON.stringify([
    await app.context.db.select().from(passkeysTable).orderBy(passkeysTable.id),
    await app.context.db.select().from(sessionsTable).orderBy(sessionsTable.id),
  ])

describe('a passkey', () => {
  test('is created for the host of PUBLIC_URL, with user verification, ES256 or RS256 [SIGN-01]', async () => {
    const me = await app.as(await app.make.admin())
    const options = (await me.call(secondFactorContract.passkeyOptions)).body
    expect(options).toMatchObject({
      rp: { id: 'leadline.example' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    })
    expect(options.pubKeyCredParams.map(({ alg }: { alg: number }) => alg)).toEqual([-7, -257])
    const { device, id } = await addPasskey(me)
    const [row] = (await me.call(secondFactorContract.read)).body.passkeys
    expect(row).toEqual({ id, name: 'Laptop', created_at: expect.any(String), last_used_at: null })
    const again = (await me.call(secondFactorContract.passkeyOptions)).body
    expect(again.excludeCredentials.map((one: { id: string }) => one.id)).toEqual([device.credentialId])
  })

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another party', { rpId: 'evil.example' }],
    ['a user who was not verified', { userVerified: false }],
    ['a challenge of its own', { challenge: 'bm90LW91cnM' }],
  ])('is not added from %s [SIGN-01]', async (_, wrong) => {
    const me = await app.as(await app.make.admin())
    const options = (await me.call(secondFactorContract.passkeyOptions)).body
    const credential = createAuthenticator(origin).register(options, wrong)
    expect((await me.call(secondFactorContract.addPasskey, { body: { name: 'x', credential } })).status).toBe(422)
    expect((await me.call(secondFactorContract.read)).body.passkeys).toEqual([])
  })

  test('accepts each challenge once, and only from its own person [SIGN-01]', async () => {
    const [me, other] = [await app.as(await app.make.admin()), await app.as(await app.make.admin())]
    const options = (await me.call(secondFactorContract.passkeyOptions)).body
    const add = (who: Caller) =>
      who.call(secondFactorContract.addPasskey, {
        body: { name: 'x', credential: createAuthenticator(origin).register(options) },
      })
    expect((await add(other)).status).toBe(422)
    expect((await add(me)).status).toBe(200)
    expect((await add(me)).status).toBe(422)
  })

  test('accepts a challenge only for what it was made for: to be added, or to sign in [SIGN-01]', async () => {
    const { me, device } = await withPasskey()
    const options = (await me.call(secondFactorContract.passkeyOptions)).body
    const { challenge } = await optionsFor()
    const credential = createAuthenticator(origin).register(options, { challenge })
    expect((await me.call(secondFactorContract.addPasskey, { body: { name: 'x', credential } })).status).toBe(422)
    const signed = device.sign(await optionsFor(), { challenge: options.challenge })
    expect((await enter(signed)).body).toEqual(refused)
  })

  test('counts as both factors [SIGN-01]', async () => {
    const { user, me, device } = await withPasskey()
    const options = await optionsFor()
    expect(options).toMatchObject({ rpId: 'leadline.example', userVerification: 'required' })
    const credential = device.sign(options)
    const { body } = await enter(credential)
    expect(Object.keys(body)).toEqual(['token'])
    expect((await caller(app.url, body.token).call(sessionContract.me)).body.id).toBe(user.id)
    expect((await enter(credential)).body).toEqual(refused)
    const [row] = (await me.call(secondFactorContract.read)).body.passkeys
    expect(row.last_used_at).toBeTypeOf('string')
  })

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    ['another party', { rpId: 'evil.example' }],
    ['a user who was not verified', { userVerified: false }],
    ['a counter that goes back', { counter: 1 }],
    ['a challenge of its own', { challenge: 'bm90LW91cnM' }],
  ])('does not sign in from %s [SIGN-01]', async (_, wrong) => {
    const { device } = await withPasskey()
    expect((await enter(device.sign(await optionsFor()))).body.token).toBeTypeOf('string')
    const before = await readAll()
    expect((await enter(device.sign(await optionsFor(), wrong))).body).toEqual(refused)
    expect(await readAll()).toBe(before)
  })

  test('does not sign in once any part of a signed response is changed [SIGN-01]', async () => {
    const [{ device }, other] = [await withPasskey(), await withPasskey()]
    const flip = (part: string, at: number) => {
      const bytes = Buffer.from(part, 'base64url')
      bytes[at < 0 ? bytes.length + at : at]! ^= 1
      return bytes.toString('base64url')
    }
    type Signed = ReturnType<typeof device.sign>
    const inResponse = (signed: Signed, more: object) => ({ ...signed, response: { ...signed.response, ...more } })
    const changes: Record<string, (signed: Signed) => Signed | Promise<Signed>> = {
      'a signature with another bit': (signed) =>
        inResponse(signed, { signature: flip(signed.response.signature, -1) }),
      'no signature': (signed) => inResponse(signed, { signature: '' }),
      'a signature that is no signature': (signed) => inResponse(signed, { signature: 'AAAA' }),
      'another host': (signed) => inResponse(signed, { authenticatorData: flip(signed.response.authenticatorData, 0) }),
      'another counter': (signed) =>
        inResponse(signed, { authenticatorData: flip(signed.response.authenticatorData, -3) }),
      'no data of the device': (signed) => inResponse(signed, { authenticatorData: '' }),
      'the data of the browser with a space more': (signed) =>
        inResponse(signed, {
          clientDataJSON: Buffer.from(`${Buffer.from(signed.response.clientDataJSON, 'base64url')} `).toString(
            'base64url',
          ),
        }),
      'the passkey of somebody else': (signed) => ({
        ...signed,
        id: other.device.credentialId,
        rawId: other.device.credentialId,
      }),
      'the signature of somebody else': async (signed) =>
        inResponse(signed, { signature: other.device.sign(await optionsFor()).response.signature }),
      'a passkey that is not known': (signed) => ({ ...signed, id: 'dW5rbm93bg', rawId: 'dW5rbm93bg' }),
    }
    for (const [name, change] of Object.entries(changes)) {
      const changed = await change(device.sign(await optionsFor()))
      const before = await readAll()
      expect((await enter(changed)).body, name).toEqual(refused)
      expect(await readAll(), name).toBe(before)
    }
    expect((await enter(device.sign(await optionsFor()))).body.token).toBeTypeOf('string')
  })

  test('does not sign in with the response of its registration, nor with a challenge for adding one [SIGN-01]', async () => {
    const { me, device } = await withPasskey()
    const adding = (await me.call(secondFactorContract.passkeyOptions)).body
    const before = await readAll()
    expect((await enter(device.sign({ challenge: adding.challenge, rpId: adding.rp.id }))).body).toEqual(refused)
    const { response: _, ...named } = device.sign(await optionsFor())
    const registration = device.register(await optionsFor(), { rpId: 'leadline.example' })
    expect((await enter({ ...named, response: registration.response })).body).toEqual(refused)
    expect(await readAll()).toBe(before)
  })

  test('does not sign in with an old challenge, after its removal, or to an inactive account [SIGN-01]', async () => {
    const { user, me, device, id } = await withPasskey()
    const old = await optionsFor()
    await app.context.db.update(passkeyChallengesTable).set({ expires_at: sql`now() - interval '1 second'` })
    expect((await enter(device.sign(old))).body).toEqual(refused)
    await app.context.db.update(usersTable).set({ is_active: false }).where(eq(usersTable.id, user.id))
    expect((await enter(device.sign(await optionsFor()))).body).toEqual(refused)
    await app.context.db.update(usersTable).set({ is_active: true }).where(eq(usersTable.id, user.id))
    const other = await app.as(await app.make.admin())
    expect((await other.call(secondFactorContract.removePasskey, { params: { id } })).status).toBe(404)
    expect((await me.call(secondFactorContract.removePasskey, { params: { id } })).status).toBe(204)
    expect((await enter(device.sign(await optionsFor()))).body).toEqual(refused)
  })

  test('is the second step only for its own account [SIGN-01]', async () => {
    const [one, other] = [await withPasskey(), await withPasskey()]
    const { challenge, methods } = (await signIn(one.user)).body.second_factor
    expect(methods).toEqual(['passkey'])
    const finish = (credential: object) =>
      app.guest.call(secondStepContract.finishLogin, { body: { challenge, credential } })
    const options = await optionsFor(challenge)
    expect(options.allowCredentials.map((each: { id: string }) => each.id)).toEqual([one.device.credentialId])
    expect((await finish(other.device.sign(options))).body).toEqual(refused)
    expect((await finish(one.device.sign(await optionsFor(challenge)))).body.token).toBeTypeOf('string')
  })

  test('works for reauthentication [SIGN-01]', async () => {
    const { me, device } = await withPasskey()
    await app.context.db
      .update(sessionsTable)
      .set({ proven_at: sql`now() - interval '20 minutes'` })
      .where(eq(sessionsTable.token_hash, hashSha256(me.token!)))
    expect((await me.call(secondFactorContract.passkeyOptions)).status).toBe(403)
    const options = (await me.call(secondStepContract.passkeyLoginOptions, { body: {} })).body
    expect(options.allowCredentials).toHaveLength(1)
    const credential = device.sign(options)
    expect((await me.call(secondStepContract.reauthenticate, { body: { credential } })).status).toBe(204)
    expect((await me.call(secondFactorContract.passkeyOptions)).status).toBe(200)
  })
})

describe('required for a role', () => {
  const none = { super_admin: false, admin: false, leads_handler: false, customer: false }
  beforeEach(() => app.context.db.delete(secondFactorRolesTable))

  test('only super admins read and set it, which the audit log records [SIGN-01]', async () => {
    const root = await app.as(await app.make.superAdmin())
    expect((await root.call(requiredRolesContract.read)).body).toEqual(none)
    const body = { ...none, admin: true }
    expect((await root.call(requiredRolesContract.save, { body })).body).toEqual(body)
    expect((await root.call(requiredRolesContract.read)).body).toEqual(body)
    const { rows } = await app.context.pool.query(`select before, after from audit where kind = 'second factor'`)
    expect(rows).toEqual([{ before: { admin: false }, after: { admin: true } }])
    const admin = await app.as(await app.make.admin())
    expect((await admin.call(requiredRolesContract.save, { body: none })).status).toBe(403)
  })

  test('a save over roles that someone else has chosen since is refused with theirs [SIGN-01]', async () => {
    const root = await app.as(await app.make.superAdmin())
    const save = (body: object) => root.call(requiredRolesContract.save, { body })
    const chosen = { ...none, admin: true }
    expect((await save({ ...chosen, seen: none })).body).toEqual(chosen)
    const before = await app.dump()
    const { status, body } = await save({ ...none, customer: true, seen: none })
    expect([status, body]).toEqual([409, { message: 'Someone else has changed these roles', newer: chosen }])
    expect(await app.dump()).toBe(before)
    const both = { ...chosen, customer: true }
    expect((await save({ ...both, seen: chosen })).body).toEqual(both)
  })

  test('users without one can only set one up, even in an older session [SIGN-01]', async () => {
    const user = await app.make.admin()
    const older = await app.as(user)
    const handler = await app.as(await app.make.handler())
    await app.context.db.insert(secondFactorRolesTable).values({ role: 'admin' })
    const { body } = await signIn(user)
    expect(body).toEqual({ token: expect.any(String), must_enrol: true })
    const fresh = caller(app.url, body.token)
    for (const me of [fresh, older]) {
      expect((await me.call(sessionContract.me)).body.must_enrol).toBe(true)
      expect((await me.call(secondFactorContract.read)).body.required).toBe(true)
      for (const { endpoint } of allEndpoints) {
        if (endpoint.allow.guests || /^\/user\/(me|second-factor|totp|passkeys|reauthenticate)/.test(endpoint.path))
          continue
        const answer = await me.call({ ...endpoint, response: undefined }, { params: { id: 1, leadId: 1 } })
        expect(answer.status, endpoint.address).toBe(403)
      }
    }
    expect((await handler.call(sessionContract.me)).body).not.toHaveProperty('must_enrol')
    await addPasskey(fresh)
    expect((await fresh.call(sessionContract.me)).body).not.toHaveProperty('must_enrol')
    expect((await older.call(preferencesContract.saveColumns, { query: { view: 'leads.list' } })).status).toBe(200)
    expect(Object.keys((await signIn(user)).body)).toEqual(['second_factor'])
  })

  test('a client’s link requires the second factor too [SIGN-01]', async () => {
    const client = await app.make.client()
    const customer = await app.make.customer({ client_id: client.id })
    const root = await app.as(await app.make.superAdmin())
    const link = (await root.call(clientsContract.newRemoteToken, { params: { id: customer.id } })).body.token
    const follow = () => app.guest.call(sessionContract.authByToken, { body: { token: link } })
    await app.context.db.insert(secondFactorRolesTable).values({ role: 'customer' })
    const { body } = await follow()
    expect(body).toEqual({ token: expect.any(String), must_enrol: true })
    const byLink = caller(app.url, body.token)
    expect((await byLink.call(secondStepContract.reauthenticate, { body: { password } })).status).toBe(204)
    const { device } = await addPasskey(byLink)
    const { challenge } = (await follow()).body.second_factor
    const credential = device.sign(await optionsFor(challenge))
    const done = await app.guest.call(secondStepContract.finishLogin, { body: { challenge, credential } })
    expect(done.body.token).toBeTypeOf('string')
  })

  test('single sign-on leaves it to the provider [SIGN-01] [SIGN-02]', async () => {
    await app.context.db.insert(secondFactorRolesTable).values({ role: 'admin' })
    const user = await app.make.admin()
    const me = caller(app.url, await startSession(app.context.db, user.id, 'single_sign_on', '127.0.0.1'))
    expect((await me.call(sessionContract.me)).body).not.toHaveProperty('must_enrol')
  })
})
