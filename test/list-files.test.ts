import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allEndpoints } from '#app/server/parts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { formulaStarts } from '#core/csv/csv.ts'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { clientSiteLogsTable } from '#domains/sites/client/schema.ts'
import { networkSiteLogsTable } from '#domains/sites/network/schema.ts'
import { redirectDomainsTable } from '#domains/sites/redirects/schema.ts'
import { registrationsTable } from '#domains/sites/registrations/schema.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'

/** Lists as files: each `GET …/export` beside the list whose file it is. */
type List = Endpoint & { list: { sorts: readonly string[] } }
const endpoints = allEndpoints.map(({ endpoint }) => endpoint)
const files = endpoints
  .filter(({ method, file, path }) => method === 'GET' && file !== undefined && path.endsWith('/export'))
  // A statement is several lines of its file; billing/statements tests them.
  .filter(({ path }) => path !== '/statements/export')
  .map((csv) => ({ csv, list: endpoints.find(({ address }) => `${address}/export` === csv.address) as List }))

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: 'America/Chicago' } }))
const { make } = app
const root = await app.as(await make.superAdmin())
const client = await make.client({ name: '=cmd|calc', timezone: 'America/Chicago' })
const category = await make.category({ name: 'Roofing' })
const values = { client_id: client.id, categories: [category.id], service_fee: 1500, approved_ppc: 500 }
const mine = await make.campaign({ name: 'Austin Roofs', start_date: '2026-01-15', due_date: 7, ...values })
const other = await make.campaign({ name: 'Boston Pipes' })
for (const campaign_id of [mine.id, other.id]) {
  await make.campaign({ name: `Archived beside ${campaign_id}`, archived: true })
  await make.clientSite({ campaign_id, url: `https://site-${campaign_id}.example`, status: 1, ip: '192.0.2.7' })
  const changes = { changed: true, changed_fields: ['Phone', 'Website'], notes: '+cmd' }
  await make.gmb({ campaign_id, title: `Listing ${campaign_id}`, ...changes })
  await make.activityItem({ campaign_id, note: `One, "two"\nof ${campaign_id}`, date: `2026-03-0${9 - campaign_id}` })
}
await make.networkSite()
const domain = { registered_domain: 'old.example', domainkey: 'old', redirect_url: 'https://new.example' }
await app.context.db.insert(redirectDomainsTable).values({ domain: 'www.old.example', ...domain })
await app.context.db
  .insert(registrationsTable)
  .values({ domain: 'old.example', expires_on: '2027-01-02', nameservers: ['ns1.example'] })
/** Holds every page, and one of two campaigns. */
const admin = await app.as(await make.admin({ campaigns: [mine.id] }))

const rowsOf = async (who: Caller, { path }: Pick<Endpoint, 'path'>, query = '') => {
  const answer = await who.fetch(`/api${path}${query}`)
  expect(answer.status, path).toBe(200)
  return parse(await answer.text(), { columns: true, bom: true }) as Record<string, string>[]
}
const totalOf = async (who: Caller, list: List) => {
  const { body } = await who.call({ ...list, response: undefined })
  return body.meta?.total ?? body.total
}

