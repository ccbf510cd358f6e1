import { sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { allJobs } from '#app/server/parts.ts'
import { deleteOldAuditEntries } from '#core/audit/delete-old-entries.ts'
import type { Db } from '#core/db/db.ts'
import { auditTable } from '#core/db/schema.ts'
import { sessionsTable } from '#domains/access/schema.ts'
import { filesTable } from '#domains/activity/files/schema.ts'
import { parseSettings } from '#domains/app-settings.ts'
import { importRefusedTable, importsTable } from '#domains/imports/schema.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { deleteOldEvents } from '#domains/leads/intake/server/jobs.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { deleteOldMails } from '#domains/leads/mail/server/jobs.ts'
import { googleAccountsTable, googleEditsTable, googleLocationsTable } from '#domains/listings/google/schema.ts'
import { webhookMessagesTable, webhooksTable } from '#domains/webhooks/schema.ts'
import { setUp, startApp } from '#test/app.ts'

const app = await setUp(startApp({ settings: { RETAIN_EVENTS_DAYS: '30', RETAIN_MAILS_DAYS: '90' } }))

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)

test('processed events are deleted after their retention; those waiting for a person stay', async () => {
  const { db } = app.context
  const event = { provider: 'other' as const, headers: {}, body: Buffer.from('x') }
  await db.insert(inboundEventsTable).values([
    { ...event, state: 'done', reason: 'old', received_at: daysAgo(31) },
    { ...event, state: 'quarantined', reason: 'waits', received_at: daysAgo(31) },
    { ...event, state: 'ignored', reason: 'young', received_at: daysAgo(29) },
  ])
  await deleteOldEvents(app.context)
  const left = await db.select({ reason: inboundEventsTable.reason }).from(inboundEventsTable).orderBy(sql`id`)
  expect(left.map(({ reason }) => reason)).toEqual(['waits', 'young'])
})

test('sent mails are deleted after their retention; unsent ones stay', async () => {
  const { db } = app.context
  const { id: lead_id, campaign_id } = await app.make.lead()
  const mail = { lead_id, campaign_id, kind: 'notification' as const, recipients: ['a@b.example'] }
  await db.insert(mailsTable).values([
    { ...mail, state: 'sent', created_at: daysAgo(91) },
    { ...mail, state: 'queued', created_at: daysAgo(91) },
    { ...mail, state: 'sent', created_at: daysAgo(89) },
  ])
  await deleteOldMails(app.context)
  const left = await db.select({ state: mailsTable.state }).from(mailsTable).orderBy(mailsTable.id)
  expect(left.map(({ state }) => state)).toEqual(['queued', 'sent'])
})

test.each([
  ['inbound_events', deleteOldEvents],
  ['mails', deleteOldMails],
] as const)('of %s only the oldest are read each night, however many there are', async (name, deleteOld) => {
  const { db, pool } = app.context
  await pool.query(`delete from ${name}`)
  const { id, campaign_id } = await app.make.lead()
  const many = (count: number, days: number) =>
    pool.query(
      name === 'mails'
        ? `insert into mails (lead_id, campaign_id, kind, recipients, state, created_at)
            select ${id}, ${campaign_id}, 'notification', '{}', 'sent', now() - interval '${days} days' from generate_series(1, ${count})`
        : `insert into inbound_events (provider, headers, body, state, received_at)
            select 'other', '{}', '', 'done', now() - interval '${days} days' from generate_series(1, ${count})`,
    )
  await many(2500, 100)
  await many(9000, 1)
  await pool.query(`analyze ${name}`)
  const read = await db.transaction(async (tx) => {
    // A transaction can do all that is asked of the database here.
    await deleteOld({ ...app.context, db: tx as unknown as Db })
    const { rows } = await tx.execute<{ rows: number }>(sql`
      select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables where relname = ${name}`)
    return rows[0]!.rows
  })
  expect((await pool.query(`select from ${name}`)).rowCount).toBe(9000)
  expect(read).toBeLessThan(9000)
})

