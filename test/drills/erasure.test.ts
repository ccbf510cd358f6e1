import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { migrateDatabase } from '#app/server/migrate.ts'
import { backupPlan, declaredParts } from '#app/server/parts.ts'
import { writeBackup } from '#core/backup/back-up.ts'
import { restoreBackup } from '#core/backup/restore.ts'
import { auditTable } from '#core/db/schema.ts'
import { viewsTable } from '#domains/access/views/schema.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { erasuresContract } from '#domains/audit/erasures/contract.ts'
import { replayErasures } from '#domains/audit/erasures/server/erasure-list.ts'
import { statementsContract } from '#domains/billing/statements/contract.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { recordHappening } from '#domains/happenings/public.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { spamContract } from '#domains/leads/spam/contract.ts'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { clientReportsContract } from '#domains/reports/client-reports/contract.ts'
import { signalFindingsTable, signalsTable } from '#domains/signals/schema.ts'
import { webhookMessagesTable, webhooksTable } from '#domains/webhooks/schema.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { type App, setUp, startApp } from '#test/app.ts'
import { createDatabase } from '#test/database.ts'
import { importsBy } from '#test/imports.ts'
import { callRailKey, postCall, sendCallRail, sendForm, waitForIntake } from '#test/provider-hooks.ts'
import { until } from '#test/until.ts'

/** One person, in every place where a lead, its raw event, staff, files and other systems store them. */
const canary = {
  phone: '+15125550147',
  email: 'zelda.canary+home@a.example',
  name: 'Zelda Quillfeather',
  message: 'The roof over the aviary leaks',
}
const other = { phone: '+15125550148', email: 'a.zelda.canary+home@a.example', name: 'Otto Neighbor' }

/** The person's data, in the spellings of people, forms and bytes. */
const spellings = [
  '5125550147',
  '(512) 555-0147',
  '(512)+555-0147',
  '512.555.0147',
  '512-555-0147',
  '(512) 555 0147',
  '%28512%29',
  'zelda.canary',
  canary.name,
  'Quillfeather',
  canary.message,
  'recording-of-zelda',
].flatMap((text) => [text, Buffer.from(text).toString('hex'), Buffer.from(text).toString('base64').replace(/=+$/, '')])
const hits = (text: string) => {
  const others = text
    .replaceAll(other.email, '')
    .replaceAll('512-555-01471', '')
    .replaceAll(Buffer.from(other.email).toString('hex'), '')
  return spellings.filter((one) => others.includes(one))
}

const lines: string[] = []
const person = { phone: '(512) 555-0147', email: 'Zelda.Canary+home@A.example' }
const place = (name: string) => mkdtempSync(join(tmpdir(), `leadline-${name}-`))
const dataDir = place('erasure')
let importId: number
let reportKey: string

const sink = await setUp(startSmtpSink())
const app = await setUp(
  startApp({
    work: true,
    log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
    settings: { DATA_DIR: dataDir, CALLRAIL_SIGNING_KEY: callRailKey, SMTP_URL: sink.url },
  }),
)
const root = await app.as(await app.make.superAdmin({ username: 'olivia' }))
await leaveTraces()
const before = join(place('before'), 'kept')
await writeBackup(app.context, backupPlan, before)

