import type { BackupPlan } from '#core/backup/backup-plan.ts'

export const backupPlan: BackupPlan = {
  // A sign of life, the ZIP codes that ship with the product, and what the leads are counted into.
  derivedTables: ['heartbeat', 'zip_codes', 'counted_weeks', 'counted_changes', 'week_starts', 'week_zone'],
  encryptedColumns: [
    { table: 'client_sites', column: 'hook_key', id: 'id' },
    { table: 'client_sites', column: 'callrail_signing_key', id: 'id' },
    { table: 'remote_tokens', column: 'token_encrypted', id: 'user_id' },
    { table: 'campaign_gmbs', column: 'password', id: 'id' },
    { table: 'campaign_gmbs', column: 'recovery_email', id: 'id' },
    { table: 'google_accounts', column: 'refresh_token', id: 'id' },
    { table: 'import_files', column: 'content', id: 'import_id' },
  ],
  uploadKeys: 'select key from files order by key',
  // Whether they went out after the backup was made is not known; an email is never sent twice.
  afterRows: `
    update mails set state = 'uncertain', error = 'Restored from a backup; it may have been sent since'
    where state in ('queued', 'handing')`,
  inUse: {
    marker: 'users',
    query: `
      select 1 from (select (select count(*) from users where username <> 'admin') + (select count(*) from leads)
        + (select count(*) from campaigns) as count) used where count > 0`,
  },
}
