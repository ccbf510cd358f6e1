import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { startPostgres } from '#core/postgres/postgres.ts'
import { verifyPassword } from '#core/secrets/passwords.ts'
import { signInFailuresTable } from '#domains/access/schema.ts'
import { passkeysTable } from '#domains/access/second-factor/schema.ts'
import { startSession } from '#domains/access/server/session-tokens.ts'
import { filesTable } from '#domains/activity/files/schema.ts'
import { erasurePersonAad } from '#domains/audit/erasures/schema.ts'
import { computeCallRailSignature } from '#integrations/callrail/webhook.ts'
import { setUp, startApp } from '#test/app.ts'
import { createDatabase } from '#test/database.ts'
import { programEnvironment } from '#test/server-process.ts'
import { builtProgram } from '../../../bin/build-server.mjs'
import { runCli } from './program.ts'

const app = await setUp(startApp())
const url = app.context.pool.options.connectionString!
afterAll(() => vi.unstubAllEnvs())

test('a new account is printed with a working password, and the trail says that the program made it', async () => {
  const said = await leadline('user', 'add', 'Rosa', 'rosa@example.com', '--role', 'super-admin')
  expect(said).toMatchObject({ code: 0, stderr: '' })
  const password = said.stdout.match(/^Password: (\S+)$/m)?.[1] ?? ''
  const rosa = await user('rosa')
  expect(rosa.role).toBe('super_admin')
  expect(await verifyPassword(password, rosa.password_hash)).toBe(true)
  expect(await trailOf(rosa.id)).toMatchObject([{ user_id: null, action: 'created', after: { username: 'Rosa' } }])
})

test('what cannot be done is refused in one line each, and nothing is changed', async () => {
  await app.make.admin({ username: 'taken', email: 'taken@example.com' })
  const before = await app.dump()
  for (const [args, line] of [
    [['user', 'add', 'TAKEN', 'other@example.com'], /^This name is taken\n$/],
    [['user', 'add', 'other', 'Taken@example.com'], /^This email is taken\n$/],
    [['user', 'add', 'other', 'no email'], /^Email is not valid\n$/],
    [
      ['user', 'add', 'other', 'a@example.com', '--role', 'customer'],
      /^error: .*super-admin, admin, leads-handler\.\n$/,
    ],
    [['user', 'email', 'taken', 'no email'], /^Email is not valid\n$/],
    [['user', 'email', 'nobody', 'a@example.com'], /^There is no user nobody\n$/],
    [['user', 'add', 'other'], /^error: missing required argument 'email'\n$/],
    [['user', 'reset-password', 'nobody'], /^There is no user nobody\n$/],
    [['seed', '--leads', 'many'], /^error: .*Must be a number up to 1000000\.\n$/],
    [['events', 'replay'], /^Name the events by id, .*\n$/],
    [['events', 'replay', '7', 'x'], /^error: .*x is not a whole number\.\n$/],
    [['import', 'leads', 'none.csv'], /^The file cannot be read: .*\n$/],
    [['run', 'tea'], /^There is no scheduled job tea\. The jobs are: .*intake-sweep.*\n$/],
    [['usr'], /^error: unknown command 'usr'\n/],
  ] as const)
    expect(await leadline(...args)).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(line) })
  expect(await app.dump()).toBe(before)
})

test('the email of an account is changed at once, if no other account has it [MOVE-12]', async () => {
  const [admin, other] = [await app.make.admin(), await app.make.admin()]
  expect(await leadline('user', 'email', admin.username, 'by-hand@example.com')).toMatchObject({ code: 0 })
  expect((await user(admin.username)).email).toBe('by-hand@example.com')
  expect(await leadline('user', 'email', admin.username, other.email)).toMatchObject({
    code: 1,
    stderr: 'This email is taken\n',
  })
})

