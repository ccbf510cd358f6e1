import { and, eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { addDays, type CalendarDay, formatLongDay, getToday } from '#contract/days.ts'
import { formatMoney } from '#contract/money.ts'
import { drawPdf } from '#core/pdf/tagged-pdf.ts'
import { notArrivedHash } from '#core/secrets/passwords.ts'
import { toInstant } from '#core/time/local-time.ts'
import { usersTable } from '#domains/access/schema.ts'
import { agencyContract } from '#domains/agency/contract.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import { termsContract } from '#domains/campaigns/terms/contract.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { messagesTable } from '#domains/messages/schema.ts'
import { messageOutbox } from '#domains/messages/server/outbox.ts'
import { clientStartContract } from '#domains/reports/client-reports/contract.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { setUp, startApp } from '#test/app.ts'
import { until, waitForJobs } from '#test/until.ts'
import { parseStatementId, statementDocumentContract, statementsContract } from '../contract.ts'
import { describeGroup } from '../document-text.ts'
import type { ListedStatement } from '../list/contract.ts'
import { statementKeysTable, statementsTable } from '../schema.ts'
import { queueStatementEmails } from './mail-statement.ts'
import { numberSentStatements } from './statement-numbers.ts'
import { describeStatementPdf } from './statement-pdf.ts'

const zone = 'America/New_York'
const today = getToday(zone)
const month = today.slice(0, 7)
const dueDay = 31
const current = computeBillingCycle(dueDay, today)
const last = computeBillingCycle(dueDay, addDays(current.from, -1))
const before = computeBillingCycle(dueDay, addDays(last.from, -1))

const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: zone, SMTP_URL: sink.url }, work: true }))
const { db } = app.context
const root = await app.as(await app.make.superAdmin())
let count = 0
beforeEach(async () => {
  await waitForJobs(app.context)
  sink.letters.length = 0
})

const perLead = { kind: 'per_lead', prices: { Form: 10.1, Call: 62.5 } }
async function makeBilled(terms: object = perLead, name = `Acme ${++count}`) {
  const client = await app.make.client({ name })
  const login = await app.make.customer({ client_id: client.id, email: `owner-${client.id}@acme.example` })
  const campaign = await app.make.campaign({
    client_id: client.id,
    name: `${name} Denver`,
    start_date: addDays(before.from, 1),
    due_date: dueDay,
  })
  const body = { terms: [{ from: before.from, ...terms }] }
  expect((await root.call(termsContract.save, { params: { id: campaign.id }, body })).status).toBe(200)
  return { client, campaign, login, id: campaign.id }
}
const makeVerified = (campaign_id: number, day: CalendarDay, values: object = {}) =>
  app.make.lead({ campaign_id, confirmed: true, occurred_at: toInstant(day, '12:00', zone), ...values })
async function readStatements(id: number): Promise<ListedStatement[]> {
  return (await root.call(statementsContract.list, { query: { campaign_ids: id, order: 'asc' } })).body.data
}
const send = (id: number, body?: object, who = root) =>
  who.call(statementsContract.send, { params: { id }, ...(body && { body }) })
const open = (key: string, who = app.guest) => who.call(statementDocumentContract.read, { params: { key } })
const span = { cycle_ends_from: before.from, cycle_ends_before: current.from }

test('a statement gets its number, client, agency, days and groups, and names stay as they were [ACCT-02]', async () => {
  const agency = {
    name: 'North Star',
    color: '#0a7d4f',
    address_lines: ['1 Main Street', 'Austin, TX'],
    terms_days: 14,
  }
  await root.call(agencyContract.update, { body: agency })
  const { id, client } = await makeBilled({ ...perLead, kind: 'flat_plus', fee: 100, included: 1 }, 'Acme Roofing')
  const day = addDays(before.from, 2)
  const [covered, form, call, second] = [
    await makeVerified(id, day, { lead_name: 'Ann' }),
    await makeVerified(id, addDays(day, 1), { lead_name: 'Ben' }),
    await makeVerified(id, addDays(day, 2), { lead_name: 'Cal', lead_type: 'Call' }),
    await makeVerified(id, addDays(day, 3), { lead_name: 'Dee', lead_type: 'Call' }),
  ]
  const [first] = await readStatements(id)
  const { status, body } = await send(first!.id)
  expect(status).toBe(200)
  expect(body.number).toMatch(new RegExp(`^${month}-\\d{4}$`))
  expect(body.url).toMatch(new RegExp(`/statement/${body.key}$`))
  await root.call(clientsContract.update, { params: { id: client.id }, body: { name: 'Renamed' } })
  await db.update(leadsTable).set({ lead_name: 'Renamed' }).where(eq(leadsTable.campaign_id, id))
  await root.call(agencyContract.update, { body: { ...agency, name: 'South Star', address_lines: [], terms_days: 90 } })
  const line = { refers_to: null }
  expect((await open(body.key)).body).toEqual({
    number: body.number,
    state: 'sent',
    client: { name: 'Acme Roofing' },
    agency: { name: 'North Star', color: '#0a7d4f', logo: null, address_lines: agency.address_lines },
    campaign: 'Acme Roofing Denver',
    from: before.from,
    to: addDays(before.next, -1),
    days_timezone_name: null,
    issued_on: today,
    due_on: addDays(today, 14),
    groups: [
      {
        kind: 'fee',
        count: 1,
        price: 100,
        amount: 100,
        lines: [expect.objectContaining({ lead_id: null, name: null, day: null })],
      },
      {
        kind: 'calls',
        count: 2,
        price: 62.5,
        amount: 125,
        lines: [
          expect.objectContaining({ ...line, lead_id: call.id, name: 'Cal', day: addDays(day, 2), amount: 62.5 }),
          expect.objectContaining({ ...line, lead_id: second.id, name: 'Dee' }),
        ],
      },
      {
        kind: 'forms',
        count: 1,
        price: 10.1,
        amount: 10.1,
        lines: [expect.objectContaining({ lead_id: form.id, name: 'Ben' })],
      },
      {
        kind: 'not_billed',
        count: 1,
        price: 0,
        amount: 0,
        lines: [expect.objectContaining({ lead_id: covered.id, name: 'Ann' })],
      },
    ],
    total: 235.1,
    expires_at: expect.any(String),
  })
  // A correction names the lead as the statement that billed it, and that statement's number.
  const other = await makeBilled()
  await root.call(leadsContract.update, { params: { id: call.id }, body: { campaign_id: other.id } })
  const [, next] = await readStatements(id)
  const sent = await send(next!.id)
  const corrections = (await open(sent.body.key)).body.groups.find(
    ({ kind }: { kind: string }) => kind === 'corrections',
  )
  expect(corrections).toMatchObject({ count: 1, price: null, amount: -62.5 })
  expect(corrections.lines[0]).toMatchObject({ lead_id: call.id, name: 'Cal', amount: -62.5, refers_to: body.number })
})

