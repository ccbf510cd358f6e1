import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { reencryptSecrets } from '#core/backup/encrypted-columns.ts'
import { randomKey, SecretBox } from '#core/secrets/secrets.ts'
import type { AppContext } from '#domains/app-context.ts'
import { saveErasureList } from '#domains/audit/erasures/server/erasure-list.ts'
import { backupPlan } from '../server/backup-plan.ts'
import { printLine, withAppContext } from './run-command.ts'

export function defineKeyCommand(command: Command): void {
  command
    .description('replace the secret key and encrypt anew what it opens; stop every other process first')
    .action(() => withAppContext(rotateSecretKey))
}

/**
 * The new key is written down before anything needs it: a crash in between leaves both keys, and the database whole with one of
 * them. Where SECRET_KEY is set we cannot set it, so it is printed, this once.
 */
async function rotateSecretKey(context: AppContext) {
  const { pool, secrets, settings } = context
  const key = randomKey()
  const [file, next] = ['secret.key', 'secret.key.next'].map((name) => join(settings.DATA_DIR, name)) as [
    string,
    string,
  ] // two names
  if (!settings.SECRET_KEY) writeFileSync(next, key, { mode: 0o600, flush: true })
  const client = await pool.connect()
  try {
    await client.query('begin')
    const count = await reencryptSecrets(client, backupPlan.encryptedColumns, secrets, new SecretBox(key))
    if (settings.SECRET_KEY)
      printLine(`The new key is ${key}\nSet SECRET_KEY to it before the next start; it is shown this once`)
    await client.query('commit')
    if (!settings.SECRET_KEY) renameSync(next, file)
    await saveErasureList(context)
    printLine(
      `${count} secrets are encrypted with a new key. Backups made before open with the old one: keep it as long as them`,
    )
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
