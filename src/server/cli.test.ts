import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isPassword } from '#domains/session/passwords.ts'
import { beginSession } from '#domains/session/sessions.ts'
import { type App, startApp } from '#test/app.ts'
import { createDatabase } from '#test/database.ts'
import { startPostgres } from './postgres.ts'

let app: App
let url: string
beforeAll(async () => {
  app = await startApp()
  url = app.house.pool.options.connectionString!
})
afterAll(() => app.close())

test('a new account is printed with a password that opens it, and the trail says that the program made it', async () => {
  const said = await leadline('user', 'add', 'Rosa', 'rosa@example.com', '--role', 'super-admin')
  expect(said).toMatchObject({ code: 0, stderr: '' })
  const password = said.stdout.match(/^Password: (\S+)$/m)?.[1] ?? ''
  const rosa = await user('rosa')
  expect(rosa.role).toBe('super_admin')
  expect(await isPassword(password, rosa.password_hash)).toBe(true)
  expect(await trailOf(rosa.id)).toMatchObject([{ user_id: null, action: 'created', after: { username: 'Rosa' } }])
})

test('what cannot be added is refused in one line each, and nobody is made', async () => {
  await app.make.admin({ username: 'taken', email: 'taken@example.com' })
  const before = await app.dump()
  const refusals = await Promise.all([
    leadline('user', 'add', 'TAKEN', 'other@example.com'),
    leadline('user', 'add', 'other', 'Taken@example.com'),
    leadline('user', 'add', 'other', 'no email'),
    leadline('user', 'add', 'other', 'other@example.com', '--role', 'customer'),
    leadline('user', 'add', 'other'),
    leadline('usr'),
  ])
  expect(refusals.map(({ code, stderr }) => [code, stderr])).toEqual([
    [1, 'There is a user TAKEN already\n'],
    [1, 'There is a user with the email Taken@example.com already\n'],
    [1, 'Email is not valid\n'],
    [1, expect.stringMatching(/^error: .*customer.*super-admin, admin, leads-handler\.\n$/)],
    [1, "error: missing required argument 'email'\n"],
    [1, expect.stringMatching(/^error: unknown command 'usr'\n/)],
  ])
  expect(await app.dump()).toBe(before)
})

test('an admin becomes a super admin and has to sign in again; a customer, or nobody, does not', async () => {
  const admin = await app.make.admin()
  const session = await beginSession(app.house.db, admin.id, 'password', '127.0.0.1')
  expect(await leadline('user', 'grant-super', admin.email.toUpperCase())).toMatchObject({ code: 0 })
  expect((await user(admin.username)).role).toBe('super_admin')
  expect(await trailOf(admin.id)).toMatchObject([{ before: { role: 'admin' }, after: { role: 'super_admin' } }])
  expect((await fetch(`${app.url}/api/user/me`, { headers: { authorization: `Bearer ${session}` } })).status).toBe(401)

  const customer = await app.make.customer()
  const idle = await app.make.admin({ is_active: false })
  for (const [name, line] of [
    [customer.username, `${customer.username} is the account of a client`],
    [idle.username, `${idle.username} is not active`],
    [admin.username, `${admin.username} is a super admin already`],
    ['nobody', 'There is no user nobody'],
  ] as const)
    expect(await leadline('user', 'grant-super', name)).toEqual({ code: 1, stdout: '', stderr: `${line}\n` })
})

test('the last active super admin cannot be demoted, not even by two demotions at once [PERM-08]', async () => {
  await app.house.db.execute(sql`update users set role = 'admin' where role = 'super_admin'`)
  const [one, other] = [await app.make.superAdmin(), await app.make.superAdmin()]
  await app.make.superAdmin({ is_active: false })
  const answers = await Promise.all([one, other].map(({ username }) => leadline('user', 'demote-super', username)))
  expect(answers.map(({ code }) => code).sort()).toEqual([0, 1])
  expect(answers.map(({ stderr }) => stderr).join('')).toMatch(/^\S+ is the last active super admin; make another/)
  const left = await app.house.db.execute(sql`select from users where role = 'super_admin' and is_active`)
  expect(left.rows.length).toBe(1)
  expect((await leadline('user', 'demote-super', (await app.make.admin()).username)).stderr).toMatch(
    /is no super admin/,
  )
})