test('an admin becomes a super admin and has to sign in again; a customer does not become one', async () => {
  const admin = await app.make.admin()
  const session = await startSession(app.context.db, admin.id, 'password', '127.0.0.1')
  expect(await leadline('user', 'grant-super', admin.email.toUpperCase())).toMatchObject({ code: 0 })
  expect((await user(admin.username)).role).toBe('super_admin')
  expect(await trailOf(admin.id)).toMatchObject([{ before: { role: 'admin' }, after: { role: 'super_admin' } }])
  expect((await fetch(`${app.url}/api/user/me`, { headers: { authorization: `Bearer ${session}` } })).status).toBe(401)

  const customer = await app.make.customer()
  expect(await leadline('user', 'grant-super', customer.username)).toEqual({
    code: 1,
    stdout: '',
    stderr: `${customer.username} is the account of a client\n`,
  })
  expect(await leadline('user', 'grant-super', 'nobody')).toMatchObject({
    code: 1,
    stderr: 'There is no user nobody\n',
  })
})

test('the last active super admin cannot be demoted, not even by two demotions at once [PERM-08]', async () => {
  await app.context.db.execute(sql`update users set role = 'admin' where role = 'super_admin'`)
  const [one, other] = [await app.make.superAdmin(), await app.make.superAdmin()]
  await app.make.superAdmin({ is_active: false })
  const answers = await Promise.all(
    [one, other].map(({ username }) => npxLeadline({}, 'user', 'demote-super', username)),
  )
  expect(answers.map(({ code }) => code).sort()).toEqual([0, 1])
  expect(answers.map(({ stderr }) => stderr).join('')).toMatch(
    /^This is the last active super admin; create another one first/,
  )
  const left = await app.context.db.execute(sql`select from users where role = 'super_admin' and is_active`)
  expect(left.rows.length).toBe(1)
  expect((await leadline('user', 'demote-super', (await app.make.admin()).username)).stderr).toMatch(
    /is no super admin/,
  )
})

test('a reset password replaces the old one and ends every session', async () => {
  const admin = await app.make.admin()
  await startSession(app.context.db, admin.id, 'password', '127.0.0.1')
  const said = await leadline('user', 'reset-password', admin.username)
  const { password_hash } = await user(admin.username)
  expect(await verifyPassword(said.stdout.match(/: (\S+)\n$/)?.[1] ?? '', password_hash)).toBe(true)
  expect(password_hash).not.toBe(admin.password_hash)
  const sessions = await app.context.db.execute(sql`select from sessions where user_id = ${admin.id}`)
  expect(sessions.rows).toEqual([])
  expect(JSON.stringify(await trailOf(admin.id))).not.toContain('argon2')
  const customer = await app.make.customer()
  expect((await leadline('user', 'reset-password', customer.username)).stderr).toBe(
    `${customer.username} is the account of a client: set its password on the Clients page\n`,
  )
})

test('an account whose second factor is reset is signed out everywhere [SIGN-01]', async () => {
  const admin = await app.make.admin()
  await app.context.db
    .insert(passkeysTable)
    .values({ user_id: admin.id, name: 'Lost', credential_id: 'lost', public_key: Buffer.from('key'), counter: 0 })
  await startSession(app.context.db, admin.id, 'passkey', '127.0.0.1')
  expect(await leadline('user', 'reset-second-factor', admin.username)).toMatchObject({ code: 0 })
  const left = await app.context.db.execute(sql`
    select user_id from passkeys where user_id = ${admin.id} union all select user_id from sessions where user_id = ${admin.id}`)
  expect(left.rows).toEqual([])
  expect(await trailOf(admin.id)).toMatchObject([{ after: { second_factor: 'removed' } }])
})

test('a lockout is lifted, of an account by its name or email and of the network of an address', async () => {
  const admin = await app.make.admin()
  const account = admin.username.toLowerCase()
  const own = [account, ` second factor of ${admin.id}`, ` device Ab1 of ${admin.id}`]
  const failures = [...own, 'other'].map((name) => ({
    account: name,
    address: name === 'other' ? '2001:db8:0:1::/64' : '203.0.113.7',
  }))
  await app.context.db.insert(signInFailuresTable).values(failures)
  const left = async () => (await app.context.db.select().from(signInFailuresTable)).map((failure) => failure.account)
  expect(await leadline('user', 'unlock', admin.email)).toMatchObject({
    code: 0,
    stdout: `${admin.email} may sign in again\n`,
  })
  expect(await left()).toEqual(['other'])
  expect((await leadline('user', 'unlock', '2001:db8:0:1::7')).code).toBe(0)
  expect(await left()).toEqual([])
  expect((await leadline('user', 'unlock', 'nobody')).stderr).toBe('There is no user nobody\n')
})

