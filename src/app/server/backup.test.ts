import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { writeBackup } from '#core/backup/back-up.ts'
import { decryptAllSecrets } from '#core/backup/encrypted-columns.ts'
import { type BackupManifest, manifestPath, tableFilePath, uploadFilePath } from '#core/backup/manifest.ts'
import { restoreBackup } from '#core/backup/restore.ts'
import { applyMigrations } from '#core/db/migrate.ts'
import { SecretBox } from '#core/secrets/secrets.ts'
import { filesTable } from '#domains/activity/files/schema.ts'
import { toStatementId } from '#domains/billing/statements/contract.ts'
import { statementsTable } from '#domains/billing/statements/schema.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { googleAccountsTable, googleEditsTable, googleLocationsTable } from '#domains/listings/google/schema.ts'
import { messagesTable } from '#domains/messages/schema.ts'
import { reportSchedulesTable } from '#domains/reports/client-reports/schema.ts'
import { redirectTasksTable } from '#domains/sites/redirects/schema.ts'
import { webhookDeliveriesTable, webhookMessagesTable, webhooksTable } from '#domains/webhooks/schema.ts'
import { createFolderStore } from '#integrations/storage/storage.ts'
import { setUp, startApp } from '#test/app.ts'
import { createDatabase } from '#test/database.ts'
import { migrateDatabase } from './migrate.ts'
import { backupPlan } from './parts.ts'

const key = '5e'.repeat(32)
const place = () => mkdtempSync(join(tmpdir(), 'leadline-backup-'))

const databases: { url: string; drop(): Promise<void> }[] = []
const app = await setUp(startApp({ settings: { DATA_DIR: place() } }))
const { make, context } = app
const client = await make.client()
const customer = await make.customer({ client_id: client.id })
const campaign = await make.campaign({ client_id: client.id })
await make.clientSite({ campaign_id: campaign.id, key: 'key-of-the-form', signingKey: 'key-of-callrail' })
const lead = await make.lead({ campaign_id: campaign.id, message: 'Tab\t, line\nand \\N "quotes" – ünïcode' })
await context.db
  .insert(mailsTable)
  .values({ lead_id: lead.id, campaign_id: campaign.id, kind: 'notification', recipients: ['a@b.example'] })
const root = await make.superAdmin()
const [webhook] = await context.db
  .insert(webhooksTable)
  .values({ user_id: root.id, url: 'https://crm.example', events: ['lead.created'] })
  .returning()
const message = { webhook_id: webhook!.id, type: 'lead.created' as const, subject: `lead:${lead.id}`, body: '{}' }
const [taken] = await context.db
  .insert(webhookMessagesTable)
  .values([
    { ...message, message_id: 'msg_taken', state: 'delivered' },
    { ...message, message_id: 'msg_waits' },
  ])
  .returning()
const at = new Date('2026-03-16T12:00:00Z')
await context.db
  .insert(webhookDeliveriesTable)
  .values({ message: taken!.id, webhook_id: webhook!.id, at, attempt: 1, status: 200, answer: 'thanks', ms: 5 })
await context.db
  .insert(redirectTasksTable)
  .values({ kind: 'add', domain: 'half.example', redirect_url: 'https://client.example/' })
const refresh_token = context.secrets.seal('refresh', 'google_accounts.refresh_token:1')
await context.db
  .insert(googleAccountsTable)
  .values({ subject: '1', email: 'agency@gmail.example', account_name: 'Agency', refresh_token })
const business = { business_account: 'accounts/1', business_account_name: 'Agency' }
await context.db.insert(googleLocationsTable).values({ account_id: 1, name: 'locations/1', title: 'Shop', ...business })
await context.db.insert(googleEditsTable).values({ location_id: 1, fields: { title: 'New' } })
const caller = await app.as(root)
await caller.call(clientsContract.newRemoteToken, { params: { id: customer.id } })
await caller.call(clientsContract.status, { body: { id: client.id, is_active: 1 } })
await context.db
  .insert(reportSchedulesTable)
  .values({ client_id: client.id, every: 'week', day: 1, hour: 9, set_at: new Date('2026-01-01') })
