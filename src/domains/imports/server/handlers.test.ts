import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { formatCsvLines } from '#core/csv/csv.ts'
import { auditTable } from '#core/db/schema.ts'
import { noPasswordHash } from '#core/secrets/passwords.ts'
import { usersTable } from '#domains/access/schema.ts'
import { statementsContract, toStatementId } from '#domains/billing/statements/contract.ts'
import { campaignFormSchema, campaignsContract } from '#domains/campaigns/contract.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { campaignsImport } from '#domains/campaigns/server/import-rows.ts'
import { termsContract } from '#domains/campaigns/terms/contract.ts'
import { clientsContract } from '#domains/clients/contract.ts'
import { clientsTable } from '#domains/clients/schema.ts'
import { customSourcesContract } from '#domains/leads/custom-sources/contract.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { clientReportsContract, reportScheduleContract } from '#domains/reports/client-reports/contract.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { importsBy } from '#test/imports.ts'
import { until, waitForJobs } from '#test/until.ts'
import { fileErrorMessages, importsContract, maxImportBytes } from '../contract.ts'
import { importFilesTable, importsTable } from '../schema.ts'
import { deleteOldImports } from './jobs.ts'

const app = await setUp(startApp({ work: true }))
const root = await app.as(await app.make.superAdmin({ username: 'olivia' }))
const client = await app.make.client({ name: 'Acme' })
const campaign = await app.make.campaign({ name: 'Austin Roofing', client_id: client.id })
await app.make.clientSite({ campaign_id: campaign.id, url: 'https://austin.example' })
await app.make.category({ name: 'Roofs' })
beforeEach(async () => {
  await waitForJobs(app.context)
  await app.context.db.delete(leadsTable)
})

const { upload, settle, checkFile, importFile, undo, readProblems } = importsBy(app, root)
const leadLine = (id: string, more = '') => `${id},Form,2026-03-01,10:00,Austin Roofing,Ann${more}`
const leadHeader = 'Lead ID,Type,Date,Time,Campaign,Name'

test.each([
  ['an empty file', '', 422, fileErrorMessages.empty],
  ['a blank one', ' \n \n', 422, fileErrorMessages.empty],
  ['a workbook', Buffer.from([0x50, 0x4b, 3, 4, 0, 0]), 415, fileErrorMessages.workbook],
  ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), 415, fileErrorMessages.workbook],
  ['something binary', Buffer.from([1, 2, 0, 3]), 415, fileErrorMessages.binary],
  [
    'a table in a web page',
    '<html xmlns:x="urn:schemas-microsoft-com:office:excel">\n<table></table></html>',
    415,
    'This is a web page, although it may open in Excel: save it as CSV (UTF-8) first',
  ],
  [
    'an XML workbook',
    '<?xml version="1.0"?>\n<Workbook></Workbook>',
    415,
    'This is an XML file, although it may open in Excel: save it as CSV (UTF-8) first',
  ],
  ['JSON', '[{"name": "Ann"},\n{"name": "Ben"}]', 415, 'This is a JSON file: save it as CSV (UTF-8) first'],
  ['a PDF', '%PDF-1.4\n1 0 obj', 415, 'This is a PDF: save it as CSV (UTF-8) first'],
  ['a header alone', 'name,email\n', 422, fileErrorMessages.onlyHeader],
  ['a blank header', ',,\na,b,c\n', 422, fileErrorMessages.blankHeader],
  ['no header', 'Ann,ann@example.com\nBen,ben@example.com\n', 422, fileErrorMessages.noHeader('ann@example.com')],
  ['a year in a line of values', 'Ann,Austin,2025\nBen,x,2026\n', 422, fileErrorMessages.noHeader('2025')],
  ['dates in the header', 'Ann,2026-03-01\nBen,x\n', 422, fileErrorMessages.noHeader('2026-03-01')],
  ['a date in words', '"Mar 1, 2026",Ann,Austin\nx,Ben,Waco\n', 422, fileErrorMessages.noHeader('Mar 1, 2026')],
  ['an instant', '2026-03-01T14:30:05Z,Ann\nx,Ben\n', 422, fileErrorMessages.noHeader('2026-03-01T14:30:05Z')],
  ['a list of domains', 'example.com\nexample.net\nexample.org', 422, fileErrorMessages.noHeader('example.com')],
  ['a mixed list', 'example.com\nhttps://example.net\nexample.org', 422, fileErrorMessages.noHeader('example.com')],
  ['a list of pairs', 'old.com,new.com/a\nold2.com,https://new.net\n', 422, fileErrorMessages.noHeader('old.com')],
  [
    'a domain beside words',
    'site.com,COM123,Roof Company\nb.com,COM4,Pools\n',
    422,
    fileErrorMessages.noHeader('site.com'),
  ],
  ['a broken header', 'name,"email\nAnn,b\n', 422, 'Line 1: A quote is opened and never closed'],
  ['too many columns', `${'a,'.repeat(300)}a\n1\n`, 422, fileErrorMessages.tooWide],
  ['too many lines', `name\n${'x\n'.repeat(50_001)}`, 422, fileErrorMessages.tooManyLines],
  ['too much', Buffer.alloc(maxImportBytes + 1, 'a'), 413, fileErrorMessages.tooLarge],
])('%s is refused as a whole, with a message, and nothing is stored (R15)', async (_, content, status, message) => {
  const before = await app.dump()
  const answer = await upload('clients', content)
  expect([answer.status, answer.body.message, answer.body.errors]).toEqual([status, message, { file: [message] }])
  expect(await app.dump()).toBe(before)
})

