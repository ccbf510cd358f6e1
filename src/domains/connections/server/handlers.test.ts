import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { type Connection, connectionsContract } from '../contract.ts'
import { connectionSecretAad, connectionsTable } from '../schema.ts'
import { listConnections, readConnectionSecret } from './queries.ts'
import { type ConnectionOutcome, recordConnectionUse } from './record-use.ts'

const app = await setUp(startApp())
const { context } = app
const root = await app.as(await app.make.superAdmin({ username: 'olivia' }))

const create = (body: object) => root.call(connectionsContract.create, { body })
const list = async (): Promise<Connection[]> => (await root.call(connectionsContract.list)).body
const remove = async ({ id }: { id: number }) =>
  expect((await root.call(connectionsContract.remove, { params: { id } })).status).toBe(204)

test('a connection is kept with its secret encrypted, and no answer and no audit entry has it [MOVE-02]', async () => {
  const made = await create({ kind: 'callrail', account_id: 'ACC7', api_key: 'very-secret-key' })
  expect([made.status, made.body]).toEqual([
    200,
    {
      id: expect.any(Number),
      kind: 'callrail',
      name: 'ACC7',
      source: 'screen',
      account: { id: 'ACC7', name: 'ACC7' },
      address: null,
      state: 'untested',
      says: null,
      tested_at: null,
      used_at: null,
      created_by: 'olivia',
      created_at: expect.any(String),
      version: 1,
    },
  ])
  const [row] = await context.db.select().from(connectionsTable).where(eq(connectionsTable.id, made.body.id))
  expect(context.secrets.open(row!.secret!, connectionSecretAad(row!.id))).toBe('{"api_key":"very-secret-key"}')
  expect(await readConnectionSecret(context, 'callrail', row!.id)).toEqual({ api_key: 'very-secret-key' })
  expect(await list()).toEqual([made.body])
  const audit = await context.db.select().from(auditTable).where(eq(auditTable.kind, 'connection'))
  expect(audit.map(({ action, username }) => [action, username])).toEqual([['created', 'olivia']])
  expect(JSON.stringify(audit)).not.toContain('very-secret')

  await remove(made.body)
  expect(await list()).toEqual([])
  expect(await listConnections(context, 'callrail')).toEqual([])
  expect(await readConnectionSecret(context, 'callrail', row!.id)).toBeNull()
  const [kept] = await context.db.select().from(connectionsTable).where(eq(connectionsTable.id, row!.id))
  expect(kept!.secret).toBeNull()
})

test('a connection is lost when it is refused twice, five minutes apart, until its first success [MOVE-15]', async () => {
  const { body } = await create({ kind: 'callrail', account_id: 'ACC8', api_key: 'key' })
  const record = (outcome: ConnectionOutcome) => recordConnectionUse(context.db, body.id, outcome)
  const refused: ConnectionOutcome = { state: 'refused', says: 'CallRail says: HTTP Token: Access denied.' }
  const isLost = async () => {
    const [row] = await context.db.select().from(connectionsTable).where(eq(connectionsTable.id, body.id))
    return row!.lost_since !== null
  }
  await record(refused)
  await record(refused)
  expect(await isLost()).toBe(false)
  await context.db.update(connectionsTable).set({ refused_since: sql`now() - interval '5 minutes'` })
  await record({ state: 'unreachable', says: 'CallRail cannot be reached' })
  expect(await isLost()).toBe(false)
  await record(refused)
  expect(await isLost()).toBe(true)
  await record({ state: 'works' })
  expect(await isLost()).toBe(false)
  expect(await list()).toMatchObject([{ state: 'works', says: null, used_at: expect.any(String) }])
  await remove(body)
})
