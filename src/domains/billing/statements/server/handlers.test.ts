import { parse } from 'csv-parse/sync'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { PermissionFlag } from '#contract/allow.ts'
import { addDays, type CalendarDay, getToday, shortMonthNames } from '#contract/days.ts'
import { toInstant } from '#core/time/local-time.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { termsContract } from '#domains/campaigns/terms/contract.ts'
import { leadBatchContract } from '#domains/leads/batch/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { webhooksContract } from '#domains/webhooks/contract.ts'
import { webhookMessagesTable, webhooksTable } from '#domains/webhooks/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { statementsContract } from '../contract.ts'
import type { StatementLine } from '../fields.ts'
import type { ListedStatement } from '../list/contract.ts'

const zone = 'America/New_York'
const today = getToday(zone)
const dueDay = 31
const current = computeBillingCycle(dueDay, today)
const last = computeBillingCycle(dueDay, addDays(current.from, -1))
const before = computeBillingCycle(dueDay, addDays(last.from, -1))

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: zone } }))
const root = await app.as(await app.make.superAdmin())

const perLead = { kind: 'per_lead', prices: { Form: 10.1, Call: 20.2 } }

/** Creates a campaign that started two cycles before the current one. */
async function makeBilledCampaign(terms: object | null = perLead, values: { service_fee?: number } = {}) {
  const campaign = await app.make.campaign({ start_date: addDays(before.from, 3), due_date: dueDay, ...values })
  if (terms) {
    const body = { terms: [{ from: before.from, ...terms }] }
    expect((await root.call(termsContract.save, { params: { id: campaign.id }, body })).status).toBe(200)
  }
  return campaign.id
}
const makeVerifiedLead = (campaign_id: number, day: CalendarDay, values: object = {}) =>
  app.make.lead({ campaign_id, confirmed: true, occurred_at: toInstant(day, '12:00', zone), ...values })
const change = (id: number, body: object) => root.call(leadsContract.update, { params: { id }, body })

/** Returns the statements of a campaign, oldest first. */
async function readStatements(id: number, who = root): Promise<ListedStatement[]> {
  const { status, body } = await who.call(statementsContract.list, { query: { campaign_ids: id, order: 'asc' } })
  expect(status).toBe(200)
  return body.data
}
const send = (id: number, who = root) => who.call(statementsContract.send, { params: { id } })
/** A sent statement as lists show it: only the answer of its sending has the key. */
const withoutLink = ({
  key: _key,
  url: _url,
  ...statement
}: ListedStatement & { key: string; url: string }): ListedStatement => statement
/** What sending gives a statement. */
const sentFacts = {
  state: 'sent',
  number: expect.stringMatching(/^\d{4}-\d\d-\d{4}$/),
  issued_on: expect.any(String),
  due_on: expect.any(String),
  expires_at: expect.any(String),
}
const showLine = ({ kind, amount, lead_id }: StatementLine) => `${kind} ${amount} ${lead_id}`

test('a campaign has a statement for each cycle from its start to today, the current one open [RPT-07]', async () => {
  const id = await makeBilledCampaign(null, { service_fee: 99.99 })
  const statements = await readStatements(id)
  const days = [before, last, current].map(({ from, next }) => ({ from, to: addDays(next, -1) }))
  expect(statements).toMatchObject(days)
  expect(statements.map(({ state }) => state)).toEqual(['ended', 'ended', 'open'])
  expect(statements.map(({ total }) => total)).toEqual([99.99, 99.99, 99.99])
  expect(statements[0]!.lines).toEqual([
    { kind: 'fee', lead_id: null, amount: 99.99, because: 'Flat fee', refers_to: null },
  ])
})

