import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addDays, addMonths, getToday, startOfMonth } from '#contract/days.ts'
import { usersTable } from '#domains/access/schema.ts'
import { disputesTable } from '#domains/billing/disputes/schema.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { startServer, stopServer } from '#test/server-process.ts'
import { weeklyReportContract } from '../../weekly-report/contract.ts'
import { clientReportsContract, clientStartContract, reportScheduleContract } from '../contract.ts'
import { formatDisputedLead } from '../labels.ts'
import { clientReportsTable } from '../schema.ts'

const zone = 'America/New_York'
const today = getToday(zone)
const agencySettings = { AGENCY_TIMEZONE: zone, AGENCY_NAME: 'North Star Leads', AGENCY_COLOR: '#0a7d4f' }
const noon = (day: string) => new Date(`${day}T17:00:00Z`)

const app = await setUp(startApp({ settings: agencySettings }))
const { make } = app
const root = await app.as(await make.superAdmin())
const clientId = (await make.client({ name: 'Acme Roofing', timezone: 'America/Denver' })).id
const everyDay = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, enabled: true, startTime: '10:00', endTime: '19:00' }))
const campaign = await make.campaign({
  name: 'Acme Denver',
  client_id: clientId,
  due_date: 15,
  initial_target: 12,
  start_date: today,
  schedule: everyDay,
  timezone: zone,
})
const lead = (values: Parameters<typeof make.lead>[0]) => make.lead({ campaign_id: campaign.id, ...values })
const { from } = computeBillingCycle(15, today)
await lead({ confirmed: true, occurred_at: noon(from), source: 'Google Organic', lead_name: 'First' })
await lead({
  confirmed: true,
  occurred_at: noon(today),
  source: 'Google Maps',
  client_progress: 1,
  client_value: 1250.1,
})
await lead({
  confirmed: true,
  occurred_at: noon(today),
  source: 'Google Maps',
  client_progress: 1,
  client_value: 0.2,
})
await lead({ confirmed: true, occurred_at: noon(addDays(from, -1)), lead_name: 'Of the cycle before' })
await lead({ confirmed: true, hide: true, occurred_at: noon(today), lead_name: 'Hidden' })
await lead({ confirmed: true, archived: true, occurred_at: noon(today), lead_name: 'Archived' })
await lead({ occurred_at: noon(today), lead_name: 'Waiting' })
const call = { lead_type: 'Call', tags: ['Missed Call' as const], lead_phone: '+1 303 555 0101' } as const
await lead({ ...call, tags: [...call.tags], occurred_at: noon(today), lead_name: 'In hours' })
await lead({ ...call, tags: [...call.tags], occurred_at: new Date(`${today}T08:00:00Z`), lead_name: 'At night' })
await make.lead({ confirmed: true, occurred_at: noon(today), lead_name: 'Of another client' })
await make.activityItem({ campaign_id: campaign.id, date: today, note: 'New landing page', client_may_read: true })
await make.activityItem({ campaign_id: campaign.id, date: today, note: 'For staff only' })

const create = async (body: object, who = root, id = clientId) =>
  who.call(clientReportsContract.create, { params: { id }, body })
const open = (key: string) => app.guest.call(clientReportsContract.read, { params: { key } })

test('a report for a week, month or cycle that has not begun is refused; the running one is made', async () => {
  const create = (period: string, day: string) =>
    root.call(clientReportsContract.create, { params: { id: clientId }, body: { period, from: day } })
  for (const period of ['week', 'month', 'cycle']) {
    expect([period, (await create(period, today)).status]).toEqual([period, 200])
    const { status, body } = await create(period, addDays(today, 35))
    expect([period, status, body.errors]).toEqual([
      period,
      422,
      { from: ['This period has not begun: pick a day up to today'] },
    ])
  }
})