test('a lead that is hidden from the client has neither a name nor that reason in what they read; staff see both [ACCT-02]', async () => {
  const { id } = await makeBilled()
  const [hidden, billed] = [
    await makeVerified(id, before.next, { lead_name: 'Secret', hide: true }),
    await makeVerified(id, before.next, { lead_name: 'Ann' }),
  ]
  const [, statement, next] = await readStatements(id)
  const { key } = (await send(statement!.id)).body
  const groupOf = (groups: { kind: string; lines: object[] }[], kind: string) =>
    groups.find((group) => group.kind === kind)?.lines
  const { body } = await open(key)
  expect(groupOf(body.groups, 'not_billed')).toEqual([
    { lead_id: null, name: null, day: last.from, amount: 0, because: 'Not counted', refers_to: null },
  ])
  const { extractText, getDocumentProxy } = await import('unpdf')
  const pdf = await (await app.guest.fetch(`/api/statement/${key}.pdf`)).arrayBuffer()
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })
  expect(text).toMatch(/Day\s+Item\s+Reason/)
  expect(text).toContain('Not counted')
  expect(text).not.toMatch(/Secret|Hidden/)
  const read = async (one: number) => (await root.call(statementsContract.get, { params: { id: one } })).body
  expect(groupOf((await read(statement!.id)).document.groups, 'not_billed')).toMatchObject([
    { lead_id: hidden.id, name: 'Secret', because: 'Hidden' },
  ])
  // What a statement has billed is credited by its name.
  await root.call(leadsContract.update, { params: { id: billed.id }, body: { hide: 1 } })
  const corrections = groupOf((await read(next!.id)).document.groups, 'corrections') as { because: string }[]
  expect(corrections).toMatchObject([{ name: 'Ann', because: 'Hidden' }])
})

test('a lead that was hidden when it was not billed has no name where that is corrected, either [ACCT-02]', async () => {
  const { id } = await makeBilled()
  const hidden = await makeVerified(id, before.from, { lead_name: 'Secret', hide: true })
  const [first, second] = await readStatements(id)
  await send(first!.id)
  await root.call(leadsContract.update, { params: { id: hidden.id }, body: { confirmed: 0 } })
  const { body } = await open((await send(second!.id)).body.key)
  expect(body.groups).toMatchObject([
    { kind: 'corrections', lines: [{ lead_id: null, name: null, amount: 0, because: 'No longer verified' }] },
  ])
})

test('a lead that is hidden later keeps its name on the statements that were sent before [ACCT-02]', async () => {
  const { id } = await makeBilled({ kind: 'flat', fee: 300 })
  const first = computeBillingCycle(dueDay, addDays(before.from, -1))
  await db.execute(sql`update campaigns set start_date = ${first.from} where id = ${id}`)
  const lead = await makeVerified(id, first.from, { lead_name: 'Jane', confirmed: false })
  const statements = await readStatements(id)
  await send(statements[0]!.id)
  await root.call(leadsContract.update, { params: { id: lead.id }, body: { confirmed: 1 } })
  const { key } = (await send(statements[1]!.id)).body
  const { groups } = (await open(key)).body
  expect(groups[1]).toMatchObject({ kind: 'corrections', lines: [{ lead_id: lead.id, name: 'Jane', amount: 0 }] })
  await root.call(leadsContract.update, { params: { id: lead.id }, body: { hide: 1 } })
  const hidden = (await open((await send(statements[2]!.id)).body.key)).body.groups[1]
  expect(hidden.lines).toMatchObject([{ lead_id: null, name: null, because: 'Not counted' }])
  expect((await open(key)).body.groups).toEqual(groups)
})

test('a lead whose day and type change stands on its new statement as it is, and in the credit as it was billed [ACCT-02]', async () => {
  const { id } = await makeBilled()
  const [day, next] = [addDays(before.from, 2), addDays(last.from, 3)]
  const lead = await makeVerified(id, day, { lead_name: 'Ann' })
  const [first, second] = await readStatements(id)
  await send(first!.id)
  await db
    .update(leadsTable)
    .set({ occurred_at: toInstant(next, '12:00', zone), lead_type: 'Call', lead_name: 'Anna' })
    .where(eq(leadsTable.id, lead.id))
  const expected = [
    { kind: 'calls', lines: [{ lead_id: lead.id, name: 'Anna', day: next, amount: 62.5 }] },
    { kind: 'corrections', lines: [{ lead_id: lead.id, name: 'Ann', day, amount: -10.1 }] },
  ]
  const read = async () => (await root.call(statementsContract.get, { params: { id: second!.id } })).body.document
  expect((await read()).groups).toMatchObject(expected)
  const { key } = (await send(second!.id)).body
  await db.update(leadsTable).set({ lead_name: 'Renamed', lead_type: 'Form' }).where(eq(leadsTable.id, lead.id))
  for (const { groups } of [await read(), (await open(key)).body]) expect(groups).toMatchObject(expected)
})