const mailed = { campaign_id: campaign.id, sent_by: root.id, mailed_at: new Date(), mailed_to: ['a@b.example'] }
const fee = { from: '2026-01-01', to: null, kind: 'flat', fee: 9, prices: { Form: 0, Call: 0 } } as const
const terms = { ...fee, included: 0, cap: null, dispute_days: 30 }
await context.db.insert(statementsTable).values([
  { ...mailed, from_day: '2026-01-01', to_day: '2026-01-31', terms },
  { ...mailed, from_day: '2026-02-01', to_day: '2026-02-28', terms },
])
await context.db.insert(messagesTable).values({
  channel: 'email',
  kind: 'statement',
  recipient: 'a@b.example',
  dedupe_key: 'queued',
  state: 'sent',
  record_id: toStatementId(campaign.id, '2026-01-01'),
  expires_at: new Date(),
})
const image = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#2a5bd7' } })
  .png()
  .toBuffer()
await context.store.put('abcdef', image)
const size = image.length
await context.db
  .insert(filesTable)
  .values({ user_id: root.id, key: 'abcdef', mime: 'image/png', size, width: 4, height: 4 })
const folder = join(place(), 'kept')
const made = await writeBackup(context, backupPlan, folder)
afterAll(async () => {
  for (const { drop } of databases) await drop()
})

/** Without ZIP codes, which no backup has and filling takes a second: those come with `migrateDatabase`. */
async function emptyPlace(migrate: typeof migrateDatabase = applyMigrations) {
  const database = await createDatabase()
  databases.push(database)
  return { url: database.url, secrets: new SecretBox(key), store: createFolderStore(place()), migrate }
}

function copyOfBackup(): string {
  const copy = join(place(), 'copy')
  cpSync(folder, copy, { recursive: true })
  return copy
}

const restoredAt = Date.now()
const target = await emptyPlace(migrateDatabase)
const restored = await restoreBackup(target, backupPlan, folder)
/** The app on what was restored: what one test looks at no other one changes. */
const other = await setUp(startApp({ settings: { DATA_DIR: place() }, url: target.url }))

test('a restore matches the backup row by row, with uploads and secrets that decrypt (R29)', async () => {
  const { rows, uploads, secrets } = restored
  expect([rows > 10, uploads, secrets]).toEqual([true, 1, 4])
  const again = await writeBackup({ ...other.context, store: target.store }, backupPlan, join(place(), 'again'))
  const changed = [
    'mails',
    'webhook_messages',
    'webhook_deliveries',
    'redirect_tasks',
    'google_edits',
    'report_schedules',
    'statements',
  ]
  const without = ({ tables }: BackupManifest) => tables.filter(({ name }) => !changed.includes(name))
  expect(without(again)).toEqual(without(made))
  const counters = ({ counters: all }: BackupManifest) => all.filter(({ table }) => !changed.includes(table))
  expect(counters(again)).toEqual(counters(made))
  expect([again.uploads, again.migration]).toEqual([made.uploads, made.migration])
  // Ids continue where they were.
  const next = await other.make.client()
  expect(next.id).toBeGreaterThan(client.id)
})

test('only its owner can open a backup or a file in it (R29)', () => {
  const names = ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]
  const modes = names.map((name) => {
    const found = statSync(join(folder, name))
    return [name, found.mode & 0o777, found.isDirectory() ? 0o700 : 0o600]
  })
  expect(modes.filter(([, mode, expected]) => mode !== expected)).toEqual([])
  expect(names).toEqual(expect.arrayContaining(['manifest.json', 'tables/users.copy.gz', 'uploads/abcdef']))
})

test('a waiting mail in a backup is not sent, but shown as uncertain', async () => {
  const [mail] = await other.context.db.select().from(mailsTable)
  expect(mail).toMatchObject({ state: 'uncertain', error: 'Restored from a backup; it may have been sent since' })
  await expect(other.context.pool.query('delete from audit')).rejects.toThrow('append-only')
})