test('a cycle’s report counts the leads of the leads table, and reveals nothing else [RPT-01]', async () => {
  const { body: made } = await create({ period: 'cycle', from: today })
  const { from, next } = computeBillingCycle(15, today)
  expect(made).toMatchObject({ period: 'cycle', from, to: addDays(next, -1) })
  const { status, body: report } = await open(made.key)
  const table = await root.call(weeklyReportContract.read)
  const row = table.body.campaigns.find(({ id }: { id: number }) => id === campaign.id)
  expect(status).toBe(200)
  // A super admin's table also counts a hidden lead, which its client never sees.
  expect(report).toMatchObject({
    agency: { name: 'North Star Leads', color: '#0a7d4f', logo: null },
    client: { name: 'Acme Roofing', timezone: 'America/Denver' },
    verified: row.current_leads - 1,
    missed: row.missed_leads,
    target: row.leads_target,
    won: 2,
    won_value: 1250.3,
    expires_at: made.expires_at,
  })
  expect(report.verified).toBe(3)
  expect(report.weeks.reduce((sum: number, { verified }: { verified: number }) => sum + verified, 0)).toBe(3)
  expect(report.sources).toEqual([
    { source: 'Google Maps', verified: 2 },
    { source: 'Google Organic', verified: 1 },
  ])
  expect(report.leads).toHaveLength(3)
  expect(report.missed_calls).toMatchObject([{ name: 'In hours', phone: '+1 303 555 0101' }])
  expect(report.done).toEqual([{ date: today, campaign: 'Acme Denver', note: 'New landing page' }])
  expect(JSON.stringify(report)).not.toMatch(/Hidden|Archived|Waiting|another client|staff only|cycle before/)
})

test('a campaign without a start date, as a move may bring it, is compared with the period before, too [ACCT-05]', async () => {
  const id = (await make.client({ name: 'Undated' })).id
  const brought = await make.campaign({ client_id: id })
  await app.context.db.update(campaignsTable).set({ start_date: null }).where(eq(campaignsTable.id, brought.id))
  for (const day of ['2026-03-03', '2026-04-03'])
    await make.lead({ campaign_id: brought.id, confirmed: true, occurred_at: noon(day) })
  const { key } = (await create({ period: 'month', from: '2026-04-30' }, root, id)).body
  expect((await open(key)).body).toMatchObject({ verified: 1, verified_before: 1 })
})

test('a report says its results, compares them with the period before, and has under review what the client disputes [ACCT-05]', async () => {
  const id = (await make.client({ name: 'Beacon' })).id
  const [roofs, floors] = [
    await make.campaign({ name: 'Roofs', client_id: id, due_date: 1, initial_target: 4, start_date: '2026-01-01' }),
    await make.campaign({ name: 'Floors', client_id: id, due_date: 20, initial_target: 1, start_date: '2026-05-01' }),
  ]
  const leadOn = (campaign_id: number, day: string, more: object = {}) =>
    make.lead({ campaign_id, confirmed: true, occurred_at: noon(day), ...more })
  const [disputed] = [
    await leadOn(roofs.id, '2026-04-03', { client_progress: 5, message: `${'word '.repeat(100)}end` }),
    await leadOn(roofs.id, '2026-04-09', { lead_type: 'Call', duration: 125, client_progress: 1, client_value: 700 }),
    await leadOn(roofs.id, '2026-03-01'),
    await leadOn(roofs.id, '2026-03-31'),
    await leadOn(roofs.id, '2026-03-31', { hide: true }),
    await leadOn(roofs.id, '2026-03-31', { confirmed: false }),
    await leadOn(roofs.id, '2026-02-28'),
    // Had not begun, so it is not compared.
    await leadOn(floors.id, '2026-03-15'),
  ]
  await app.context.db
    .insert(disputesTable)
    .values({ lead_id: disputed!.id, campaign_id: roofs.id, client_id: id, via: 'mail', state: 'open' })
  const read = async (period: string, from: string) =>
    (await open((await create({ period, from }, root, id)).body.key)).body
  const april = await read('month', '2026-04-30')
  expect(april).toMatchObject({ verified: 2, verified_before: 2, under_review: 1, target: 4, won: 1, won_value: 700 })
  expect(april.says).toBe(
    '2 verified leads, 2 below the target of 4 and as many as the month before. 1 of them is under review. 1 won job worth $700.',
  )
  // Floors begins in May.
  expect(april.campaigns.map(({ target }: { target: number }) => target)).toEqual([0, 4])
  expect((await read('month', '2026-05-01')).target).toBe(5)
  expect(april.leads).toMatchObject([
    { under_review: true, progress: 5, duration: null, message: expect.stringMatching(/^word .{290,299}$/) },
    { under_review: false, progress: 1, duration: 125, message: null },
  ])
  const january = await read('month', '2026-01-15')
  expect([january.verified_before, january.says]).toEqual([
    null,
    'There were no verified leads in this period, 4 below the target of 4.',
  ])
  // Each campaign is compared with its own cycle before.
  expect(await read('cycle', '2026-04-10')).toMatchObject({ verified: 2, verified_before: 2 })
  await app.context.db
    .update(disputesTable)
    .set({ state: 'refused', answer: 'It is one' })
    .where(eq(disputesTable.lead_id, disputed!.id))
  expect(await read('month', '2026-04-30')).toMatchObject({
    verified: 2,
    under_review: 0,
    leads: [{ under_review: false }, {}],
  })
})