test('nothing is due of a statement in the client’s favor, wherever it is read [ACCT-02, ACCT-10]', async () => {
  const { login, id } = await makeBilled()
  const lead = await makeVerified(id, before.from)
  const [first, second] = await readStatements(id)
  await send(first!.id)
  await root.call(leadsContract.update, { params: { id: lead.id }, body: { hide: 1 } })
  const { body: sent } = await send(second!.id)
  expect(sent).toMatchObject({ total: -10.1, due_on: null })
  expect((await open(sent.key)).body).toMatchObject({ total: -10.1, due_on: null })
  const them = await app.as(login)
  const { statements } = (await them.call(clientStartContract.read)).body
  expect(statements.map(({ total, due_on }: { total: number; due_on: string | null }) => [total, due_on])).toEqual([
    [-10.1, null],
    [10.1, expect.any(String)],
  ])
})

test('a key opens its statement for 400 days, is closed and made new, and is hidden from search engines [ACCT-02]', async () => {
  const { id } = await makeBilled()
  await makeVerified(id, before.next)
  const [, statement] = await readStatements(id)
  const params = { id: statement!.id }
  expect((await root.call(statementsContract.newKey, { params })).status).toBe(409)
  const { key } = (await send(statement!.id)).body
  const { headers } = await app.guest.fetch(`/api/statement/${key}`)
  expect(headers.get('x-robots-tag')).toBe('noindex')
  expect(headers.get('cache-control')).toBe('private, no-store')
  const expires = Date.parse((await open(key)).body.expires_at)
  expect(Math.round((expires - Date.now()) / 86_400_000)).toBe(400)
  const made = (await root.call(statementsContract.newKey, { params })).body
  expect((await open(key)).status).toBe(404)
  expect((await open(made.key)).status).toBe(200)
  expect((await root.call(statementsContract.get, { params })).body.url).toBe(made.url)
  await db
    .update(statementKeysTable)
    .set({ expires_at: new Date(0) })
    .where(eq(statementKeysTable.campaign_id, id))
  expect((await open(made.key)).status).toBe(404)
  const again = (await root.call(statementsContract.newKey, { params })).body
  expect((await root.call(statementsContract.closeKey, { params })).status).toBe(204)
  const [closed, unknown] = [await open(again.key), await open('unknown')]
  expect([closed.status, closed.body.message]).toEqual([unknown.status, unknown.body.message])
  expect((await root.call(statementsContract.mail, { params, body: {} })).status).toBe(409)
  const entries = await app.context.pool.query(`select id from audit where kind = 'statement link' and row_id = $1`, [
    id,
  ])
  expect(entries.rows.length).toBe(3)
})

test('the PDF has the lines of the statement, and its fonts [ACCT-02]', async () => {
  const { id } = await makeBilled()
  for (let number = 0; number < 80; number += 1) await makeVerified(id, before.next, { lead_name: `Lead ${number}` })
  const [, statement] = await readStatements(id)
  const { key, number } = (await send(statement!.id)).body
  const answer = await app.guest.fetch(`/api/statement/${key}.pdf`)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  expect(answer.headers.get('content-disposition')).toContain(`statement-${number}.pdf`)
  const { extractText, getDocumentProxy } = await import('unpdf')
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const source = Buffer.from(bytes).toString('latin1')
  for (const part of ['/MarkInfo', '/FontFile2', '/StructTreeRoot']) expect(source.includes(part), part).toBe(true)
  const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: false })
  expect(text.length).toBeGreaterThan(1)
  for (const page of text.slice(1)) expect(page).toMatch(/Day[\s\S]*Item[\s\S]*Reason[\s\S]*Amount/) // the head is repeated
  expect(text.join('\n')).toContain(`Statement ${number}`)
  expect(text.join('\n')).toContain('Lead 79')
  expect(text.join('\n')).toContain('$808.00')
})

test('a statement says whose days it has to a client in another time zone [ACCT-02]', async () => {
  const { id, client } = await makeBilled()
  const { key } = (await send((await readStatements(id))[0]!.id)).body
  const body = { timezone: 'America/Denver' }
  expect((await root.call(clientsContract.update, { params: { id: client.id }, body })).status).toBe(200)
  const document = (await open(key)).body
  expect(document.days_timezone_name).toBe('ET')
  const said = { kind: 'paragraph', text: `Days begin: at midnight ${document.days_timezone_name}` }
  expect(describeStatementPdf(document, null).blocks).toContainEqual(said)
})

test('a fee has neither day nor item, what is not billed no amount, and a lead without a name is called so [ACCT-02]', async () => {
  const { id } = await makeBilled({ kind: 'flat', fee: 10 })
  await makeVerified(id, before.next, { lead_name: null })
  const { key } = (await send((await readStatements(id))[1]!.id)).body
  const { body } = await app.guest.call(statementDocumentContract.read, { params: { key } })
  const tables = describeStatementPdf(body, null).blocks.flatMap((block) => (block.kind === 'table' ? [block] : []))
  const calls = { kind: 'calls' as const, count: 1200, price: 62.5, amount: 75_000, lines: [] }
  expect(describeGroup(calls)).toBe('Calls: 1,200 × $62.50')
  expect(tables.map(({ title, columns, rows }) => [title, columns.map(([head]) => head), rows[0]])).toEqual([
    ['Fee = $10.00', ['Reason', 'Amount'], ['Flat fee', '$10.00']],
    ['Not billed: 1', ['Day', 'Item', 'Reason'], [expect.any(String), 'Unnamed lead', 'Covered by the fee']],
  ])
})

test('the day of a line stays on one line, and no amount is broken, however long the names are [ACCT-02]', async () => {
  const { id } = await makeBilled()
  const endless = 'Featherstonehaugh'.repeat(8)
  await makeVerified(id, before.next, { lead_name: endless })
  const { key } = (await send((await readStatements(id))[1]!.id)).body
  const { body } = await app.guest.call(statementDocumentContract.read, { params: { key } })
  const long = { ...body, client: { name: endless.repeat(2) }, campaign: endless.repeat(2) }
  const { getDocumentProxy } = await import('unpdf')
  const file = await getDocumentProxy(new Uint8Array(await drawPdf(describeStatementPdf(long, null))))
  const { items } = await (await file.getPage(1)).getTextContent()
  const drawn = items.map((item) => ('str' in item ? item.str.trim() : ''))
  const lines = body.groups.flatMap((group: { lines: { day: string; amount: number }[] }) => group.lines)
  expect(lines.length).toBeGreaterThan(0)
  for (const { day, amount } of lines) {
    expect(drawn).toContain(formatLongDay(day))
    expect(drawn).toContain(formatMoney(amount))
  }
})

