import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { migrateDatabase } from '#app/server/migrate.ts'
import { applyMigrations } from '#core/db/migrate.ts'
import { projectRoot } from '#core/settings/settings.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { startApp } from '#test/app.ts'
import { readCatalog } from '#test/catalog.ts'
import { createDatabase } from '#test/database.ts'
import { run } from '#test/server-process.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/**
 * A database of the last version before 0.1.0, with the rows below: what `pg_dump --inserts` wrote at commit bd70286f after its 42
 * migrations, without the ZIP codes, which each start fills in.
 */
const dumpOfThen = gunzipSync(readFileSync(join(import.meta.dirname, 'database-before-0.1.0.sql.gz'))).toString()

/** An agency as the previous version writes it. */
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
      E'Tab\\t, ünïcode', '{Spam}' from campaigns, generate_series(1, 200) n group by n;
  insert into leads (lead_s, lead_id, occurred_at, lead_type) values ('Formidable', 'homeless', now(), 'Form');
  insert into mails (lead_id, campaign_id, kind, recipients, state, sent_at)
    select id, campaign_id, 'notification', '{owner@client.example}', 'sent', now() from leads where lead_id like 'then-%';
  insert into rating_keys (lead_id, campaign_id, mail_id, key_hash, expires_at)
    select lead_id, campaign_id, id, '\\x01', now() + interval '1 day' from mails
    where lead_id = (select id from leads where lead_id = 'then-1');
  insert into rating_saves (key_id, lead_id, campaign_id, auto, outcome)
    select id, lead_id, campaign_id, true, 'counted' from rating_keys;
  insert into inbound_events (provider, headers, body) values ('callrail', '{}', '\\x00ff');
  insert into spammers (name, email) values ('Spammer', 'spam@a.example');
  insert into blacklist_keywords (keyword, position) values ('backlinks', 0);
  insert into audit (username, kind, row_id, action, after) select 'root-of-then', 'lead', id, 'created', '{}' from leads;`

async function connected(url: string) {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  undo.push(() => client.end())
  return client
}

async function emptyDatabase(options: { migrated: boolean }) {
  const database = await createDatabase(options)
  undo.push(() => database.drop())
  return { url: database.url, client: await connected(database.url) }
}

async function databaseOfThen() {
  const { url, client } = await emptyDatabase({ migrated: false })
  await client.query(dumpOfThen)
  await client.query('set search_path to default')
  return { url, client }
}

/** Returns the number and a hash of the rows of each table, with only these columns. */
async function hashTables(client: pg.Client, columns: Map<string, string[]>) {
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

/** Returns the current columns of these tables, or of all. */
async function readColumns(client: pg.Client, tables: string[] | null = null): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(
    `select table_name as table, array_agg(quote_ident(column_name) order by ordinal_position) as columns
     from information_schema.columns where table_schema = 'public' and ($1::text[] is null or table_name = any($1)) group by 1`,
    [tables],
  )
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

/** Returns the tables whose forms have more fields since then: a row that was open in one must not be saved, so its version is another. */
function listNewForms(): string[] {
  const folder = join(projectRoot, 'migrations')
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  return files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/UPDATE "?(\w+)"? SET "?version"? = "?version"? \+ 1/gi)].map(
      ([, table]) => table!,
    ),
  )
}

test('a database of the last version before 0.1.0 goes on: no row changes, its schema is a new one’s, and the current app serves it (R30)', async () => {
  const { url, client } = await databaseOfThen()
  const fresh = await emptyDatabase({ migrated: true })
  const derived = ['zip_codes']
  const kept = [...(await readColumns(fresh.client)).keys()].filter((table) => !derived.includes(table))
  const known = await readColumns(client, kept)
  const withoutVersion = (table: string) => known.get(table)!.filter((column) => column !== 'version')
  const columns = new Map([
    ...known,
    ['blacklist', ['id', 'version']], // the others of it are gone
    ...listNewForms().map((table) => [table, withoutVersion(table)] as const),
  ])
  const before = await hashTables(client, columns)
  expect(before.leads).toMatch(/^201 /)
  await migrateDatabase(url)
  expect(await hashTables(client, columns)).toEqual(before)
  await migrateDatabase(url) // again, as a no-op
  expect(await readCatalog(client)).toEqual(await readCatalog(fresh.client))

  const app = await startApp({ url })
  undo.push(() => app.close())
  const { rows } = await client.query(`select id from users where username = 'root-of-then'`)
  const { status, body } = await (await app.as(rows[0])).call(leadsContract.list, { query: { per_page: 200 } })
  expect([status, body.data.length, body.data[0].lead_id]).toEqual([200, 200, 'homeless'])
})

const tooOld =
  'This database was written by a Leadline from before 0.1.0, or is only partly migrated: start commit bd70286f once, which migrates it, then start this version'

test.each([
  ['an older', 'delete from drizzle.__drizzle_migrations where id > 12'],
  ['a half-migrated', 'delete from drizzle.__drizzle_migrations where id > 41'],
])('%s database is refused in one sentence at the start, and nothing is touched (R30)', async (_, makeOlder) => {
  const { url, client } = await databaseOfThen()
  await client.query(makeOlder)
  const before = [await readCatalog(client), await hashTables(client, await readColumns(client))]
  await expect(migrateDatabase(url)).rejects.toThrow(tooOld)
  const { child, output } = run({ DATABASE_URL: url, DATA_DIR: mkdtempSync(join(tmpdir(), 'leadline-upgrade-')) })
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect([code, output()]).toEqual([1, `${tooOld}\n`])
  expect([await readCatalog(client), await hashTables(client, await readColumns(client))]).toEqual(before)
})

test('a migration waits at most five seconds for a lock, leaves nothing behind, and succeeds when run again (R30)', async () => {
  const { url, client } = await databaseOfThen()
  const before = await readCatalog(client)
  const holder = await connected(url)
  await holder.query('begin; lock table blacklist in access share mode')
  // PostgreSQL's code for a lock timeout; without a limit it would wait forever.
  await expect(migrateDatabase(url)).rejects.toMatchObject({ cause: { code: '55P03' } })
  expect(await readCatalog(client)).toEqual(before)
  await holder.query('rollback')
  await migrateDatabase(url)
  expect(await readCatalog(client)).not.toEqual(before)
})

test('processes that start together on a database of the version before take turns (R30)', async () => {
  const { url, client } = await databaseOfThen()
  await Promise.all(Array.from({ length: 4 }, () => migrateDatabase(url)))
  const { rows } = await client.query('select count(*)::int as count from drizzle.__drizzle_migrations')
  expect(rows).toEqual([{ count: 42 + journal.length - 1 }])
})

test('the previous version keeps writing after a migration: statements of 0.1.0 work on the current schema (R30)', async () => {
  const { client } = await emptyDatabase({ migrated: true })
  await client.query(agencyOfThen)
  expect((await client.query('select count(*)::int as count from leads')).rows).toEqual([{ count: 201 }])
})

type Table = { columns: Record<string, Column>; rules: Record<string, string[]> }
type Column = { type: string; notNull: boolean; isFilled: boolean }
const folder = join(projectRoot, 'migrations')
const { entries: journal } = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as {
  entries: { tag: string }[]
}

test('no migration since the last release takes anything from the version before it (R30)', async () => {
  const { url, client } = await emptyDatabase({ migrated: false })
  await applyMigrations(url, { upTo: readFileSync(join(folder, 'released'), 'utf8').trim() })
  const before = await readTables(client)
  await applyMigrations(url)
  const after = await readTables(client)
  const broken = [...before].flatMap(([name, table]) => findTaken(name, table, after.get(name)))
  expect(broken, 'Do it in two releases: first stop using it, then take it away').toEqual([])
})

/** Returns each table's columns, and the columns of its unique indexes; an expression among these has no name. */
async function readTables(client: pg.Client): Promise<Map<string, Table>> {
  const { rows } = await client.query<{ name: string } & Table>(`
    select relname as name,
      (select json_object_agg(attname, json_build_object('type', format_type(atttypid, atttypmod), 'notNull', attnotnull,
        'isFilled', atthasdef or attidentity <> '')) from pg_attribute where attrelid = oid and attnum > 0 and not attisdropped) as columns,
      coalesce((select json_object_agg(indexrelid::regclass, (select json_agg(coalesce(attname, '')) from unnest(indkey) key
        left join pg_attribute on attrelid = indrelid and attnum = key and key > 0)) from pg_index where indrelid = oid and indisunique), '{}') as rules
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`)
  return new Map(rows.map(({ name, ...table }) => [name, table]))
}

/** Returns changes that would break the previous version: removed or narrowed columns, new columns it does not fill, new rules on old ones. */
function findTaken(name: string, before: Table, after: Table | undefined): string[] {
  if (!after) return [`${name} is gone`]
  const gone = Object.entries(before.columns).flatMap(([column, { type, notNull }]) => {
    const now = after.columns[column]
    if (!now) return [`${name}.${column} is gone`]
    return now.type !== type || (now.notNull && !notNull) ? [`${name}.${column} takes less than it did`] : []
  })
  const added = Object.entries(after.columns)
    .filter(([column, now]) => !before.columns[column] && now.notNull && !now.isFilled)
    .map(([column]) => `${name}.${column} is new and must be filled`)
  const narrower = Object.entries(after.rules)
    .filter(([index, columns]) => !before.rules[index] && columns.every((column) => column in before.columns))
    .map(([index]) => `${name} has a new unique index ${index} on columns of before`)
  return [...gone, ...added, ...narrower]
}