test('a sent statement is announced to the webhooks of users who may read it [OPEN-02]', async () => {
  const id = await makeBilledCampaign()
  await makeVerifiedLead(id, before.next)
  const admin = (permissions: PermissionFlag[], campaigns: number[]) => app.make.admin({ permissions, campaigns })
  const listeners = [
    await app.make.superAdmin(),
    await admin(['leads', 'campaigns'], [id]),
    await admin(['leads'], [id]),
    await admin(['leads', 'campaigns'], [(await app.make.campaign()).id]),
  ]
  for (const [place, user] of listeners.entries()) {
    const body = { url: `https://crm${place}.example/hook`, events: ['statement.sent'] }
    expect((await (await app.as(user)).call(webhooksContract.create, { body })).status).toBe(200)
  }
  const [first] = await readStatements(id)
  const { body: sent } = await send(first!.id)
  expect((await send(first!.id)).status).toBe(409)
  const told = await app.context.db
    .select({ url: webhooksTable.url, body: webhookMessagesTable.body })
    .from(webhookMessagesTable)
    .innerJoin(webhooksTable, eq(webhooksTable.id, webhookMessagesTable.webhook_id))
    .orderBy(webhookMessagesTable.id)
  expect(told.map(({ url }) => url)).toEqual(['https://crm0.example/hook', 'https://crm1.example/hook'])
  for (const { body } of told)
    expect(JSON.parse(body)).toEqual({ type: 'statement.sent', timestamp: expect.any(String), data: withoutLink(sent) })
})

test('a lead belongs to the cycle of its day in the agency’s zone, and a lead from before the start to the first cycle [RPT-07]', async () => {
  const id = await makeBilledCampaign()
  const late = await app.make.lead({
    campaign_id: id,
    confirmed: true,
    occurred_at: toInstant(addDays(last.next, -1), '23:59', zone),
  })
  const early = await makeVerifiedLead(id, addDays(before.from, -40))
  await app.make.lead({ campaign_id: id, occurred_at: toInstant(last.from, '12:00', zone) }) // not verified
  const [first, second, third] = await readStatements(id)
  expect(first!.lines.map(showLine)).toEqual([`lead 10.1 ${early.id}`])
  expect(second!.lines.map(showLine)).toEqual([`lead 10.1 ${late.id}`])
  expect(third!.lines).toEqual([])
})

test('terms that start within a cycle apply from the next one on [RPT-07]', async () => {
  const id = await makeBilledCampaign(null, { service_fee: 5 })
  const body = { terms: [{ from: addDays(last.from, 1), kind: 'flat', fee: 7 }] }
  await root.call(termsContract.save, { params: { id }, body })
  expect((await readStatements(id)).map(({ total }) => total)).toEqual([5, 5, 7])
})

test('terms from the campaign’s first day on apply to its first cycle, whenever in the cycle that is [RPT-07]', async () => {
  const id = await makeBilledCampaign(null, { service_fee: 5 })
  const start = addDays(before.from, 3)
  const saveTerms = (terms: object[]) => root.call(termsContract.save, { params: { id }, body: { terms } })
  await saveTerms([{ from: start, kind: 'flat', fee: 7 }])
  expect((await readStatements(id)).map(({ total }) => total)).toEqual([7, 7, 7])
  await saveTerms([
    { from: start, to: addDays(start, 1), kind: 'flat', fee: 7 },
    { from: addDays(start, 2), kind: 'flat', fee: 9 },
  ])
  expect((await readStatements(id)).map(({ total }) => total)).toEqual([7, 9, 9])
})

test('terms apply to the cycles that start from their first day to their last [RPT-07]', async () => {
  const id = await makeBilledCampaign(null, { service_fee: 5 })
  const body = { terms: [{ from: last.from, to: last.from, kind: 'flat', fee: 7 }] }
  await root.call(termsContract.save, { params: { id }, body })
  expect((await readStatements(id)).map(({ total }) => total)).toEqual([5, 7, 5])
})

test('a cycle that has not ended cannot be sent, and no statement can be sent twice [RPT-07]', async () => {
  const id = await makeBilledCampaign()
  const [, second, third] = await readStatements(id)
  const dump = await app.dump()
  expect((await send(third!.id)).status).toBe(409)
  expect((await send(third!.id + 1)).status).toBe(404)
  expect((await send(1)).status).toBe(404)
  expect(await app.dump()).toBe(dump)
  const sent = await send(second!.id)
  expect(withoutLink(sent.body)).toEqual({ ...second, ...sentFacts, due_on: null })
  expect((await send(second!.id)).status).toBe(409)
  expect((await root.call(statementsContract.list, { query: { campaign_ids: id, state: 'sent' } })).body).toEqual({
    data: [{ ...second, ...sentFacts, due_on: null }],
    total: 1,
  })
})

