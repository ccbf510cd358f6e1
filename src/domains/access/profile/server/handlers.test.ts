import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { userSessionsContract } from '#domains/access/contract.ts'
import { sessionsTable } from '#domains/access/schema.ts'
import { seeAsContract } from '#domains/access/see-as/contract.ts'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { type Caller, caller, setUp, startApp } from '#test/app.ts'
import { password } from '#test/factories.ts'
import { type OwnSession, profileContract } from '../contract.ts'

const app = await setUp(startApp())

const listSessions = async (who: Caller): Promise<OwnSession[]> => (await who.call(profileContract.sessions)).body

async function signIn(username: string, userAgent: string): Promise<Caller> {
  const { body } = await app.guest.call(sessionContract.login, {
    body: { username, password },
    headers: { 'user-agent': userAgent },
  })
  return caller(app.url, body.token)
}

test('a person sees their own sessions: start, address, browser, and which one is current [SIGN-06]', async () => {
  const user = await app.make.admin()
  const phone = await signIn(user.username, 'Phone/1')
  const desk = await signIn(user.username, `Desk/${'9'.repeat(2000)}`)
  await app.as(await app.make.admin())
  const seen = await listSessions(desk)
  expect(seen).toHaveLength(2)
  const [deskRow, phoneRow] = seen
  expect(deskRow).toMatchObject({ current: true, address: '127.0.0.1', user_agent: `Desk/${'9'.repeat(295)}` })
  expect(phoneRow).toMatchObject({ current: false, user_agent: 'Phone/1' })
  for (const { created_at, last_used_at } of seen)
    for (const at of [created_at, last_used_at]) expect(Math.abs(Date.parse(at) - Date.now())).toBeLessThan(60_000)
  expect((await listSessions(phone)).find(({ current }) => current)?.id).toBe(phoneRow!.id)
})

test('its last use is recorded to the minute [SIGN-06]', async () => {
  const user = await app.make.handler()
  const someone = await app.as(user)
  const longAgo = new Date('2026-01-02T03:04:05Z')
  await app.context.db.update(sessionsTable).set({ last_used_at: longAgo }).where(eq(sessionsTable.user_id, user.id))
  const [session] = await listSessions(someone)
  expect(Date.now() - Date.parse(session!.last_used_at)).toBeLessThan(60_000)
})

test('a person ends one of their sessions, which the audit log records; the others stay [SIGN-06]', async () => {
  const user = await app.make.customer()
  const [here, there] = [await app.as(user), await app.as(user)]
  const other = (await listSessions(here)).find(({ current }) => !current)!
  expect((await here.call(profileContract.endSession, { params: { id: other.id } })).status).toBe(204)
  expect((await there.call(sessionContract.me)).status).toBe(401)
  expect(await listSessions(here)).toHaveLength(1)
  const entries = await app.context.db.select().from(auditTable).where(eq(auditTable.user_id, user.id))
  expect(entries.at(-1)).toMatchObject({ kind: 'user', row_id: user.id, after: { session: 'ended' } })
})

test('another person’s session is not found, nor is one that has ended [SIGN-06]', async () => {
  const [mine, theirs] = [await app.as(await app.make.admin()), await app.as(await app.make.admin())]
  const [foreign] = await listSessions(theirs)
  for (const id of [foreign!.id, 999_999])
    expect((await mine.call(profileContract.endSession, { params: { id } })).status).toBe(404)
  expect((await theirs.call(sessionContract.me)).status).toBe(200)
})

test('another user’s view as this person is not listed as their session [SIGN-04] [SIGN-06]', async () => {
  const user = await app.make.admin()
  const someone = await app.as(user)
  const root = await app.as(await app.make.superAdmin())
  await root.call(seeAsContract.begin, { params: { id: user.id } })
  expect(await listSessions(someone)).toHaveLength(1)
  expect((await root.call(userSessionsContract.list, { params: { id: user.id } })).body).toHaveLength(1)
})

test('the time format is saved for the person and returned by user/me; any format but the two is refused [SIGN-06]', async () => {
  const someone = await app.as(await app.make.handler())
  expect((await someone.call(sessionContract.me)).body.time_format).toBe('24h')
  const saved = await someone.call(profileContract.saveSettings, { body: { time_format: '12h' } })
  expect([saved.status, saved.body.time_format]).toEqual([200, '12h'])
  expect((await someone.call(sessionContract.me)).body.time_format).toBe('12h')
  for (const body of [{ time_format: 'AM' }, {}, { time_format: '24h', role: 'super_admin' }])
    expect((await someone.call(profileContract.saveSettings, { body })).status).toBe(422)
  expect((await someone.call(sessionContract.me)).body.time_format).toBe('12h')
})
