import type { BackupPlan } from '#core/backup/backup-plan.ts'

export const backupPlan: BackupPlan = {
  // The heartbeat, the ZIP codes that ship with the product, and the sums of leads.
  derivedTables: [
    ...['heartbeat', 'zip_codes', 'lead_sums', 'lead_changes', 'lead_sums_zone'],
    ...['counted_weeks', 'counted_changes', 'week_starts', 'week_zone'], // tables of the previous version
  ],
  encryptedColumns: [
    { table: 'client_sites', column: 'hook_key', id: 'id' },
    { table: 'client_sites', column: 'callrail_signing_key', id: 'id' },
    { table: 'remote_tokens', column: 'token_encrypted', id: 'user_id' },
    { table: 'totp_secrets', column: 'secret_encrypted', id: 'user_id' },
    { table: 'campaign_gmbs', column: 'password', id: 'id' },
    { table: 'campaign_gmbs', column: 'recovery_email', id: 'id' },
    { table: 'google_accounts', column: 'refresh_token', id: 'id' },
    { table: 'user_watches', column: 'webhook_url', id: 'user_id' },
    { table: 'webhooks', column: 'secret', id: 'id' },
    { table: 'messages', column: 'content', id: 'dedupe_key' },
    { table: 'import_files', column: 'content', id: 'import_id' },
    { table: 'import_refused', column: 'content', id: 'import_id' },
    { table: 'custom_sources', column: 'key', id: 'id' },
    { table: 'erasures', column: 'person', id: 'list_key' },
  ],
  uploadKeys: 'select key from files order by key',
  // They may have gone out after the backup was made, so nothing is resent automatically. A webhook's message gets an attempt that
  // says so, from which it can be resent. A backup has no jobs: what one was to finish would wait forever.
  afterRows: [
    {
      table: 'redirect_tasks',
      sql: `
        update redirect_tasks set state = 'failed', ended_at = now(), error = 'Restored from a backup; cPanel may have changed since'
        where state = 'running'`,
    },
    {
      table: 'google_edits',
      sql: `
        update google_edits set state = 'failed', ended_at = now(), error = 'Restored from a backup; it may have been sent since'
        where state in ('waiting', 'sending')`,
    },
    {
      table: 'mails',
      sql: `
        update mails set state = 'uncertain', error = 'Restored from a backup; it may have been sent since'
        where state in ('queued', 'handing')`,
    },
    {
      table: 'messages',
      sql: `
        update messages set state = 'uncertain', content = null, error = 'Restored from a backup; it may have been sent since'
        where state in ('queued', 'sending')`,
    },
    {
      table: 'webhook_messages',
      sql: `
        with stopped as (
          update webhook_messages set state = 'failed' where state = 'waiting' returning id, webhook_id
        )
        insert into webhook_deliveries (message, webhook_id, at, attempt, status, answer, ms)
        select id, webhook_id, now(), 1 + (select count(*) from webhook_deliveries where message = stopped.id), null,
          'Restored from a backup; it may have been sent since', 0
        from stopped order by id`,
    },
  ],
  inUse: {
    marker: 'users',
    query: `
      select 1 from (select (select count(*) from users where username <> 'admin') + (select count(*) from leads)
        + (select count(*) from campaigns) as count) used where count > 0`,
  },
}
