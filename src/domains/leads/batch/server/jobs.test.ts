import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { until } from '#test/until.ts'
import { leadBatchContract } from '../contract.ts'
import { leadBatchRowsTable } from '../schema.ts'
import { runBatch } from './run-batch.ts'

const app = await setUp(startApp())
const user = await app.make.superAdmin()
const by = user.id
const superAdmin = await app.as(user)

const send = (body: object) => superAdmin.call(leadBatchContract.create, { body })
const read = async (id: number) => (await superAdmin.call(leadBatchContract.get, { params: { id } })).body
const undo = (id: number) => superAdmin.call(leadBatchContract.undo, { params: { id } })

async function makeManyLeads(count: number) {
  const { id: campaign_id } = await app.make.campaign()
  const leads = Array.from({ length: count }, (_, index) => ({
    campaign_id,
    lead_s: 'Formidable' as const,
    lead_id: `${campaign_id}-${index}`,
    lead_type: 'Form' as const,
    occurred_at: new Date('2026-03-16T12:00Z'),
  }))
  const made = await app.context.db.insert(leadsTable).values(leads).returning({ id: leadsTable.id })
  return { campaign_id, ids: made.map(({ id }) => id) }
}
const readLeads = async (campaign_id: number) =>
  (
    await app.context.db.execute(
      sql`select to_jsonb(lead) - 'version' as lead from leads lead where campaign_id = ${campaign_id} order by id`,
    )
  ).rows
const countEntries = async (ids: number[]) =>
  app.context.db.$count(auditTable, sql`kind = 'lead' and row_id = any(${sql.param(ids)}::int[])`)

/** Makes the audit entry of this lead fail, as if the database died in the middle of a commit. */
const breakLead = (id: number) =>
  app.context.pool.query(`
    create function break_lead() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
    create trigger break_lead before insert on audit for each row when (new.kind = 'lead' and new.row_id = ${id}) execute function break_lead()`)
const mendLead = () => app.context.pool.query('drop trigger break_lead on audit; drop function break_lead')

test('a batch that stops in the middle continues where it was and repeats nothing; so does its undo [WORK-07, WORK-08]', async () => {
  const { campaign_id, ids } = await makeManyLeads(450)
  const before = await readLeads(campaign_id)
  const { body } = await send({ filter: { campaign_ids: [campaign_id] }, total: 450, action: 'verify' })
  expect(body).toMatchObject({ state: 'queued', total: 450, processed: 0, changed: 0, skipped: [] })
  const task = { id: body.id, undo: false, by }
  await breakLead(ids[250]!)
  await expect(runBatch(app.context, task)).rejects.toThrow()
  expect(await read(body.id)).toMatchObject({ state: 'running', processed: 200, changed: 200 })
  expect((await undo(body.id)).status).toBe(409)
  await mendLead()
  await Promise.all([runBatch(app.context, task), runBatch(app.context, task)])
  expect(await read(body.id)).toMatchObject({ state: 'done', processed: 450, changed: 450, skipped: [] })
  expect(await countEntries(ids)).toBe(450)
  expect(await app.context.db.$count(leadsTable, sql`campaign_id = ${campaign_id} and confirmed and version = 2`)).toBe(
    450,
  )

  expect((await undo(body.id)).body).toMatchObject({ state: 'queued', changed: 0 })
  const undoing = { ...task, undo: true }
  await breakLead(ids[210]!)
  await expect(runBatch(app.context, undoing)).rejects.toThrow()
  await mendLead()
  await runBatch(app.context, task) // the first job again
  expect(await read(body.id)).toMatchObject({ state: 'running', changed: 200 })
  await runBatch(app.context, undoing)
  expect(await read(body.id)).toMatchObject({ state: 'undone', changed: 450, skipped: [] })
  expect(await readLeads(campaign_id)).toEqual(before)
  expect(await countEntries(ids)).toBe(900)
  expect((await undo(body.id)).status).toBe(409)
})

