import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { usersTable } from '#domains/access/schema.ts'
import { seeAsContract } from '#domains/access/see-as/contract.ts'
import { statementDocumentContract, statementsContract } from '#domains/billing/statements/contract.ts'
import { statementKeysTable, statementsTable } from '#domains/billing/statements/schema.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { caller, setUp, startApp } from '#test/app.ts'
import { clientReportsContract, clientStartContract } from '../contract.ts'
import { clientReportsTable } from '../schema.ts'

const zone = 'America/New_York'
const today = getToday(zone)
const current = computeBillingCycle(31, today)
const last = computeBillingCycle(31, addDays(current.from, -1))
const before = computeBillingCycle(31, addDays(last.from, -1))

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: zone } }))
const { make } = app
const { db } = app.context
const root = await app.as(await make.superAdmin())

/** A client with its account and a campaign that costs $99.99 a cycle. */
async function makeClient(name: string) {
  const client = await make.client({ name, timezone: 'America/Denver' })
  const values = { name: `${name} Denver`, start_date: before.from, due_date: 31, service_fee: 99.99 }
  const campaign = await make.campaign({ client_id: client.id, ...values })
  const login = await make.customer({ client_id: client.id })
  return { client, campaign, login, me: await app.as(login) }
}
/** Sends the statements of the ended cycles, the oldest first. */
async function sendStatements(campaign_ids: number) {
  const { body } = await root.call(statementsContract.list, { query: { campaign_ids, state: 'ended', order: 'asc' } })
  const sent: { id: number; key: string; number: string }[] = []
  for (const { id } of body.data) sent.push((await root.call(statementsContract.send, { params: { id } })).body)
  return sent
}
const createReport = async (id: number, period = 'month') =>
  (await root.call(clientReportsContract.create, { params: { id }, body: { period, from: today } })).body
const readStart = async (who: typeof root) => (await who.call(clientStartContract.read)).body
const open = (who: typeof root, id: number) => who.call(clientStartContract.report, { params: { id } })

test('a client’s start page lists their sent statements, latest first, as the pages of their links show them [ACCT-10]', async () => {
  const { campaign, me } = await makeClient('Acme')
  await sendStatements((await makeClient('Another')).campaign.id)
  expect((await readStart(me)).statements, 'none of another client').toEqual([])
  const [first, second] = await sendStatements(campaign.id)
  await root.call(statementsContract.paid, { params: { id: first!.id }, body: { on: today } })
  const { statements } = await readStart(me)
  expect(statements).toMatchObject([
    { key: second!.key, number: second!.number, from: last.from, paid_on: null },
    { key: first!.key, number: first!.number, from: before.from, paid_on: today },
  ])
  for (const { key, paid_on, ...shown } of statements) {
    const { body: page } = await app.guest.call(statementDocumentContract.read, { params: { key } })
    expect(page).toMatchObject({ ...shown, total: 99.99, state: paid_on ? 'paid' : 'sent' })
  }
})

test('a statement whose link is closed or has expired is not on the start page [ACCT-10]', async () => {
  const { campaign, me } = await makeClient('Beacon')
  const [first, second] = await sendStatements(campaign.id)
  await root.call(statementsContract.closeKey, { params: { id: first!.id } })
  expect((await readStart(me)).statements).toMatchObject([{ key: second!.key }])
  const { body: renewed } = await root.call(statementsContract.newKey, { params: { id: first!.id } })
  expect((await readStart(me)).statements).toMatchObject([{ key: second!.key }, { key: renewed.key }])
  await db
    .update(statementKeysTable)
    .set({ expires_at: sql`now()` })
    .where(eq(statementKeysTable.campaign_id, campaign.id))
  expect((await readStart(me)).statements).toEqual([])
})

test('statements stay with the client who was billed, also of an archived campaign and one that went to another client [ACCT-10]', async () => {
  const [old, next] = [await makeClient('Old'), await makeClient('Next')]
  const [first, second] = await sendStatements(old.campaign.id)
  // An earlier version did not store the client.
  await db
    .update(statementsTable)
    .set({ client_id: null, client_name: null })
    .where(sql`${statementsTable.campaign_id} = ${old.campaign.id} and ${statementsTable.from_day} = ${before.from}`)
  const keys = [second!.key, first!.key]
  const readKeys = async (who: typeof root) =>
    (await readStart(who)).statements.map(({ key }: { key: string | null }) => key)
  await db.update(campaignsTable).set({ archived: true }).where(eq(campaignsTable.id, old.campaign.id))
  expect(await readKeys(old.me)).toEqual(keys)
  await db.update(campaignsTable).set({ archived: false }).where(eq(campaignsTable.id, old.campaign.id))
  await moveCampaign(old.campaign.id, next.client.id)
  expect([await readKeys(old.me), await readKeys(next.me)]).toEqual([keys, []])
  for (const key of keys) {
    const { body } = await app.guest.call(statementDocumentContract.read, { params: { key } })
    expect(body.client).toEqual({ name: 'Old' })
  }
})

