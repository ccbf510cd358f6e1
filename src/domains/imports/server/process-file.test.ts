import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { declaredParts } from '#app/server/parts.ts'
import { usersTable } from '#domains/access/schema.ts'
import { erasuresContract } from '#domains/audit/erasures/contract.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { importsBy } from '#test/imports.ts'
import { importsContract } from '../contract.ts'
import { importProblemsTable, importRowsTable, importsTable } from '../schema.ts'
import type { ImportTask } from './import-task.ts'
import { processImport } from './process-file.ts'
import { undoImportedRows } from './undo-import.ts'

const { imports } = declaredParts

/** Without a worker: each test runs the work itself and can stop it at any point. */
const app = await setUp(startApp())
const me = await app.make.superAdmin()
const root = await app.as(me)
await app.make.campaign({ name: 'Austin' })
beforeEach(async () => {
  await app.context.db.execute(sql`drop trigger if exists stumble on import_rows`)
  await app.context.db.delete(importsTable)
  await app.context.db.delete(leadsTable)
})

const count = 1300
const file = [
  'Lead ID,Type,Date,Campaign,Phone',
  ...Array.from(
    { length: count },
    (_, n) => `G-${n},${n % 100 === 7 ? 'Fax' : 'Call'},2026-03-01,Austin,512-555-${1000 + (n % 650)}`,
  ),
].join('\n')

async function begin() {
  const { id, chosen } = await importsBy(app, root).upload('leads', file)
  await root.call(importsContract.check, { params: { id }, body: { columns: chosen } })
  const task = async (): Promise<ImportTask> => ({ id, round: (await rowOf(id)).round, by: me.id })
  return { id, task }
}
const rowOf = async (id: number) =>
  (await app.context.db.select().from(importsTable).where(eq(importsTable.id, id)))[0]!
/** Makes the database refuse this line after its leads are written, as if the process had died there. */
const stumbleAt = (line: number) =>
  app.context.db.execute(
    sql.raw(`create or replace function stumble() returns trigger language plpgsql as
      $$ begin if new.line = ${line} then raise exception 'the power is out'; end if; return new; end $$;
      create trigger stumble before insert on import_rows for each row execute function stumble()`),
  )

test('after a crash work resumes where it stopped, and repeated or concurrent work takes effect once (R26)', async () => {
  const { id, task } = await begin()
  await Promise.all([
    processImport(app.context, imports, await task()),
    processImport(app.context, imports, await task()),
  ])
  await processImport(app.context, imports, await task())
  expect(await rowOf(id)).toMatchObject({ state: 'checked', fresh: 1287, refused: 13, made: 0 })
  expect(await app.context.db.$count(importProblemsTable)).toBe(13)

  await root.call(importsContract.run, { params: { id } })
  await stumbleAt(702)
  await expect(processImport(app.context, imports, await task())).rejects.toThrow()
  expect(await rowOf(id)).toMatchObject({ state: 'running', reached: 501, fresh: 495, refused: 5, made: 495 })
  expect(await app.context.db.$count(leadsTable)).toBe(495)
  await app.context.db.execute(sql`drop trigger stumble on import_rows`)
  await Promise.all([1, 2, 3].map(async () => processImport(app.context, imports, await task())))
  expect(await processImport(app.context, imports, await task())).toBe('over')
  await processImport(app.context, imports, await task())
  expect(await rowOf(id)).toMatchObject({ state: 'done', fresh: 1287, refused: 13, made: 1287 })
  expect(await app.context.db.$count(leadsTable)).toBe(1287)
  expect(await app.context.db.$count(importRowsTable)).toBe(1287)
  expect(await app.context.db.$count(importProblemsTable)).toBe(13)
  const trail = await app.context.db.execute(sql`select from audit where kind = 'import' and row_id = ${id}`)
  expect(trail.rows).toHaveLength(1)

  await root.call(importsContract.undo, { params: { id } })
  await Promise.all([
    undoImportedRows(app.context, imports, await task()),
    undoImportedRows(app.context, imports, await task()),
  ])
  await undoImportedRows(app.context, imports, await task())
  expect(await rowOf(id)).toMatchObject({ state: 'undone', removed: 1287, kept: 0 })
  expect(await app.context.db.$count(leadsTable)).toBe(0)
})