test('a backup is written into a new folder, and never restored over a database in use (R29)', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'leadline-cli-')), 'kept')
  const said = await leadline('backup', folder)
  expect(said).toMatchObject({ code: 0, stderr: '' })
  expect(said.stdout).toMatch(/^[\d,]+ rows of \d+ tables and 0 uploads are in .*\nThe key is not: /)
  expect(await leadline('backup', folder)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('already exists'),
  })
  expect(await leadline('restore', folder)).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^(This database is in use; restore a backup into an empty one|This backup was made with another SECRET_KEY: .*)\n$/,
    ),
  })
})

test('a list of erased people that cannot be used is refused before anything is restored', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-cli-'))
  const missing = join(folder, 'erasures.json')
  const restore = () => leadline('restore', join(folder, 'kept'), '--erasures', missing)
  expect(await restore()).toEqual({ code: 1, stdout: '', stderr: `${missing} cannot be read\n` })
  writeFileSync(missing, '{}')
  expect((await restore()).stderr).toBe('This file is not a list of erased people\n')
})

test('a list of erased people is kept for the next start, also if the last step of the restore fails (R29)', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'leadline-cli-'))
  const [folder, list, stored] = ['kept', 'list.json', 'uploads/er/erasures.json'].map((name) => join(DATA_DIR, name))
  expect((await leadline('backup', folder!)).code).toBe(0)
  const sealed = app.context.secrets.seal('{"phone":"","email":"zelda@a.example"}', erasurePersonAad('her'))
  const entries = [{ list_key: 'her', person: sealed.toString('base64') }]
  writeFileSync(list!, JSON.stringify(entries))
  const target = await createDatabase()
  const client = new pg.Client(target.url)
  await client.connect()
  await client.query(`
    create schema guard;
    create function guard.refuse() returns event_trigger language plpgsql as
      $$ begin if current_query() ilike '%pgboss%' then raise 'no room'; end if; end $$;
    create event trigger no_queue on ddl_command_start when tag in ('CREATE SCHEMA') execute function guard.refuse()`)
  await client.end()
  const there = { DATABASE_URL: target.url, DATA_DIR }
  const said = await leadlineWith(there, 'restore', folder!, '--erasures', list!)
  expect(said).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^The backup is back, but .*: no room\n$/),
  })
  expect(JSON.parse(readFileSync(stored!, 'utf8'))).toEqual(entries)
  await target.drop()
})

test('a backup warns when other accounts may open its parent folder (R29)', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'leadline-cli-'))
  chmodSync(parent, 0o755)
  const said = await leadline('backup', join(parent, 'kept'))
  expect(said).toMatchObject({
    code: 0,
    stderr: `Other accounts of this machine may open ${parent} (mode 755); the backup in it is closed to them\n`,
  })
})

test('a backup says how many uploads it could not find (R29)', async () => {
  const { id: user_id } = await app.make.admin()
  await app.context.db
    .insert(filesTable)
    .values({ user_id, key: 'lost', mime: 'image/png', size: 1, width: 1, height: 1 })
  const said = await leadline('backup', join(mkdtempSync(join(tmpdir(), 'leadline-cli-')), 'kept'))
  expect([said.code, said.stderr]).toEqual([
    0,
    'Missing where uploads are stored, and so in the backup: 1. Do DATA_DIR and S3_* name where they were stored?\n',
  ])
  await app.context.db.delete(filesTable)
})

test('seeding fills an empty database, and never one that is in use', async () => {
  const empty = await createDatabase()
  const seeded = await npxLeadline({ DATABASE_URL: empty.url }, 'seed', '--leads', '400')
  expect(seeded).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^[34]\d\d leads in \d+ campaigns of 40 clients/),
  })
  const again = await npxLeadline({ DATABASE_URL: empty.url }, 'seed')
  expect(again).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is an agency in this database already/),
  })
  await empty.drop()
})

