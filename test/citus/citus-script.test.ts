import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { projectRoot } from '#core/settings/settings.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { leadFormContract } from '#domains/leads/form/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { leadChartContract } from '#domains/reports/chart/contract.ts'
import { type App, startApp } from '#test/app.ts'
import { createDatabase } from '#test/database.ts'
import { callRailKey, postCall, sendCallRail, waitForIntake } from '#test/provider-hooks.ts'
import { citusScriptStatements, distribution } from './distribution.ts'

const citusStub = readFileSync(join(projectRoot, 'test/citus/citus-stub.sql'), 'utf8')

let database: Awaited<ReturnType<typeof createDatabase>>
let client: pg.Client
beforeEach(async () => {
  database = await createDatabase()
  client = new pg.Client(database.url)
  await client.connect()
  await client.query(citusStub)
})
afterEach(async () => {
  await client.end()
  await database.drop()
})

const runScript = async (statements = citusScriptStatements) => {
  for (const statement of statements) await client.query(statement)
}
const expectRefused = (call: string) => expect(client.query(call)).rejects
const checkKeys = async () => {
  const { rows } = await client.query('select name, by_column from citus_tables')
  for (const { name, by_column } of rows) await client.query('select check_table($1, $2)', [name, by_column])
}

test('without the script the tables cannot be distributed, and each refusal names its reason', async () => {
  const distribute = (table: string) => expectRefused(`select create_distributed_table('${table}', 'campaign_id')`)
  await distribute('leads').toThrow('has a trigger')
  await distribute('mails').toThrow('refers to a table that is not distributed')
  await expectRefused(`select create_distributed_table('activity_items', 'campaign_id')`).toThrow(
    'may lack the distribution column',
  )
  await expectRefused(`select create_distributed_table('campaign_areas', 'campaign_id')`).toThrow(
    'refers to a table that is not distributed',
  )
})

test('the script distributes leads and their dependent tables, and leaves every key valid', async () => {
  const { rows: before } = await client.query('select indexname from pg_indexes order by 1')
  await client.query(`insert into clients (name) values ('Counted')`)
  const countersOf = async () =>
    (
      await client.query(
        `select sequencename, last_value from pg_sequences where schemaname <> 'pg_catalog' order by 1`,
      )
    ).rows
  const counters = await countersOf()
  await runScript()
  expect(await countersOf()).toEqual(counters)
  expect((await client.query('select indexname from pg_indexes order by 1')).rows).toEqual(before)
  const { rows } = await client.query<{ name: string; by_column: string | null }>(
    'select name::text, by_column from citus_tables',
  )
  expect(rows.filter(({ by_column }) => by_column === 'campaign_id').map(({ name }) => name)).toEqual([
    ...distribution.distributed,
  ])
  await checkKeys()
})

test('the script stops if a counter would restart', async () => {
  await client.query(`insert into clients (name) values ('Counted')`)
  const restarted = citusScriptStatements.flatMap((statement) =>
    statement.includes(`create_distributed_table('mails'`)
      ? [statement, `select setval(pg_get_serial_sequence('clients', 'id'), 1, false)`]
      : [statement],
  )
  await expect(runScript(restarted)).rejects.toThrow('counters would start again: clients_id_seq')
})

test('a key that cascades or omits the campaign is refused', async () => {
  await runScript()
  const key = 'rating_keys_mail_id_campaign_id_mails_id_campaign_id_fk'
  const withKey = async (definition: string) => {
    await client.query('begin')
    await client.query(`alter table rating_keys drop constraint ${key}, add constraint ${key} ${definition}`)
    await expect(checkKeys()).rejects.toThrow(key)
    await client.query('rollback')
  }
  await withKey('foreign key (mail_id, campaign_id) references mails (id, campaign_id) on update cascade')
  await withKey('foreign key (mail_id, campaign_id) references mails (id, campaign_id) on delete set null (mail_id)')
  await client.query('begin')
  await client.query('create unique index hashes on rating_keys (key_hash)')
  await expect(checkKeys()).rejects.toThrow('hashes')
  await client.query('rollback')
})

test('the app works on a distributed database: calls come in once, leads move between campaigns, and chart and list agree', async () => {
  await runScript()
  const app: App = await startApp({ url: database.url, work: true, settings: { CALLRAIL_SIGNING_KEY: callRailKey } })
  const { make } = app
  const admin = await app.as(await make.superAdmin())
  const owner = await make.client({ emails: ['owner@client.example'] })
  const [here, there] = [await make.campaign({ client_id: owner.id }), await make.campaign({ client_id: owner.id })]
  const site = await make.clientSite({ campaign_id: here.id, callrail_campaign_identifier: 'COM1' })
  const clientsite_id = (await make.clientSite({ campaign_id: there.id })).id
  const call = postCall()
  await Promise.all([sendCallRail(app, call), sendCallRail(app, call)])
  await waitForIntake(app)
  const [lead] = await app.context.db.select().from(leadsTable)
  const transferred = await admin.call(leadsContract.update, {
    params: { id: lead!.id },
    body: { campaign_id: there.id, clientsite_id, confirmed: 1 },
  })
  expect(transferred.body).toMatchObject({ campaign_id: there.id, mail: { kind: 'notification' } })
  await sendCallRail(app, call)
  await waitForIntake(app)
  expect(await app.context.db.select().from(leadsTable)).toMatchObject([{ campaign_id: there.id, version: 2 }])

  const form = {
    lead_s: 'Callrail',
    lead_id: call.resource_id,
    campaign_id: here.id,
    clientsite_id: site.id,
    lead_type: 'Call',
    lead_date: '2026-03-02',
    lead_time: '10:00',
    lead_name: 'Twice',
  }
  expect((await admin.call(leadFormContract.create, { body: form })).status).toBe(409)
  expect((await admin.call(leadFormContract.create, { body: { ...form, lead_id: 'another' } })).status).toBe(200)

  const { body } = await admin.call(leadChartContract.read, {
    body: { date_from: '2026-03-01', date_to: '2026-03-31', group: 'month' },
  })
  const { body: list } = await admin.call(leadsContract.list, {
    query: { date_from: '2026-03-01', date_to: '2026-03-31', confirmed: 1 },
  })
  expect(body.statistic.confirmed).toEqual([list.meta.total])
  expect(list.meta.total).toBe(1)
  await app.close()
})