test('audit entries are deleted after their retention, leaving one that says so; none of the last year is deleted', async () => {
  const { db } = app.context
  const entry = { kind: 'lead', row_id: 1, action: 'changed' as const }
  await db.insert(auditTable).values([
    { ...entry, at: daysAgo(400) },
    { ...entry, at: daysAgo(300) },
  ])
  expect(await deleteOldAuditEntries(db, 366)).toBe(1)
  const left = await db.select().from(auditTable).orderBy(auditTable.id)
  expect(left.map(({ kind, before }) => [kind, before])).toEqual([
    ['lead', null],
    ['audit retention', { deleted: 1, days: 366 }],
  ])
  await expect(deleteOldAuditEntries(db, 200)).rejects.toMatchObject({
    cause: { message: 'the audit trail is append-only' },
  })
})

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
const { id: user_id } = await app.make.superAdmin()
const makeImport = async (state: 'mapping' | 'done', created_at: Date) => {
  const file = { file_name: 'a.csv', size: 1, titles: ['Name'], columns: {}, lines: 1 }
  const values = { kind: 'clients' as const, user_id, ...file, state, created_at }
  return (await app.context.db.insert(importsTable).values(values).returning())[0]!
}
const { db } = app.context

/** What is removed after a fixed time: the job, the hours, the table, and how a row of that time is made. */
const removed: [job: string, hours: number, table: PgTable, make: (at: Date) => Promise<unknown>][] = [
  ['import-forget', 24, importsTable, (at) => makeImport('mapping', at)],
  [
    'import-forget',
    30 * 24,
    importRefusedTable,
    async (created_at) => {
      const { id: import_id } = await makeImport('done', created_at)
      return db.insert(importRefusedTable).values({ import_id, content: Buffer.from('x'), created_at })
    },
  ],
  [
    'orphan-images',
    24,
    filesTable,
    (created_at) =>
      db.insert(filesTable).values({
        ...{ user_id, key: `key-${created_at.getTime()}`, created_at },
        ...{ mime: 'image/png', size: 1, width: 1, height: 1 },
      }),
  ],
  [
    'session-cleanup',
    0,
    sessionsTable,
    (expires_at) =>
      db
        .insert(sessionsTable)
        .values({ token_hash: Buffer.from(`session ${expires_at.getTime()}`), user_id, via: 'password', expires_at }),
  ],
  [
    'webhook-cleanup',
    30 * 24,
    webhookMessagesTable,
    async (created_at) => {
      const values = { user_id, url: 'https://hooks.example', events: [], active: false }
      const [webhook] = await db.insert(webhooksTable).values(values).returning()
      return db.insert(webhookMessagesTable).values({
        ...{ webhook_id: webhook!.id, message_id: `msg_${created_at.getTime()}`, type: 'test', subject: 'test:1' },
        ...{ body: '{}', state: 'delivered', created_at },
      })
    },
  ],
  [
    'google-sync-all',
    30 * 24,
    googleEditsTable,
    async (ended_at) => {
      const unique = String(ended_at.getTime())
      const account = {
        subject: unique,
        email: `${unique}@a.example`,
        account_name: 'A',
        refresh_token: Buffer.from('x'),
      }
      const [{ id: account_id } = { id: 0 }] = await db.insert(googleAccountsTable).values(account).returning()
      const location = { account_id, name: unique, business_account: 'a', business_account_name: 'A', title: 'A' }
      const [{ id: location_id } = { id: 0 }] = await db.insert(googleLocationsTable).values(location).returning()
      return db.insert(googleEditsTable).values({ location_id, fields: {}, state: 'done', ended_at })
    },
  ],
]

test.each(removed)(
  '%s removes what is older than %i hours, and not what is an hour younger',
  async (name, hours, table, make) => {
    for (const age of [hours + 1, hours - 1]) await make(hoursAgo(age))
    const before = await db.$count(table)
    await allJobs.find((job) => job.name === name)!.run(app.context, {} as never)
    expect(await db.$count(table)).toBe(before - 1)
  },
)

test('a retention that is too short is refused at startup', () => {
  expect(() => parseSettings({ RETAIN_AUDIT_DAYS: '30' })).toThrow(
    'RETAIN_AUDIT_DAYS must be a number of days, at least 366',
  )
})
