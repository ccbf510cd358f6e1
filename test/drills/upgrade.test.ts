import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { migrateDatabase } from '#app/server/migrate.ts'
import { projectRoot } from '#core/settings/settings.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { startApp } from '#test/app.ts'
import { createDatabase } from '#test/database.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

const folder = join(projectRoot, 'migrations/meta')
const { entries } = JSON.parse(readFileSync(join(folder, '_journal.json'), 'utf8')) as {
  entries: { idx: number; tag: string }[]
}
const first = entries[0]!.tag

/** An agency as the first version wrote it: only the columns that it knew. */
const agencyOfThen = `
  insert into clients (name, emails) values ('Client of then', '{owner@client.example}');
  insert into users (username, email, password_hash, role) values ('root-of-then', 'root@a.example', '-', 'super_admin');
  insert into users (username, email, password_hash, role, client_id)
    select 'customer-of-then', 'customer@a.example', '-', 'customer', max(id) from clients;
  insert into users (username, email, password_hash, role, permissions)
    values ('handler-of-then', 'handler@a.example', '-', 'leads_handler', '{leads}');
  insert into campaigns (name, client_id, manager, start_date, initial_target)
    select 'Campaign of then', max(id), 'Morgan', '2025-01-15', 20 from clients;
  insert into user_campaigns select max(users.id), max(campaigns.id) from users, campaigns;
  insert into campaign_categories (name) values ('Category of then');
  insert into client_sites (url, campaign_id, callrail_campaign_identifier, hook_key)
    select 'https://then.example', max(id), 'COM-then', '\\x0102' from campaigns;
  insert into leads (campaign_id, lead_s, lead_id, occurred_at, lead_type, lead_name, lead_email, message, tags)
    select max(id), 'Formidable', 'then-' || n, now() - n * interval '1 hour', 'Form', 'Person ' || n, n || '@a.example',
      'Tab\t, ünïcode', '{Spam}' from campaigns, generate_series(1, 500) n group by n;
  insert into mails (lead_id, kind, recipients, state, sent_at)
    select id, 'notification', '{owner@client.example}', 'sent', now() from leads where lead_id like 'then-%';
  insert into inbound_events (provider, headers, body) values ('callrail', '{}', '\\x00ff');
  insert into spammers (name, email) values ('Spammer', 'spam@a.example');
  insert into audit (username, kind, row_id, action, after) select 'root-of-then', 'lead', id, 'created', '{}' from leads;`

const tablesOfThen = [
  'clients users campaigns user_campaigns campaign_categories client_sites leads mails inbound_events spammers audit',
].flatMap((names) => names.split(' '))

async function connected(url: string) {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  undo.push(() => client.end())
  return client
}

async function oldDatabase() {
  const database = await createDatabase({ migrated: false })
  undo.push(() => database.drop())
  await migrateDatabase(database.url, { upTo: first })
  const client = await connected(database.url)
  await client.query(agencyOfThen)
  return { url: database.url, client }
}

/** Returns the current columns of these tables. */
async function columnsOf(client: pg.Client): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `select table_name as table, array_agg(quote_ident(column_name) order by ordinal_position) as columns
     from information_schema.columns where table_schema = 'public' and table_name = any($1) group by 1`,
    [tablesOfThen],
  )
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

async function sums(client: pg.Client, columns: Map<string, string[]>) {
  const found: Record<string, string> = {}
  for (const [table, names] of columns) {
    const { rows } = await client.query(
      `select count(*) || ' ' || md5(string_agg(row::text, ',' order by row::text)) as sum
       from (select ${names.join(', ')} from ${table}) row`,
    )
    found[table] = rows[0].sum
  }
  return found
}

test('data of the first version survives every migration since, row by row, and the current app serves it (R30)', async () => {
  const { url, client } = await oldDatabase()
  const columns = await columnsOf(client)
  const before = await sums(client, columns)
  for (const { tag } of entries.slice(1)) {
    await migrateDatabase(url, { upTo: tag })
    expect(await sums(client, columns), tag).toEqual(before)
  }
  await migrateDatabase(url)
  await migrateDatabase(url) // again, as a no-op
  const app = await startApp({ url })
  undo.push(() => app.close())
  const { rows } = await client.query(`select id from users where username = 'root-of-then'`)
  const { status, body } = await (await app.as(rows[0])).call(leadsContract.list, { query: { per_page: 200 } })
  expect([status, body.data.length, body.data[0].campaign_name]).toEqual([200, 200, 'Campaign of then'])
})

test('a migration waits at most five seconds for a lock, leaves nothing behind, and succeeds when run again (R30)', async () => {
  const { url, client } = await oldDatabase()
  const columns = await columnsOf(client)
  const holder = await connected(url)
  await holder.query('begin; lock table leads, clients, users in access share mode')
  // PostgreSQL's code for a lock timeout; without a limit it would wait forever.
  await expect(migrateDatabase(url)).rejects.toMatchObject({ cause: { code: '55P03' } })
  expect(await columnsOf(client)).toEqual(columns)
  await holder.query('rollback')
  await migrateDatabase(url)
  expect((await columnsOf(client)).get('leads')!.length).toBeGreaterThan(columns.get('leads')!.length)
})

test('the previous version keeps writing after a migration: statements of the first version work on the current schema (R30)', async () => {
  const database = await createDatabase()
  undo.push(() => database.drop())
  const client = await connected(database.url)
  await client.query(agencyOfThen)
  expect((await client.query('select count(*)::int as count from leads')).rows).toEqual([{ count: 500 }])
})

