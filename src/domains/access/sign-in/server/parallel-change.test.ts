import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Tx } from '#core/db/db.ts'
import { sessionsTable, signInFailuresTable, usersTable } from '#domains/access/schema.ts'
import { updateAccount } from '#domains/access/server/accounts.ts'
import { createRemoteToken } from '#domains/access/server/session-tokens.ts'
import { type App, caller, startApp } from '#test/app.ts'
import { password } from '#test/factories.ts'
import { until } from '#test/until.ts'
import { sessionContract } from '../contract.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
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
  async function signInDuring(change: (tx: Tx) => Promise<unknown>, attempt: () => ReturnType<typeof signIn>) {
    let hasAnswer = false
    const answer = await app.context.db.transaction(async (tx) => {
      await change(tx)
      const pending = attempt().finally(() => {
        hasAnswer = true
      })
      await until(async () => hasAnswer || (await waitsForLock()))
      return { pending }
    })
    return (await answer.pending).body
  }

  test.each([
    ['password', { password_hash: 'another' }],
    ['activity', { is_active: false }],
    ['role', { role: 'leads_handler' }],
  ] as const)('it starts no session once the %s has changed [LOGIN-20]', async (_, set) => {
    const user = await app.make.admin()
    const body = await signInDuring(
      (tx) => updateAccount(tx, { me: null }, user.id, set),
      () => signIn(user.username),
    )
    expect(body).toEqual({ error: 'Wrong username or password' })
    expect(await app.context.db.$count(sessionsTable, eq(sessionsTable.user_id, user.id))).toBe(0)
  })

  test('by a link, it starts no session once the link has been withdrawn [LOGIN-15] [LOGIN-20]', async () => {
    const customer = await app.make.customer()
    const token = await createRemoteToken(app.context.db, app.context.secrets, customer.id)
    const body = await signInDuring(
      (tx) => updateAccount(tx, { me: null }, customer.id, { password_hash: 'another' }),
      () => app.guest.call(sessionContract.authByToken, { body: { token } }),
    )
    expect(body).toEqual({ error: 'This sign-in link is not valid any more' })
    expect(await app.context.db.$count(sessionsTable, eq(sessionsTable.user_id, customer.id))).toBe(0)
  })

  test('a change of the user’s own password fails after a reset that came first [LOGIN-20]', async () => {
    const user = await app.make.admin()
    const someone = await app.as(user)
    const new_password = 'battery staple'
    const body = await signInDuring(
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