test('times are in the client’s zone, with its name [RPT-05]', async () => {
  const { body: made } = await create({ period: 'month', from: today })
  const { body: report } = await open(made.key)
  expect(report.leads[0].when).toMatch(/\d{1,2}:00 AM M[SD]T$/)
  expect(report.client.timezone_name).toMatch(/^M[SD]T$/)
  expect(report.days_timezone_name).toMatch(/^E[SD]T$/)
})

test('a week has its share of the target, a month all of it; a client without leads gets an empty report [RPT-01]', async () => {
  const month = await create({ period: 'month', from: today })
  expect(month.body.from).toBe(startOfMonth(today))
  expect((await open(month.body.key)).body.target).toBe(12)
  const week = await open((await create({ period: 'week', from: today })).body.key)
  expect(week.body.target).toBe(Math.round((12 * 7) / computeBillingCycle(15, week.body.from).days))
  const few = (await app.make.client({ name: 'Few leads' })).id
  for (const initial_target of [1, 1, 0]) await app.make.campaign({ client_id: few, initial_target })
  const whole = (await open((await create({ period: 'week', from: today }, root, few)).body.key)).body
  expect(whole.campaigns.map(({ target }: { target: number }) => target).toSorted()).toEqual([0, 1, 1])
  expect(whole.target, 'the sum of what is shown').toBe(2)
  const empty = (await app.make.client({ name: 'Nothing yet' })).id
  const { body } = await open((await create({ period: 'week', from: today }, root, empty)).body.key)
  expect(body).toMatchObject({ verified: 0, missed: 0, target: 0, leads: [], sources: [], campaigns: [] })
})

test('each campaign of a client has the days of its own cycle, and an archived one is left out [RPT-01]', async () => {
  const id = (await app.make.client()).id
  await app.make.campaign({ name: 'A', client_id: id, due_date: 1 })
  const late = await app.make.campaign({ name: 'B', client_id: id, due_date: 31 })
  // The last day of the other campaign is not one of this one.
  for (const date of ['2026-02-27', '2026-02-28'])
    await app.make.activityItem({ campaign_id: late.id, date, note: `On ${date}`, client_may_read: true })
  await app.make.campaign({ name: 'C', client_id: id, due_date: 3, archived: true })
  const { body: made } = await create({ period: 'cycle', from: '2026-02-10' }, root, id)
  const { body: report } = await open(made.key)
  expect(report.campaigns).toMatchObject([
    { name: 'A', from: '2026-02-01', to: '2026-02-28' },
    { name: 'B', from: '2026-01-31', to: '2026-02-27' },
  ])
  expect(JSON.stringify(report)).toContain('On 2026-02-27')
  expect(JSON.stringify(report)).not.toContain('On 2026-02-28')
  expect(made).toMatchObject({ from: '2026-01-31', to: '2026-02-28' })
})

