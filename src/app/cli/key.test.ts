import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { decryptAllSecrets } from '#core/backup/encrypted-columns.ts'
import { readSecretKey, SecretBox } from '#core/secrets/secrets.ts'
import { startApp } from '#test/app.ts'
import { backupPlan } from '../server/parts.ts'
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
    const said: string[] = []
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => said.push(String(line)) > 0)
    vi.stubEnv('DATABASE_URL', app.context.pool.options.connectionString!)
    vi.stubEnv('DATA_DIR', DATA_DIR)
    expect(await runCli(['rotate-key'])).toBe(0)
    const file = join(DATA_DIR, 'secret.key')
    const second = readFileSync(file, 'utf8')
    expect([second.length, statSync(file).mode & 0o777, existsSync(`${file}.next`)]).toEqual([64, 0o600, false])
    expect(said.join('')).toMatch(/^2 secrets are encrypted with a new key/)
    expect(said.join('')).not.toContain(second)
    expect(await decryptAllSecrets(client, backupPlan.encryptedColumns, new SecretBox(second))).toBe(2)
    await expect(decryptAllSecrets(client, backupPlan.encryptedColumns, new SecretBox(first))).rejects.toThrow()

    // If the key is a setting, it is printed once instead.
    vi.stubEnv('SECRET_KEY', second)
    expect(await runCli(['rotate-key'])).toBe(0)
    const third = /The new key is (\w{64})/.exec(said.join(''))?.[1] ?? ''
    expect(await decryptAllSecrets(client, backupPlan.encryptedColumns, new SecretBox(third))).toBe(2)
    expect(readFileSync(file, 'utf8')).toBe(second)

    // With a key that decrypts nothing, nothing is changed.
    vi.stubEnv('SECRET_KEY', first)
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect(await runCli(['rotate-key'])).toBe(1)
    expect(await decryptAllSecrets(client, backupPlan.encryptedColumns, new SecretBox(third))).toBe(2)
  } finally {
    client.release()
    await app.close()
  }
})