test('ten senders at once give numbers without gaps, in order, in spite of kills [ACCT-02]', async () => {
  const campaigns = await Promise.all(Array.from({ length: 30 }, () => makeBilled({ kind: 'flat', fee: 10 })))
  const ids: number[] = []
  for (const { id } of campaigns) ids.push((await readStatements(id))[0]!.id)
  await db.execute(sql`create sequence numbered`)
  await db.execute(sql`create function kill_numbering() returns trigger language plpgsql as $$
    declare counted bigint := nextval('numbered');
    begin
      if counted <= 40 and counted % 2 = 0 then perform pg_terminate_backend(pg_backend_pid()); end if;
      return null;
    end $$`)
  await db.execute(sql`create trigger kills after insert on statements for each row execute function kill_numbering()`)
  const waiting = [...ids]
  let kills = 0
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const { status } = await send(id)
      if (status === 200) continue
      kills += 1
      waiting.push(id)
    }
  }
  await Promise.all(Array.from({ length: 10 }, work))
  await db.execute(sql`drop trigger kills on statements`)
  expect(kills).toBe(20)
  const rows = await db
    .select({ ordinal: statementsTable.ordinal, sent_at: statementsTable.sent_at })
    .from(statementsTable)
    .where(eq(statementsTable.month, month))
    .orderBy(statementsTable.ordinal)
  expect(rows.map(({ ordinal }) => ordinal)).toEqual(rows.map((_, index) => index + 1))
  const times = rows.map(({ sent_at }) => sent_at.getTime())
  expect(times).toEqual(times.toSorted((a, b) => a - b))
})

test('what an earlier version sent is numbered in the order of sending, by the agency’s months [ACCT-02]', async () => {
  const made = await Promise.all([0, 1, 2].map(() => makeBilled({ kind: 'flat', fee: 10 })))
  const times = ['2001-02-28T12:00:00Z', '2001-03-01T04:59:00Z', '2001-03-01T05:01:00Z'] // in New York the first two are in February
  for (const { id } of made) expect((await send((await readStatements(id))[0]!.id)).status).toBe(200)
  for (const [index, { id }] of made.entries()) {
    const [first] = await readStatements(id)
    const { from } = parseStatementId(first!.id)
    await db
      .update(statementsTable)
      .set({ month: null, ordinal: null, sent_at: new Date(times[2 - index]!) })
      .where(and(eq(statementsTable.campaign_id, id), eq(statementsTable.from_day, from)))
  }
  await db.transaction((tx) => numberSentStatements(tx, zone))
  const numbers = await Promise.all(made.map(async ({ id }) => (await readStatements(id))[0]!.number))
  expect(numbers).toEqual(['2001-03-0001', '2001-02-0002', '2001-02-0001'])
})

test('a statement is not mailed to an account that was only invited: to billing emails, or to none [MOVE-12]', async () => {
  const { id, client, login } = await makeBilled()
  await makeVerified(id, before.from)
  await makeVerified(id, last.from)
  await db.update(usersTable).set({ password_hash: notArrivedHash }).where(eq(usersTable.id, login.id))
  const [first, second] = await readStatements(id)
  expect((await send(first!.id, { mail: 1 })).body.errors).toEqual({
    to: ['This client has no billing email: enter one'],
  })
  const body = { billing_emails: 'books@invited.example' }
  expect((await root.call(clientsContract.update, { params: { id: client.id }, body })).status).toBe(200)
  expect((await send(second!.id, { mail: 1 })).status).toBe(200)
  await until(() => sink.letters.length > 0)
  await waitForJobs(app.context)
  expect(sink.letters.flatMap(({ to }) => to)).toEqual(['books@invited.example'])
})

test('it is mailed with its PDF to the billing emails, whatever notifications say, once [ACCT-03]', async () => {
  await root.call(agencyContract.update, {
    body: { name: 'North Star', color: '#0a7d4f', email: 'billing@north.example' },
  })
  const { id, client } = await makeBilled()
  await makeVerified(id, before.from)
  const body = { billing_emails: 'books@acme.example\nBooks@acme.example\ncfo@acme.example', disable_notifications: 1 }
  expect((await root.call(clientsContract.update, { params: { id: client.id }, body })).status).toBe(200)
  const [first] = await readStatements(id)
  const params = { id: first!.id }
  expect((await root.call(statementsContract.get, { params })).body.recipients).toEqual([
    'books@acme.example',
    'cfo@acme.example',
  ])
  const sent = await send(first!.id, { mail: 1 })
  expect((await send(first!.id, { mail: 1 })).status).toBe(409)
  await until(() => sink.letters.length === 2)
  await waitForJobs(app.context)
  expect(sink.letters.map(({ to }) => to[0]).toSorted()).toEqual(['books@acme.example', 'cfo@acme.example'])
  const { email } = sink.letters[0]!
  expect(email.subject).toContain(sent.body.number)
  expect(email.replyTo).toEqual([expect.objectContaining({ address: 'billing@north.example' })])
  expect(email.attachments).toMatchObject([
    { filename: `statement-${sent.body.number}.pdf`, mimeType: 'application/pdf' },
  ])
  expect(email.html).toContain(sent.body.url)
  expect(email.text).toContain(sent.body.url)
  expect(email.html).toContain('$10.10')
  expect((await readStatements(id))[0]).toMatchObject({ mailed_to: ['books@acme.example', 'cfo@acme.example'] })
  const again = await root.call(statementsContract.mail, { params, body: { to: ['new@acme.example'] } })
  expect(again.body).toMatchObject({ number: sent.body.number, mailed_to: ['new@acme.example'] })
  await until(() => sink.letters.length === 3)
  expect(sink.letters[2]!.email.html).toContain(sent.body.url)
})