async function leaveTraces() {
  const { make, context } = app
  const client = await make.client({ emails: ['owner@client.example'], notes: `Paid by ${canary.email}` })
  const campaign = await make.campaign({ client_id: client.id, notes: `Zelda called from 512-555-0147` })
  await make.team({ note: `Zelda: 512.555.0147` })
  const { id, title, link, status } = await make.gmb({ campaign_id: campaign.id })
  const noted = { campaign_id: campaign.id, title, link, status, notes: `Ask ${canary.email}` }
  expect((await root.call(gmbsContract.update, { params: { id }, body: noted })).status).toBe(200)
  const site = await make.clientSite({
    campaign_id: campaign.id,
    callrail_campaign_identifier: 'COM1',
    key: 'key-of-the-forms',
  })
  await context.db
    .insert(webhooksTable)
    .values({ user_id: (await make.superAdmin()).id, url: 'https://crm.example', events: ['lead.created'] })
  const call = postCall({
    customer_name: canary.name,
    customer_phone_number: canary.phone,
    recording: 'https://api.callrail.com/v3/a/1/calls/CAL1/recording-of-zelda.json',
  })
  expect((await sendCallRail(app, call)).status).toBe(200)
  const form = new URLSearchParams({
    name: canary.name,
    email: canary.email,
    phone: '(512) 555-0147',
    message: canary.message,
    item_id: '7',
  })
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await sendForm(app, site.id, 'key-of-the-forms', String(form), type)).status).toBe(200)
  // From an unknown company: quarantined, with the phone as a number.
  const stray = postCall({ company_resource_id: 'COM9', customer_phone_number: 5125550147, note: canary.email })
  expect((await sendCallRail(app, stray)).status).toBe(200)
  await sendForm(app, site.id, 'key-of-the-forms', { ...other, item_id: '8', message: `Ask ${canary.email}, or me` })
  await until(async () => (await context.db.$count(leadsTable)) >= 3 && sink.letters.length >= 3)
  const leads = await context.db.select().from(leadsTable).orderBy(leadsTable.id)
  expect(leads.map(({ lead_name }) => lead_name)).toEqual([canary.name, canary.name, other.name])
  const edit = { notes: `Spoke with ${canary.name}`, lead_phone: '512.555.0147' }
  const { version } = leads[1]!
  const edited = await root.call(leadsContract.update, { params: { id: leads[1]!.id }, body: { ...edit, version } })
  expect(edited.status).toBe(200)
  await context.db.insert(activityItemsTable).values({
    campaign_id: campaign.id,
    date: '2026-03-16',
    note: `Called +1 (512) 555 0147 back, and 512-555-01471 too`,
    user_id: (await make.superAdmin()).id,
  })
  const subject = { subject_type: 'mail', subject_id: '1', subject_label: canary.email } as const
  const finding = { ...subject, kind: 'mail_refused', severity: 'warning', title: `Refused: ${canary.email}` } as const
  const evidence = { recipients: [canary.email], phone: 5125550147, nested: [{ said: `from ${canary.phone}\n` }] }
  await context.db.insert(signalsTable).values({ ...finding, detected_kind: 'mail_refused', evidence })
  await context.db.insert(signalFindingsTable).values({ ...finding, evidence })
  await context.db.transaction((tx) =>
    recordHappening(tx, {
      kind: 'listing_check',
      subject: { type: 'gmb', id: 1 },
      campaign_id: campaign.id,
      before: null,
      after: { phone: '(512) 555-0147' },
    }),
  )
  const spammer = { name: canary.name, phone: '+1 512-555-0147', email: canary.email }
  expect((await root.call(spamContract.addSpammer, { body: spammer })).status).toBe(200)
  const query = { keyword: '5125550147' }
  const user_id = (await make.superAdmin()).id
  await context.db.insert(viewsTable).values({ user_id, name: 'Zelda', table: 'leads', query, columns: [] })
  await context.db.update(leadsTable).set({ confirmed: true })
  const asked = { params: { id: client.id }, body: { period: 'month', from: '2026-03-20' } }
  reportKey = (await root.call(clientReportsContract.create, asked)).body.key
  const imported = await importsBy(app, root).importFile(
    'leads',
    `Lead ID,Type,Date,Time,Campaign,Name,Email\r\n1,Form,2026-03-01,10:00,${campaign.name},Ann,ann@a.example\r\n2,Call,never,10:00,${campaign.name},"${canary.name}",${canary.email}\r\n3,Call,never,10:00,${campaign.name},Bo,bo@a.example\r\n`,
    'leads of zelda.canary+home@a.example.csv',
  )
  expect(imported).toMatchObject({ made: 1, refused: 2 })
  importId = imported.id
  // Its messages wait: a worker that takes one changes its row while a test compares.
  await context.db.update(webhooksTable).set({ active: false })
}