test('leads are imported from a file; if lines are refused none is written, unless --yes is passed [IN-03]', async () => {
  const { name } = await app.make.campaign()
  const folder = mkdtempSync(join(tmpdir(), 'leadline-import-'))
  const file = join(folder, 'leads.csv')
  const good = `old-1,Form,2026-01-05,${name}\n`
  writeFileSync(file, `lead_id,lead_type,lead_date,campaign\n${good}old-2,Form,5 January,${name}\n`)
  const written = () => app.context.db.$count(sql`leads`, sql`lead_id like 'old-%'`)

  const refused = await leadline('import', 'leads', file)
  expect(refused).toMatchObject({ code: 1, stderr: 'Fix the lines above, or write the others with --yes\n' })
  expect(refused.stdout).toMatch(/^line 3: refused: lead_date: Not a date .*\n1 new, 0 already there, 1 refused\n/)
  expect(await written()).toBe(0)
  expect(await leadline('import', 'leads', file, '--yes')).toMatchObject({ code: 0 })
  expect(await written()).toBe(1)
  const { rows } = await app.context.db.execute(sql`select user_id, after from audit where kind = 'import of leads'`)
  expect(rows).toMatchObject([{ user_id: null, after: { file: 'leads.csv', written: 1 } }])
  rmSync(folder, { recursive: true, force: true })
})

test('a file that contradicts itself ends with 2, unless --dates or --decimal say how it is read [EDGE-01, EDGE-02]', async () => {
  const { name } = await app.make.campaign()
  const folder = mkdtempSync(join(tmpdir(), 'leadline-import-'))
  const file = join(folder, 'leads.csv')
  const write = (...lines: string[]) =>
    writeFileSync(file, ['lead_id;lead_date;campaign;client_value', ...lines].join('\n').replaceAll('NAME', name))
  const values = async () =>
    (
      await app.context.db.execute<{ lead_id: string; at: string; client_value: number }>(sql`
        select lead_id, occurred_at::date::text as at, client_value::float from leads where lead_id like 'read-%' order by lead_id`)
    ).rows.map(({ lead_id, at, client_value }) => [lead_id, at, client_value])

  write('read-1;15/11/2025;NAME;12,50', 'read-2;11/16/2025;NAME;1.5')
  expect(await leadline('import', 'leads', file, '--yes')).toMatchObject({ code: 2, stdout: '' })
  expect(await leadline('import', 'leads', file, '--yes', '--dates', 'dmy')).toMatchObject({
    code: 2,
    stderr: 'The values of client_value could be read in different ways: say how they are read (--dates, --decimal)\n',
  })
  const answered = await leadline('import', 'leads', file, '--yes', '--dates', 'dmy', '--decimal', 'comma')
  expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining('line 3: refused: lead_date: Not a date') })
  write('read-3;05/11/2025;NAME;1.500')
  expect((await leadline('import', 'leads', file, '--dates', 'dmy')).stdout).toContain(
    'client_value is read as 1.200,50',
  )
  // The year may stand first or last.
  write('read-4;25-11-15;NAME;1.500')
  expect(await leadline('import', 'leads', file, '--yes')).toMatchObject({ code: 2, stdout: '' })
  expect(await leadline('import', 'leads', file, '--dates', 'ymd')).toMatchObject({ code: 0 })
  expect(await values()).toEqual([
    ['read-1', '2025-11-15', 12.5],
    ['read-3', '2025-11-05', 1500],
    ['read-4', '2025-11-15', 1500],
  ])
  expect((await leadline('import', 'leads', file, '--dates', 'ydm')).code).toBe(1)
  rmSync(folder, { recursive: true, force: true })
})

test('an event that was put aside is listed with its reason, and becomes a lead once the problem is fixed [IN-06]', async () => {
  const { call, company } = { call: 'CALlater', company: 'COMlater' }
  const body = JSON.stringify({
    resource_id: call,
    company_resource_id: company,
    call_type: 'answered',
    duration: '61',
  })
  const { rows } = await app.context.db.execute<{ id: number }>(sql`
    insert into inbound_events (provider, headers, body, state, reason)
    values ('callrail', ${JSON.stringify({ signature: computeCallRailSignature('signs for later', Buffer.from(body)) })}::jsonb,
      ${Buffer.from(body)}, 'quarantined', 'No client site has it') returning id::int`)
  const { id } = rows[0]!
  expect((await leadline('events', 'list', '--state', 'quarantined')).stdout).toMatch(
    new RegExp(`^${id}  \\S+  callrail  quarantined  No client site has it  {"resource_id":"${call}"`),
  )
  await app.make.clientSite({ callrail_campaign_identifier: company, signingKey: 'signs for later' })
  expect((await leadline('events', 'replay', '--all')).stdout).toMatch(/callrail {2}done {2}lead \d+/)
  expect(await app.context.db.$count(sql`leads`, sql`lead_id = ${call}`)).toBe(1)
  expect((await leadline('events', 'replay', '999999')).stderr).toBe('No event 999999 can be replayed\n')
})