test('a missing file and a missing kind are refused', async () => {
  const before = await app.dump()
  const none = await root.fetch('/api/imports?kind=leads', { method: 'POST' })
  expect([none.status, (await none.json()).message]).toEqual([422, fileErrorMessages.missing])
  expect((await upload('nothing', 'name\nx\n')).body.errors).toEqual({ kind: ['Please say what the file holds'] })
  expect(await app.dump()).toBe(before)
})

test('a year may be the title of a column beside others', async () => {
  const { status, body } = await upload('leads', 'Date,Name,Phone,2025,2026\n3/16/2026,Ann,512-555-0144,1,2\n')
  expect([status, body.lines]).toEqual([200, 1])
})

test.each([
  ['Date,Name,Angi.com', '3/16/2026,Ann,yes.please'],
  ['Angi.com,Thumbtack.com', '1,2'],
  ['Lead.Date,Lead.Site,Lead.Name', '3/16/2026,spring.example,Ann'],
  ['lead.createdAt,lead.fullName,lead.referrer', '3/16/2026,Ann,google.com'],
  ['created_at,full_name,owner.username', '3/16/2026,Ann,bob.boss'],
  ['fecha,nombre,sitio.web', '16/3/2026,Ann,google.com'],
  ['fecha,fullName,createdAt,Angi.com', '3/16/2026,Ann,x,google.com'],
])('a title may have a dot: %s', async (titles, line) => {
  expect((await upload('leads', `${titles}\n${line}\n`)).status).toBe(200)
})

test('columns are guessed by what other tools call them', async () => {
  const chosenOf = async (kind: string, header: string) => (await upload(kind, `${header}\na,b\n`)).chosen
  expect(await chosenOf('campaigns', 'Account Manager,Due Day')).toEqual({ manager: 0, due_date: 1 })
  expect(await chosenOf('redirect-domains', 'Domain,Redirects to')).toEqual({ domain: 0, redirect_url: 1 })
})

test('columns are guessed by their titles, shown with their first values, and can be changed', async () => {
  const { body } = await upload('clients', '\ufeffClient Name;Login;E-Mail;Zone\r\nAnn;"a;b";ann@x.example;\r\n')
  expect(body).toMatchObject({ kind: 'clients', lines: 1, state: 'mapping', username: 'olivia' })
  const found = (await root.call(importsContract.columns, { params: { id: body.id } })).body
  expect(found).toEqual({
    columns: [
      { title: 'Client Name', samples: ['Ann'], words: ['Ann'] },
      { title: 'Login', samples: ['a;b'], words: ['a;b'] },
      { title: 'E-Mail', samples: ['ann@x.example'], words: ['ann@x.example'] },
      { title: 'Zone', samples: [], words: [] },
    ],
    chosen: { name: 0, username: 1, email: 2 },
    values: {},
    readings: [],
  })
  const refused = await root.call(importsContract.check, {
    params: { id: body.id },
    body: { columns: { name: 0, email: 9, shoe: 1 } },
  })
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    {
      username: ['Please pick the column for Nickname'],
      email: ['The file has no such column'],
      shoe: ['There is no such field'],
    },
  ])
  const asked = await root.call(importsContract.check, {
    params: { id: body.id },
    body: { columns: { name: 0, username: 2, email: 2 } },
  })
  expect(asked.body.state).toBe('checking')
  expect(await settle(body.id)).toMatchObject({ state: 'checked', fresh: 1, refused: 0 })
})