test('what was done is not what is still to do: neither an open task nor a note of a day to come [RPT-01]', async () => {
  const client_id = (await app.make.client()).id
  const { id: campaign_id } = await app.make.campaign({ client_id, due_date: Number(today.slice(8)) })
  const assignee_id = (await make.admin()).id
  const item = (values: Parameters<typeof make.activityItem>[0]) =>
    make.activityItem({ campaign_id, date: today, client_may_read: true, ...values })
  await item({ note: 'Done task', assignee_id, is_done: true })
  await item({ note: 'Open task', assignee_id })
  await item({ note: 'Planned', date: addDays(today, 1) })
  const { body: made } = await create({ period: 'cycle', from: today }, root, client_id)
  expect((await open(made.key)).body.done).toMatchObject([{ note: 'Done task' }])
})

test('a report is over when the days that it shows are, even if an archived campaign’s cycle still runs [RPT-01]', async () => {
  const client_id = (await app.make.client({ name: 'Over' })).id
  const due_date = Number(today.slice(8))
  await app.make.campaign({ client_id, due_date, initial_target: 4 })
  await app.make.campaign({ client_id, due_date: due_date === 15 ? 10 : 15, archived: true })
  const made = await create({ period: 'cycle', from: addDays(today, -1) }, root, client_id)
  const { body: report } = await open(made.body.key)
  expect([report.to, report.says]).toEqual([
    addDays(today, -1),
    'There were no verified leads in this period, 4 below the target of 4.',
  ])
})

test('the report shows the client the decision on their Not Lead, and nothing of a lead no longer theirs [RPT-06]', async () => {
  const id = (await app.make.client({ timezone: 'America/Denver' })).id
  const theirs = await app.make.campaign({ name: 'Disputed', client_id: id })
  const occurred_at = noon(addDays(today, -3))
  const make = (values: object) => app.make.lead({ campaign_id: theirs.id, confirmed: true, occurred_at, ...values })
  const kept = await make({ lead_name: 'Kept' })
  const gone = await make({ lead_name: 'Given away' })
  const decide = (lead_id: number, state: 'accepted' | 'refused', answer: string, decided_at: Date) =>
    app.context.db
      .insert(disputesTable)
      .values({ lead_id, campaign_id: theirs.id, via: 'mail', state, answer, decided_at })
  await decide(kept.id, 'refused', 'They asked for a price', noon(today))
  await decide(kept.id, 'accepted', 'Of another month', noon(addDays(startOfMonth(today), -1)))
  await decide(gone.id, 'accepted', 'You are right', noon(today))
  await app.context.db.insert(disputesTable).values({ lead_id: kept.id, campaign_id: theirs.id, via: 'page' })
  const elsewhere = await app.make.campaign()
  await root.call(leadsContract.update, {
    params: { id: gone.id },
    body: { campaign_id: elsewhere.id, clientsite_id: null },
  })
  const { body: report } = await open((await create({ period: 'month', from: today }, root, id)).body.key)
  const common = { id: expect.any(Number), campaign: 'Disputed', decided_on: today }
  expect(report.disputes).toEqual([
    {
      ...common,
      lead_id: kept.id,
      state: 'refused',
      answer: 'They asked for a price',
      lead: { name: 'Kept', at: occurred_at.toISOString(), when: expect.stringMatching(/AM M[SD]T$/) },
    },
    { ...common, lead_id: gone.id, state: 'accepted', answer: 'You are right', lead: null },
  ])
  expect(formatDisputedLead(report.disputes[1]!)).toBe(`A lead no longer in your list (No. ${gone.id})`)
})

