import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import type pg from 'pg'
import { countOf } from '#contract/count-of.ts'
import { getErrorMessage } from '#contract/error-message.ts'
import { opensSomeSecret, reencryptJobs, reencryptSecrets } from '#core/backup/encrypted-columns.ts'
import { conflictError } from '#core/http/errors.ts'
import { openSecretBox, randomKey, SecretBox } from '#core/secrets/secrets.ts'
import type { AppContext } from '#domains/app-context.ts'
import type { AppSettings } from '#domains/app-settings.ts'
import { saveErasureList } from '#domains/audit/erasures/server/erasure-list.ts'
import { allJobs, backupPlan } from '../server/parts.ts'
import { printLine, withAppContext, withKeylessDatabase } from './run-command.ts'

export function defineKeyCommand(command: Command): void {
  command
    .description('replace the secret key and re-encrypt all secrets; stop every other process first')
    .action(() => withAppContext(rotateSecretKey, { alone: true }))
}

export function defineForgetKeyCommand(command: Command): void {
  command
    .description('empty what a lost secret key encrypted, so that Leadline starts with another; this cannot be undone')
    .action(() => withKeylessDatabase(forgetLostKey))
}

/**
 * Writes the new key to a file before anything needs it: a crash in between leaves both keys, and a database that is consistent with
 * one of them. If the key comes from SECRET_KEY, we cannot change that, so the new key is printed once.
 */
async function rotateSecretKey(context: AppContext) {
  const { pool, secrets, settings } = context
  const key = randomKey()
  const [file, next] = ['secret.key', 'secret.key.next'].map((name) => join(settings.DATA_DIR, name)) as [
    string,
    string,
  ] // two names
  if (!settings.SECRET_KEY) writeFileSync(next, key, { mode: 0o600, flush: true })
  const box = new SecretBox(key)
  const client = await pool.connect()
  let count: number
  try {
    await client.query('begin')
    count =
      (await reencryptSecrets(client, backupPlan.encryptedColumns, secrets, box)) +
      (await reencryptJobs(client, allJobs, secrets, box))
    if (settings.SECRET_KEY)
      printLine(`The new key is ${key}\nSet SECRET_KEY to it before the next start; it is shown only once`)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
  if (!settings.SECRET_KEY) renameSync(next, file)
  printLine(
    `Encrypted with a new key: ${countOf(count, 'secret')}. Older backups need the old key, under which erased people stay listed too: keep it as long as you keep them`,
  )
  // The key is replaced: an error here would say that it is not.
  await saveErasureList(context).catch((error) => {
    process.stderr.write(
      `The list of erased people could not be stored under the new key, which the next start does: ${getErrorMessage(error)}\n`,
    )
  })
}

async function forgetLostKey(client: pg.Client, settings: AppSettings) {
  if (await opensSomeSecret(client, backupPlan.encryptedColumns, openSecretBox(settings)))
    throw conflictError('The key is not lost: it opens what is stored')
  await client.query(emptyingSql)
  printLine('What the lost key encrypted is emptied. docs/operating.md says what to enter again')
}

/** One transaction, as PostgreSQL runs statements that are sent together. */
export const emptyingSql = `
  update client_sites set hook_key = null, callrail_signing_key = null;
  update custom_sources set key = null;
  update campaign_gmbs set password = null, recovery_email = null;
  update user_watches set webhook_url = null;
  update messages set content = null, state = case state when 'queued' then 'uncertain' when 'sending' then 'uncertain' else state end;
  update connections set secret = null, deleted_at = coalesce(deleted_at, now()) where secret is not null;
  delete from google_accounts;
  delete from webhooks;
  delete from remote_tokens;
  delete from totp_secrets;
  delete from statement_keys;
  delete from import_files;
  delete from import_refused;
  delete from idempotency_keys;
  delete from erasures;
  delete from pgboss.job where data ? 'sealed' and state < 'completed';`
