import { parse } from 'csv-parse/sync'
import { sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { formatCsvLines } from '#core/csv/csv.ts'
import { buildCsvColumns } from '#core/csv/field-csv.ts'
import { type Lead, leadsContract } from '#domains/leads/contract.ts'
import { leadFields } from '#domains/leads/fields.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { until } from '#test/until.ts'

/** Warnings and errors of the log. */
const loud: unknown[] = []
const log = {
  debug: () => {},
  info: () => {},
  warn: (...line: unknown[]) => loud.push(line),
  error: (...line: unknown[]) => loud.push(line),
}
const app = await setUp(startApp({ log: log as never }))
const campaign = await app.make.campaign({ name: 'Roofing Austin' })
const root = await app.as(await app.make.superAdmin())
beforeEach(async () => {
  await app.context.db.execute(sql`delete from leads`)
  await app.make.lead({
    campaign_id: campaign.id,
    lead_name: 'Ann',
    lead_type: 'Form',
    occurred_at: new Date('2026-03-02T15:05:00Z'),
  })
  await app.make.lead({ campaign_id: campaign.id, lead_name: 'Bob', lead_type: 'Call' })
  await app.make.lead({ campaign_id: campaign.id, lead_name: 'Archived', archived: true })
})

const json = { 'content-type': 'application/json' }
const ask = (who: Caller, body: object, init: RequestInit = {}) =>
  who.fetch('/api/lead/export', { method: 'POST', headers: json, body: JSON.stringify(body), ...init })
async function rows(who: Caller, body: object): Promise<Record<string, string>[]> {
  return parse(await (await ask(who, body)).text(), { columns: true, bom: true })
}

test('the export is the filtered list as a CSV file named leads.csv [LEAD-67]', async () => {
  const answer = await ask(root, { lead_type: 'Form', campaign_ids: [campaign.id] })
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="leads.csv"')
  const found = parse(await answer.text(), { columns: true, bom: true }) as Record<string, string>[]
  expect(found).toHaveLength(1)
  expect(found[0]).toMatchObject({
    Campaign: 'Roofing Austin',
    Date: '2026-03-02 10:05',
    Type: 'Form',
    Name: 'Ann',
    Verified: 'No',
  })
})

test('filters and order may be in the query; the body wins [LEAD-67]', async () => {
  const names = async (query: string, body?: object) => {
    const init = body && { headers: json, body: JSON.stringify(body) }
    const answer = await root.fetch(`/api/lead/export?${query}`, { method: 'POST', ...init })
    const found: Record<string, string>[] = parse(await answer.text(), { columns: true, bom: true })
    return found.map(({ Name }) => Name)
  }
  const all = await names('')
  const forms = await names(`lead_type=Form&campaign_ids=${campaign.id}`)
  expect(forms).toEqual(['Ann'])
  expect(all.length).toBeGreaterThan(forms.length)
  expect(await names(`campaign_ids=${campaign.id}`, { lead_type: 'Form', columns: ['lead_name'] })).toEqual(['Ann'])
  expect(await names(`lead_type=Form&campaign_ids=${campaign.id}`, { lead_type: 'Call' })).not.toContain('Ann')
  expect(await names('sort=lead_name&order=asc')).toEqual(await names('', { sort: 'lead_name', order: 'asc' }))
})

test('the export has the requested columns, in the table’s order', async () => {
  const [first] = await rows(root, { columns: ['lead_name', 'campaign_name'] })
  expect(Object.keys(first!)).toEqual(['Campaign', 'Name'])
})

test('a file without a column is refused, and says why', async () => {
  for (const columns of [[], ['action']]) {
    const refused = await ask(root, { columns })
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ errors: { columns: [expect.stringMatching(/^Show a column/)] } })
  }
})