test('a PDF of 500 leads takes less than three seconds, with its title and fonts embedded [RPT-01]', async () => {
  const id = (await app.make.client({ name: 'Large Client' })).id
  const large = await app.make.campaign({ client_id: id })
  await app.context.db.execute(sql`
    insert into leads (campaign_id, lead_s, lead_id, lead_type, lead_name, lead_phone, occurred_at, confirmed, source)
    select ${large.id}, 'Callrail', 'pdf-' || n, 'Call', 'Zoë Müller ' || n, '+1 303 555 0' || n, ${noon(today).toISOString()}::timestamptz, true, 'Google Maps'
    from generate_series(100, 599) n`)
  const { body: made } = await create({ period: 'month', from: today }, root, id)
  expect((await open(made.key)).body.leads).toHaveLength(500)
  const answer = await app.guest.fetch(`/api/report/${made.key}.pdf`)
  await answer.arrayBuffer()
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(answer.headers.get('x-robots-tag')).toBe('noindex')
  // CPU time of this process, which is also the server: the load of the machine does not count.
  const [before, ownBefore] = [process.cpuUsage(), process.threadCpuUsage()]
  const file = Buffer.from(await (await app.guest.fetch(`/api/report/${made.key}.pdf`)).arrayBuffer())
  const [used, own] = [process.cpuUsage(before).user, process.threadCpuUsage(ownBefore).user]
  expect(used / 1000).toBeLessThan(3000)
  expect(own, 'another thread draws, so other requests are answered').toBeLessThan(used / 2)
  expect(file.subarray(0, 5).toString()).toBe('%PDF-')
  const text = file.toString('latin1')
  expect(text).toMatch(/\/Title/)
  expect(text).toMatch(/\/FontFile2/)
  expect(text).toMatch(/\/ToUnicode/)
  expect(text).toMatch(/\/Lang/)
  // The built server finds its worker and fonts too.
  const { DATABASE_URL, SECRET_KEY } = app.context.settings
  const built = await startServer({ ...agencySettings, DATABASE_URL, SECRET_KEY, LEADLINE_ROLE: 'web' })
  const same = Buffer.from(await (await fetch(`${built.url}/api/report/${made.key}.pdf`)).arrayBuffer())
  await stopServer(built)
  expect(Math.abs(same.length - file.length)).toBeLessThan(100)
})

test('a key has 128 bits, is stored as a hash, and is returned once [RPT-02]', async () => {
  const { body: made } = await create({ period: 'week', from: today })
  expect(Buffer.from(made.key, 'base64url')).toHaveLength(16)
  expect(made.url).toBe(`${app.context.settings.PUBLIC_URL}/report/${made.key}`)
  const days = (Date.parse(made.expires_at) - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(90)
  const [row] = await app.context.db.select().from(clientReportsTable).where(eq(clientReportsTable.id, made.id))
  expect(JSON.stringify(row)).not.toContain(made.key)
  const { body: list } = await root.call(clientReportsContract.list, { params: { id: clientId } })
  expect(list.data[0]).toMatchObject({ id: made.id, period: 'week', from: made.from, revoked_at: null })
  expect(JSON.stringify(list)).not.toContain(made.key)
})

test('the address of the page with .pdf leads to the PDF [RPT-02]', async () => {
  const { body: made } = await create({ period: 'week', from: today })
  const answer = await app.guest.fetch(`/report/${made.key}.pdf`, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, `/api/report/${made.key}.pdf`])
  const file = await app.guest.fetch(`/report/${made.key}.pdf`)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf'])
})