test('whom a statement did not reach when it was last emailed is told with it, until it is emailed again [ACCT-03]', async () => {
  const { id } = await makeBilled({ kind: 'flat', fee: 10 })
  const params = { id: (await readStatements(id))[0]!.id }
  const readUndelivered = async () => (await root.call(statementsContract.get, { params })).body.undelivered
  sink.unknown.add('gone@acme.example')
  sink.busy.add('busy@acme.example')
  await send(params.id, { mail: 1, to: ['gone@acme.example', 'busy@acme.example', 'books@acme.example'] })
  await until(async () => sink.letters.length === 1 && (await readUndelivered()).length === 2)
  expect(await readUndelivered()).toEqual([
    { email: 'busy@acme.example', waits: true, because: expect.stringContaining('Try again later') },
    { email: 'gone@acme.example', waits: false, because: expect.stringContaining('No such mailbox') },
  ])
  await root.call(statementsContract.closeKey, { params })
  expect((await readUndelivered())[0]).toEqual({
    email: 'busy@acme.example',
    waits: false,
    because: 'The link was closed since',
  })
  await root.call(statementsContract.newKey, { params })
  await root.call(statementsContract.mail, { params, body: { to: ['new@acme.example'] } })
  expect(await readUndelivered()).toEqual([])
})

test('without billing emails the login gets it; a bad address, more than 20 and no mail are refused [ACCT-03]', async () => {
  const { id, client } = await makeBilled()
  await makeVerified(id, before.from)
  const [first] = await readStatements(id)
  const dump = await app.dump()
  const refuse = async (body: object) => {
    const answer = await send(first!.id, body)
    return [answer.status, Object.keys(answer.body.errors ?? {})[0]?.split('.')[0]]
  }
  expect(await refuse({ mail: 1, to: ['nobody'] })).toEqual([422, 'to'])
  expect(await refuse({ mail: 1, to: [] })).toEqual([422, 'to'])
  expect(await refuse({ mail: 1, to: Array.from({ length: 21 }, (_, index) => `a${index}@b.example`) })).toEqual([
    422,
    'to',
  ])
  expect(await refuse({ mail: 1, to: 'a@b.example' })).toEqual([422, 'to'])
  expect(await refuse({ mail: 2 })).toEqual([422, 'mail'])
  expect(await refuse({ mail: 0, to: ['a@b.example'] })).toEqual([422, 'to'])
  const bad = await root.call(clientsContract.update, { params: { id: client.id }, body: { billing_emails: 'nobody' } })
  expect(Object.keys(bad.body.errors)).toEqual(['billing_emails'])
  expect((await root.call(statementsContract.mail, { params: { id: first!.id }, body: {} })).status).toBe(409)
  expect(await app.dump()).toBe(dump)
  expect((await send(first!.id, { mail: 1 })).status).toBe(200)
  await until(() => sink.letters.length === 1)
  expect(sink.letters[0]!.to).toEqual([`owner-${client.id}@acme.example`])
})

test('a removed client owes the cycle of that day, which can be sent without an email, and none after it [ACCT-03]', async () => {
  const { client, id } = await makeBilled({ kind: 'flat', fee: 50 })
  await db.execute(
    sql`update clients set deleted_at = ${toInstant(before.from, '12:00', zone)} where id = ${client.id}`,
  )
  const [owed, ...later] = await readStatements(id)
  expect([owed!.state, later]).toEqual(['ended', []])
  const readToSend = async () =>
    (await root.call(statementsContract.sums, { query: { ...span, campaign_ids: String(id) } })).body.to_send
  expect(await readToSend()).toEqual({ count: 1, total: 50 })
  expect((await send(owed!.id, { mail: 0 })).status).toBe(200)
  expect(await readToSend()).toEqual({ count: 0, total: 0 })
  expect(await readStatements(id)).toMatchObject([{ state: 'sent', total: 50 }])
})

test('a batch shows what it would send and mail, sends just that, and one refusal stops none [ACCT-03]', async () => {
  const admin = await app.make.admin({ permissions: ['campaigns'], campaigns: [] })
  const [mine, off, empty, removed] = [await makeBilled(), await makeBilled(), await makeBilled(), await makeBilled()]
  const who = await app.as(
    await app.make.admin({ permissions: ['campaigns'], campaigns: [mine.id, off.id, empty.id, removed.id] }),
  )
  expect(admin.id).toBeGreaterThan(0)
  for (const { id } of [mine, off, removed])
    for (const day of [before.from, last.from, current.from]) await makeVerified(id, day)
  await root.call(clientsContract.status, { body: { id: off.client.id, is_active: 0 } })
  await db.execute(sql`update clients set deleted_at = now() where id = ${removed.client.id}`)
  const query = { cycle_ends_from: last.from, cycle_ends_before: addDays(last.next, 0), mail: 1 as const }
  const seen = (await who.call(statementsContract.batch, { query })).body
  const [, due] = await readStatements(mine.id)
  expect(seen).toMatchObject({
    statements: [
      { id: due!.id, campaign: mine.campaign.name, total: 10.1, recipients: [`owner-${mine.client.id}@acme.example`] },
    ],
    total: 10.1,
  })
  const reasons = seen.refused.map(({ reason }: { reason: string }) => reason)
  expect(reasons.toSorted()).toEqual(['The client is switched off', 'The client was removed'])
  const { body } = await who.call(statementsContract.sendBatch, { body: query })
  expect(body.sent).toEqual([{ id: due!.id, number: expect.stringMatching(/^\d{4}-\d\d-\d{4}$/) }])
  expect(body.refused.map(({ reason }: { reason: string }) => reason).toSorted()).toEqual(reasons.toSorted())
  await until(() => sink.letters.length === 1)
  // The older cycle, which was not asked for, is neither sent nor mailed; nor is one that has not ended.
  expect((await readStatements(mine.id)).map(({ state }) => state)).toEqual(['ended', 'sent', 'open'])
  expect((await who.call(statementsContract.sendBatch, { body: query })).body.sent).toEqual([])
  // One by one, the last statement of a client who is switched off can be sent.
  const [, lastOne] = await readStatements(off.id)
  const single = await send(lastOne!.id, { mail: 1 })
  expect(single.status).toBe(200)
  expect((await open(single.body.key)).status).toBe(200)
  await until(() => sink.letters.length === 2)
})

