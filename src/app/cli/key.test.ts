import { copyFileSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { decryptAllSecrets, opensSomeSecret } from '#core/backup/encrypted-columns.ts'
import { readSecretKey, SecretBox } from '#core/secrets/secrets.ts'
import { passwordResetJob, sealResetRequest } from '#domains/access/password-reset/server/jobs.ts'
import { erasuresContract } from '#domains/audit/erasures/contract.ts'
import { toStatementId } from '#domains/billing/statements/contract.ts'
import { queueStatementEmails } from '#domains/billing/statements/server/mail-statement.ts'
import { startApp } from '#test/app.ts'
import { createDatabase } from '#test/database.ts'
import { allJobs, backupPlan } from '../server/parts.ts'
import { emptyingSql } from './key.ts'
import { runCli } from './program.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

test('a new key replaces the old one and decrypts every secret; the old one decrypts none (R20, R29)', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'leadline-key-'))
  const first = readSecretKey({ DATA_DIR })
  const app = await startApp({ settings: { SECRET_KEY: first } })
  const client = await app.context.pool.connect()
  try {
    await app.make.clientSite({ key: 'key-of-the-form', signingKey: 'key-of-callrail' })
    const { context } = app
    await context.db.transaction(async (tx) => {
      await queueStatementEmails(tx, context, toStatementId(1, '2026-01-01'), ['owner@oak.example'])
      await context.jobs.send(tx, passwordResetJob, sealResetRequest('olivia@agency.example', context.secrets))
    })
    const openJobs = async (key: string) => {
      const { rows } = await client.query(
        `select name, data->>'sealed' as sealed from pgboss.job where data ? 'sealed'`,
      )
      const places = new Map(allJobs.map(({ name, sealPlace }) => [name, sealPlace!]))
      return rows
        .map(({ name, sealed }) => new SecretBox(key).open(Buffer.from(sealed, 'base64'), places.get(name)!))
        .toSorted()
    }
    const waiting = ['["owner@oak.example"]', 'olivia@agency.example']
    const said: string[] = []
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => said.push(String(line)) > 0)
    vi.stubEnv('DATABASE_URL', app.context.pool.options.connectionString!)
    vi.stubEnv('DATA_DIR', DATA_DIR)
    const file = join(DATA_DIR, 'secret.key')
    const warned = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect(await runCli(['rotate-key']), 'beside a running Leadline').toBe(1)
    expect(warned.mock.calls.splice(0).join('')).toMatch(/^Stop Leadline first/)
    expect([readFileSync(file, 'utf8'), existsSync(`${file}.next`)]).toEqual([first, false])
    await app.context.live.stop() // as if it had ended
    expect(await runCli(['rotate-key'])).toBe(0)
    const second = readFileSync(file, 'utf8')
    expect([second.length, statSync(file).mode & 0o777, existsSync(`${file}.next`)]).toEqual([64, 0o600, false])
    expect(said.join('')).toMatch(/^Encrypted with a new key: 4 secrets\. /)
    expect(said.join('')).not.toContain(second)
    expect(await decryptAllSecrets(client, backupPlan.encryptedColumns, new SecretBox(second))).toBe(2)
    await expect(decryptAllSecrets(client, backupPlan.encryptedColumns, new SecretBox(first))).rejects.toThrow()
    expect(await openJobs(second), 'what waits in jobs too').toEqual(waiting)

    // If the key is a setting, it is printed once instead. What is stored after that is no part of it.
    vi.stubEnv('SECRET_KEY', second)
    writeFileSync(join(DATA_DIR, 'uploads/er'), 'no folder')
    expect(await runCli(['rotate-key'])).toBe(0)
    expect(warned.mock.calls.map(String)).toEqual([
      expect.stringMatching(/^The list of erased people could not be stored under the new key, .*ENOTDIR/),
    ])
    const third = /The new key is (\w{64})/.exec(said.join(''))?.[1] ?? ''
    expect(await decryptAllSecrets(client, backupPlan.encryptedColumns, new SecretBox(third))).toBe(2)
    expect(readFileSync(file, 'utf8')).toBe(second)

    // With a key that decrypts nothing, nothing is changed.
    vi.stubEnv('SECRET_KEY', first)
    vi.spyOn(process.stderr, 'write').mockImplementation((line) => said.push(String(line)) > 0)
    expect(await runCli(['rotate-key'])).toBe(1)
    expect(said.at(-1)).toMatch(/^Setting SECRET_KEY is not the one that this database was encrypted with: .*\n$/)
    expect(await decryptAllSecrets(client, backupPlan.encryptedColumns, new SecretBox(third))).toBe(2)
  } finally {
    client.release()
    await app.close()
  }
})