test('a client opens their open reports by id, as their links show them, and no one else does [ACCT-10]', async () => {
  const [mine, other] = [await makeClient('Mine'), await makeClient('Other')]
  await make.lead({ campaign_id: mine.campaign.id, confirmed: true, lead_name: 'Ann' })
  const [first, second] = [await createReport(mine.client.id), await createReport(mine.client.id, 'cycle')]
  const { reports } = await readStart(mine.me)
  expect(reports).toEqual([
    { id: second.id, period: 'cycle', from: second.from, to: second.to, created_on: getToday('America/Denver') },
    { id: first.id, period: 'month', from: first.from, to: first.to, created_on: getToday('America/Denver') },
  ])
  const { status, body } = await open(mine.me, first.id)
  expect(status).toBe(200)
  expect(body).toEqual((await app.guest.call(clientReportsContract.read, { params: { key: first.key } })).body)
  expect(JSON.stringify(body)).toContain('Ann')
  const openPdf = (who: typeof root, { id } = first) => who.call(clientStartContract.reportPdf, { params: { id } })
  const ownPdf = await openPdf(mine.me)
  expect([ownPdf.status, ownPdf.headers.get('content-type'), ownPdf.headers.get('content-disposition')]).toEqual([
    200,
    'application/pdf',
    `inline; filename="report-${first.from}-${first.to}.pdf"`,
  ])
  expect((await readStart(other.me)).reports).toEqual([])
  for (const who of [other.me, root, await app.as(await make.admin({ campaigns: [mine.campaign.id] }))]) {
    const answers = [
      await open(who, first.id),
      await openPdf(who),
      await who.call(clientStartContract.reportOpened, { params: { id: first.id } }),
    ]
    for (const answer of answers)
      expect([answer.status, answer.body]).toEqual([404, { message: 'This report is not available' }])
  }
  expect([(await open(app.guest, first.id)).status, (await openPdf(app.guest)).status]).toEqual([401, 401])
  const readOpened = async () => {
    const [row] = await db.select().from(clientReportsTable).where(eq(clientReportsTable.id, first.id))
    return row!.opened_at
  }
  expect(await readOpened()).toBeNull()
  await mine.me.call(clientStartContract.reportOpened, { params: { id: first.id } })
  expect(await readOpened()).toBeInstanceOf(Date)

  await root.call(clientReportsContract.revoke, { params: { id: first.id } })
  await db.update(clientReportsTable).set({ expires_at: sql`now()` }).where(eq(clientReportsTable.id, second.id))
  expect((await readStart(mine.me)).reports).toEqual([])
  for (const one of [first, second])
    expect([(await open(mine.me, one.id)).status, (await openPdf(mine.me, one)).status]).toEqual([404, 404])
})

test('an agency user who sees the start page as the client gets no keys, and their reading does not count [ACCT-10]', async () => {
  const { client, campaign, login, me } = await makeClient('Seen')
  await sendStatements(campaign.id)
  const { id } = await createReport(client.id)
  const { token } = (await root.call(seeAsContract.begin, { params: { id: login.id } })).body
  const viewer = caller(app.url, token)
  const [theirs, seen] = [await readStart(me), await readStart(viewer)]
  expect(theirs.statements).toHaveLength(2)
  expect(seen.statements).toEqual(theirs.statements.map((statement: object) => ({ ...statement, key: null })))
  expect((await open(viewer, id)).status).toBe(200)
  expect((await viewer.call(clientStartContract.reportOpened, { params: { id } })).status).toBe(403)
})

test('a client who is switched off reads neither their start page nor a report [ACCT-10]', async () => {
  const { client, login, me } = await makeClient('Off')
  const { id } = await createReport(client.id)
  await db.update(usersTable).set({ is_active: false }).where(eq(usersTable.id, login.id))
  expect([(await me.call(clientStartContract.read)).status, (await open(me, id)).status]).toEqual([401, 401])
})

async function moveCampaign(id: number, client_id: number) {
  const body = {
    name: `Given ${id}`,
    categories: [(await make.category()).id],
    client_id,
    client_sites: [],
    manager: 'Morgan',
    start_date: before.from,
    due_date: 31,
    initial_target: 20,
    month_3_target: null,
    month_6_target: null,
    month_9_target: null,
    month_12_target: null,
    service_fee: 99.99,
    approved_ppc: 300,
    fixed_to_top: 0,
  }
  expect((await root.call(campaignsContract.update, { params: { id }, body })).status).toBe(200)
}