test('a batch of chosen campaigns or clients shows and sends only theirs [ACCT-03]', async () => {
  const [mine, other] = [await makeBilled({ kind: 'flat', fee: 10 }), await makeBilled({ kind: 'flat', fee: 10 })]
  const ends = { cycle_ends_from: last.from, cycle_ends_before: last.next }
  for (const [chosen, { id }] of [
    [{ campaign_ids: [mine.id] }, mine],
    [{ client_ids: [other.client.id] }, other],
  ] as const) {
    const [, due] = await readStatements(id)
    const shown = (await root.call(statementsContract.batch, { query: { ...ends, ...chosen } })).body
    expect(shown.statements).toMatchObject([{ id: due!.id }])
    const { body } = await root.call(statementsContract.sendBatch, { body: { ...ends, ...chosen, mail: 0 } })
    expect(body.sent).toMatchObject([{ id: due!.id }])
  }
  const none = await root.call(statementsContract.sendBatch, { body: { ...ends, campaign_ids: [], mail: 0 } })
  expect([none.status, none.body.errors]).toEqual([422, { campaign_ids: ['At least one id'] }])
})

test('a client who is switched off while a batch is sent is left out of it [ACCT-03]', async () => {
  const made = [await makeBilled({ kind: 'flat', fee: 10 }), await makeBilled({ kind: 'flat', fee: 10 })]
  const who = await app.as(await app.make.admin({ permissions: ['campaigns'], campaigns: made.map(({ id }) => id) }))
  // The first statement that is sent switches the client of the other one off.
  await db.execute(sql`create function switch_off_others() returns trigger language plpgsql as $$
    begin
      update users set is_active = false where client_id <> new.client_id;
      return null;
    end $$`)
  await db.execute(
    sql`create trigger switches_off after insert on statements for each row execute function switch_off_others()`,
  )
  const body = { cycle_ends_from: last.from, cycle_ends_before: last.next, mail: 0 as const }
  const answer = (await who.call(statementsContract.sendBatch, { body })).body
  await db.execute(sql`drop trigger switches_off on statements`)
  expect([answer.sent.length, answer.refused.map(({ reason }: { reason: string }) => reason)]).toEqual([
    1,
    ['The client is switched off'],
  ])
})

test.each(['whose link is closed', 'whose client is removed'])(
  'a statement %s before its email is made is not mailed, and nothing is tried again [ACCT-02, ACCT-03]',
  async (which) => {
    const { id, client } = await makeBilled({ kind: 'flat', fee: 10 })
    const [statement] = await readStatements(id)
    const params = { id: statement!.id }
    await send(statement!.id)
    if (which === 'whose link is closed') await root.call(statementsContract.closeKey, { params })
    else await db.execute(sql`update clients set deleted_at = now() where id = ${client.id}`)
    await db.transaction((tx) => queueStatementEmails(tx, app.context, statement!.id, ['books@acme.example']))
    const readState = async () => {
      const { rows } = await app.context.pool.query<{ state: string }>(
        `select state from pgboss.job where name = 'mail-statement' and data ->> 'statement' = $1`,
        [statement!.id],
      )
      return rows.map(({ state }) => state)
    }
    await until(async () => !(await readState()).some((state) => ['created', 'active'].includes(state)))
    expect(await readState()).toEqual(['completed'])
    await waitForJobs(app.context)
    expect(sink.letters).toEqual([])
  },
)

test.each([
  ['closed', 'The link was closed since'],
  ['replaced', 'The link was closed since'],
  ['of a removed client', 'The client was removed since'],
])(
  'an email that waits for the mail server is not sent once the link of its statement is %s, and says why [ACCT-02, ACCT-03]',
  async (what, error) => {
    const { id, client } = await makeBilled({ kind: 'flat', fee: 10 })
    const [statement] = await readStatements(id)
    const params = { id: statement!.id }
    const address = `books-${client.id}@acme.example`
    sink.busy.add(address)
    await send(params.id, { mail: 1, to: [address] })
    const find = async () =>
      (await db.select().from(messagesTable).where(eq(messagesTable.record_id, params.id))).find(
        ({ kind }) => kind === 'statement',
      )
    await until(async () => Boolean((await find())?.error))
    if (what === 'closed') await root.call(statementsContract.closeKey, { params })
    else if (what === 'replaced') await root.call(statementsContract.newKey, { params })
    else {
      await root.call(campaignsContract.archive, { params: { id } })
      expect((await root.call(clientsContract.remove, { params: { id: client.id } })).status).toBe(204)
    }
    sink.busy.delete(address)
    await messageOutbox.send(app.context, (await find())!.id)
    expect(await find()).toMatchObject({ state: 'refused', content: null, error })
    expect(sink.letters).toEqual([])
  },
)

test('the total of a batch is exact to the cent [ACCT-03]', async () => {
  const made = await Promise.all(Array.from({ length: 3 }, () => makeBilled({ kind: 'flat', fee: 1.12 })))
  const who = await app.as(await app.make.admin({ permissions: ['campaigns'], campaigns: made.map(({ id }) => id) }))
  const query = { cycle_ends_from: last.from, cycle_ends_before: last.next }
  expect((await who.call(statementsContract.batch, { query })).body.total).toBe(3.36)
})