test('a waiting webhook message in a backup is not sent automatically, and has an attempt that says why [OPEN-02]', async () => {
  const { message_id, state } = webhookMessagesTable
  const messages = other.context.db.select({ message_id, state }).from(webhookMessagesTable)
  expect(await messages.orderBy(webhookMessagesTable.id)).toEqual([
    { message_id: 'msg_taken', state: 'delivered' },
    { message_id: 'msg_waits', state: 'failed' },
  ])
  const tries = await other.context.db.select().from(webhookDeliveriesTable).orderBy(webhookDeliveriesTable.id)
  expect(tries).toMatchObject([
    { attempt: 1, status: 200 },
    { attempt: 1, status: null, answer: 'Restored from a backup; it may have been sent since' },
  ])
})

test('a scheduled report that was due before a restore is not mailed again', async () => {
  const schedules = await other.context.db.select().from(reportSchedulesTable)
  expect(schedules.map(({ set_at }) => set_at.getTime() >= restoredAt)).toEqual([true])
})

test('a statement whose email was not queued before the backup does not say that it was emailed', async () => {
  const { rows } = await other.context.pool.query(
    'select mailed_at is not null as at, mailed_to as to from statements order by from_day',
  )
  expect(rows).toEqual([
    { at: true, to: ['a@b.example'] },
    { at: false, to: null },
  ])
})

test('what a job was to finish does not wait forever: a backup has no jobs', async () => {
  const { rows } = await other.context.pool.query(`
    select state, error, ended_at is not null as ended from redirect_tasks
    union all select state, error, ended_at is not null from google_edits`)
  expect(rows).toEqual([
    { state: 'failed', error: 'Restored from a backup; cPanel may have changed since', ended: true },
    { state: 'failed', error: 'Restored from a backup; it may have been sent since', ended: true },
  ])
})

test('a backup fails while the uploads cannot be read, and takes nothing from a backup that failed before', async () => {
  const target = join(place(), 'kept')
  mkdirSync(`${target}.part/uploads`, { recursive: true })
  writeFileSync(uploadFilePath(`${target}.part`, 'erased-since'), 'image')
  const away = { get: () => Promise.reject(new Error('The store answered 503 to GET')) }
  const backUp = (store: Parameters<typeof writeBackup>[0]['store']) =>
    writeBackup({ ...app.context, store }, backupPlan, target)
  await expect(backUp(away)).rejects.toThrow('The upload abcdef could not be saved: The store answered 503 to GET')
  expect((await backUp(app.context.store)).missing).toBe(0)
  expect(readdirSync(join(target, 'uploads'))).toEqual(['abcdef'])
})

test('a backup counts the uploads that the store does not have, without those that are removed while it is made', async () => {
  const backUp = (get: Parameters<typeof writeBackup>[0]['store']['get']) =>
    writeBackup({ ...app.context, store: { get } }, backupPlan, join(place(), 'without'))
  expect(await backUp(async () => null)).toMatchObject({ uploads: [], missing: 1 })
  await app.context.db
    .insert(filesTable)
    .values({ user_id: root.id, key: 'removed', mime: 'image/png', size, width: 4, height: 4 })
  const { uploads, missing } = await backUp(async (key) => {
    if (key !== 'removed') return app.context.store.get(key)
    await app.context.db.delete(filesTable).where(eq(filesTable.key, key))
    return null
  })
  expect([uploads.length, missing]).toEqual([1, 0])
})

test('a restore that cannot store the uploads changes nothing, and can be repeated', async () => {
  const half = copyOfBackup()
  const image = readFileSync(uploadFilePath(half, 'abcdef'))
  rmSync(uploadFilePath(half, 'abcdef'))
  const where = await emptyPlace()
  await expect(restoreBackup(where, backupPlan, half)).rejects.toThrow('The upload abcdef is missing or damaged')
  writeFileSync(uploadFilePath(half, 'abcdef'), image.subarray(1))
  await expect(restoreBackup(where, backupPlan, half)).rejects.toThrow('The upload abcdef is missing or damaged')
  writeFileSync(uploadFilePath(half, 'abcdef'), image)
  const full = { ...where, store: { put: () => Promise.reject(new Error('no space left on device')) } }
  await expect(restoreBackup(full, backupPlan, half)).rejects.toThrow('no space left')
  expect((await restoreBackup(where, backupPlan, half)).uploads).toBe(1)
})