/** What is different about each row, in the list and in the file. */
const nameOf = (row: Record<string, string>) => row.note ?? row.name ?? row.title ?? row.url ?? row.domain
const armed = (value: string) => value.replace(/^'/, '')

describe.each(files.map((file) => [file.csv.address, file] as const))('%s', (_, { csv, list }) => {
  test('has the rows of its list, and no others, for each user', async () => {
    for (const who of [root, admin]) expect(await rowsOf(who, csv)).toHaveLength(await totalOf(who, list))
    expect(await totalOf(root, list), 'Make a row of this list at the top of this file').toBeGreaterThan(0)
  })

  test('has the order of its list, whatever the sort, and refuses what its list refuses', async () => {
    for (const sort of list.list.sorts) {
      const { body } = await root.call({ ...list, response: undefined }, { query: { sort, order: 'desc' } })
      const lines = await rowsOf(root, csv, `?sort=${sort}&order=desc`)
      for (const [index, row] of body.data.entries())
        expect(Object.values(lines[index]!).map(armed), `${sort}, line ${index}`).toContain(nameOf(row))
    }
    expect((await root.fetch(`/api${csv.path}?sort=tea`)).status).toBe(422)
  })

  test('is for users who may read the list, has its own file name, and is audited', async () => {
    expect(csv.allow).toBe(list.allow)
    const answer = await root.fetch(`/api${csv.path}`)
    await answer.text()
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${csv.file}"`)
    expect(files.filter(({ csv: { file } }) => file === csv.file)).toHaveLength(1)
    expect((await app.guest.fetch(`/api${csv.path}`)).status).toBe(401)
  })
})

test('clients: the readable columns, formulas disarmed; people who only pick clients get their names', async () => {
  const [acme] = await rowsOf(root, { path: '/client/export' }, '?search=cmd')
  expect(acme).toMatchObject({
    'Client Name': "'=cmd|calc",
    Notifications: 'Enabled',
    'Client timezone': 'Central Time (Chicago)',
    Campaigns: 'Austin Roofs',
  })
  const picker = await app.as(await app.make.admin({ permissions: ['campaigns'] }))
  await app.make.client({ name: 'Nobody’s yet' })
  const [picked] = await rowsOf(picker, { path: '/client/export' })
  expect(Object.keys(picked!)).toEqual(['NM ID', 'Client Name'])
  expect((await picker.fetch('/api/client/export?sort=user.email')).status).toBe(422)
})

test('campaigns: their money and targets as numbers; each tab has its own file', async () => {
  const found = await rowsOf(root, { path: '/campaigns/export' }, '?q=austin')
  expect(found).toHaveLength(1)
  expect(found[0]).toMatchObject({
    Name: 'Austin Roofs',
    Category: 'Roofing',
    'Start Date': '2026-01-15',
    'Due Date': '7',
    'PPC %': '33.33',
    'GMBs count': '1',
  })
  expect([found[0]!['Service Fee'], found[0]!.Net].map(Number)).toEqual([1500, 1000])
  const archived = await rowsOf(root, { path: '/campaigns/archived/export' })
  expect(archived.map(({ Name }) => Name)).toEqual([
    expect.stringMatching(/^Archived/),
    expect.stringMatching(/^Archived/),
  ])
})

test('sites that no check has reached are called so, as in the table', async () => {
  const { id } = await make.clientSite({ campaign_id: other.id, url: 'https://coming.example', status: 0 })
  await app.context.db.insert(clientSiteLogsTable).values({ site_id: id, status: 0 })
  const network = await make.networkSite({ url: 'https://coming-net.example', status: 0 })
  await app.context.db.insert(networkSiteLogsTable).values({ site_id: network.id, status: 0 })
  for (const path of ['/clientsite/export', '/networksite/export'])
    expect((await rowsOf(root, { path }, '?url=coming')).map(({ Status }) => Status)).toEqual(['Not reached yet'])
})

test('client sites, 301 domains and the activity log: as in the table', async () => {
  const [site] = await rowsOf(admin, { path: '/clientsite/export' })
  expect(site).toMatchObject({ Campaign: 'Austin Roofs', Status: 'Live', IP: '192.0.2.7' })
  expect(await rowsOf(root, { path: '/redirect_domains/export' }, '?q=old')).toMatchObject([
    {
      URL: 'www.old.example',
      Redirect: 'https://new.example',
      Expiration: '2027-01-02',
      'Nameserver 1': 'ns1.example',
    },
  ])
  const [item] = await rowsOf(admin, { path: '/activity-log/export' }, '?from=2026-03-01&to=2026-03-31')
  expect(item).toMatchObject({ Date: '2026-03-08', 'Campaign or team': 'Austin Roofs', Files: '0', Done: '' })
  expect(item!.Note).toMatch(/^One, "two"\nof \d+$/)
})

test('listings: times are the agency’s', async () => {
  const [at, title] = [new Date('2026-03-09T03:30:00Z'), 'Checked in the evening']
  await make.gmb({ campaign_id: mine.id, title, checked_at: at, updated_at: at })
  const [row] = await rowsOf(root, { path: '/campaign-gmb/export' }, '?search=evening')
  expect(row).toMatchObject({ 'Last Check': '2026-03-08 22:30', 'Updated At': '2026-03-08 22:30' })
})

test('listings: no encrypted value leaves with them', async () => {
  const { body } = await root.call(gmbsContract.list, { query: { search: `Listing ${mine.id}` } })
  const { id, campaign_id, link } = body.data[0]
  await root.call(gmbsContract.update, {
    params: { id },
    body: {
      title: 'Summit',
      link,
      campaign_id,
      status: 1,
      password: 'a word',
      recovery_email: 'rescue@summit.example',
    },
  })
  const path = '/campaign-gmb/export'
  const text = await (await root.fetch(`/api${path}`)).text()
  expect(text).not.toMatch(/rescue|a word|Recovery|Password/)
  expect(await rowsOf(root, { path }, '?search=summit')).toMatchObject([
    { Title: 'Summit', Status: 'Live', Changed: 'Phone, Website', Campaign: 'Austin Roofs', Notes: "'+cmd" },
  ])
})

/** Text that people outside the agency, or of it, may have typed, by table. */
const typedColumns = {
  clients: ['name'],
  campaigns: ['name', 'manager'],
  campaign_categories: ['name'],
  campaign_gmbs: ['title', 'notes'],
  activity_items: ['note'],
  leads: ['lead_name', 'lead_location', 'message', 'notes', 'company_name', 'client_notes', 'keywords', 'source'],
}

/** Any text, and much of what makes a formula, a line or a cell. */
const typed = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom(...formulaStarts, '"', ',', ';', '|', "'"),
    ),
  )
  .map((parts) => parts.join('').replaceAll('\0', ''))