test('no one exports fields they cannot read or leads they cannot see (R3)', async () => {
  await app.make.lead({ campaign_id: campaign.id, lead_name: 'Hidden', hide: true })
  await app.make.lead({ lead_name: 'Elsewhere' })
  const handler = await app.as(await app.make.handler({ campaigns: [campaign.id], permissions: ['leads'] }))
  const found = await rows(handler, {})
  expect(found.map((row) => row.Name).toSorted()).toEqual(['Ann', 'Bob'])
  expect(Object.keys(found[0]!)).not.toEqual(expect.arrayContaining(['Tags']))
  for (const column of ['Tags', 'gclid', 'Changers', 'Is Hidden', 'Tracking Phone'])
    expect(found[0]).not.toHaveProperty([column])
  expect((await ask(handler, { source: 'Facebook' })).status).toBe(422)
  expect((await ask(app.guest, {})).status).toBe(401)
})

test('cells that a spreadsheet would take for a formula become text; numbers stay, and phones become text (R21) [LEAD-81]', async () => {
  const formulas = [
    '=1+1',
    '+cmd',
    '-2+3',
    '@sum(a1)',
    '\t=1',
    '\r=1',
    '-12.50',
    '+15125550144',
    '+1 (512) 555-0144',
    '+1-2',
    '＝1+1',
    '＠sum(a1)',
    '=cmd|"/c calc"!A1',
  ]
  for (const company_name of formulas)
    await app.make.lead({ campaign_id: campaign.id, company_name, lead_name: 'Formula' })
  const found = await rows(root, { lead_search: 'formula', sort: 'lead_date', order: 'asc' })
  expect(found.map((row) => row['Company Name'])).toEqual([
    "'=1+1",
    "'+cmd",
    "'-2+3",
    "'@sum(a1)",
    "'\t=1",
    "'\r=1",
    '-12.50',
    '(512) 555-0144',
    '(512) 555-0144',
    "'+1-2",
    "'＝1+1",
    "'＠sum(a1)",
    `'=cmd|"/c calc"!A1`,
  ])
})

test('each cell equals the list, character by character, in the reader’s time zone [LEAD-67]', async () => {
  const client = await app.make.client({ timezone: 'Pacific/Kiritimati' })
  const theirs = await app.make.campaign({ client_id: client.id, name: '=Pools, "East"' })
  const odd = { lead_name: ' @home', message: '', notes: '\r\n', client_notes: '-\\.', lead_location: 'Łódź, 😀' }
  await app.make.lead({
    ...odd,
    campaign_id: theirs.id,
    occurred_at: new Date('2026-03-08T06:59:59Z'),
    lead_type: 'Form',
    lead_email: '+me@x.example',
    lead_phone: '+1 (512) 555-0144',
    tracking_phone_number: '+15125550180',
    tags: ['After Hours', 'Spam'],
    client_progress: 2,
    client_value: 1200.5,
    client_profit: 0,
    rating: 4,
    confirmed: true,
    source: '',
  })
  const call = { campaign_id: theirs.id, lead_type: 'Call', lead_name: null } as const
  for (const duration of [0, 59, 3599, 3600, 36_061]) await app.make.lead({ ...call, duration })
  await app.make.lead({ ...call, message: '+1-2', duration: 7 })
  const named = await app.as(await app.make.superAdmin({ username: '=HYPERLINK("x")' }))
  const [{ id = 0 } = {}] = (await root.call(leadsContract.list, { query: { campaign_ids: [theirs.id] } })).body.data
  for (const who of [root, named, root])
    await who.call(leadsContract.update, { params: { id }, body: { company_name: `-${who === root}` } })
  const customer = await app.as(await app.make.customer({ client_id: client.id, permissions: ['leads'] }))
  for (const who of [root, customer])
    for (const sort of ['lead_date', 'campaign_name', 'client_value'] as const) {
      const { body } = await who.call(leadsContract.list, { query: { sort, per_page: 100 } })
      const columns = listColumns.filter(({ name }) => body.data[0]![name] !== undefined)
      const lines = [
        columns.map(({ title }) => title),
        ...body.data.map((lead: Lead) => columns.map(({ cell }) => cell(lead, app.context.settings.AGENCY_TIMEZONE))),
      ]
      expect(await (await ask(who, { sort })).text()).toBe(formatCsvLines(lines))
    }
})