test('a change after sending is a line of the next open statement, and a sent statement never changes [RPT-07]', async () => {
  const id = await makeBilledCampaign()
  const other = await makeBilledCampaign()
  const [stays, moves, unverified, archived, retyped] = await Promise.all(
    [0, 1, 2, 3, 4].map((days) => makeVerifiedLead(id, addDays(before.from, days))),
  )
  const late = await app.make.lead({ campaign_id: id, occurred_at: toInstant(before.from, '09:00', zone) })
  const [open] = await readStatements(id)
  expect(open!.total).toBe(50.5)
  const frozen = withoutLink((await send(open!.id)).body)

  await change(moves!.id, { campaign_id: other })
  await change(unverified!.id, { confirmed: 0 })
  await root.call(leadsContract.archive, { params: { id: archived!.id } })
  await change(retyped!.id, { lead_type: 'Call' })
  await change(late.id, { confirmed: 1 })
  const [first, second, third] = await readStatements(id)
  expect(first).toEqual(frozen)
  const corrections = second!.lines.filter(({ refers_to }) => refers_to === first!.id)
  expect(
    new Set(corrections.map(({ kind, amount, lead_id, because }) => [kind, amount, lead_id, because].join(' '))),
  ).toEqual(
    new Set([
      `credit -10.1 ${moves!.id} Moved to another campaign`,
      `credit -10.1 ${unverified!.id} No longer verified`,
      `adjustment 10.1 ${retyped!.id} Call`,
      `adjustment 10.1 ${late.id} Form · added after the ${shortMonthNames[Number(before.from.slice(5, 7)) - 1]} statement was sent`,
    ]),
  )
  // What remains: three forms, one of them archived, and a call.
  expect(first!.total + second!.total).toBeCloseTo(50.5, 6)
  expect(third!.lines).toEqual([])
  expect((await readStatements(other))[0]!.lines.map(showLine)).toEqual([`lead 10.1 ${moves!.id}`])

  // Once the corrections are sent too, reverting one is a line of the following statement.
  await send(second!.id)
  await change(moves!.id, { campaign_id: id })
  const [, , now] = await readStatements(id)
  expect(now!.lines.map((line) => [showLine(line), line.refers_to])).toEqual([
    [`adjustment 10.1 ${moves!.id}`, first!.id],
  ])
  expect((await readStatements(other))[0]!.lines).toEqual([])
  expect(stays!.id).toBe(frozen.lines[0]!.lead_id)
})

test('a correction passes over a cycle that bills nothing once the next one has ended [RPT-07]', async () => {
  const id = await makeBilledCampaign()
  const earliest = computeBillingCycle(dueDay, addDays(before.from, -1))
  const body = { terms: [{ from: earliest.from, ...perLead }], version: 2 }
  expect((await root.call(termsContract.save, { params: { id }, body })).status).toBe(200)
  const gone = await makeVerifiedLead(id, earliest.from)
  const unseen = await app.make.lead({ campaign_id: id, occurred_at: toInstant(before.from, '12:00', zone) })
  const sent = (await send((await readStatements(id))[0]!.id)).body
  await change(gone.id, { confirmed: 0 })
  /** Each statement read on its own, as it is sent, has the lines of the list. */
  const showLines = async () => {
    const statements = await readStatements(id)
    for (const { id: statement, lines } of statements)
      expect((await root.call(statementsContract.get, { params: { id: statement } })).body.lines).toEqual(lines)
    return statements.map(({ lines }) => lines.map(showLine))
  }
  const credit = `credit -10.1 ${gone.id}`
  expect(await showLines()).toEqual([[`lead 10.1 ${gone.id}`], [], [credit], []])
  const span = { cycle_ends_from: addDays(last.next, -1), cycle_ends_before: last.next, campaign_ids: [id] }
  const { body: batch } = await root.call(statementsContract.batch, { query: span })
  expect(batch.statements).toMatchObject([{ from: last.from, total: -10.1 }])
  // It stays with the first statement that bills something.
  await change(unseen.id, { confirmed: 1 })
  expect(await showLines()).toEqual([[`lead 10.1 ${gone.id}`], [`lead 10.1 ${unseen.id}`, credit], [], []])
  await change(unseen.id, { confirmed: 0 })
  await send((await readStatements(id))[2]!.id)
  await change(gone.id, { confirmed: 1 })
  expect(await showLines()).toEqual([[`lead 10.1 ${gone.id}`], [], [credit], [`adjustment 10.1 ${gone.id}`]])
  expect((await readStatements(id))[3]!.lines[0]!.refers_to).toBe(sent.id)
})