test('the three bad lines of 1,200 are named before anything is written, and the others are imported (R15) [IN-03]', async () => {
  const lines = Array.from({ length: 1200 }, (_, n) => leadLine(`L-${n}`))
  lines[9] = leadLine('L-9').replace('2026-03-01', '2026-02-30')
  lines[599] = 'L-599,Form'
  lines[1199] = leadLine('L-1199').replace('Austin Roofing', 'Nowhere')
  const one = await checkFile('leads', [leadHeader, ...lines].join('\n'))
  expect(one).toMatchObject({ state: 'checked', lines: 1200, dealt_with: 1200, fresh: 1197, known: 0, refused: 3 })
  expect(await app.context.db.$count(leadsTable)).toBe(0)
  const bad = [
    [11, 'Date', expect.stringMatching(/^Not a date/)],
    [601, null, 'The line has 2 cells, the header 6'],
    [1201, 'Campaign', 'There is no campaign Nowhere'],
  ]
  expect(await readProblems(one.id)).toEqual(bad)
  expect(await readProblems(one.id, { per_page: 1, page: 2, order: 'desc' })).toEqual([bad[1]])

  await root.call(importsContract.run, { params: { id: one.id } })
  const done = await settle(one.id)
  expect(done).toMatchObject({ state: 'done', made: 1197, refused: 3, problem: null })
  expect(await readProblems(one.id)).toEqual(bad)
  expect(await app.context.db.$count(leadsTable)).toBe(1197)
  expect(await app.context.db.$count(mailsTable)).toBe(0)
  expect(await app.context.db.$count(importFilesTable, eq(importFilesTable.import_id, one.id))).toBe(0)
  const trail = await app.context.db.select().from(auditTable).where(eq(auditTable.kind, 'import'))
  expect(trail.filter(({ row_id }) => row_id === one.id)).toMatchObject([
    { username: 'olivia', action: 'created', address: '127.0.0.1', after: { kind: 'leads', made: 1197, refused: 3 } },
  ])
  const again = await importFile('leads', [leadHeader, leadLine('L-1'), leadLine('L-new')].join('\n'))
  expect(again).toMatchObject({ made: 1, known: 1 })
})

test('only broken lines are lost, each with its number and the reason (R15)', async () => {
  const file = Buffer.concat([
    Buffer.from(
      [
        `\ufeff${leadHeader}`,
        leadLine('B-1'),
        leadLine('B-2').replace('Ann', '"6" pipe"'),
        leadLine('B-3').replace('Ann', '"two\nlines"'),
        leadLine('B-1'),
        leadLine('B-4').replace('Ann', '"never ends'),
        leadLine('').replace('2026-03-01', 'someday'),
        '',
      ].join('\n'),
    ),
    Buffer.from(leadLine('B-5').replace('Ann', 'José'), 'latin1'),
  ])
  const one = await checkFile('leads', file)
  expect(one).toMatchObject({ fresh: 2, refused: 5 })
  expect(await readProblems(one.id)).toEqual([
    [3, null, expect.stringContaining('A quote is not allowed here')],
    [6, null, 'Repeats line 2'],
    [7, null, 'A quote is opened and never closed'],
    [8, 'Date', expect.stringMatching(/^Not a date/)],
    [9, null, 'The line has bytes that are not UTF-8'],
  ])
})