test('choosing other columns replaces a running check', async () => {
  const { id, task } = await begin()
  const old = await task()
  await root.call(importsContract.check, {
    params: { id },
    body: { columns: { lead_id: 4, lead_type: 1, lead_date: 2, campaign: 3 } },
  })
  expect(await processImport(app.context, imports, old)).toBe('over')
  expect(await rowOf(id)).toMatchObject({ state: 'checking', fresh: 0 })
  await processImport(app.context, imports, await task())
  // Now the phone is the id, and half of them repeat the other half.
  expect((await rowOf(id)).fresh).toBeLessThan(651)
})

test('rows that someone else has added in the meantime stay, and are not undone', async () => {
  const { id, task } = await begin()
  await processImport(app.context, imports, await task())
  await app.make.lead({ lead_s: 'Callrail', lead_id: 'G-0', lead_type: 'Call', lead_name: 'Earlier' })
  await root.call(importsContract.run, { params: { id } })
  await processImport(app.context, imports, await task())
  expect(await rowOf(id)).toMatchObject({ state: 'done', made: 1286, known: 1 })
  await root.call(importsContract.undo, { params: { id } })
  await undoImportedRows(app.context, imports, await task())
  expect((await app.context.db.select().from(leadsTable)).map(({ lead_name }) => lead_name)).toEqual(['Earlier'])
})

test('lines of a campaign that is archived while the import runs are refused from then on', async () => {
  const { id, task } = await begin()
  await processImport(app.context, imports, await task())
  await root.call(importsContract.run, { params: { id } })
  const archive = (archived: boolean) => app.context.db.update(campaignsTable).set({ archived })
  await app.context.db.execute(
    sql.raw(`create function archive() returns trigger language plpgsql as
      $$ begin update campaigns set archived = true; return null; end $$;
      create trigger archive after update of reached on imports for each row when (new.reached = 501) execute function archive()`),
  )
  await processImport(app.context, imports, await task())
  await app.context.db.execute(sql`drop function archive cascade`)
  expect(await rowOf(id)).toMatchObject({ state: 'done', made: 495, fresh: 495, refused: 805 })
  expect(await app.context.db.$count(leadsTable)).toBe(495)
  const [last] = await app.context.db.select().from(importProblemsTable).where(eq(importProblemsTable.line, count))
  expect(last).toMatchObject({
    column: 'Campaign',
    says: 'Austin is archived: restore it first, or choose another campaign',
  })
  await archive(false)
})

test('a person who is erased while the import runs is in none of what it writes from then on', async () => {
  const { id, task } = await begin()
  await processImport(app.context, imports, await task())
  await root.call(importsContract.run, { params: { id } })
  const erase = async (phone: string) => {
    const body = { phone, email: '' }
    const { total } = (await root.call(erasuresContract.rehearse, { body })).body
    await root.call(erasuresContract.erase, { body: { ...body, total } })
  }
  let slices = 0
  const slowly = {
    ...imports,
    leads: {
      ...imports.leads,
      there: async (...asked: Parameters<typeof imports.leads.there>) => {
        slices += 1
        if (slices === 2) for (const phone of ['512-555-1150', '512-555-1057']) await erase(phone)
        return imports.leads.there(...asked)
      },
    },
  }
  expect(await processImport(app.context, slowly, await task())).toBe('more')
  expect(await rowOf(id)).toMatchObject({ state: 'running', reached: 501 })
  expect(await processImport(app.context, imports, await task())).toBe('over')
  // Of the two, each has a line in the first slice and one in the second: a lead, and a line that is refused.
  expect(await rowOf(id)).toMatchObject({ state: 'done', made: 1286, refused: 14 })
  const phones = (await app.context.db.select().from(leadsTable)).map(({ lead_phone }) => lead_phone)
  expect(phones.filter((phone) => /555-?1150/.test(phone ?? ''))).toEqual([])
  const refused = await (await root.fetch(`/api/imports/${id}/refused`)).text()
  expect(refused).toContain('555-1157')
  expect(refused).not.toMatch(/555-?(1150|1057)/)
})