test('archiving a lead, by whomever and whenever, never changes what is billed', async () => {
  const id = await makeBilledCampaign()
  const [campaign] = await app.context.db.select().from(campaignsTable).where(eq(campaignsTable.id, id))
  const client = await app.as(await app.make.customer({ client_id: campaign!.client_id }))
  const handler = await app.as(await app.make.handler({ campaigns: [id] }))
  const archivers = [
    (lead: number) => client.call(leadsContract.archive, { params: { id: lead } }),
    (lead: number) => handler.call(leadsContract.archive, { params: { id: lead } }),
    (lead: number) => root.call(leadsContract.archive, { params: { id: lead } }),
    (lead: number) => root.call(leadBatchContract.create, { body: { ids: [lead], action: 'archive' } }),
  ]
  const makeLeads = (day: CalendarDay) => Promise.all(archivers.map(() => makeVerifiedLead(id, day)))
  const archiveAll = async (leads: { id: number }[]) => {
    for (const [index, archive] of archivers.entries()) expect((await archive(leads[index]!.id)).status).toBe(200)
  }
  // Of an open statement.
  const early = await makeLeads(before.from)
  const later = await makeLeads(last.from)
  const unarchived = await readStatements(id)
  await archiveAll(early)
  expect(await readStatements(id)).toEqual(unarchived)
  expect(new Set(unarchived[0]!.lines.map(showLine))).toEqual(new Set(early.map((lead) => `lead 10.1 ${lead.id}`)))
  // Of a sent one, and back.
  await send(unarchived[0]!.id)
  await send(unarchived[1]!.id)
  const sent = await readStatements(id)
  await archiveAll(later)
  expect(await readStatements(id)).toEqual(sent)
  for (const lead of [...early, ...later])
    expect((await root.call(leadsContract.unarchive, { params: { id: lead.id } })).status).toBe(200)
  expect(await readStatements(id)).toEqual(sent)
})

test('a correction says where its lead went, also if the lead is on another statement of the same list [RPT-07]', async () => {
  const [id, other] = [await makeBilledCampaign(), await makeBilledCampaign()]
  const [moved, redated] = await Promise.all([0, 1].map((days) => makeVerifiedLead(id, addDays(before.from, days))))
  const [open] = await readStatements(id)
  await send(open!.id)
  await change(moved!.id, { campaign_id: other })
  await app.context.db
    .update(leadsTable)
    .set({ occurred_at: toInstant(last.from, '12:00', zone) })
    .where(eq(leadsTable.id, redated!.id))
  const { body } = await root.call(statementsContract.list, { query: { campaign_ids: `${id},${other}`, order: 'asc' } })
  const [, second] = body.data.filter(({ campaign }: ListedStatement) => campaign.id === id)
  const credits = second.lines.filter(({ kind }: StatementLine) => kind === 'credit')
  expect(Object.fromEntries(credits.map(({ lead_id, because }: StatementLine) => [lead_id, because]))).toEqual({
    [moved!.id]: 'Moved to another campaign',
    [redated!.id]: 'The date is in another cycle',
  })
})

test('a campaign without a start date is billed from the agency’s day on which it was created [RPT-07]', async () => {
  const { id } = await app.make.campaign({ start_date: null, due_date: dueDay })
  // On the evening before the cycle of a due day, the next day has begun in UTC.
  const evening = toInstant(addDays(last.from, -1), '21:00', zone)
  await app.context.db.update(campaignsTable).set({ created_at: evening }).where(eq(campaignsTable.id, id))
  expect((await readStatements(id)).map(({ from }) => from)).toEqual([before.from, last.from, current.from])
  const { body } = await root.call(termsContract.read, { params: { id } })
  expect(body.terms[0].from).toBe(addDays(last.from, -1))
})

