import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from 'vitest'
import type { Tx } from '#core/db/db.ts'
import { JobQueue } from '#core/jobs/jobs.ts'
import { toConnectionUrl } from '#core/postgres/postgres.ts'
import { InvalidSettingsError } from '#core/settings/settings.ts'
import { sessionContract } from '#domains/access/sign-in/contract.ts'
import { defineJob } from '#domains/app-context.ts'
import { parseSettings } from '#domains/app-settings.ts'
import { caller, startApp } from '#test/app.ts'
import { createDatabase } from '#test/database.ts'
import { run as runProcess, type ServerProcess, startServer, stopServer } from '#test/server-process.ts'
import { until } from '#test/until.ts'

/** The server as its own process, on the test's database. */
let folder: string
let database: Awaited<ReturnType<typeof createDatabase>>
let running: ServerProcess[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leadline-run-'))
  database = await createDatabase()
})
afterEach(async () => {
  await Promise.all(running.map((one) => stopServer(one)))
  running = []
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

const settingsHere = (settings: Record<string, string>) => ({
  DATA_DIR: folder,
  DATABASE_URL: database.url,
  ...settings,
})
const run = (settings: Record<string, string>) => noted(runProcess(settingsHere(settings)))
const start = async (settings: Record<string, string> = {}) => noted(await startServer(settingsHere(settings)))

function noted<R extends ServerProcess>(one: R): R {
  running.push(one)
  return one
}

describe('the process', () => {
  test('stopped the moment it is ready, it shuts down in order and prints no stack [RUN-08]', async () => {
    const started = await start()
    await until(async () => (await fetch(`${started.url}/readyz`)).status, 200)
    expect(await stopServer(started)).toBe(0)
    expect(started.output()).not.toMatch(/"level":[56]0|"stack"|^\s+at .*:\d+/m)
  })

  test('it uses the PostgreSQL in DATABASE_URL, creates admin and prints the password once, serves, is ready, and shuts down in order [RUN-02, RUN-06, RUN-07, RUN-08]', async () => {
    const first = await start()
    const { url, output } = first
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const docs = await fetch(`${url}/api/openapi.json`)
    expect(await docs.text()).toContain('/api/campaigncategory/{id}')
    const password = /sign in as admin with the password (\S+)/.exec(output())?.[1]
    const { body } = await caller(url, null).call(sessionContract.login, { body: { username: 'admin', password } })
    expect(body.token).toBeTypeOf('string')
    expect(output()).not.toContain('PostgreSQL')
    expect(await stopServer(first)).toBe(0)
    const next = await start()
    expect(next.output()).not.toMatch(/password/)
  })

  test('ADMIN_PASSWORD is taken and never printed [RUN-06]', async () => {
    const { url, output } = await start({ ADMIN_PASSWORD: 'chosen by the operator' })
    const { body } = await caller(url, null).call(sessionContract.login, {
      body: { username: 'admin', password: 'chosen by the operator' },
    })
    expect(body.token).toBeTypeOf('string')
    expect(output()).not.toContain('chosen by the operator')
  })

  test('each invalid setting is one clear line, and exit code 1 [RUN-05]', async () => {
    const { child, output } = run({ PORT: 'eighty', AGENCY_TIMEZONE: 'Mars/Olympus', SMTP_URL: 'mail.example' })
    const code = await new Promise((resolve) => child.on('exit', resolve))
    expect(code).toBe(1)
    expect(output().trim().split('\n')).toEqual([
      'Setting PORT must be a port number',
      'Setting AGENCY_TIMEZONE must be a time zone such as America/New_York',
      'Setting SMTP_URL must be an address starting with smtp:// or smtps://',
    ])
  })

  test('a database or a data directory that cannot be used is one clear line, and exit code 1 [RUN-05]', async () => {
    const absent = 'The database does not respond; is DATABASE_URL correct?\n'
    for (const [settings, says] of [
      [{ DATABASE_URL: 'postgres://127.0.0.1:1/none' }, absent],
      [{ DATABASE_URL: 'postgres://no-such-host.invalid/none' }, absent],
      [
        { DATABASE_URL: toConnectionUrl(inject('postgres'), 'no_such_database') },
        'The database refuses: database "no_such_database" does not exist; is DATABASE_URL correct?\n',
      ],
      [{ DATA_DIR: '/dev/null/data' }, 'Setting DATA_DIR must be a folder that can be written to: ENOTDIR'],
    ] as const) {
      const { child, output } = run(settings)
      expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(1)
      expect(output()).toContain(says)
      expect(output().trim().split('\n')).toHaveLength(1)
    }
  })

  test('a secret key that is no key is one clear line, and exit code 1 [RUN-05]', async () => {
    writeFileSync(join(folder, 'secret.key'), '')
    const { child, output } = run({})
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(1)
    expect(output()).toBe(
      `Setting SECRET_KEY in ${join(folder, 'secret.key')} must be 64 hexadecimal digits (openssl rand -hex 32): put the key back that was in this file\n`,
    )
  })

  test('a secret key that is not the one of the database is one clear line, and exit code 1 [RUN-05]', async () => {
    const app = await startApp({ url: database.url })
    await app.make.clientSite({ key: 'key-of-the-form' })
    const { SECRET_KEY } = app.context.settings
    await app.close()
    const { child, output } = run({})
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(1)
    expect(output()).toMatch(/^Setting SECRET_KEY is not the one that this database was encrypted with: .*\n$/)
    expect(readdirSync(folder), 'no key of its own').toEqual([])
    expect(await stopServer(await start({ SECRET_KEY: SECRET_KEY! }))).toBe(0)
  })

  test('a taken port is one clear line, and exit code 1 [RUN-05]', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { child, output } = run({ PORT: String(port) })
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(1)
    expect(output()).toContain(`Cannot listen on 127.0.0.1 port ${port}`)
  })
})

describe('settings', () => {
  test('an empty variable counts as not set [RUN-05]', () => {
    expect(parseSettings({ PORT: '', AGENCY_TIMEZONE: '' })).toMatchObject({
      PORT: 3000,
      AGENCY_TIMEZONE: 'America/New_York',
    })
  })

  test.each([
    ['SECRET_KEY', 'short'],
    ['ADMIN_PASSWORD', 'short'],
    ['TRUSTED_PROXIES', '10.0.0.0/99'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['APP_ENV', 'prod'],
    ['LEADLINE_ROLE', 'both'],
    ['PORT', '70000'],
  ])('%s=%s is refused by name [RUN-05]', (name, value) => {
    expect(() => parseSettings({ [name]: value })).toThrow(InvalidSettingsError)
    expect(() => parseSettings({ [name]: value })).toThrow(name)
  })
})

test('metrics are Prometheus text on loopback or with the token, else 403 [RUN-09]', async () => {
  const app = await startApp({ settings: { METRICS_TOKEN: 'a-token-of-some-length' } })
  const forwarded = { 'x-forwarded-for': '203.0.113.9' }
  const here = await app.guest.fetch('/metrics')
  expect(await here.text()).toContain('# TYPE leadline_http_request_seconds histogram')
  /** Reads the whole answer: the app waits for connections on which one is still unread when it closes. */
  const readStatus = async (headers: Record<string, string>) => {
    const response = await app.guest.fetch('/metrics', { headers: { ...forwarded, ...headers } })
    await response.text()
    return response.status
  }
  expect(await readStatus({})).toBe(403)
  expect(await readStatus({ authorization: 'Bearer another-token-of-length' })).toBe(403)
  expect(await readStatus({ authorization: 'Bearer a-token-of-some-length' })).toBe(200)
  await app.close()
})

test('two processes share a database: each job and each schedule slot runs once (R26) [RUN-10]', async () => {
  const ran: string[] = []
  const note = defineJob<{ of: string }>({ name: 'note', run: async (_, { of }) => void ran.push(of) })
  const app = await startApp()
  // The current second: one slot, due for a minute from now, and never again during the test.
  const now = new Date()
  const time = `${now.getUTCSeconds()} ${now.getUTCMinutes()} ${now.getUTCHours()}`
  const cron = `${time} ${now.getUTCDate()} ${now.getUTCMonth() + 1} *`
  const slot = defineJob({ name: 'slot', cron, run: async () => void ran.push('slot') })
  const processes = [1, 2].map(() => new JobQueue(app.context.settings.DATABASE_URL!, app.context.log, { pace: 1 }))
  for (const jobs of processes) {
    await jobs.start([note, slot])
    await jobs.work(app.context, [note, slot])
  }
  const names = Array.from({ length: 20 }, (_, number) => `job ${number}`)
  await app.context.db.transaction(async (tx) => {
    for (const of of names) await processes[0]!.send(tx, note, { of })
  })
  const looks = async () =>
    (await app.context.pool.query('select cron_on from pgboss.version')).rows[0].cron_on?.getTime()
  const first = await until(looks)
  await until(async () => ran.includes('slot') && ran.length >= 21 && (await looks()) > first + 2000)
  expect(ran.toSorted()).toEqual([...names, 'slot'].toSorted())
  for (const jobs of processes) await jobs.stop()
  await app.close()
})

test('a daily job whose time passed while no process ran is run once when one does', async () => {
  const ran: string[] = []
  const app = await startApp()
  const { context } = app
  const hour = (new Date().getUTCHours() + 12) % 24 // not due during the test
  const daily = defineJob({ name: 'daily', cron: `0 ${hour} * * *`, run: async () => void ran.push('daily') })
  const start = async () => {
    const queue = new JobQueue(context.settings.DATABASE_URL!, context.log, { pace: 1 })
    await queue.start([daily])
    await queue.work(context, [daily])
    return queue
  }
  const looks = async () => (await context.pool.query('select cron_on from pgboss.version')).rows[0].cron_on?.getTime()
  const first = await start()
  await until(looks)
  await first.stop()
  expect(ran).toEqual([])
  await context.pool.query(`update pgboss.schedule set created_on = now() - interval '3 days'`)
  await context.pool.query(`update pgboss.version set cron_on = now() - interval '2 days'`)
  const second = await start()
  await until(() => ran.length > 0)
  const since = await looks()
  await until(async () => (await looks()) > since + 2000)
  expect(ran).toEqual(['daily'])
  await second.stop()
  await app.close()
})

test('a job that waits for two writes runs after both are committed', async () => {
  const ran: string[] = []
  const note = defineJob<{ of: string }>({ name: 'note', run: async (_, { of }) => void ran.push(of) })
  const app = await startApp()
  const { db } = app.context
  const jobs = new JobQueue(app.context.settings.DATABASE_URL!, app.context.log, { pace: 1 })
  await jobs.start([note])
  const send = (tx: Tx, of: string) => jobs.send(tx, note, { of }, { key: of })
  await db.transaction((tx) => send(tx, 'shared'))
  await db.transaction(async (tx) => {
    await send(tx, 'shared')
    await jobs.work(app.context, [note])
    await db.transaction((other) => send(other, 'later'))
    await until(() => ran.includes('later'))
    expect(ran).toEqual(['later'])
  })
  await until(() => ran.length === 2)
  expect(ran).toEqual(['later', 'shared'])
  await jobs.stop()
  await app.close()
})

test('a job enqueued in a failed transaction does not exist', async () => {
  const app = await startApp()
  const jobs = new JobQueue(app.context.settings.DATABASE_URL!, app.context.log)
  const note = defineJob<{ of: string }>({ name: 'note', run: async () => {} })
  await jobs.start([note])
  const before = await app.dump()
  const failing = app.context.db.transaction(async (tx) => {
    await jobs.send(tx, note, { of: 'nothing' })
    throw new Error('no commit')
  })
  await expect(failing).rejects.toThrow('no commit')
  expect(await app.dump()).toBe(before)
  await jobs.stop()
  await app.close()
})