/** Dumps every table of every schema as PostgreSQL writes it, with raw bytes as well. */
async function findInDatabase({ context }: App): Promise<string[]> {
  const { rows } = await context.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'pgboss', 'drizzle') and tablename <> 'zip_codes'`,
  )
  const found = []
  for (const { name } of rows) {
    const { rows: all } = await context.pool.query<{ text: string }>(`select row::text as text from ${name} row`)
    found.push(...hits(all.map(({ text }) => text).join('\n')).map((hit) => `${name}: ${hit}`))
  }
  return found
}

function findInFolder(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.flatMap(({ name, parentPath }) => {
    const bytes = readFileSync(join(parentPath, name))
    const text = name.endsWith('.gz') ? gunzipSync(bytes).toString('latin1') : bytes.toString('latin1')
    return hits(text).map((hit) => `${name}: ${hit}`)
  })
}

const readReport = async () => (await app.guest.fetch(`/api/report/${reportKey}`)).text()
const readCounts = async () => ({
  statistic: (await root.call(leadsContract.statistic, { query: {} })).body,
  statements: (await root.call(statementsContract.list, { query: {} })).body,
})

// One story: each test continues from the one before it.
describe('erasing a person', { shuffle: false }, () => {
  test('the canary is in every place that is erased, or the drill would prove nothing', async () => {
    const found = new Set((await findInDatabase(app)).map((hit) => hit.replace(/^public\.|:.*$/g, '')))
    expect([...found].sort()).toEqual([
      'activity_items',
      'audit',
      'campaign_gmb_logs',
      'campaign_gmbs',
      'campaigns',
      'clients',
      'happenings',
      'imports',
      'inbound_events',
      'leads',
      'signal_findings',
      'signals',
      'spammers',
      'teams',
      'views',
      'webhook_messages',
    ])
    expect(hits(await readReport())).not.toEqual([])
    expect(findInFolder(before).length).toBeGreaterThan(10)
  })

  test('a rehearsal lists what, where and how many, and changes nothing', async () => {
    const unchanged = await app.dump()
    const audited = await app.context.db.$count(auditTable)
    const { status, body } = await root.call(erasuresContract.rehearse, { body: person })
    expect(status).toBe(200)
    expect(body.leads).toEqual([
      { id: 1, campaign: expect.any(String), occurred_at: expect.any(String) },
      { id: 2, campaign: expect.any(String), occurred_at: expect.any(String) },
    ])
    expect([body.recordings, body.also]).toEqual([1, []])
    const labels = body.counts.map(({ label }: { label: string }) => label)
    expect(labels).toEqual(
      expect.arrayContaining([
        'Leads',
        'Raw events',
        'Refused lines of imports',
        'Values in the audit trail',
        'Signals',
      ]),
    )
    expect(body.total).toBe(body.counts.reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0))
    expect(await app.dump()).toBe(unchanged)
    expect(await app.context.db.$count(auditTable)).toBe(audited)
  })

  test('a count other than the rehearsal’s gets 409, and erases nothing', async () => {
    const unchanged = await app.dump()
    expect((await root.call(erasuresContract.erase, { body: { ...person, total: 1 } })).status).toBe(409)
    expect((await root.call(erasuresContract.erase, { body: person })).status).toBe(422)
    expect(await app.dump()).toBe(unchanged)
  })

  test.each([
    ['neither', { phone: '', email: '' }],
    ['a phone of too few digits', { phone: '12', email: '' }],
    ['a phone that is withheld', { phone: 'anonymous', email: '' }],
    ['no email', { phone: '', email: 'zelda' }],
  ])('%s is refused', async (_, body) => {
    const { status, body: answer } = await root.call(erasuresContract.rehearse, { body })
    expect(status).toBe(422)
    expect(Object.keys(answer.errors)).toHaveLength(1)
  })

  test('an erased person has no hit in database, backup, files, mails and logs, and counts and statements stay', async () => {
    const counted = await readCounts()
    const entries = await app.context.db.$count(auditTable)
    const letters = sink.letters.length
    const { total } = (await root.call(erasuresContract.rehearse, { body: person })).body
    const { status, body } = await root.call(erasuresContract.erase, { body: { ...person, total } })
    expect([status, body.username]).toEqual([200, 'olivia'])
    expect(await findInDatabase(app)).toEqual([])
    const after = join(place('after'), 'kept')
    await writeBackup(app.context, backupPlan, after)
    expect(findInFolder(after)).toEqual([])
    expect(findInFolder(dataDir)).toEqual([])
    expect(lines.flatMap((line) => hits(line).map((hit) => `${hit}: ${line}`))).toEqual([])
    expect(sink.letters.length).toBe(letters)
    const refused = await (await root.fetch(`/api/imports/${importId}/refused`)).text()
    expect([hits(refused), refused.includes('bo@a.example')]).toEqual([[], true])
    expect(await readCounts()).toEqual(counted)
    expect(await app.context.db.$count(auditTable)).toBe(entries + 1)
  })

  test('the rest says that something was erased, and other people keep their data', async () => {
    const leads = await app.context.db.select().from(leadsTable).orderBy(leadsTable.id)
    expect(leads.slice(0, 2).map(({ lead_name, lead_phone, version }) => [lead_name, lead_phone, version > 1])).toEqual(
      [
        ['[erased]', null, true],
        ['[erased]', null, true],
      ],
    )
    expect(leads[2]).toMatchObject({ lead_name: other.name, message: 'Ask [erased], or me', lead_email: other.email })
    const [item] = await app.context.db.select().from(activityItemsTable)
    const [client] = await app.context.db.select().from(clientsTable)
    expect([client!.notes, client!.version]).toEqual(['Paid by [erased]', 2])
    expect(item!.note).toBe('Called [erased] back, and 512-555-01471 too')
    const [signal] = await app.context.db.select().from(signalsTable)
    expect(signal!.evidence).toEqual({
      recipients: ['[erased]'],
      phone: '[erased]',
      nested: [{ said: 'from [erased]\n' }],
    })
    const list = (await root.call(erasuresContract.list, { query: {} })).body
    expect(list).toMatchObject({ total: 1, data: [{ id: expect.any(Number), username: 'olivia' }] })
    const [message] = await app.context.db.select().from(webhookMessagesTable).orderBy(webhookMessagesTable.id)
    expect(message).toMatchObject({ body: '{"erased":"[erased]"}', state: 'failed' })
  })

  test('a repeated event of an erased lead is not kept', async () => {
    const [lead] = await app.context.db.select().from(leadsTable).orderBy(leadsTable.id).limit(1)
    const again = postCall({
      resource_id: lead!.lead_id,
      customer_name: canary.name,
      customer_phone_number: canary.phone,
    })
    expect((await sendCallRail(app, again)).status).toBe(200)
    await waitForIntake(app)
    expect(await findInDatabase(app)).toEqual([])
  })

  test('only an erasure changes the audit log, and nothing removes a recent entry', async () => {
    const { pool } = app.context
    const refused = 'the audit trail is append-only'
    await expect(pool.query(`update audit set after = '{}'`)).rejects.toThrow(refused)
    await expect(pool.query(`delete from audit`)).rejects.toThrow(refused)
    await expect(pool.query(`truncate audit`)).rejects.toThrow(refused)
    const within = (command: string) =>
      app.context.db.transaction(async (tx) => {
        await tx.execute(
          sql`select set_config('leadline.erasure', '1', true), set_config('leadline.retention', 'audit', true)`,
        )
        await tx.execute(sql.raw(command))
      })
    // The erasure of that number was recorded by another transaction.
    await expect(within(`update audit set after = '{}'`)).rejects.toMatchObject({ cause: { message: refused } })
    await expect(within(`delete from audit`)).rejects.toMatchObject({ cause: { message: refused } })
    const recorded = `insert into erasures (list_key, person, counts) values ('x', '', '{}')`
    const erasing = `${recorded}; select set_config('leadline.erasure', currval('erasures_id_seq')::text, true)`
    for (const change of [`username = 'mallory'`, `row_id = 7`, `at = now()`])
      await expect(within(`${erasing}; update audit set ${change}`)).rejects.toMatchObject({
        cause: { message: refused },
      })
  })

  test('the person is erased again from a restored backup', async () => {
    const database = await createDatabase()
    try {
      const { secrets, store } = app.context
      await restoreBackup({ url: database.url, secrets, store, migrate: migrateDatabase }, backupPlan, before)
      const restored = await startApp({ url: database.url, settings: { DATA_DIR: dataDir } })
      try {
        expect((await findInDatabase(restored)).length).toBeGreaterThan(10)
        expect(await replayErasures({ ...restored.context, ...declaredParts })).toBe(1)
        expect(await findInDatabase(restored)).toEqual([])
        expect(await replayErasures({ ...restored.context, ...declaredParts })).toBe(0)
      } finally {
        await restored.close()
      }
    } finally {
      await database.drop()
    }
  })

  test('a report that is opened afterwards does not name the person', async () => {
    const report = await readReport()
    expect([hits(report), report.includes('[erased]')]).toEqual([[], true])
  })
})