test('unknown, expired and revoked keys get the same answer, as page and as PDF [RPT-02]', async () => {
  const { body: revoked } = await create({ period: 'week', from: today })
  const { body: expired } = await create({ period: 'week', from: today })
  expect((await root.call(clientReportsContract.revoke, { params: { id: revoked.id } })).status).toBe(204)
  expect((await root.call(clientReportsContract.revoke, { params: { id: revoked.id } })).status).toBe(204)
  await app.context.db
    .update(clientReportsTable)
    .set({ expires_at: sql`now() - interval '1 second'` })
    .where(eq(clientReportsTable.id, expired.id))
  const answers = await Promise.all(
    [revoked.key, expired.key, 'AAAAAAAAAAAAAAAAAAAAAA', 'x'].map(async (key) => {
      const [page, pdf] = [await open(key), await app.guest.fetch(`/api/report/${key}.pdf`)]
      const names = ['x-robots-tag', 'referrer-policy', 'cache-control']
      return JSON.stringify([
        page.status,
        page.body,
        pdf.status,
        await pdf.json(),
        ...names.map((name) => page.headers.get(name)),
      ])
    }),
  )
  expect([...new Set(answers)]).toEqual([
    JSON.stringify([
      404,
      { message: 'This report is not available' },
      404,
      { message: 'This report is not available' },
      'noindex',
      'no-referrer',
      'private, no-store',
    ]),
  ])
})

test('a client who is switched off gets no report, whose link would be closed [RPT-02]', async () => {
  const { id } = await make.client()
  await make.customer({ client_id: id, is_active: false })
  const { status, body } = await create({ period: 'week', from: today }, root, id)
  const refused = [409, 'This client is not active: switch it on first']
  expect([status, body.message]).toEqual(refused)
  const test = await root.call(reportScheduleContract.test, { params: { id } })
  expect([test.status, test.body.message]).toEqual(refused)
})