test('clients are imported with accounts under the rules of their form, and cannot sign in without a password', async () => {
  await app.make.customer({ username: 'taken', email: 'taken@example.com' })
  const file = [
    'Name\tNickname\tEmail\tPassword\tTimezone\tAdditional Emails\tNotifications disabled',
    'Blue Pools\tblue\tblue@example.com\tgreen apple pie\tCentral Time (Chicago)\ta@example.com, b@example.com\tyes',
    'Red Roofs\tred\tred@example.com\t\t\t\t',
    'Others\ttaken\tTAKEN@example.com\t\t\t\t',
    '\tx\tno email\tshort\tMoon\tz\tperhaps',
    'Copy\tcopy\tblue@example.com\t\t\t\t',
    'Weak\tweak\tweak@example.com\tpassword123\t\t\t',
  ].join('\n')
  const one = await importFile('clients', file)
  expect(one).toMatchObject({ made: 2, refused: 4 })
  expect(await readProblems(one.id)).toEqual([
    [4, 'Nickname', 'This name is taken'],
    [4, 'Email', 'This email is taken'],
    [5, 'Name', 'Please input name'],
    [5, 'Email', 'Email is not valid'],
    [5, 'Password', 'The password must be at least 8 character'],
    [5, 'Timezone', 'Please select a time zone'],
    [5, 'Additional Emails', 'Line 1: ‘z’ is not an email'],
    [5, 'Notifications disabled', 'Must be 0 or 1'],
    [6, null, 'Repeats line 2'],
    [7, 'Password', expect.stringContaining('attackers')],
  ])
  const [blue] = await app.context.db.select().from(clientsTable).where(eq(clientsTable.name, 'Blue Pools'))
  expect(blue).toMatchObject({
    timezone: 'America/Chicago',
    emails: ['a@example.com', 'b@example.com'],
    disable_notifications: true,
  })
  const signIn = (username: string, password: string) =>
    app.guest.fetch('/api/user/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password }),
    })
  expect((await signIn('blue', 'green apple pie')).status).toBe(200)
  expect((await signIn('red', '')).status).not.toBe(200)
  const [account] = await app.context.db.select().from(usersTable).where(eq(usersTable.username, 'red'))
  expect(account).toMatchObject({ role: 'customer', is_active: true, password_hash: noPasswordHash })
  expect((await checkFile('clients', file)).known).toBe(2)
})

test('a client who is not active in the file is not active here, and another word than yes or no is refused', async () => {
  const file = [
    'Client Name,Nickname,Email,Active',
    'Open Doors,open,open@example.com,Yes',
    'Shut Doors,shut,shut@example.com,No',
    'Left Doors,left,left@example.com,Inactive',
    'Bare Doors,bare,bare@example.com,',
    'Odd Doors,odd,odd@example.com,since May',
  ].join('\n')
  const one = await importFile('clients', file)
  expect(one).toMatchObject({ made: 4, refused: 1 })
  expect(await readProblems(one.id)).toEqual([[6, 'Active', 'Please say Yes or No']])
  const accounts = await app.context.db.select().from(usersTable).orderBy(usersTable.id)
  const isActive = (name: string) => accounts.find(({ username }) => username === name)?.is_active
  expect(['open', 'shut', 'left', 'bare'].map(isActive)).toEqual([true, false, false, true])
})

test('a file of campaigns may have all fields of their form except sites', () => {
  const asked = Object.keys(campaignFormSchema.shape).map((name) => (name === 'client_id' ? 'client' : name))
  const said = campaignsImport.fields.map(({ name }) => name)
  expect(said.toSorted()).toEqual(asked.filter((name) => name !== 'client_sites').toSorted())
})