test('a batch needs both days, in order [ACCT-03]', async () => {
  const refuse = async (body: object) =>
    Object.keys(
      (await root.call({ ...statementsContract.sendBatch, body: undefined }, { body } as never)).body.errors ?? {},
    )
  expect(await refuse({ cycle_ends_from: '2026-01-01', mail: 0 })).toEqual(['cycle_ends_before'])
  expect(await refuse({ cycle_ends_before: '2026-01-01', mail: 0 })).toEqual(['cycle_ends_from'])
  expect(await refuse({ cycle_ends_from: '2026-02-01', cycle_ends_before: '2026-02-01', mail: 0 })).toEqual([
    'cycle_ends_before',
  ])
  expect(await refuse({ cycle_ends_from: 'x', cycle_ends_before: '2026-02-01', mail: 0 })).toEqual(['cycle_ends_from'])
})

test('of two who send the same month at once each statement is sent by one, and no client is mailed twice [ACCT-02, ACCT-03]', async () => {
  const made = await Promise.all(Array.from({ length: 6 }, () => makeBilled({ kind: 'flat', fee: 10 })))
  const rights = { permissions: ['campaigns' as const], campaigns: made.map(({ id }) => id) }
  const both = [await app.as(await app.make.admin(rights)), await app.as(await app.make.admin(rights))]
  const answers = await Promise.all(
    both.map((who) => who.call(statementsContract.sendBatch, { body: { ...span, mail: 1 } })),
  )
  expect(answers.map(({ body }) => body.refused)).toEqual([[], []])
  const sent: { id: number; number: string }[] = answers.flatMap(({ body }) => body.sent)
  expect(new Set(sent.map(({ id }) => id)).size).toBe(2 * made.length) // two cycles each
  const places = sent.map(({ number }) => Number(number.slice(-4))).toSorted((a, b) => a - b)
  expect(places).toEqual(places.map((_, at) => places[0]! + at))
  await until(() => sink.letters.length >= sent.length)
  await waitForJobs(app.context)
  const subjects = sink.letters.map(({ email }) => email.subject)
  expect([subjects.length, new Set(subjects).size]).toEqual([sent.length, sent.length])
})

test('sixty statements are sent within a minute [ACCT-03]', { timeout: 120_000 }, async () => {
  const made = await Promise.all(Array.from({ length: 60 }, () => makeBilled({ kind: 'flat', fee: 10 })))
  const who = await app.as(await app.make.admin({ permissions: ['campaigns'], campaigns: made.map(({ id }) => id) }))
  const body = { cycle_ends_from: last.from, cycle_ends_before: last.next, mail: 1 as const }
  // CPU time of this process, which is also the server: the load of the machine does not count.
  const usedBefore = process.cpuUsage()
  expect((await who.call(statementsContract.sendBatch, { body })).body.sent).toHaveLength(60)
  expect(process.cpuUsage(usedBefore).user / 1000).toBeLessThan(60_000)
  await until(() => sink.letters.length === 60)
})

test('an email of a paid statement says that it is paid, not when it was due [ACCT-03]', async () => {
  const { id } = await makeBilled()
  await makeVerified(id, before.from)
  const params = { id: (await readStatements(id))[0]!.id }
  const to = ['books@acme.example']
  await send(params.id, { mail: 1, to })
  await until(() => sink.letters.length === 1)
  await root.call(statementsContract.paid, { params, body: { on: today } })
  await root.call(statementsContract.mail, { params, body: { to } })
  await until(() => sink.letters.length === 2)
  const [first, again] = sink.letters.map(({ email }) => email.text)
  expect(first).toMatch(/, due \w+ \d+, \d+\.\n/)
  expect(again).toMatch(/, paid\.\n/)
  expect(again).not.toContain('due')
})

test('paid wins, is taken back, and is refused before it is sent and on a future day [ACCT-03]', async () => {
  const { id } = await makeBilled()
  const lead = await makeVerified(id, before.from)
  const [first] = await readStatements(id)
  const params = { id: first!.id }
  const pay = (on: string | null, note: string | null = null) =>
    root.call(statementsContract.paid, { params, body: { on, note } })
  expect((await pay(today)).status).toBe(409)
  const { key } = (await send(first!.id)).body
  const future = await pay(addDays(today, 1))
  expect([future.status, Object.keys(future.body.errors)]).toEqual([422, ['on']])
  expect((await pay(today, 'Check 12')).body).toMatchObject({ state: 'paid', paid_on: today, paid_note: 'Check 12' })
  expect((await open(key)).body.state).toBe('paid')
  // A credit that comes later stands in the next one, and the paid one stays paid.
  await root.call(leadsContract.update, { params: { id: lead.id }, body: { confirmed: 0 } })
  const [paid, next] = await readStatements(id)
  expect(paid).toMatchObject({ state: 'paid', total: 10.1 })
  expect(next!.lines).toMatchObject([{ kind: 'credit', amount: -10.1, refers_to: first!.id }])
  expect((await pay(null)).body).toMatchObject({ state: 'sent', paid_on: null, paid_note: null })
  const sums = async () =>
    (await root.call(statementsContract.sums, { query: { ...span, campaign_ids: String(id) } })).body
  expect(await sums()).toEqual({
    to_send: { count: 1, total: -10.1 },
    sent: { count: 1, total: 10.1 },
    unpaid: { count: 1, total: 10.1 },
  })
  await pay(today)
  expect((await sums()).unpaid).toEqual({ count: 0, total: 0 })
  // Also over that it was opened, which is seen again when the payment is taken back.
  await app.guest.call(statementDocumentContract.opened, { params: { key } })
  expect((await readStatements(id))[0]).toMatchObject({ state: 'paid', opened_at: expect.any(String) })
  expect((await pay(null)).body.state).toBe('opened')
  expect((await sums()).unpaid).toEqual({ count: 1, total: 10.1 })
})

