import { eq, sql } from 'drizzle-orm'
import { generate } from 'otplib'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Tx } from '#core/db/db.ts'
import { hashSha256, randomToken } from '#core/secrets/secrets.ts'
import { passwordResetContract } from '#domains/access/password-reset/contract.ts'
import { passwordLinksTable } from '#domains/access/password-reset/schema.ts'
import { sessionsTable, signInFailuresTable, usersTable } from '#domains/access/schema.ts'
import { secondFactorContract, secondStepContract } from '#domains/access/second-factor/contract.ts'
import { totpSecretsTable } from '#domains/access/second-factor/schema.ts'
import { seeAsContract } from '#domains/access/see-as/contract.ts'
import { closeAccount, updateAccount } from '#domains/access/server/accounts.ts'
import { createRemoteToken } from '#domains/access/server/session-tokens.ts'
import { startSessionByIdentity } from '#domains/access/single-sign-on/server/start-session.ts'
import { caller, setUp, startApp } from '#test/app.ts'
import { createAuthenticator } from '#test/authenticator.ts'
import { password } from '#test/factories.ts'
import { until } from '#test/until.ts'
import { sessionContract } from '../contract.ts'

const origin = 'https://leadline.example'
const app = await setUp(startApp({ settings: { PUBLIC_URL: origin } }))
beforeEach(() => app.context.db.delete(signInFailuresTable))

const signIn = (username: string, typed = password) =>
  app.guest.call(sessionContract.login, { body: { username, password: typed } })