test('after a new key a backup of the old one brings no erased person back, or is refused whole (R29)', async () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'leadline-key-'))
  const first = readSecretKey({ DATA_DIR })
  const app = await startApp({ settings: { SECRET_KEY: first, DATA_DIR } })
  const [one, other] = [await createDatabase(), await createDatabase()]
  try {
    const said: string[] = []
    for (const stream of [process.stdout, process.stderr])
      vi.spyOn(stream, 'write').mockImplementation((line) => said.push(String(line)) > 0)
    vi.stubEnv('DATABASE_URL', app.context.pool.options.connectionString!)
    vi.stubEnv('DATA_DIR', DATA_DIR)
    const person = { phone: '', email: 'zelda@a.example' }
    await app.make.lead({ lead_name: 'Zelda', lead_email: person.email })
    const backup = join(DATA_DIR, 'backup')
    expect(await runCli(['backup', backup])).toBe(0)
    const root = await app.as(await app.make.superAdmin())
    const { total } = (await root.call(erasuresContract.rehearse, { body: person })).body
    expect((await root.call(erasuresContract.erase, { body: { ...person, total } })).status).toBe(200)
    await app.context.live.stop() // as if it had ended
    const [list, copy] = [join(DATA_DIR, 'uploads/er/erasures.json'), join(DATA_DIR, 'copy.json')]
    copyFileSync(list, copy)
    expect(await runCli(['rotate-key'])).toBe(0)

    vi.stubEnv('DATABASE_URL', one.url)
    vi.stubEnv('SECRET_KEY', first)
    expect(await runCli(['restore', backup])).toBe(0)
    expect(said.at(-1)).toBe('1 person was erased again\n')

    // As if the old key's entries were not kept.
    vi.stubEnv('DATABASE_URL', other.url)
    const entries: unknown[] = JSON.parse(readFileSync(list, 'utf8'))
    writeFileSync(list, JSON.stringify(entries.slice(1, 2)))
    expect(await runCli(['restore', backup])).toBe(1)
    expect(said.at(-1)).toMatch(/^People were erased since this backup, .* with --erasures, and if /)
    expect(await runCli(['restore', backup, '--erasures', copy])).toBe(0)
    expect(said.at(-1)).toBe('1 person was erased again\n')
  } finally {
    await app.close()
    for (const { drop } of [one, other]) await drop()
  }
})

test('one secret that the key opens is enough, wherever it stands beside those of another key (R29)', async () => {
  const app = await startApp()
  const client = await app.context.pool.connect()
  try {
    const other = new SecretBox('00'.repeat(32))
    for (let made = 0; made < 3; made++) await app.make.clientSite({ key: 'key-of-the-form' })
    const opens = () => opensSomeSecret(client, backupPlan.encryptedColumns, app.context.secrets)
    const { rows } = await client.query<{ id: number }>(`select id from client_sites order by ctid`)
    const sealAnew = (id: number) =>
      client.query('update client_sites set hook_key = $1 where id = $2', [
        other.seal('older', `client_sites.hook_key:${id}`),
        id,
      ])
    for (const { id } of rows.slice(1)) await sealAnew(id) // moves these rows behind the first
    await client.query('update client_sites set url = url where id = $1', [rows[0]!.id]) // and that one behind these
    expect(await opens()).toBe(true)
    await expect(decryptAllSecrets(client, backupPlan.encryptedColumns, app.context.secrets)).rejects.toThrow(
      /client_sites\.hook_key: some has another key \(row \d+\)/,
    )
    await sealAnew(rows[0]!.id)
    expect(await opens()).toBe(false)
  } finally {
    client.release()
    await app.close()
  }
})

test('forget-key empties all that a lost key encrypted, and nothing of a key that opens some (R29)', async () => {
  const app = await startApp()
  const client = new pg.Client(app.context.pool.options.connectionString)
  await client.connect()
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'leadline-key-'))
  try {
    await app.make.clientSite({ key: 'key-of-the-form', signingKey: 'key-of-callrail' })
    const { context } = app
    await context.db.transaction((tx) =>
      context.jobs.send(tx, passwordResetJob, sealResetRequest('olivia@agency.example', context.secrets)),
    )
    const said: string[] = []
    for (const stream of [process.stdout, process.stderr])
      vi.spyOn(stream, 'write').mockImplementation((line) => said.push(String(line)) > 0)
    vi.stubEnv('DATABASE_URL', context.pool.options.connectionString!)
    vi.stubEnv('DATA_DIR', DATA_DIR)
    for (const { table, column } of backupPlan.encryptedColumns)
      expect(emptyingSql).toMatch(new RegExp(`delete from ${table};|update ${table} set[^;]* ${column} = null`))
    const isOpenedBy = (key: string) => opensSomeSecret(client, backupPlan.encryptedColumns, new SecretBox(key))
    expect(await runCli(['forget-key'])).toBe(1)
    await context.live.stop() // as if it had ended
    vi.stubEnv('SECRET_KEY', context.settings.SECRET_KEY)
    expect(await runCli(['forget-key'])).toBe(1)
    expect(said.splice(0)).toEqual([
      'Stop Leadline first: it is running on this database\n',
      'The key is not lost: it opens what is stored\n',
    ])
    expect(await isOpenedBy('00'.repeat(32))).toBe(false)
    vi.stubEnv('SECRET_KEY', undefined)
    expect(await runCli(['forget-key'])).toBe(0)
    expect(await isOpenedBy('00'.repeat(32))).toBe(true)
    const { rows } = await client.query(`select from pgboss.job where data ? 'sealed'`)
    expect(rows).toEqual([])
    expect(existsSync(join(DATA_DIR, 'secret.key')), 'the next start makes its own').toBe(false)
    expect(await runCli(['user', 'list'])).toBe(0)
  } finally {
    await client.end()
    await app.close()
  }
})