test('recount rebuilds the sums from the leads', async () => {
  const campaign = await app.make.campaign()
  await app.make.lead({ campaign_id: campaign.id, confirmed: true })
  const kept = async () => {
    const { rows } = await app.context.pool.query(
      `select (select coalesce(sum(confirmed), 0) from lead_sums where campaign_id = $1 and period = 0)
         + (select coalesce(sum(number), 0) from lead_changes where campaign_id = $1) as confirmed`,
      [campaign.id],
    )
    return Number(rows[0].confirmed)
  }
  expect(await kept()).toBe(1)
  await app.context.pool.query('update lead_changes set number = 7 where campaign_id = $1', [campaign.id])
  expect(await leadline('recount')).toEqual({ code: 0, stdout: 'The sums of leads are rebuilt\n', stderr: '' })
  expect(await kept()).toBe(1)
})

test('invalid settings and an absent database are reported in one line', async () => {
  expect(await npxLeadline({ DATABASE_URL: 'mysql://x' }, 'user', 'list')).toMatchObject({
    code: 1,
    stderr: 'Setting DATABASE_URL must be an address starting with postgres:// or postgresql://\n',
  })
  expect(await npxLeadline({ DATABASE_URL: 'postgres://127.0.0.1:1/none' }, 'user', 'list')).toMatchObject({
    code: 1,
    stderr: 'The database does not respond; is DATABASE_URL correct?\n',
  })
})

test('while a Leadline is running, its private PostgreSQL is used and left running', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'leadline-cli-'))
  chmodSync(dataDir, 0o711) // as root, PostgreSQL runs as another user, who needs access
  const log = { debug() {}, info() {}, warn() {} }
  const server = await startPostgres({ dataDir, settings: { fsync: 'off', shared_buffers: '16MB' }, log })
  const before = await postmasterStart(server.connection)
  const itsOwn = { DATABASE_URL: '', DATA_DIR: dataDir }
  expect(await npxLeadline(itsOwn, 'user', 'add', 'ann', 'ann@example.com')).toMatchObject({ code: 0 })
  expect((await npxLeadline(itsOwn, 'user', 'list')).stdout).toBe('ann  ann@example.com  admin  active\n')
  expect(await postmasterStart(server.connection)).toBe(before)
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

// ——— helpers ———

const environment = () => ({ SECRET_KEY: '5e'.repeat(32), DATABASE_URL: url })

/** Runs a command in this process: mostly the same as the real one, and much faster. */
const leadline = (...args: string[]) => leadlineWith({}, ...args)

async function leadlineWith(more: Record<string, string>, ...args: string[]) {
  const said = { stdout: '', stderr: '' }
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      said[name] += text
      return true
    }),
  )
  for (const [name, value] of Object.entries({ ...environment(), ...more })) vi.stubEnv(name, value)
  const code = await runCli(args)
  vi.unstubAllEnvs()
  for (const spy of spies) spy.mockRestore()
  return { code, ...said }
}

/** Runs the real process, as `npx leadline` starts it. */
async function npxLeadline(more: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, [builtProgram('leadline'), ...args], {
    env: { ...programEnvironment, ...environment(), ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [code, stdout, stderr] = await Promise.all([exit, text(child.stdout), text(child.stderr)])
  return { code, stdout, stderr }
}

type User = { id: number; email: string; role: string; password_hash: string }
async function user(name: string): Promise<User> {
  const { rows } = await app.context.db.execute<User>(sql`select * from users where lower(username) = lower(${name})`)
  return rows[0]!
}

async function trailOf(id: number) {
  return (await app.context.db.execute(sql`select * from audit where kind = 'user' and row_id = ${id} order by id`))
    .rows
}

async function postmasterStart(connection: pg.ClientConfig): Promise<string> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ at: string }>('select pg_postmaster_start_time()::text as at')
  await client.end()
  return rows[0]!.at
}