test('a spreadsheet’s empty date, 1900-01-01, is a start like any other [RPT-07]', async () => {
  const { id } = await app.make.campaign({ start_date: '1900-01-01', due_date: 15 })
  const [first, second] = await readStatements(id)
  expect([first, second]).toMatchObject([
    { from: '1900-01-01', to: '1900-01-14' },
    { from: '1900-01-15', to: '1900-02-14' },
  ])
  const { status, body } = await root.call(statementsContract.get, { params: { id: first!.id } })
  expect([status, body.campaign?.id]).toEqual([200, id])
})

test('a sent cycle keeps its terms and days, even if the campaign’s change [RPT-07]', async () => {
  const id = await makeBilledCampaign()
  await makeVerifiedLead(id, before.from)
  const [open] = await readStatements(id)
  await send(open!.id)
  const body = { terms: [{ from: before.from, kind: 'flat', fee: 1000 }] }
  await root.call(termsContract.save, { params: { id }, body })
  await app.context.db.execute(sql`update campaigns set due_date = 5 where id = ${id}`)
  const [first, second] = await readStatements(id)
  expect(first).toMatchObject({ from: before.from, total: 10.1, state: 'sent' })
  expect(second).toMatchObject({ from: last.from, total: 1000 })
  expect(second!.lines.map(({ kind }) => kind)).toEqual(['fee'])
})

test('under a flat fee a lead verified late, or no longer verified, costs nothing and still has its line [RPT-07]', async () => {
  const id = await makeBilledCampaign({ kind: 'flat', fee: 300 })
  const lead = await makeVerifiedLead(id, before.from)
  const late = await app.make.lead({ campaign_id: id, occurred_at: toInstant(before.from, '09:00', zone) })
  const [open] = await readStatements(id)
  expect(open!.lines.map(showLine)).toEqual(['fee 300 null', `not_billed 0 ${lead.id}`])
  await send(open!.id)
  await change(lead.id, { confirmed: 0 })
  await change(late.id, { confirmed: 1 })
  const [, second] = await readStatements(id)
  expect(second!.lines.map(showLine)).toEqual(['fee 300 null', `credit 0 ${lead.id}`, `adjustment 0 ${late.id}`])
})

test('twenty kills while a statement is sent neither duplicate nor lose a line [RPT-07]', async () => {
  const id = await makeBilledCampaign()
  for (let number = 0; number < 6; number++) await makeVerifiedLead(id, before.from)
  const [open] = await readStatements(id)
  const { db, pool } = app.context
  await db.execute(sql`create sequence sent_lines`)
  // Every third line written ends its connection, twenty times; a sequence keeps counting across rollbacks.
  await db.execute(sql`create function kill_sender() returns trigger language plpgsql as $$
    declare counted bigint := nextval('sent_lines');
    begin
      if counted <= 60 and counted % 3 = 0 then perform pg_terminate_backend(pg_backend_pid()); end if;
      return null;
    end $$`)
  await db.execute(
    sql`create trigger kills after insert on statement_lines for each row execute function kill_sender()`,
  )
  const states: number[] = []
  while (!states.includes(200) && states.length < 40) states.push((await send(open!.id)).status)
  await db.execute(sql`drop trigger kills on statement_lines`)
  expect(states.filter((status) => status !== 200)).toHaveLength(20)
  expect((await readStatements(id))[0]).toEqual({ ...open, ...sentFacts })
  const { rows } = await pool.query('select count(*)::int as lines from statement_lines where campaign_id = $1', [id])
  expect(rows).toEqual([{ lines: 6 }])
})

test('a statement sent twice concurrently is sent once [RPT-07]', async () => {
  const id = await makeBilledCampaign()
  await makeVerifiedLead(id, before.from)
  const [open] = await readStatements(id)
  const states = await Promise.all([1, 2, 3, 4].map(async () => (await send(open!.id)).status))
  expect(states.toSorted()).toEqual([200, 409, 409, 409])
})