test('campaigns name their client and categories, and client sites name their campaign', async () => {
  const campaignsFile = [
    'Name,Client,Categories,Manager,Start Date,Due Date,Initial Target,Service Fee',
    'North,acme,roofs,Morgan,03/16/2026,5th,20,"$1,200.50"',
    'Austin Roofing,Acme,Roofs,Morgan,2026-03-16,5,20,',
    'South,Nobody,Roofs; Walls,,soon,40,many,-1',
  ].join('\n')
  const one = await importFile('campaigns', campaignsFile)
  expect(one).toMatchObject({ made: 1, known: 1, refused: 1 })
  expect(await readProblems(one.id)).toEqual([
    [4, 'Client', 'There is no client Nobody'],
    [4, 'Categories', 'There is no category Walls'],
    [4, 'Manager', 'Please input manager'],
    [4, 'Start Date', 'Not a date (month/day/year, such as 11/25/2026)'],
    [4, 'Due Date', 'Please select due date'],
    [4, 'Initial Target', 'Not an amount (such as 1,200.50)'],
    [4, 'Service Fee', 'Must not be negative'],
  ])
  const [north] = await app.context.db.select().from(campaignsTable).where(eq(campaignsTable.name, 'North'))
  expect(north).toMatchObject({ start_date: '2026-03-16', service_fee: 1200.5, due_date: 5 })

  const sitesFile = [
    'URL,CallRail Company ID,Campaign',
    'north.example,COM1,North',
    'other.example,COM1,North',
    'south.example,COM2,South',
    'http://127.0.0.1/,COM3,North',
    'x y,,North',
  ].join('\n')
  const sites = await importFile('client-sites', sitesFile)
  expect(sites).toMatchObject({ made: 1, refused: 4 })
  expect(await readProblems(sites.id)).toEqual([
    [3, null, 'Repeats line 2'],
    [4, 'Campaign', 'There is no campaign South'],
    [5, 'URL', 'This address cannot be checked: it is not on the public web'],
    [6, 'URL', 'Not a web address'],
    [6, 'CallRail Company ID', 'Please input CallRail Company ID'],
  ])
  expect(await checkFile('client-sites', sitesFile)).toMatchObject({ known: 1, fresh: 0 })
  const moved = await checkFile('client-sites', 'URL,CallRail Company ID,Campaign\nelse.example,COM1,North\n')
  expect(await readProblems(moved.id)).toEqual([
    [2, 'CallRail Company ID', 'Another client site has this CallRail Company ID'],
  ])

  // A row in use stays, with the reason, until it is no longer used.
  expect(await undo(one.id)).toMatchObject({ removed: 0, kept: 1 })
  expect(await readProblems(one.id, { kind: 'kept' })).toEqual([[2, null, 'Has client sites now']])
  expect(await undo(sites.id)).toMatchObject({ state: 'undone', removed: 1, kept: 0 })
  expect(await app.context.db.$count(clientSitesTable, sql`url like '%north%' and deleted_at is null`)).toBe(0)
  const west = await importFile('campaigns', campaignsFile.replace('North', 'West'))
  expect(await undo(west.id)).toMatchObject({ removed: 1, kept: 0 })
  expect(await app.context.db.$count(campaignsTable, eq(campaignsTable.name, 'West'))).toBe(0)
})

test('our own file of campaigns is read with the categories of each, also where a name has a comma', async () => {
  const gutters = (await app.make.category({ name: 'Gutters' })).id
  const siding = (await app.make.category({ name: 'Siding' })).id
  const doors = (await app.make.category({ name: 'Doors, Windows' })).id
  const start = { manager: 'Morgan', start_date: '2026-03-16', due_date: 5, initial_target: 20 }
  await app.make.campaign({ ...start, name: 'Both', client_id: client.id, categories: [gutters, siding] })
  await app.make.campaign({ ...start, name: 'Only', client_id: client.id, categories: [doors] })
  await app.make.campaign({ ...start, name: 'Also', client_id: client.id, categories: [siding, doors, gutters] })
  const csv = await (await root.fetch('/api/campaigns/export')).text()
  const [titles, ...lines] = csv.trim().split('\r\n')
  const renamed = lines.flatMap((line) =>
    /Both|Only|Also/.test(line) ? [line.replace(/Both|Only|Also/, '$& again')] : [],
  )
  const one = await importFile('campaigns', [titles, ...renamed].join('\n'))
  expect(await readProblems(one.id)).toEqual([])
  const { body } = await root.call(campaignsContract.list)
  const got = body.data.map((row: { name: string; categories: { name: string }[] }) => [
    row.name,
    row.categories.map(({ name }) => name),
  ])
  expect(Object.fromEntries(got)).toMatchObject({
    'Both again': ['Gutters', 'Siding'],
    'Only again': ['Doors, Windows'],
    'Also again': ['Doors, Windows', 'Gutters', 'Siding'],
  })
  const moon = renamed.map((line) => line.replace('Gutters, Siding', 'Siding, Moon').replace('again', 'once more'))
  const unknown = await checkFile('campaigns', [titles, ...moon].join('\n'))
  expect((await readProblems(unknown.id)).map((row: unknown[]) => row.slice(1))).toEqual([
    ['Category', 'There is no category Siding, Moon'],
    ['Category', 'There is no category Doors, Windows, Siding, Moon'],
  ])
})