test('a payment is neither replaced nor removed by a person who has not seen it and is told what it is [ACCT-03]', async () => {
  const { id } = await makeBilled({ kind: 'flat', fee: 10 })
  const [first] = await readStatements(id)
  await send(first!.id)
  const pay = (on: string | null, note: string | null, replaces: string | null) =>
    root.call(statementsContract.paid, { params: { id: first!.id }, body: { on, note, replaces } })
  expect((await pay(today, 'Check 12', null)).status).toBe(200)
  const newer = { paid_on: today, paid_note: 'Check 12' }
  const refused = { status: 409, body: { message: 'Someone else has changed this payment', newer } }
  expect(await pay(today, 'Cash', null)).toMatchObject(refused)
  expect(await pay(null, null, addDays(today, -1))).toMatchObject(refused)
  expect((await readStatements(id))[0]).toMatchObject(newer)
  expect((await pay(null, null, today)).body).toMatchObject({ paid_on: null, paid_note: null })
})

test('a visit by a guest or the client opens it, one by the agency does not [ACCT-03]', async () => {
  const { id, login } = await makeBilled({ kind: 'flat', fee: 10 })
  const [first] = await readStatements(id)
  const { key } = (await send(first!.id)).body
  const visit = (who = app.guest) => who.call(statementDocumentContract.opened, { params: { key } })
  expect((await visit(root)).status).toBe(204)
  await open(key)
  expect((await readStatements(id))[0]).toMatchObject({ state: 'sent', opened_at: null })
  expect((await visit(await app.as(login))).status).toBe(204)
  const [opened] = await readStatements(id)
  expect(opened).toMatchObject({ state: 'opened', opened_at: expect.any(String) })
  await visit()
  expect((await readStatements(id))[0]!.opened_at).toBe(opened!.opened_at)
  expect((await app.guest.call(statementDocumentContract.opened, { params: { key: 'unknown' } })).status).toBe(404)
  const unpaid = await root.call(statementsContract.list, { query: { campaign_ids: id, state: 'sent,opened' } })
  expect(unpaid.body.total).toBe(1)
})

test('a sent statement stays open while its client is switched off, and closes for good when they are removed [ACCT-12]', async () => {
  const { id, client } = await makeBilled({ kind: 'flat', fee: 10 })
  const [first] = await readStatements(id)
  const { key } = (await send(first!.id)).body
  await root.call(clientsContract.status, { body: { id: client.id, is_active: 0 } })
  expect((await open(key)).status).toBe(200)
  await db.execute(sql`update campaigns set archived = true where id = ${id}`)
  expect((await root.call(clientsContract.remove, { params: { id: client.id } })).status).toBe(204)
  expect((await open(key)).status).toBe(404)
  expect((await app.guest.fetch(`/api/statement/${key}.pdf`)).status).toBe(404)
  const params = { id: first!.id }
  const dump = await app.dump()
  for (const { status, body } of [
    await root.call(statementsContract.mail, { params, body: {} }),
    await root.call(statementsContract.newKey, { params }),
  ])
    expect([status, body.message]).toEqual([409, 'This client was removed, so the link is closed'])
  expect(await app.dump()).toBe(dump)
  const { body } = await root.call(statementsContract.get, { params })
  expect(body).toMatchObject({ url: null, client_removed: 1, recipients: [] })
})

test('the tiles of a month count what is to be sent, sent and unpaid, with their sums; the list is by client [ACCT-04]', async () => {
  const [first, second, other] = [await makeBilled(), await makeBilled(), await makeBilled({ kind: 'flat', fee: 40 })]
  await db.execute(sql`update campaigns set client_id = ${first.client.id} where id = ${second.id}`)
  await makeVerified(first.id, last.from)
  await makeVerified(second.id, last.from, { lead_type: 'Call' })
  const made = [first.id, second.id, other.id]
  const who = await app.as(await app.make.admin({ permissions: ['campaigns'], campaigns: made }))
  const query = { cycle_ends_from: last.from, cycle_ends_before: last.next }
  const readSums = async () => (await who.call(statementsContract.sums, { query })).body
  const none = { count: 0, total: 0 }
  expect(await readSums()).toEqual({ to_send: { count: 3, total: 112.6 }, sent: none, unpaid: none })
  const listed = await who.call(statementsContract.list, {
    query: { ...query, state: ['ended'], sort: 'client.name', order: 'asc' },
  })
  const clients = listed.body.data.map(({ client }: ListedStatement) => client.id)
  expect(clients).toHaveLength(3)
  expect(new Set([clients.slice(0, 2).join(), clients.slice(1).join()])).toContain(
    `${first.client.id},${first.client.id}`,
  )
  const due = (place: number) =>
    listed.body.data.find(({ campaign }: ListedStatement) => campaign.id === made[place])!.id as number
  for (const place of [0, 2]) expect((await send(due(place), undefined, who)).status).toBe(200)
  await who.call(statementsContract.paid, { params: { id: due(2) }, body: { on: today } })
  expect(await readSums()).toEqual({
    to_send: { count: 1, total: 62.5 },
    sent: { count: 2, total: 50.1 },
    unpaid: { count: 1, total: 10.1 },
  })
  // A cycle of this month has not ended: it stands in none of them.
  const running = { cycle_ends_from: current.from, cycle_ends_before: current.next }
  const { body } = await who.call(statementsContract.sums, { query: running })
  expect(body).toEqual({ to_send: none, sent: none, unpaid: none })
})

test('in a list by client, two clients of one name do not mix [ACCT-04]', async () => {
  const made = [await makeBilled(), await makeBilled(), await makeBilled()]
  const lastMonth = { cycle_ends_from: last.from, cycle_ends_before: last.next }
  const [mine, theirs] = [made[0]!.client.id, made[1]!.client.id]
  await db.execute(sql`update clients set name = 'Twin Roofs' where id in (${mine}, ${theirs})`)
  await db.execute(sql`update campaigns set client_id = ${mine} where id = ${made[2]!.id}`)
  for (const [place, { id }] of made.entries())
    await db.execute(sql`update campaigns set name = ${`Twin ${place}`} where id = ${id}`)
  const { body } = await root.call(statementsContract.list, {
    query: {
      campaign_ids: made.map(({ id }) => id).join(),
      state: ['ended'],
      sort: 'client.name',
      order: 'asc',
      ...lastMonth,
    },
  })
  expect(body.data.map(({ client }: ListedStatement) => client.id)).toEqual([mine, mine, theirs])
})