/** Writes like the version before leads had their campaign in every key: mails without a campaign, nulls, and updates in place. */
const leadsOfThen = `
  insert into leads (campaign_id, lead_s, lead_id, occurred_at, lead_type, tags)
    values (null, 'Formidable', 'homeless', now(), 'Form', '{}') on conflict do nothing;
  insert into rating_keys (lead_id, mail_id, key_hash, expires_at)
    select lead_id, id, '\\x01', now() + interval '1 day' from mails where lead_id = (select id from leads where lead_id = 'then-1');
  insert into rating_saves (key_id, lead_id, auto, outcome) select id, lead_id, true, 'counted' from rating_keys;`

const placesOfNow = `
  select lead_id, campaign_id = 0 as homeless, (
    select array_agg(hanging.campaign_id = leads.campaign_id) from (
      select lead_id, campaign_id from mails union all select lead_id, campaign_id from rating_keys
      union all select lead_id, campaign_id from rating_saves) hanging where hanging.lead_id = leads.id
  ) as together from leads where lead_id in ('homeless', 'then-1') order by 1`
const whereTheyLive = [
  { lead_id: 'homeless', homeless: true, together: null },
  { lead_id: 'then-1', homeless: false, together: [true, true, true] },
]

test('leads and their dependent rows get their keys, whether written before the migration or by the previous version after it (R30)', async () => {
  const { url, client } = await oldDatabase()
  await client.query(leadsOfThen)
  await migrateDatabase(url)
  expect((await client.query(placesOfNow)).rows).toEqual(whereTheyLive)
  const app = await startApp({ url })
  undo.push(() => app.close())
  const { rows } = await client.query(`select id from users where username = 'root-of-then'`)
  const list = (await (await app.as(rows[0])).call(leadsContract.list, { query: { per_page: 1 } })).body.data
  expect(list).toMatchObject([{ lead_id: 'homeless', campaign_id: null, campaign: null }])

  const today = await createDatabase()
  undo.push(() => today.drop())
  const late = await connected(today.url)
  await late.query(agencyOfThen)
  await late.query(leadsOfThen)
  expect((await late.query(placesOfNow)).rows).toEqual(whereTheyLive)
  await late.query(`
    insert into campaigns (name, client_id, manager, start_date, initial_target)
      select 'Another', max(id), 'Morgan', '2025-01-15', 20 from clients;
    update leads set campaign_id = (select max(id) from campaigns) where lead_id = 'then-1'`)
  expect((await late.query(placesOfNow)).rows).toEqual(whereTheyLive)
  await late.query(`update leads set campaign_id = null where lead_id = 'then-2'`)
  expect((await late.query(`select campaign_id from leads where lead_id = 'then-2'`)).rows).toEqual([
    { campaign_id: 0 },
  ])
})

test('hooks are stored while the keys of leads are rebuilt (R30)', async () => {
  const database = await createDatabase({ migrated: false })
  undo.push(() => database.drop())
  await migrateDatabase(database.url, { upTo: '0020_inbox_by_itself' })
  const [migrating, hook] = [await connected(database.url), await connected(database.url)]
  await migrating.query('begin')
  await migrating.query(readFileSync(join(projectRoot, 'migrations/0021_leads_by_campaign.sql'), 'utf8'))
  await hook.query(`set lock_timeout = '2s'`)
  await hook.query(`insert into inbound_events (provider, headers, body) values ('callrail', '{}', '\\x00ff')`)
  await migrating.query('commit')
})

type Column = { type: string; notNull: boolean; default?: unknown; generated?: unknown; identity?: unknown }
type Index = { isUnique: boolean; columns: { expression: string; isExpression: boolean }[] }
type Table = {
  columns: Record<string, Column>
  indexes: Record<string, Index>
  checkConstraints: Record<string, unknown>
}
const snapshot = (index: number) =>
  JSON.parse(readFileSync(join(folder, `${String(index).padStart(4, '0')}_snapshot.json`), 'utf8')) as {
    tables: Record<string, Table>
  }

test.each(entries.slice(1).map(({ idx, tag }) => [tag, idx] as const))(
  '%s takes nothing from the version before it (R30)',
  (_, index) => {
    const [before, after] = [snapshot(index - 1).tables, snapshot(index).tables]
    const broken = Object.entries(before).flatMap(([name, table]) => taken(name, table, after[name]))
    expect(broken, 'Do it in two releases: first stop using it, then take it away').toEqual([])
  },
)

/** Columns where a trigger replaces null by its meaning; a test above covers each. */
const filled = ['public.leads.campaign_id']

/** Returns changes that would break the previous version: removed or narrowed columns, new columns it does not fill, new rules on old ones. */
function taken(name: string, before: Table, after: Table | undefined): string[] {
  if (!after) return [`${name} is gone`]
  const gone = Object.entries(before.columns).flatMap(([column, { type, notNull }]) => {
    const now = after.columns[column]
    if (!now) return [`${name}.${column} is gone`]
    const isNarrower = now.notNull && !notNull && !filled.includes(`${name}.${column}`)
    return now.type !== type || isNarrower ? [`${name}.${column} takes less than it did`] : []
  })
  const added = Object.entries(after.columns)
    .filter(([column]) => !before.columns[column])
    .filter(([, now]) => now.notNull && now.default === undefined && !now.generated && !now.identity)
    .map(([column]) => `${name}.${column} is new and must be filled`)
  const narrower = Object.entries(after.indexes)
    .filter(([index, { isUnique }]) => isUnique && !before.indexes[index])
    .filter(([, { columns }]) => columns.every(({ expression }) => expression in before.columns))
    .map(([index]) => `${name} has a new unique index ${index} on columns of before`)
  return [...gone, ...added, ...narrower]
}
