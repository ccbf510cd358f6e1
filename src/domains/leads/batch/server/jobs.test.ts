import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { apiKeysContract } from '#domains/access/keys/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { caller as callerOf, setUp, startApp } from '#test/app.ts'
import { until } from '#test/until.ts'
import { leadBatchContract } from '../contract.ts'
import { leadBatchRowsTable } from '../schema.ts'
import { endLostBatches } from './jobs.ts'
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
  expect(await read(body.id)).toMatchObject({ state: 'failed', changed: 200, problem: 'Failed several times' })
  await undo(body.id)
  await runBatch(app.context, { ...task, undo: true })
  expect(await read(body.id)).toMatchObject({ state: 'undone', changed: 200 })
  expect(await readLeads(campaign_id)).toEqual(before)

  const second = (await send({ ids, action: 'hide' })).body
  const customer = await app.make.customer()
  await runBatch(app.context, { id: second.id, undo: false, by: customer.id })
  expect(await read(second.id)).toMatchObject({ state: 'failed', changed: 0 })
})

test('a batch that no job works on any more, as after a restore, ends, says so and can be undone [WORK-07, WORK-08]', async () => {
  const { campaign_id, ids } = await makeManyLeads(450)
  const before = await readLeads(campaign_id)
  const { body } = await send({ ids, action: 'archive' })
  const task = { id: body.id, undo: false, by }
  await breakLead(ids[250]!)
  await expect(runBatch(app.context, task)).rejects.toThrow()
  await endLostBatches(app.context)
  expect(await read(body.id)).toMatchObject({ state: 'running', changed: 200, skipped: [] })
  const loseJob = () =>
    app.context.db.execute(sql`delete from pgboss.job where name = 'lead-batch' and data ->> 'id' = ${String(body.id)}`)
  await loseJob()
  await endLostBatches(app.context)
  expect(await read(body.id)).toMatchObject({ state: 'failed', problem: 'Interrupted', processed: 450, changed: 200 })

  expect((await undo(body.id)).body).toMatchObject({ state: 'queued' })
  await loseJob()
  await endLostBatches(app.context)
  expect(await read(body.id)).toMatchObject({ state: 'failed', problem: 'Interrupted', total: 200, changed: 0 })
  await mendLead()
  await undo(body.id)
  await runBatch(app.context, { ...task, undo: true })
  expect(await read(body.id)).toMatchObject({ state: 'undone', changed: 200 })
  expect(await readLeads(campaign_id)).toEqual(before)
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

// ——— rights that are taken away ———

/** Runs a statement in the transaction that changes this lead, so that it takes effect between two slices of one run. */
const takeAway = (id: number, statement: string) =>
  app.context.pool.query(`
    create function take_away() returns trigger language plpgsql as $$ begin ${statement}; return new; end $$;
    create trigger take_away before insert on audit for each row when (new.kind = 'lead' and new.row_id = ${id}) execute function take_away()`)
const giveBack = () => app.context.pool.query('drop trigger take_away on audit; drop function take_away')

test('a batch asks before each slice whether its maker may still do it; the rest is skipped and says why', async () => {
  const cases: [what: string, taken: (id: number) => string, reason: string][] = [
    [
      'account',
      (id) => `update users set is_active = false where id = ${id}`,
      'The user that started this can no longer sign in',
    ],
    [
      'page',
      (id) => `update users set permissions = '{}' where id = ${id}`,
      'The person who started this may no longer do it',
    ],
    [
      'role',
      (id) => `update users set role = 'leads_handler' where id = ${id}`,
      'The person who started this may no longer do it',
    ],
  ]
  for (const [what, taken, reason] of cases) {
    const { campaign_id, ids } = await makeManyLeads(450)
    const maker = await app.make.admin({ permissions: ['leads'], campaigns: [campaign_id] })
    const caller = await app.as(maker)
    const begun = await caller.call(leadBatchContract.create, { body: { ids, action: 'hide' } })
    await takeAway(ids[10]!, taken(maker.id))
    await runBatch(app.context, { id: begun.body.id, undo: false, by: maker.id })
    await giveBack()
    const batch = await read(begun.body.id)
    expect([what, batch]).toMatchObject([
      what,
      { state: 'failed', problem: reason, total: 450, processed: 450, changed: 200 },
    ])
    expect(batch.skipped).toEqual(ids.slice(200).map((id) => ({ id, reason })))
    const changed = await app.context.db.$count(leadsTable, sql`campaign_id = ${campaign_id} and hide`)
    expect([what, changed]).toEqual([what, 200])
    // Someone else restores what was changed.
    await undo(batch.id)
    await runBatch(app.context, { id: batch.id, undo: true, by })
    expect(await read(batch.id)).toMatchObject({ state: 'undone', changed: 200, skipped: [] })
  }
})

test('a batch whose maker loses one of its campaigns goes on with the others', async () => {
  const [lost, kept] = [await makeManyLeads(300), await makeManyLeads(150)]
  const maker = await app.make.admin({ permissions: ['leads'], campaigns: [lost.campaign_id, kept.campaign_id] })
  const ids = [...lost.ids, ...kept.ids]
  const foreign = (await makeManyLeads(1)).ids[0]!
  const body = { ids: [...ids, foreign, 999_999], action: 'archive' }
  const begun = await (await app.as(maker)).call(leadBatchContract.create, { body })
  const taken = `delete from user_campaigns where user_id = ${maker.id} and campaign_id = ${lost.campaign_id}`
  await takeAway(ids[10]!, taken)
  await runBatch(app.context, { id: begun.body.id, undo: false, by: maker.id })
  await giveBack()
  const { state, changed, skipped } = await read(begun.body.id)
  expect([state, changed]).toEqual(['done', 350])
  const reason = 'The person who started this can no longer see it'
  expect(skipped).toEqual([
    ...lost.ids.slice(200).map((id) => ({ id, reason })),
    // What they never saw is not told from what does not exist.
    ...[foreign, 999_999].map((id) => ({ id, reason: 'Not found' })),
  ])
})

test('a move ends when its maker loses the campaign that the leads go to', async () => {
  const { campaign_id, ids } = await makeManyLeads(250)
  const other = await app.make.campaign()
  const maker = await app.make.admin({ permissions: ['leads'], campaigns: [campaign_id, other.id] })
  const body = { ids, action: 'move', value: { campaign_id: other.id, clientsite_id: null } }
  const begun = await (await app.as(maker)).call(leadBatchContract.create, { body })
  await takeAway(ids[10]!, `delete from user_campaigns where user_id = ${maker.id} and campaign_id = ${other.id}`)
  await runBatch(app.context, { id: begun.body.id, undo: false, by: maker.id })
  await giveBack()
  const batch = await read(begun.body.id)
  expect(batch).toMatchObject({ state: 'failed', changed: 200, processed: 250 })
  expect(batch.skipped.map(({ reason }: { reason: string }) => reason)).toEqual(Array(50).fill(batch.problem))
  expect(await app.context.db.$count(leadsTable, eq(leadsTable.campaign_id, other.id))).toBe(200)
})

test('a batch of an API key ends with the key, and an undo with its maker; another undo goes on', async () => {
  const { campaign_id, ids } = await makeManyLeads(450)
  const maker = await app.make.admin({ permissions: ['leads'], campaigns: [campaign_id] })
  const caller = await app.as(maker)
  const expires_at = new Date(Date.now() + 86_400_000).toISOString()
  const made = await caller.call(apiKeysContract.create, {
    body: { name: 'batches', access: 'write', pages: { leads: 1 }, expires_at },
  })
  const begun = await callerOf(app.url, made.body.key).call(leadBatchContract.create, {
    body: { ids, action: 'archive' },
  })
  await takeAway(ids[10]!, `delete from api_keys where id = ${made.body.id}`)
  const key = { id: made.body.id, name: 'batches' }
  await runBatch(app.context, { id: begun.body.id, undo: false, by: maker.id, key })
  await giveBack()
  const problem = 'The API key that started this can no longer sign in'
  expect(await read(begun.body.id)).toMatchObject({ state: 'failed', problem, changed: 200, processed: 450 })

  const task = { id: begun.body.id, undo: true, by: maker.id }
  await app.context.pool.query(
    `update lead_batch_rows set version = 2, before = '{"archived": false}', after = '{"archived": true}', reason = null where batch_id = ${task.id}`,
  )
  await app.context.pool.query(`update leads set archived = true where campaign_id = ${campaign_id}`)
  await caller.call(leadBatchContract.undo, { params: { id: task.id } })
  await takeAway(ids[10]!, `update users set is_active = false where id = ${maker.id}`)
  await runBatch(app.context, task)
  await giveBack()
  expect(await read(task.id)).toMatchObject({ state: 'failed', changed: 200, processed: 450 })
  await undo(task.id)
  await runBatch(app.context, { ...task, by })
  expect(await read(task.id)).toMatchObject({ state: 'undone', changed: 450, skipped: [] })
})