test('a task of a demoted super admin stops, and someone else can resume it', async () => {
  const { id, task } = await begin()
  await processImport(app.context, imports, await task())
  await root.call(importsContract.run, { params: { id } })
  await app.context.db.update(usersTable).set({ role: 'admin' }).where(eq(usersTable.id, me.id))
  expect(await processImport(app.context, imports, await task())).toBe('over')
  expect(await app.context.db.$count(leadsTable)).toBe(0)
  const other = await app.make.superAdmin()
  const caller = await app.as(other)
  const halted = (await caller.call(importsContract.get, { params: { id } })).body
  expect(halted).toMatchObject({
    state: 'running',
    problem: 'The user who started this may not continue it: someone else has to',
  })
  expect((await caller.call(importsContract.run, { params: { id } })).body.problem).toBe(null)
  await processImport(app.context, imports, { ...(await task()), by: other.id })
  expect(await rowOf(id)).toMatchObject({ state: 'done', made: 1287 })
  await app.context.db.update(usersTable).set({ role: 'super_admin' }).where(eq(usersTable.id, me.id))
})

test('an import asks before each slice whether its super admin still is one, and so does its undo', async () => {
  const { id, task } = await begin()
  await processImport(app.context, imports, await task())
  await root.call(importsContract.run, { params: { id } })
  /** Demotes the user in the transaction of the first slice. */
  const demoteDuring = (event: string) =>
    app.context.db.execute(
      sql.raw(`create or replace function stumble() returns trigger language plpgsql as
        $$ begin update users set role = 'admin' where id = ${me.id}; return new; end $$;
        create trigger stumble before ${event} on import_rows for each row execute function stumble()`),
    )
  const promote = async () => {
    await app.context.db.execute(sql`drop trigger stumble on import_rows`)
    await app.context.db.update(usersTable).set({ role: 'super_admin' }).where(eq(usersTable.id, me.id))
  }
  const problem = 'The user who started this may not continue it: someone else has to'
  await demoteDuring('insert')
  expect(await processImport(app.context, imports, await task())).toBe('over')
  await promote()
  expect(await rowOf(id)).toMatchObject({ state: 'running', reached: 501, problem })
  expect(await app.context.db.$count(leadsTable)).toBeLessThanOrEqual(500)
  await root.call(importsContract.run, { params: { id } })
  await processImport(app.context, imports, await task())
  const { made } = await rowOf(id)
  expect(await rowOf(id)).toMatchObject({ state: 'done', made: 1287 })

  await root.call(importsContract.undo, { params: { id } })
  await demoteDuring('update')
  await undoImportedRows(app.context, imports, await task())
  await promote()
  expect(await rowOf(id)).toMatchObject({ state: 'undoing', removed: 500, problem })
  expect(await app.context.db.$count(leadsTable)).toBe(made - 500)
})

test('a stalled task says so', async () => {
  const { id } = await begin()
  expect((await root.call(importsContract.get, { params: { id } })).body.problem).toBe(null)
  await app.context.db
    .update(importsTable)
    .set({ updated_at: sql`now() - interval '3 minutes'` })
    .where(eq(importsTable.id, id))
  expect((await root.call(importsContract.get, { params: { id } })).body.problem).toBe(
    'There has been no progress for two minutes',
  )
})