/** Builds the same columns from the response of the list. */
const { related: _related, action: _action, ...writtenFields } = leadFields
const money = (value: number | null) => value?.toFixed(2)
const listColumns = buildCsvColumns<typeof writtenFields, Lead>(writtenFields, {
  lead_date: (lead) => `${lead.lead_date} ${lead.lead_time}`,
  message: (lead) => lead.message ?? lead.duration_formatted,
  tags: (lead) => lead.tags?.map((tag) => tag.name).join(', '),
  changers: (lead) => lead.changers?.map((changer) => changer.username).join(', '),
  client_value: (lead) => money(lead.client_value),
  client_profit: (lead) => money(lead.client_profit),
})

test('commas, quotes and line breaks stay in their cell', async () => {
  const message = 'One, "two"\nthree'
  await app.make.lead({ campaign_id: campaign.id, lead_name: 'Quoted', message })
  expect((await rows(root, { lead_search: 'quoted' }))[0]).toMatchObject({ Message: message })
})

test('one export per person at a time; an abandoned one ends and leaves no audit entry', async () => {
  await app.context.db.execute(sql`
    insert into leads (campaign_id, lead_s, lead_id, lead_type, occurred_at, message)
    select ${campaign.id}, 'Formidable', 'many-' || n, 'Form', now(), repeat('x', 2000) from generate_series(1, 20000) n`)
  const user = await app.make.admin({ campaigns: [campaign.id] })
  const admin = await app.as(user)
  const cancel = new AbortController()
  const first = await ask(admin, {}, { signal: cancel.signal })
  expect(first.status).toBe(200)
  loud.length = 0
  const second = await ask(admin, {})
  expect(loud).toEqual([]) // a refusal is not a server problem
  expect([second.status, await second.json()]).toEqual([409, { message: 'An export of yours is still running' }])
  cancel.abort()
  const third = await until(async () => {
    const answer = await ask(admin, { lead_type: 'Call' })
    return answer.status === 200 ? answer : null
  })
  await third.text()
  const exports = sql`select after from audit where kind = 'export' and row_id = ${user.id}`
  const { rows: kept } = await until(async () => {
    const found = await app.context.db.execute(exports)
    return found.rows.length > 0 ? found : null
  })
  expect(kept).toEqual([{ after: { of: 'leads', rows: 1 } }])
})

test('an export breaks off when its reader loses a campaign, a page or the account, or must set up a second factor, and the audit log says so', async () => {
  await app.context.db.execute(sql`
    insert into leads (campaign_id, lead_s, lead_id, lead_type, occurred_at, message)
    select ${campaign.id}, 'Other', 'x-' || n, 'Form', now(), repeat('long text ', 400) from generate_series(1, 12000) n`)
  const other = await app.make.campaign()
  const losses: ((id: number) => ReturnType<typeof sql>)[] = [
    (id) => sql`delete from user_campaigns where user_id = ${id} and campaign_id = ${other.id}`,
    (id) => sql`update users set permissions = array_remove(permissions, 'dashboard') where id = ${id}`,
    (id) => sql`update users set is_active = false where id = ${id}`,
    () => sql`insert into second_factor_roles (role) values ('admin')`,
  ]
  const readAll = async (response: Response) => (await response.text()).length
  for (const lose of losses) {
    const reader = await app.make.admin({ permissions: ['leads', 'dashboard'], campaigns: [campaign.id, other.id] })
    const caller = await app.as(reader)
    const response = await ask(caller, {})
    await app.context.db.execute(lose(reader.id))
    await expect(readAll(response)).rejects.toThrow()
    const entry = sql`select after from audit where kind = 'export' and row_id = ${reader.id}`
    await until(async () => (await app.context.db.execute(entry)).rows.length > 0)
    expect((await app.context.db.execute(entry)).rows).toEqual([
      { after: { of: 'leads', broken_off: 'Rights were taken away' } },
    ])
  }
  await app.context.db.execute(sql`delete from second_factor_roles`)
  // What is added does not break it off.
  const reader = await app.make.admin({ permissions: ['leads'], campaigns: [campaign.id] })
  const response = await ask(await app.as(reader), {})
  await app.context.db.execute(
    sql`insert into user_campaigns (user_id, campaign_id) values (${reader.id}, ${other.id})`,
  )
  expect(await readAll(response)).toBeGreaterThan(12_000 * 4000)
})