test('a campaign is known again in any letters', async () => {
  const header = 'Name,Client,Category,Manager,Start Date,Due Date,Initial Target'
  const file = (name: string) => `${header}\n${name},Acme,Roofs,Mara,2026-01-05,5,10\n`
  expect(await importFile('campaigns', file('ΟΔΟΣ Zürich'))).toMatchObject({ made: 1 })
  expect(await checkFile('campaigns', file('ΟΔΟΣ Zürich'))).toMatchObject({ known: 1, fresh: 0 })
  expect(await checkFile('campaigns', file('ΟΔΟΣ ZÜRICH'))).toMatchObject({ known: 1, fresh: 0 })
  // Our own files put an apostrophe before what a spreadsheet would read as a formula.
  for (const name of ['＠home Roofing', '-5 Degrees']) {
    expect(await importFile('campaigns', file(name))).toMatchObject({ made: 1 })
    const { body } = await root.call(campaignsContract.list, { query: { q: name } })
    expect(body.data.map((campaign: { name: string }) => campaign.name)).toEqual([name])
    expect(formatCsvLines([[name]])).toBe(`'${name}\r\n`)
    expect(await checkFile('campaigns', file(`'${name}`))).toMatchObject({ known: 1, fresh: 0 })
  }
})

test('undo keeps a campaign that is billed [RPT-07]', async () => {
  const file = [
    'Name,Client,Category,Manager,Start Date,Due Date,Initial Target',
    ...['Has terms', 'Has statements', 'Has neither'].map((name) => `${name},Acme,Roofs,Mara,2026-01-05,5,10`),
  ].join('\n')
  const one = await importFile('campaigns', file)
  const idOf = async (name: string) =>
    (await app.context.db.select().from(campaignsTable).where(eq(campaignsTable.name, name)))[0]!.id
  const terms = [{ from: '2026-01-05', kind: 'flat', fee: 10 }]
  const saved = await root.call(termsContract.save, { params: { id: await idOf('Has terms') }, body: { terms } })
  expect(saved.status).toBe(200)
  const statement = toStatementId(await idOf('Has statements'), '2026-01-05')
  expect((await root.call(statementsContract.send, { params: { id: statement } })).status).toBe(200)
  expect(await undo(one.id)).toMatchObject({ state: 'undone', removed: 1, kept: 2 })
  expect(await readProblems(one.id, { kind: 'kept' })).toEqual([
    [2, null, 'Has billing terms now'],
    [3, null, 'Has statements now'],
  ])
})

test('undo keeps a lead that is on a sent statement', async () => {
  const one = await importFile('leads', [leadHeader, leadLine('B-1'), leadLine('B-2')].join('\n'))
  const [billed] = await app.context.db.select().from(leadsTable).where(eq(leadsTable.lead_id, 'B-2'))
  await app.make.bill(billed!)
  expect(await undo(one.id)).toMatchObject({ state: 'undone', removed: 1, kept: 1 })
  expect(await readProblems(one.id, { kind: 'kept' })).toEqual([[3, null, 'This lead is on a statement']])
  await app.context.db.execute(sql`truncate statements, leads cascade`)
})

test('undo keeps a client that has reports and a site that has a lead source', async () => {
  const people = ['Reported', 'Scheduled', 'Untouched'].map(
    (name) => `${name},${name},${name}@example.com,America/Chicago`,
  )
  const clients = await importFile('clients', ['Name,Nickname,Email,Timezone', ...people].join('\n'))
  expect(clients).toMatchObject({ made: 3 })
  const idOf = async (name: string) =>
    (await app.context.db.select().from(clientsTable).where(eq(clientsTable.name, name)))[0]!.id
  const report = { params: { id: await idOf('Reported') }, body: { period: 'week', from: '2026-03-02' } }
  expect((await root.call(clientReportsContract.create, report)).status).toBe(200)
  const schedule = { params: { id: await idOf('Scheduled') }, body: { every: 'week' } }
  expect((await root.call(reportScheduleContract.update, schedule)).status).toBe(200)
  expect(await undo(clients.id)).toMatchObject({ removed: 1, kept: 2 })
  expect(await readProblems(clients.id, { kind: 'kept' })).toEqual([
    [2, null, 'Has a report now'],
    [3, null, 'Has a report schedule now'],
  ])

  const sites = await importFile(
    'client-sites',
    'URL,CallRail Company ID,Campaign\nsourced.example,COM9,Austin Roofing\n',
  )
  const [site] = await app.context.db.select().from(clientSitesTable).where(sql`url like '%sourced%'`)
  const source = { body: { name: 'Facebook', clientsite_id: site!.id } }
  expect((await root.call(customSourcesContract.create, source)).status).toBe(200)
  expect(await undo(sites.id)).toMatchObject({ removed: 0, kept: 1 })
  expect(await readProblems(sites.id, { kind: 'kept' })).toEqual([[2, null, 'Has a lead source now']])
})

