import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteOldAuditEntries } from '#core/audit/delete-old-entries.ts'
import { auditTable } from '#core/db/schema.ts'
import { parseSettings } from '#domains/app-settings.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { deleteOldEvents } from '#domains/leads/intake/server/delete-old-events.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { deleteOldMails } from '#domains/leads/mail/server/delete-old-mails.ts'
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

test('a retention that is too short is refused at startup', () => {
  expect(() => parseSettings({ RETAIN_AUDIT_DAYS: '30' })).toThrow(
    'RETAIN_AUDIT_DAYS must be a number of days, at least 366',
  )
})