describe('a sign-in concurrent with a change', () => {
  const waitsForLock = async () => {
    const { rows } = await app.context.pool.query<{ waits: boolean }>(
      `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`,
    )
    return rows[0]!.waits
  }
  /** Commits the change after the password or link was checked and before the session starts. */
  async function signInDuring<Found>(
    change: (tx: Tx) => Promise<unknown>,
    attempt: () => Promise<Found>,
  ): Promise<Found> {
    let hasAnswer = false
    const answer = await app.context.db.transaction(async (tx) => {
      await change(tx)
      const pending = attempt().finally(() => {
        hasAnswer = true
      })
      await until(async () => hasAnswer || (await waitsForLock()))
      return { pending }
    })
    return answer.pending
  }
  const countSessions = ({ id }: { id: number }) => app.context.db.$count(sessionsTable, eq(sessionsTable.user_id, id))

  test.each([
    ['password', { password_hash: 'another' }],
    ['activity', { is_active: false }],
    ['role', { role: 'leads_handler' }],
  ] as const)('it starts no session once the %s has changed [LOGIN-20]', async (_, set) => {
    const user = await app.make.admin()
    const { body } = await signInDuring(
      (tx) => updateAccount(tx, { me: null }, user.id, set),
      () => signIn(user.username),
    )
    expect(body).toEqual({ error: 'Wrong username or password' })
    expect(await countSessions(user)).toBe(0)
  })

  test('by a link, it starts no session once the link has been withdrawn [LOGIN-15] [LOGIN-20]', async () => {
    const customer = await app.make.customer()
    const token = await createRemoteToken(app.context.db, app.context.secrets, customer.id)
    const { body } = await signInDuring(
      (tx) => updateAccount(tx, { me: null }, customer.id, { password_hash: 'another' }),
      () => app.guest.call(sessionContract.authByToken, { body: { token } }),
    )
    expect(body).toEqual({ error: 'This sign-in link no longer works. Ask the agency for a new one.' })
    expect(await countSessions(customer)).toBe(0)
  })

  test.each([
    ['password', { password_hash: 'another' }],
    ['activity', { is_active: false }],
  ] as const)('its second step starts no session once the %s has changed [LOGIN-20] [SIGN-01]', async (_, set) => {
    const user = await app.make.admin()
    const me = await app.as(user)
    const { secret } = (await me.call(secondFactorContract.beginTotp)).body
    await me.call(secondFactorContract.enableTotp, { body: { code: await generate({ secret }) } })
    await app.context.db
      .update(totpSecretsTable)
      .set({ last_step: sql`last_step - 10` })
      .where(eq(totpSecretsTable.user_id, user.id))
    const { challenge } = (await signIn(user.username)).body.second_factor
    const code = await generate({ secret })
    const { body } = await signInDuring(
      (tx) => updateAccount(tx, { me: null }, user.id, set),
      () => app.guest.call(secondStepContract.finishLogin, { body: { challenge, code } }),
    )
    expect(body).toEqual({ error: expect.any(String) })
    expect(await countSessions(user)).toBe(0)
  })

  test('by a passkey, it starts no session once the account is closed [LOGIN-20] [SIGN-01]', async () => {
    const user = await app.make.admin()
    const me = await app.as(user)
    const device = createAuthenticator(origin)
    const credential = device.register((await me.call(secondFactorContract.passkeyOptions)).body)
    expect((await me.call(secondFactorContract.addPasskey, { body: { name: 'Laptop', credential } })).status).toBe(200)
    const signed = device.sign((await app.guest.call(secondStepContract.passkeyLoginOptions, { body: {} })).body)
    const { body } = await signInDuring(
      (tx) => closeAccount(tx, { me: null }, user.id),
      () => app.guest.call(secondStepContract.passkeyLogin, { body: { credential: signed } }),
    )
    expect(body).toEqual({ error: expect.any(String) })
    expect(await countSessions(user)).toBe(0)
  })

  test('by single sign-on, it starts no session once the account is deactivated [LOGIN-20] [SIGN-02]', async () => {
    const user = await app.make.admin()
    const identity = {
      issuer: 'https://issuer.example',
      subject: 'someone',
      email: user.email,
      isVerified: true,
      role: undefined,
    }
    const answer = await signInDuring(
      (tx) => updateAccount(tx, { me: null }, user.id, { is_active: false }),
      () => startSessionByIdentity(app.context, identity, { address: '127.0.0.1', userAgent: undefined }),
    )
    expect(answer).toEqual({ error: expect.any(String), userId: undefined })
    expect(await countSessions(user)).toBe(0)
  })

  test('a view as another person does not start once the password of the viewer has changed [LOGIN-20]', async () => {
    const [root, seen] = [await app.make.superAdmin(), await app.make.admin()]
    const viewer = await app.as(root)
    const { status } = await signInDuring(
      (tx) => updateAccount(tx, { me: null }, root.id, { password_hash: 'another' }),
      () => viewer.call(seeAsContract.begin, { params: { id: seen.id } }),
    )
    expect(status).toBe(401)
    expect(await countSessions(seen)).toBe(0)
  })

  test('a reset by a mailed link gives way to another change of the password, and neither fails [LOGIN-20] [SIGN-03]', async () => {
    const user = await app.make.admin()
    const key = randomToken(128)
    const expires_at = new Date(Date.now() + 3_600_000)
    const link = { key_hash: hashSha256(key), user_id: user.id, kind: 'reset', expires_at } as const
    await app.context.db.insert(passwordLinksTable).values(link)
    const form = { key, new_password: 'battery staple', new_password_confirmation: 'battery staple' }
    const { pending } = await app.context.db.transaction(async (tx) => {
      await tx.select().from(usersTable).where(eq(usersTable.id, user.id)).for('update')
      const reset = app.guest.call(passwordResetContract.reset, { body: form })
      await until(waitsForLock)
      await updateAccount(tx, { me: null }, user.id, { password_hash: 'another' })
      return { pending: reset }
    })
    expect((await pending).status).toBe(404)
    const [row] = await app.context.db.select().from(usersTable).where(eq(usersTable.id, user.id))
    expect(row!.password_hash).toBe('another')
  })

  test('a change of the user’s own password fails after a reset that came first [LOGIN-20]', async () => {
    const user = await app.make.admin()
    const someone = await app.as(user)
    const new_password = 'battery staple'
    const { body } = await signInDuring(
      (tx) => updateAccount(tx, { me: null }, user.id, { password_hash: 'another' }),
      () =>
        someone.call(sessionContract.updateProfile, {
          body: { old_password: password, new_password, new_password_confirmation: new_password },
        }),
    )
    expect(body.errors).toEqual({ old_password: ['The old password is wrong'] })
    const [row] = await app.context.db.select().from(usersTable).where(eq(usersTable.id, user.id))
    expect(row!.password_hash).toBe('another')
  })

  test('no session with the old password survives parallel sign-ins and a change [LOGIN-20]', async () => {
    for (let round = 0; round < 5; round += 1) {
      const user = await app.make.admin()
      const someone = await app.as(user)
      const new_password = 'battery staple'
      const form = { old_password: password, new_password, new_password_confirmation: new_password }
      const change = someone.call(sessionContract.updateProfile, { body: form })
      const answers = await Promise.all(Array.from({ length: 4 }, () => signIn(user.username)))
      expect((await change).status).toBe(200)
      for (const { body } of answers)
        if (body.token) expect((await caller(app.url, body.token).call(sessionContract.me)).status).toBe(401)
    }
  })
})