test('a reset password replaces the old one and ends every session', async () => {
  const admin = await app.make.admin()
  await beginSession(app.house.db, admin.id, 'password', '127.0.0.1')
  const said = await leadline('user', 'reset-password', admin.username)
  const { password_hash } = await user(admin.username)
  expect(await isPassword(said.stdout.match(/: (\S+)\n$/)?.[1] ?? '', password_hash)).toBe(true)
  expect(password_hash).not.toBe(admin.password_hash)
  const sessions = await app.house.db.execute(sql`select from sessions where user_id = ${admin.id}`)
  expect(sessions.rows).toEqual([])
  expect(JSON.stringify(await trailOf(admin.id))).not.toContain('argon2')
})

test('the list names everybody and what they are', async () => {
  await app.make.handler({ username: 'harper', email: 'harper@example.com', is_active: false })
  expect((await leadline('user', 'list')).stdout).toMatch(/^harper +harper@example\.com +leads handler +not active$/m)
})

test('seeding fills an empty database, and never one that is in use', async () => {
  const empty = await createDatabase()
  const seeded = await leadlineOn({ DATABASE_URL: empty.url }, 'seed', '--leads', '400')
  expect(seeded).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^[34]\d\d leads in \d+ campaigns of 40 clients/),
  })
  const again = await leadlineOn({ DATABASE_URL: empty.url }, 'seed')
  expect(again).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is an agency in this database already/),
  })
  expect((await leadline('seed', '--leads', 'many')).stderr).toMatch(/^error: .*It is a number up to 1000000\.\n$/)
  await empty.drop()
})

test('a job that has no schedule is not run by name, and the refusal names those that are', async () => {
  expect(await leadline('run', 'tea')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no scheduled job tea/),
  })
})

test('wrong settings and an absent database are said in one line', async () => {
  expect(await leadlineOn({ DATABASE_URL: 'mysql://x' }, 'user', 'list')).toMatchObject({
    code: 1,
    stderr: 'Setting DATABASE_URL must be an address starting with postgres:// or postgresql://\n',
  })
  expect(await leadlineOn({ DATABASE_URL: 'postgres://127.0.0.1:1/none' }, 'user', 'list')).toMatchObject({
    code: 1,
    stderr: 'The database does not answer; is DATABASE_URL right?\n',
  })
})

test('beside a running Leadline its private PostgreSQL is used and left running', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'leadline-cli-'))
  chmodSync(dataDir, 0o711) // as root, PostgreSQL runs as somebody else and must get in
  const log = { debug() {}, info() {}, warn() {} }
  const server = await startPostgres({ dataDir, settings: { fsync: 'off', shared_buffers: '16MB' }, log })
  const before = await postmasterStart(server.connection)
  const environment = { DATABASE_URL: '', DATA_DIR: dataDir }
  expect(await leadlineOn(environment, 'user', 'add', 'ann', 'ann@example.com')).toMatchObject({ code: 0 })
  expect((await leadlineOn(environment, 'user', 'list')).stdout).toMatch(/^ann /)
  expect(await postmasterStart(server.connection)).toBe(before)
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

// ——— how the tests above are done ———

const leadline = (...args: string[]) => leadlineOn({}, ...args)

/** The real process, as `npx leadline` starts it. */
async function leadlineOn(environment: Record<string, string>, ...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', resolve(import.meta.dirname, 'cli.ts'), ...args], {
    env: { PATH: process.env.PATH, SECRET_KEY: '5e'.repeat(32), DATABASE_URL: url, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [code, stdout, stderr] = await Promise.all([exit, text(child.stdout), text(child.stderr)])
  return { code, stdout, stderr }
}

type User = { id: number; role: string; password_hash: string }
async function user(name: string): Promise<User> {
  const { rows } = await app.house.db.execute<User>(sql`select * from users where lower(username) = lower(${name})`)
  return rows[0]!
}

async function trailOf(id: number) {
  return (await app.house.db.execute(sql`select * from audit where kind = 'user' and row_id = ${id} order by id`)).rows
}

async function postmasterStart(connection: pg.ClientConfig): Promise<string> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query<{ at: string }>('select pg_postmaster_start_time()::text as at')
  await client.end()
  return rows[0]!.at
}