test('a restore that cannot be migrated in the end says that the rows are back, and the next start migrates them', async () => {
  const where = await emptyPlace()
  const migrate: typeof migrateDatabase = (url, options) =>
    options?.upTo ? where.migrate(url, options) : Promise.reject(new Error('canceling statement due to lock timeout'))
  await expect(restoreBackup({ ...where, migrate }, backupPlan, folder)).rejects.toThrow(
    'The backup is back, but not in the form of this version; the next start goes on: canceling statement',
  )
  await where.migrate(where.url)
  const client = new pg.Client(where.url)
  await client.connect()
  expect((await client.query('select key from files')).rows).toEqual([{ key: 'abcdef' }])
  expect((await client.query(`select to_regclass('pgboss.job')::text as jobs`)).rows).toEqual([{ jobs: 'pgboss.job' }])
  await client.end()
})

test('a backup from a release with fewer tables can be restored (R29)', async () => {
  // As if a later migration created these.
  const dropNewTables = async (connectionString: string) => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    await client.query('drop table test_leads, messages, webhook_deliveries, webhook_messages, webhooks')
    await client.end()
  }
  const database = await createDatabase()
  databases.push(database)
  await dropNewTables(database.url)
  const pool = new pg.Pool({ connectionString: database.url })
  await pool.query(`insert into clients (name, emails) values ('Of then', '{}')`)
  const kept = join(place(), 'kept')
  await writeBackup({ ...app.context, pool }, backupPlan, kept)
  await pool.end()
  const where = await emptyPlace()
  const migrate: typeof migrateDatabase = async (url, options) => {
    await where.migrate(url, options)
    if (options?.upTo) await dropNewTables(url)
  }
  const { rows } = await restoreBackup({ ...where, migrate }, backupPlan, kept)
  expect(rows).toBeGreaterThan(0)
})

test('a backup does not contain the key, and another key is refused before anything is touched', async () => {
  expect(readFileSync(manifestPath(folder), 'utf8')).not.toContain(key)
  const where = { ...(await emptyPlace()), secrets: new SecretBox('6f'.repeat(32)) }
  await expect(restoreBackup(where, backupPlan, folder)).rejects.toThrow('another SECRET_KEY')
})

test('with a key that does not open its secrets a database is not backed up: no key would restore it (R29)', async () => {
  const kept = join(place(), 'kept')
  const backUp = writeBackup({ ...context, secrets: new SecretBox('6f'.repeat(32)) }, backupPlan, kept)
  await expect(backUp).rejects.toThrow(
    /^SECRET_KEY does not open everything in \w+\.\w+: some has another key \(row \d+\)/,
  )
  expect(existsSync(kept)).toBe(false)
})

test('a database in use, a folder that is not a backup, a newer or too old backup and a damaged one are refused, and nothing is changed', async () => {
  const before = await app.dump()
  const { url, settings } = { url: app.context.pool.options.connectionString!, settings: app.context.settings }
  const here = {
    url,
    secrets: app.context.secrets,
    store: createFolderStore(settings.DATA_DIR),
    migrate: migrateDatabase,
  }
  await expect(restoreBackup(here, backupPlan, folder)).rejects.toThrow('in use')
  expect(await app.dump()).toBe(before)
  await expect(restoreBackup(await emptyPlace(), backupPlan, place())).rejects.toThrow('no readable manifest')
  await expect(writeBackup(app.context, backupPlan, folder)).rejects.toThrow('already exists')

  const newer = copyOfBackup()
  writeFileSync(manifestPath(newer), JSON.stringify({ ...made, migration: '9999_of_the_future' }))
  await expect(restoreBackup(await emptyPlace(), backupPlan, newer)).rejects.toThrow('a newer Leadline')
  writeFileSync(manifestPath(newer), JSON.stringify({ ...made, migration: '0041_kept_sums' }))
  await expect(restoreBackup(await emptyPlace(), backupPlan, newer)).rejects.toThrow('one before 0.1.0')

  const damaged = copyOfBackup()
  expect(made.tables.find(({ name }) => name === 'leads')!.rows).toBe(1)
  writeFileSync(tableFilePath(damaged, 'leads'), gzipSync(''))
  const where = await emptyPlace()
  const sentence = 'The file of the table leads is damaged'
  await expect(restoreBackup(where, backupPlan, damaged)).rejects.toThrow(sentence)
  writeFileSync(tableFilePath(damaged, 'leads'), readFileSync(tableFilePath(folder, 'leads')).subarray(0, -20))
  await expect(restoreBackup(where, backupPlan, damaged)).rejects.toThrow(sentence)
  rmSync(tableFilePath(damaged, 'leads'))
  await expect(restoreBackup(where, backupPlan, damaged)).rejects.toThrow(sentence)
})