test('imports that are undone last to first leave nothing: what hung on a campaign no longer keeps it', async () => {
  const campaigns = await importFile(
    'campaigns',
    ['Name,Client,Category,Manager,Start Date,Due Date,Initial Target', 'Undone,Acme,Roofs,Mara,2026-01-05,5,10'].join(
      '\n',
    ),
  )
  const sites = await importFile('client-sites', 'URL,CallRail Company ID,Campaign\nundone.example,COM77,Undone\n')
  const notes = await importFile('changelog', 'Campaign,Date,Note\nUndone,2026-01-06,New headline\n')
  for (const { id } of [notes, sites, campaigns])
    expect(await undo(id)).toMatchObject({ state: 'undone', made: 1, removed: 1, kept: 0 })
  const again = await importFile(
    'client-sites',
    'URL,CallRail Company ID,Campaign\nundone.example,COM77,Austin Roofing\n',
  )
  expect(again).toMatchObject({ made: 1 })
  await undo(again.id)
})

test('undo removes unchanged rows, and says why the others stay', async () => {
  const one = await importFile('leads', [leadHeader, leadLine('U-1'), leadLine('U-2'), leadLine('U-3')].join('\n'))
  const [changed] = await app.context.db.select().from(leadsTable).where(eq(leadsTable.lead_id, 'U-2'))
  await app.context.db.update(leadsTable).set({ version: 2 }).where(eq(leadsTable.id, changed!.id))
  const over = await undo(one.id)
  expect(over).toMatchObject({ state: 'undone', made: 3, removed: 2, kept: 1 })
  expect((await app.context.db.select().from(leadsTable)).map(({ lead_id }) => lead_id)).toEqual(['U-2'])
  expect(await readProblems(one.id, { kind: 'kept' })).toEqual([[3, null, 'Someone has changed this lead since']])
  const trail = await app.context.db.select().from(auditTable).where(eq(auditTable.kind, 'import'))
  expect(trail.filter(({ row_id }) => row_id === one.id).map(({ action, after }) => [action, after])).toEqual([
    ['created', expect.objectContaining({ made: 3 })],
    ['changed', { state: 'undone', removed: 2, kept: 1 }],
  ])
  expect((await root.call(importsContract.undo, { params: { id: one.id } })).status).toBe(409)

  const more = await importFile(
    'clients',
    'Name,Nickname,Email\nStays,stays,stays@example.com\nGoes,goes,goes@example.com\nGone,gone,gone@example.com\n',
  )
  const idOf = async (name: string) =>
    (await app.context.db.select().from(clientsTable).where(eq(clientsTable.name, name)))[0]!.id
  await root.call(clientsContract.status, { body: { id: await idOf('Stays'), is_active: 0 } })
  await root.call(clientsContract.remove, { params: { id: await idOf('Gone') } })
  expect(await undo(more.id)).toMatchObject({ removed: 1, kept: 2 })
  expect(await readProblems(more.id, { kind: 'kept' })).toEqual([
    [2, null, 'Someone has changed its account since'],
    [4, null, 'Someone has removed this client since'],
  ])
})