test('no cell of any file is a formula, whatever was typed [LEAD-81]', { timeout: 240_000 }, async () => {
  await make.lead({ campaign_id: mine.id, confirmed: true })
  const found = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...formulaStarts), typed, (start, rest) =>
      readArmedFiles(`${start}${rest}`, found),
    ),
    { numRuns: 2 * formulaStarts.length, examples: formulaStarts.map((start) => [start, "cmd|' /C calc'!A0"]) },
  )
  for (const file of ['leads.csv', 'clients.csv', 'campaigns.csv'])
    expect([file, found.get(file)]).not.toEqual([file, 0])
})

/** Types the text into every column, reads every file, and counts the cells that have it as text. */
async function readArmedFiles(text: string, found: Map<string, number>) {
  for (const [table, columns] of Object.entries(typedColumns))
    for (const column of columns)
      await app.context.pool.query(`update ${table} set ${column} = $1 || ' ' || ctid::text`, [text])
  for (const { method, path, file } of endpoints.filter(({ file }) => file?.endsWith('.csv'))) {
    if (path.includes(':')) continue // a file of one row, by its id
    const body = method === 'POST' ? { body: '{}', headers: { 'content-type': 'application/json' } } : {}
    const answer = await root.fetch(`/api${path}`, { method, ...body })
    expect([path, answer.status]).toEqual([path, 200])
    const cells = (parse(await answer.text(), { bom: true, relax_column_count: true }) as string[][]).flat()
    const isFormula = (cell: string) =>
      formulaStarts.includes(cell.charAt(0)) && !/^[+-]?[0-9]+([.][0-9]+)?$/.test(cell)
    expect([path, cells.filter(isFormula)]).toEqual([path, []])
    found.set(file!, (found.get(file!) ?? 0) + cells.filter((cell) => cell.startsWith(`'${text}`)).length)
  }
}