test('a database on which Leadline is running is not restored into, and its schedules stay', async () => {
  const where = await emptyPlace()
  const running = await startApp({ settings: { DATA_DIR: place() }, url: where.url })
  try {
    const count = () => running.context.db.$count(sql`pgboss.queue`)
    const before = await count()
    await expect(restoreBackup(where, backupPlan, folder)).rejects.toThrow('Stop Leadline first')
    expect([before > 10, await count()]).toEqual([true, before])
  } finally {
    await running.close()
  }
})

/** Restores into a database in which these statements ran before. */
async function restoreAfter(...statements: string[]) {
  const where = await emptyPlace()
  const client = new pg.Client(where.url)
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
  return restoreBackup(where, backupPlan, folder)
}

const dropAll =
  'drop schema public cascade; drop schema drizzle cascade; drop schema pgboss cascade; create schema public'

test.each([
  ["another program's table", dropAll, 'create table shop (id int)'],
  ["another program's users", dropAll, "create table users (username text); insert into users values ('admin')"],
  ["another program's migrations", dropAll, journalOf('insert into drizzle.__drizzle_migrations values (1)')],
  ['a client', "insert into clients (name, emails) values ('Oak', '{}')"],
  ['a connection', "insert into connections (kind, source) values ('smtp', 'key')"],
  [
    'a redirect',
    "insert into redirect_domains (domain, domainkey, redirect_url) values ('oak.example', 'oak', 'https://b.example/')",
  ],
])('a database with %s is in use: a restore into it is refused', async (_, ...statements) => {
  await expect(restoreAfter(...statements)).rejects.toThrow('This database is in use')
})

test.each([
  [
    'what a first start makes',
    "insert into users (username, email, password_hash, role) values ('admin', 'a@b.example', 'x', 'super_admin')",
    "insert into connections (kind, source) values ('smtp', 'environment')",
  ],
  ['no table', dropAll],
  ['what a first migration that failed leaves', dropAll, journalOf('')],
])('a backup is restored into a database with %s', async (_, ...statements) => {
  expect((await restoreAfter(...statements)).uploads).toBe(1)
})

function journalOf(row: string) {
  return `create schema drizzle; create table drizzle.__drizzle_migrations (id int); ${row}`
}

test('every column of bytes is known: encrypted, and opened by a restore, or not a secret', async () => {
  const { rows } = await app.context.db.execute<{ place: string }>(sql`
    select table_name || '.' || column_name as place from information_schema.columns
    where table_schema = 'public' and data_type = 'bytea' order by 1`)
  const links = ['google_link_states.session_hash', 'google_link_states.state_hash']
  const plain = [
    ...links,
    'inbound_events.body',
    'rating_keys.key_hash',
    'remote_tokens.token_hash',
    'api_keys.key_hash',
    'sessions.token_hash',
    'client_reports.key_hash',
    'custom_sources.key_hash',
    'oidc_states.browser_hash',
    'oidc_states.state_hash',
    'passkey_challenges.challenge_hash',
    'passkeys.public_key',
    'password_links.key_hash',
    'recovery_codes.code_hash',
    'sessions.viewer_session',
    'sign_in_challenges.challenge_hash',
    'statement_keys.key_hash',
  ]
  const sealed = backupPlan.encryptedColumns.map(({ table, column }) => `${table}.${column}`)
  expect(rows.map((row) => row.place)).toEqual([...plain, ...sealed].toSorted())
  const client = await app.context.pool.connect()
  try {
    await expect(
      decryptAllSecrets(client, backupPlan.encryptedColumns, new SecretBox('00'.repeat(32))),
    ).rejects.toThrow()
  } finally {
    client.release()
  }
})