test('a batch that keeps failing says so and can be undone; one whose creator lost the permission stops [WORK-07, WORK-08]', async () => {
  const { campaign_id, ids } = await makeManyLeads(250)
  const before = await readLeads(campaign_id)
  const { body } = await send({ ids, action: 'hide' })
  const task = { id: body.id, undo: false, by }
  await breakLead(ids[240]!)
  for (let tries = 0; tries < 5; tries++) await expect(runBatch(app.context, task)).rejects.toThrow()
  await mendLead()
  await runBatch(app.context, task)
  expect(await read(body.id)).toMatchObject({ state: 'failed', changed: 200, problem: 'It failed several times' })
  await undo(body.id)
  await runBatch(app.context, { ...task, undo: true })
  expect(await read(body.id)).toMatchObject({ state: 'undone', changed: 200 })
  expect(await readLeads(campaign_id)).toEqual(before)

  const second = (await send({ ids, action: 'hide' })).body
  const customer = await app.make.customer()
  await runBatch(app.context, { id: second.id, undo: false, by: customer.id })
  expect(await read(second.id)).toMatchObject({ state: 'failed', changed: 0 })
})

test('a batch that cannot go on says what is wrong with its values [WORK-07]', async () => {
  const { ids } = await makeManyLeads(201)
  const [campaign, other] = [await app.make.campaign(), await app.make.campaign()]
  const site = await app.make.clientSite({ campaign_id: campaign.id })
  const value = { campaign_id: campaign.id, clientsite_id: site.id }
  const { body } = await send({ ids, action: 'move', value })
  await app.context.db.update(clientSitesTable).set({ campaign_id: other.id }).where(eq(clientSitesTable.id, site.id))
  await runBatch(app.context, { id: body.id, undo: false, by })
  const problem = 'This client site does not belong to the campaign'
  expect(await read(body.id)).toMatchObject({ state: 'failed', changed: 0, problem })
})

test('up to 200 leads are changed by the request, more by a job that a worker runs [WORK-07]', async () => {
  const small = await makeManyLeads(200)
  expect((await send({ ids: small.ids, action: 'archive' })).body).toMatchObject({ state: 'done', changed: 200 })
  const worker = await startApp({ work: true })
  try {
    const user = await worker.make.superAdmin()
    const { id: campaign_id } = await worker.make.campaign()
    const caller = await worker.as(user)
    const values = Array.from({ length: 201 }, (_, index) => ({
      campaign_id,
      lead_s: 'Formidable' as const,
      lead_id: `w-${index}`,
      lead_type: 'Form' as const,
      occurred_at: new Date(),
    }))
    await worker.context.db.insert(leadsTable).values(values)
    const { body } = await caller.call(leadBatchContract.create, {
      body: { filter: {}, total: 201, action: 'archive' },
    })
    expect(body.state).toBe('queued')
    await until(async () => {
      const { body: now } = await caller.call(leadBatchContract.get, { params: { id: body.id } })
      return now.state === 'done' && now.changed === 201
    })
  } finally {
    await worker.close()
  }
})

test('the leads are fixed at the start: one that matches later is not changed [WORK-07]', async () => {
  const { campaign_id, ids } = await makeManyLeads(201)
  const { body } = await send({ filter: { campaign_ids: [campaign_id] }, total: 201, action: 'verify' })
  const later = await app.make.lead({ campaign_id })
  await app.context.db.update(leadsTable).set({ archived: true }).where(eq(leadsTable.id, ids[0]!)) // no longer matches
  await runBatch(app.context, { id: body.id, undo: false, by })
  expect((await read(body.id)).changed).toBe(201)
  const [row] = await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, later.id))
  expect(row?.confirmed).toBe(false)
  const [frozen] = await app.context.db.select().from(leadBatchRowsTable).where(eq(leadBatchRowsTable.lead_id, ids[1]!))
  expect(frozen).toMatchObject({ before: { confirmed: false }, after: { confirmed: true }, version: 2 })
})