test('requests are rate limited by address [RPT-02]', async () => {
  const other = await startApp({ url: app.context.settings.DATABASE_URL ?? '' })
  const statuses = await Promise.all(
    Array.from({ length: 70 }, () => other.guest.call(clientReportsContract.read, { params: { key: 'x' } })),
  )
  expect(statuses.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
  await other.close()
})

/** The client has at most one account. */
async function makeAccount() {
  const [account] = await app.context.db.select().from(usersTable).where(eq(usersTable.client_id, clientId))
  return account ?? (await app.make.customer({ client_id: clientId }))
}

test('reports need the page and all campaigns of the client [RPT-02]', async () => {
  const second = await app.make.campaign({ client_id: clientId, archived: true })
  const { body: made } = await create({ period: 'week', from: today })
  const admin = async (campaigns: number[], permissions: ['clients'] | ['leads'] = ['clients']) =>
    app.as(await app.make.admin({ campaigns, permissions }))
  for (const [who, status] of [
    [app.guest, 401],
    [await app.as(await makeAccount()), 403],
    [await admin([campaign.id, second.id], ['leads']), 403],
    [await admin([campaign.id]), 403],
    [await admin([(await app.make.campaign()).id]), 404],
  ] as const) {
    const answers = await Promise.all([
      who.call(clientReportsContract.list, { params: { id: clientId } }),
      create({ period: 'week', from: today }, who),
      who.call(clientReportsContract.revoke, { params: { id: made.id } }),
    ])
    expect(answers.map((answer) => answer.status)).toEqual([status, status, status])
  }
  expect((await open(made.key)).status).toBe(200)
  const whole = await admin([campaign.id, second.id])
  expect((await create({ period: 'week', from: today }, whole)).status).toBe(200)
})

test('an unknown period or day is refused on its field [RPT-02]', async () => {
  const refused = async (body: object) => Object.keys((await create(body)).body.errors)
  expect(await refused({ period: 'year', from: today })).toEqual(['period'])
  expect(await refused({ period: 'week', from: '2026-02-30' })).toEqual(['from'])
  expect(await refused({})).toEqual(['period', 'from'])
})

test('a client’s start page shows the numbers of the report, and what needs their attention [RPT-05]', async () => {
  const me = await app.as(await makeAccount())
  const { status, body } = await me.call(clientStartContract.read)
  expect(status).toBe(200)
  const { body: report } = await open((await create({ period: 'cycle', from: today })).body.key)
  const { agency, expires_at: _, ...numbers } = report
  expect(body.report).toEqual(numbers)
  expect(body.agency).toEqual(agency)
  expect(body.unrated.leads.map(({ name }: { name: string }) => name)).toContain('First')
  expect(body.unrated.total).toBe(body.unrated.leads.length)
  expect(body.newest.map(({ name }: { name: string }) => name)).not.toContain('Hidden')
  const list = await me.call(leadsContract.list, {
    query: { date_from: body.report.from, date_to: body.report.to, confirmed: 1 },
  })
  expect(list.body.meta.total).toBe(numbers.verified)
  expect((await root.call(clientStartContract.read)).status).toBe(404)
})

test('a removed client no longer has a report [RPT-02]', async () => {
  const gone = (await app.make.client()).id
  const { body: made } = await create({ period: 'week', from: today }, root, gone)
  await app.context.db.update(clientsTable).set({ deleted_at: new Date() }).where(eq(clientsTable.id, gone))
  expect((await open(made.key)).status).toBe(404)
})

test('the target of a period that is not over is today’s', async () => {
  const client = await make.client()
  const tomorrow = addDays(today, 1)
  await make.campaign({
    client_id: client.id,
    due_date: Number(today.slice(8)),
    // Its fourth month begins in the middle of the cycle.
    start_date: addDays(addMonths(tomorrow, -3), 3),
    initial_target: 10,
    month_3_target: 99,
  })
  const sent = { params: { id: client.id }, body: { period: 'cycle', from: today } }
  const { key } = (await root.call(clientReportsContract.create, sent)).body
  const { body } = await app.guest.call(clientReportsContract.read, { params: { key } })
  expect([body.from, body.target]).toEqual([today, 10])
})

test('a report keeps its days and targets when the campaign changes; one of an earlier version has none to keep [RPT-01]', async () => {
  const client = await make.client()
  const changing = { client_id: client.id, due_date: 1, initial_target: 10 }
  const [kept, ended] = [await make.campaign(changing), await make.campaign({ ...changing, initial_target: 5 })]
  await make.lead({ campaign_id: kept.id, confirmed: true, occurred_at: noon('2026-02-01') })
  await make.lead({ campaign_id: kept.id, confirmed: true, occurred_at: noon('2026-01-02') })
  const { body: made } = await create({ period: 'cycle', from: '2026-02-10' }, root, client.id)
  const before = (await open(made.key)).body
  expect(before).toMatchObject({ from: '2026-02-01', to: '2026-02-28', target: 15, verified: 1 })
  const { db } = app.context
  await db.update(campaignsTable).set({ due_date: 20, initial_target: 40 }).where(eq(campaignsTable.id, kept.id))
  await db.update(campaignsTable).set({ archived: true }).where(eq(campaignsTable.id, ended.id))
  const { id: later } = await make.campaign(changing)
  await make.lead({ campaign_id: later, confirmed: true, occurred_at: noon('2026-02-01') })
  expect((await open(made.key)).body).toEqual(before)
  await db
    .update(campaignsTable)
    .set({ client_id: (await make.client()).id })
    .where(eq(campaignsTable.id, later))
  await db.update(clientReportsTable).set({ campaigns: null }).where(eq(clientReportsTable.id, made.id))
  expect((await open(made.key)).body).toMatchObject({ from: '2026-01-20', to: '2026-02-19', target: 40 })
})

test('a report leaves out what was written for the client who had the campaign before [RPT-01]', async () => {
  const [old, next] = [await make.client(), await make.client()]
  const { id: campaign_id } = await make.campaign({ client_id: old.id })
  const note = (text: string) => make.activityItem({ campaign_id, date: today, note: text, client_may_read: true })
  const categories = [(await make.category()).id]
  const give = async (client_id: number) => {
    const body = {
      ...{ name: 'Given', categories, client_id, client_sites: [], manager: 'Morgan', start_date: today, due_date: 31 },
      ...{
        initial_target: 20,
        month_3_target: null,
        month_6_target: null,
        month_9_target: null,
        month_12_target: null,
      },
      ...{ service_fee: 1500, approved_ppc: 300, fixed_to_top: 0 },
    }
    const given = await root.call(campaignsContract.update, { params: { id: campaign_id }, body })
    expect(given.status).toBe(200)
  }
  const notesOf = async ({ id }: { id: number }) => {
    const { body: made } = await create({ period: 'month', from: today }, root, id)
    return (await open(made.key)).body.done.map(({ note }: { note: string }) => note)
  }
  await note('For the old one')
  await give(next.id)
  await note('For the new one')
  expect(await notesOf(next)).toEqual(['For the new one'])
  await give(old.id)
  expect(await notesOf(old)).toEqual(['For the old one'])
})

test('a client starts with each campaign in its own cycle, leads with what they said, and their open disputes [ACCT-10]', async () => {
  const client = await make.client({ name: 'Golden Gate Electrical' })
  const [north, south] = [
    await make.campaign({ name: 'North', client_id: client.id, due_date: 1 }),
    await make.campaign({ name: 'South', client_id: client.id, due_date: 20 }),
  ]
  const other = await make.campaign({ name: 'Another client’s' })
  const rated = await make.lead({ campaign_id: north.id, confirmed: true, rating: 4, client_progress: 2 })
  const disputed = await make.lead({ campaign_id: south.id, confirmed: true, client_progress: 5, lead_name: 'Linda' })
  const hidden = await make.lead({ campaign_id: south.id, confirmed: true, client_progress: 5, hide: true })
  const theirs = await make.lead({ campaign_id: other.id, confirmed: true })
  for (const { id: lead_id, campaign_id } of [disputed, hidden, theirs])
    await app.context.db.insert(disputesTable).values({
      lead_id,
      campaign_id: campaign_id!,
      via: 'page',
      reason: 'wrong_area',
      opened_at: new Date('2026-11-20T20:00:00Z'), // a Friday
    })
  const me = await app.as(await make.customer({ client_id: client.id, campaigns: [north.id, south.id] }))
  const { body } = await me.call(clientStartContract.read)
  const cycle = (due: number) => {
    const { from, next } = computeBillingCycle(due, today)
    return { from, to: addDays(next, -1) }
  }
  expect(body.report.client.name).toBe('Golden Gate Electrical')
  expect(body.report.campaigns).toMatchObject([
    { name: 'North', ...cycle(1) },
    { name: 'South', ...cycle(20) },
  ])
  expect(body.newest.find(({ id }: { id: number }) => id === rated.id)).toMatchObject({ rating: '4', progress: 2 })
  expect(body.disputes).toEqual([
    {
      id: disputed.id,
      name: 'Linda',
      campaign: 'South',
      when: expect.any(String),
      reason: 'wrong_area',
      answer_by: '2026-11-25',
    },
  ])
})

test('a client with more than a hundred open disputes sees them all on their start page [ACCT-10]', async () => {
  const campaign = await make.campaign()
  const opened_at = new Date('2026-11-20T20:00:00Z')
  for (let count = 0; count < 101; count++) {
    const { id: lead_id } = await make.lead({ campaign_id: campaign.id, confirmed: true, client_progress: 5 })
    await app.context.db.insert(disputesTable).values({ lead_id, campaign_id: campaign.id, via: 'page', opened_at })
  }
  const me = await app.as(await make.customer({ client_id: campaign.client_id, campaigns: [campaign.id] }))
  expect((await me.call(clientStartContract.read)).body.disputes).toHaveLength(101)
})