test('a user sees the statements of their campaigns [RPT-07]', async () => {
  const [mine, other] = [await makeBilledCampaign(), await makeBilledCampaign()]
  const admin = await app.as(await app.make.admin({ campaigns: [mine] }))
  const { body } = await admin.call(statementsContract.list)
  expect(body.total).toBe(3)
  expect(new Set(body.data.map(({ campaign }: ListedStatement) => campaign.id))).toEqual(new Set([mine]))
  const [foreign] = await readStatements(other)
  expect(await readStatements(other, admin)).toEqual([])
  expect((await send(foreign!.id, admin)).status).toBe(404)
  expect((await admin.call(statementsContract.get, { params: { id: foreign!.id } })).status).toBe(404)
})

test('a statement includes the leads of its lines [RPT-07]', async () => {
  const id = await makeBilledCampaign()
  const lead = await makeVerifiedLead(id, before.from, { lead_name: 'Pat' })
  const [open] = await readStatements(id)
  const { body } = await root.call(statementsContract.get, { params: { id: open!.id } })
  expect(body).toMatchObject({ ...open, leads: [{ id: lead.id, name: 'Pat', type: 'Form', date: before.from }] })
})

test('a lead that has moved to a campaign of others is not shown with its statement [RPT-07]', async () => {
  const [mine, other] = [await makeBilledCampaign(), await makeBilledCampaign()]
  const lead = await makeVerifiedLead(mine, before.from)
  const [open] = await readStatements(mine)
  expect((await send(open!.id)).status).toBe(200)
  expect((await change(lead.id, { campaign_id: other })).status).toBe(200)
  const readLeads = async (who = root) =>
    (await who.call(statementsContract.get, { params: { id: open!.id } })).body.leads.map(
      ({ id }: { id: number }) => id,
    )
  expect(await readLeads(await app.as(await app.make.admin({ campaigns: [mine] })))).toEqual([])
  expect(await readLeads()).toEqual([lead.id])
})

test('the list is paged, and sorted by day or by campaign [RPT-07]', async () => {
  const ids = [await makeBilledCampaign(), await makeBilledCampaign()]
  const query = { campaign_ids: ids.join(','), per_page: 4 }
  const first = await root.call(statementsContract.list, { query })
  expect(first.body.total).toBe(6)
  expect(first.body.data.map(({ from }: ListedStatement) => from)).toEqual(
    [current, current, last, last].map(({ from }) => from),
  )
  const second = await root.call(statementsContract.list, { query: { ...query, page: 2 } })
  expect(second.body.data.map(({ from }: ListedStatement) => from)).toEqual([before.from, before.from])
  const byName = await root.call(statementsContract.list, { query: { ...query, sort: 'campaign.name', order: 'asc' } })
  expect(byName.body.data.slice(0, 3).map(({ from }: ListedStatement) => from)).toEqual(
    [before, last, current].map(({ from }) => from),
  )
})

test('the file for accounting programs has a row for each line, with its amount [RPT-07]', async () => {
  const id = await makeBilledCampaign({ kind: 'flat_plus', fee: 50, included: 1, prices: { Form: 12.5, Call: 0 } })
  const leads = [await makeVerifiedLead(id, before.from), await makeVerifiedLead(id, addDays(before.from, 1))]
  const answer = await root.fetch(`/api/statements/export?campaign_ids=${id}`)
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="statements.csv"')
  const rows: Record<string, string>[] = parse((await answer.text()).replace('\ufeff', ''), { columns: true })
  expect(rows.filter(({ From }) => From === before.from)).toMatchObject([
    { Kind: 'Fee', Lead: '', Amount: '50.00', State: 'To send' },
    { Kind: 'Not billed', Lead: String(leads[0]!.id), Reason: 'Covered by the fee', Amount: '0.00' },
    { Kind: 'Lead', Lead: String(leads[1]!.id), Amount: '12.50' },
  ])
  const totals = (await readStatements(id)).reduce((sum, { total }) => sum + total, 0)
  expect(rows.reduce((sum, { Amount }) => sum + Number(Amount), 0)).toBeCloseTo(totals, 6)
})
