import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { users } from '#domains/access/schema.ts'
import { leads } from '#domains/leads/model/schema.ts'
import { type App, type Caller, startApp } from '#test/app.ts'
import { imports as contract } from '../contract.ts'
import { importProblems, importRows, imports } from '../schema.ts'
import type { Task } from './import-task.ts'
import { goThrough } from './process-file.ts'
import { takeBack } from './undo-import.ts'

/** Nobody works here: each test is the worker itself, and dies when it likes. */
let app: App
let root: Caller
let me: { id: number }
beforeAll(async () => {
  app = await startApp()
  me = await app.make.superAdmin()
  root = await app.as(me)
  await app.make.campaign({ name: 'Austin' })
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.house.db.execute(sql`drop trigger if exists stumble on leads`)
  await app.house.db.delete(imports)
  await app.house.db.delete(leads)
})

const count = 1300
const file = [
  'Lead ID,Type,Date,Campaign,Phone',
  ...Array.from(
    { length: count },
    (_, n) => `G-${n},${n % 100 === 7 ? 'Fax' : 'Call'},2026-03-01,Austin,512-555-${1000 + (n % 650)}`,
  ),
].join('\n')

async function begin(): Promise<{ id: number; task: () => Promise<Task> }> {
  const form = new FormData()
  form.set('file', new Blob([file]), 'leads.csv')
  const { id } = (await (await root.fetch('/api/imports?kind=leads', { method: 'POST', body: form })).json()) as {
    id: number
  }
  const { chosen } = (await root.call(contract.columns, { params: { id } })).body
  await root.call(contract.check, { params: { id }, body: { columns: chosen } })
  const task = async () => ({ id, round: (await rowOf(id)).round, by: me.id })
  return { id, task }
}
const rowOf = async (id: number) => (await app.house.db.select().from(imports).where(eq(imports.id, id)))[0]!
/** The database refuses the lead of this line, as if the process had died there. */
const stumbleAt = (lead: string) =>
  app.house.db.execute(
    sql.raw(`create or replace function stumble() returns trigger language plpgsql as
      $$ begin if new.lead_id = '${lead}' then raise exception 'the power is out'; end if; return new; end $$;
      create trigger stumble before insert on leads for each row execute function stumble()`),
  )

test('a crash goes on where it stood, and what is done twice, or by two at once, is done once (R26)', async () => {
  const { id, task } = await begin()
  await Promise.all([goThrough(app.house, await task()), goThrough(app.house, await task())])
  await goThrough(app.house, await task())
  expect(await rowOf(id)).toMatchObject({ state: 'checked', fresh: 1287, refused: 13, made: 0 })
  expect(await app.house.db.$count(importProblems)).toBe(13)

  await root.call(contract.run, { params: { id } })
  await stumbleAt('G-700')
  await expect(goThrough(app.house, await task())).rejects.toThrow()
  expect(await rowOf(id)).toMatchObject({ state: 'running', reached: 501, fresh: 495, refused: 5, made: 495 })
  expect(await app.house.db.$count(leads)).toBe(495)
  await app.house.db.execute(sql`drop trigger stumble on leads`)
  await Promise.all([1, 2, 3].map(async () => goThrough(app.house, await task())))
  expect(await goThrough(app.house, await task())).toBe('over')
  await goThrough(app.house, await task())
  expect(await rowOf(id)).toMatchObject({ state: 'done', fresh: 1287, refused: 13, made: 1287 })
  expect(await app.house.db.$count(leads)).toBe(1287)
  expect(await app.house.db.$count(importRows)).toBe(1287)
  expect(await app.house.db.$count(importProblems)).toBe(13)
  const trail = await app.house.db.execute(sql`select from audit where kind = 'import' and row_id = ${id}`)
  expect(trail.rows).toHaveLength(1)

  await root.call(contract.undo, { params: { id } })
  await Promise.all([takeBack(app.house, await task()), takeBack(app.house, await task())])
  await takeBack(app.house, await task())
  expect(await rowOf(id)).toMatchObject({ state: 'undone', removed: 1287, kept: 0 })
  expect(await app.house.db.$count(leads)).toBe(0)
})

test('other columns take the place of a check under way', async () => {
  const { id, task } = await begin()
  const old = await task()
  await root.call(contract.check, {
    params: { id },
    body: { columns: { lead_id: 4, lead_type: 1, lead_date: 2, campaign: 3 } },
  })
  expect(await goThrough(app.house, old)).toBe('over')
  expect(await rowOf(id)).toMatchObject({ state: 'checking', fresh: 0 })
  await goThrough(app.house, await task())
  // Now the phone is the id, and half of them repeat the other half.
  expect((await rowOf(id)).fresh).toBeLessThan(651)
})

test('what somebody else has brought meanwhile stays as it is, and is not ours to undo', async () => {
  const { id, task } = await begin()
  await goThrough(app.house, await task())
  await app.make.lead({ lead_s: 'Callrail', lead_id: 'G-0', lead_type: 'Call', lead_name: 'Earlier' })
  await root.call(contract.run, { params: { id } })
  await goThrough(app.house, await task())
  expect(await rowOf(id)).toMatchObject({ state: 'done', made: 1286, known: 1 })
  await root.call(contract.undo, { params: { id } })
  await takeBack(app.house, await task())
  expect((await app.house.db.select().from(leads)).map(({ lead_name }) => lead_name)).toEqual(['Earlier'])
})

test('who is no super admin any more does not go on, and somebody else may', async () => {
  const { id, task } = await begin()
  await goThrough(app.house, await task())
  await root.call(contract.run, { params: { id } })
  await app.house.db.update(users).set({ role: 'admin' }).where(eq(users.id, me.id))
  expect(await goThrough(app.house, await task())).toBe('over')
  expect(await app.house.db.$count(leads)).toBe(0)
  const other = await app.make.superAdmin()
  const caller = await app.as(other)
  const halted = (await caller.call(contract.get, { params: { id } })).body
  expect(halted).toMatchObject({
    state: 'running',
    problem: 'Who began this may not go on with it: somebody else has to',
  })
  expect((await caller.call(contract.run, { params: { id } })).body.problem).toBe(null)
  await goThrough(app.house, { ...(await task()), by: other.id })
  expect(await rowOf(id)).toMatchObject({ state: 'done', made: 1287 })
  await app.house.db.update(users).set({ role: 'super_admin' }).where(eq(users.id, me.id))
})

test('a task that stands still says so', async () => {
  const { id } = await begin()
  expect((await root.call(contract.get, { params: { id } })).body.problem).toBe(null)
  await app.house.db.update(imports).set({ updated_at: sql`now() - interval '3 minutes'` }).where(eq(imports.id, id))
  expect((await root.call(contract.get, { params: { id } })).body.problem).toBe(
    'Nobody has worked on it for two minutes',
  )
})