test('undo keeps a client that is changed while it begins', async () => {
  const one = await importFile('clients', 'Name,Nickname,Email\nBusy,busy,busy@example.com\n')
  const [busy] = await app.context.db.select().from(clientsTable).where(eq(clientsTable.name, 'Busy'))
  const { id } = busy!
  const pending = await app.context.db.transaction(async (tx) => {
    await tx.select().from(clientsTable).where(eq(clientsTable.id, id)).for('update')
    const save = root.call(clientsContract.update, { params: { id }, body: { name: 'Busier' } })
    await until(async () => (await countLockWaits()) === 1)
    expect((await root.call(importsContract.undo, { params: { id: one.id } })).status).toBeLessThan(300)
    await until(async () => (await countLockWaits()) === 2)
    return { save }
  })
  expect((await pending.save).status).toBe(200)
  expect(await settle(one.id)).toMatchObject({ state: 'undone', removed: 0, kept: 1 })
  expect(await readProblems(one.id, { kind: 'kept' })).toEqual([[2, null, 'Someone has changed this client since']])
})

async function countLockWaits(): Promise<number> {
  const { rows } = await app.context.pool.query<{ waits: number }>(
    `select count(*)::int as waits from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows[0]!.waits
}

test('undo keeps rows that the audit log no longer knows: they may have been changed', async () => {
  const one = await importFile(
    'clients',
    'Name,Nickname,Email\nOld,old,old@example.com\nNewer,newer,newer@example.com\n',
  )
  const [old] = await app.context.db.select().from(clientsTable).where(eq(clientsTable.name, 'Old'))
  await root.call(clientsContract.update, { params: { id: old!.id }, body: { name: 'Changed' } })
  // As if the import were older than what is kept.
  const { pool } = app.context
  await pool.query('alter table audit disable trigger audit_append_only')
  await pool.query(`delete from audit where kind = 'client' and row_id = $1`, [old!.id])
  await pool.query('alter table audit enable trigger audit_append_only')
  expect(await undo(one.id)).toMatchObject({ state: 'undone', removed: 1, kept: 1 })
  expect(await readProblems(one.id, { kind: 'kept' })).toEqual([
    [2, null, 'The audit trail no longer says whether this client was changed since, so it stays'],
  ])
})

test('actions that a state does not allow are refused, and change nothing', async () => {
  const { body } = await upload('clients', 'Name,Nickname,Email\nA,a,bad\n')
  const at = { params: { id: body.id } }
  const before = await app.dump()
  expect((await root.call(importsContract.run, at)).body.message).toBe('This file has to be checked first')
  expect((await root.call(importsContract.undo, at)).body.message).toBe('Only an import that is done can be undone')
  expect(await app.dump()).toBe(before)
  await root.call(importsContract.check, { ...at, body: { columns: { name: 0, username: 1, email: 2 } } })
  await settle(body.id)
  expect((await root.call(importsContract.run, at)).body.message).toBe('There is nothing new in this file')
  expect((await root.call(importsContract.discard, at)).status).toBe(204)
  for (const call of [
    importsContract.get,
    importsContract.columns,
    importsContract.problems,
    importsContract.run,
    importsContract.undo,
    importsContract.discard,
  ])
    expect((await root.call(call, at)).status).toBe(404)

  const done = await importFile('leads', [leadHeader, leadLine('S-1')].join('\n'))
  const there = { params: { id: done.id } }
  expect((await root.call(importsContract.discard, there)).status).toBe(409)
  expect((await root.call(importsContract.check, { ...there, body: { columns: { lead_id: 0 } } })).status).toBe(409)
  expect((await root.call(importsContract.columns, there)).status).toBe(409)
  const list = (await root.call(importsContract.list, { query: { kind: 'leads', per_page: 1 } })).body
  expect(list.data).toMatchObject([{ id: done.id, state: 'done', made: 1 }])
})

test('a file that is never imported is deleted after a day, and stored encrypted until then', async () => {
  const { body } = await upload('clients', 'Name,Nickname,Email,Password\nA,a,a@example.com,sesame open\n')
  const [file] = await app.context.db.select().from(importFilesTable).where(eq(importFilesTable.import_id, body.id))
  expect(file?.content.includes('sesame')).toBe(false)
  await deleteOldImports(app.context.db)
  expect((await root.call(importsContract.get, { params: { id: body.id } })).status).toBe(200)
  await app.context.db
    .update(importsTable)
    .set({ created_at: sql`now() - interval '25 hours'` })
    .where(eq(importsTable.id, body.id))
  await deleteOldImports(app.context.db)
  expect((await root.call(importsContract.get, { params: { id: body.id } })).status).toBe(404)
  expect(await app.context.db.$count(importFilesTable, eq(importFilesTable.import_id, body.id))).toBe(0)
})
