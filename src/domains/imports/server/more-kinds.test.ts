import { eq, like } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { adminsContract, leadsHandlersContract } from '#domains/access/contract.ts'
import { passwordResetContract } from '#domains/access/password-reset/contract.ts'
import { sessionsTable, usersTable } from '#domains/access/schema.ts'
import { activityItemsContract } from '#domains/activity/contract.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { networkSitesTable } from '#domains/sites/network/schema.ts'
import { redirectDomainsContract } from '#domains/sites/redirects/contract.ts'
import { redirectDomainsTable } from '#domains/sites/redirects/schema.ts'
import { startCPanelStandIn } from '#integrations/fakes/cpanel.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { setUp, startApp } from '#test/app.ts'
import { importsBy } from '#test/imports.ts'
import { until, waitForJobs } from '#test/until.ts'
import { importsContract } from '../contract.ts'

const cpanel = await setUp(startCPanelStandIn())
const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ settings: { ...cpanel.settings, SMTP_URL: sink.url }, work: true }))
const root = await app.as(await app.make.superAdmin({ username: 'olivia' }))
const campaign = await app.make.campaign({ name: 'Austin Roofing' })
await app.make.networkCategory({ name: 'Home & Garden' })
beforeEach(() => waitForJobs(app.context))

const imports = importsBy(app, root)
const { upload, settle, run, undo, readProblems } = imports
const checkFile = (kind: string, lines: string[]) => imports.checkFile(kind, lines.join('\n'))

test.each<[string, string, string, object]>([
  [
    'clients of QuickBooks',
    'clients',
    'Customer full name,Phone numbers,Main Email,Bill address,Open balance',
    { name: 'Customer full name', phone: 'Phone numbers', email: 'Main Email' },
  ],
  ['companies of HubSpot', 'clients', 'Record ID,Company name,Phone Number,City', { name: 'Company name' }],
  [
    'people of Pipedrive',
    'clients',
    'Person - Name,Person - Email - Work,Person - Phone - Mobile',
    { name: 'Person - Name', email: 'Person - Email - Work', phone: 'Person - Phone - Mobile' },
  ],
  ['domains of Namecheap', 'network-sites', 'Domain Name,Domain expiration date', { url: 'Domain Name' }],
  ['linking domains of Moz', 'network-sites', 'Root Domain,Domain Authority', { url: 'Root Domain' }],
  [
    'domains of GoDaddy',
    'redirect-domains',
    'Domain Name,TLD,Expiration Date,Forwarding URL',
    { domain: 'Domain Name', redirect_url: 'Forwarding URL' },
  ],
  ['domains of Porkbun', 'redirect-domains', 'DOMAIN,TLD,URL FORWARDING', { redirect_url: 'URL FORWARDING' }],
  [
    'locations of BrightLocal',
    'campaign-gmbs',
    'Location Name,URL,Address 1,Telephone,Google Maps URL',
    {
      ...{ title: 'Location Name', website: 'URL', address: 'Address 1', phone: 'Telephone' },
      link: 'Google Maps URL',
    },
  ],
])('the columns of the %s are known by their titles [MOVE-09]', async (_, kind, titles, columns) => {
  const { chosen } = await upload(kind, `${titles}\n${titles.replace(/[^,]+/g, 'x')}\n`)
  const names = titles.split(',')
  expect(Object.fromEntries(Object.entries(chosen).map(([field, at]) => [field, names[Number(at)]]))).toMatchObject(
    columns,
  )
})

test('listings are imported with their campaign and status, and an undo keeps what was changed [MOVE-09]', async () => {
  const file = [
    'Title,Link,Campaign,Status,Address,Phone,Website,Email,Notes',
    'Austin Roofing,https://www.google.com/maps?cid=6744553322110099887,austin roofing,live,"1 Main St, Austin, TX 78701",512-555-0142,https://austin.example,a@austin.example,"Two lines,\nkept"',
    `Second,6744553322110099777,${campaign.id},Suspended,,,,,`,
    'No campaign,https://www.google.com/maps?cid=6744553322110099009,Nowhere,Live,,,,,',
    'No maps link,https://austin.example,Austin Roofing,Live,,,,,',
    'No such status,https://www.google.com/maps?cid=6744553322110099010,Austin Roofing,Sleeping,,,,,',
    'Twice,https://www.google.com/maps?cid=6744553322110099887,Austin Roofing,Live,,,,,',
    'Shortened,6.74455E+18,Austin Roofing,Live,,,,,',
    'Cut,6744553322110090000,Austin Roofing,Live,,,,,',
  ]
  const checked = await checkFile('campaign-gmbs', file)
  expect(await readProblems(checked.id)).toEqual([
    [5, 'Campaign', 'There is no campaign Nowhere'],
    [6, 'Link', 'Wrong link format'],
    [7, 'Status', 'Please select status'],
    [8, null, 'Repeats line 2'],
    [9, 'Link', 'Excel has shortened this number'],
    [10, 'Link', 'Excel has shortened this number'],
  ])
  expect(await run(checked.id)).toMatchObject({ state: 'done', made: 2 })
  const [first, second] = await app.context.db.select().from(gmbsTable).orderBy(gmbsTable.id)
  expect(first).toMatchObject({
    title: 'Austin Roofing',
    campaign_id: campaign.id,
    status: 1,
    phone: '512-555-0142',
    website: 'https://austin.example',
    notes: 'Two lines,\nkept',
  })
  expect(second).toMatchObject({ status: 4, suspended_at: expect.any(Date) })
  expect(await checkFile('campaign-gmbs', file.slice(0, 2))).toMatchObject({ fresh: 0, known: 1 })

  await root.call(gmbsContract.update, {
    params: { id: second!.id },
    body: { title: 'Renamed', link: second!.link, status: 4, campaign_id: campaign.id },
  })
  expect(await undo(checked.id)).toMatchObject({ state: 'undone', removed: 1, kept: 1 })
  expect(await readProblems(checked.id)).toContainEqual([4, null, 'Someone has changed this listing since'])
})

test('a file of listings without a status is told so at once, and its words or lines can be given one [MOVE-09]', async () => {
  const { body } = await root.call(importsContract.fields)
  expect(body['campaign-gmbs'].find(({ name }: { name: string }) => name === 'status')).toMatchObject({
    required: true,
    choices: ['Live', 'Pending', 'Unverified', 'Suspended', 'Closed'],
  })
  const start = async (lines: string[]) => {
    const { id, chosen } = await upload('campaign-gmbs', lines.join('\n'))
    const check = (values: Record<string, Record<string, string>>) =>
      root.call(importsContract.check, { params: { id }, body: { columns: chosen, values } })
    return { id, check }
  }
  const line = (cid: number) => `Roofs,https://www.google.com/maps?cid=67445533221100998${cid},Austin Roofing`
  const bare = await start(['Title,Link,Campaign', line(21)])
  const refused = await bare.check({})
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['status']])
  expect((await bare.check({ status: { '': 'Unverified' } })).status).toBe(200)
  expect(await settle(bare.id)).toMatchObject({ fresh: 1, refused: 0 })
  const worded = await start(['Title,Link,Campaign,Status', `${line(22)},Active`, `${line(23)},Not found`])
  expect((await worded.check({ status: { Active: 'Live', 'Not found': 'Unverified' } })).status).toBe(200)
  expect(await settle(worded.id)).toMatchObject({ fresh: 2, refused: 0 })
})

test('a listing is known by its number, whatever else its stored link has [MOVE-09]', async () => {
  const { id } = await app.make.campaign({ name: 'Boise Roofing' })
  const link = 'https://www.google.com/maps?cid=6744553322110099123&hl=en'
  const body = { title: 'Boise Roofing', link, status: 1, campaign_id: id }
  expect((await root.call(gmbsContract.create, { body })).status).toBe(200)
  const file = ['Title,Link,Campaign,Status', 'Boise Roofing,6744553322110099123,Boise Roofing,Live']
  expect(await checkFile('campaign-gmbs', file)).toMatchObject({ fresh: 0, known: 1 })
})

test('a phone or a company’s id that Excel has shortened is refused in every file [EDGE-03]', async () => {
  const says = 'Excel has shortened this number'
  const listings = await checkFile('campaign-gmbs', [
    'Title,Link,Campaign,Status,Phone',
    'A,https://www.google.com/maps?cid=6744553322110099887,Austin Roofing,Live,1.51256E+10',
  ])
  expect(await readProblems(listings.id)).toEqual([[2, 'Phone', says]])
  const clients = await checkFile('clients', ['Name,Nickname,Email,Phone', 'A,a,a@a.example,1.51256E+10'])
  expect(await readProblems(clients.id)).toEqual([[2, 'Phone', says]])
  const sites = await checkFile('client-sites', ['URL,CallRail,Campaign', 'https://a.example,4.22E+08,Austin Roofing'])
  expect(await readProblems(sites.id)).toEqual([[2, 'CallRail', says]])
})

test('network sites are imported into the categories that exist, and undone [MOVE-09]', async () => {
  const checked = await checkFile('network-sites', [
    'URL,Category',
    'https://notes.example/garden,home & garden',
    'https://other.example,Nothing such',
    'no address,Home & Garden',
    'https://none.example,',
    'http://127.0.0.1/,Home & Garden',
  ])
  expect(checked).toMatchObject({ fresh: 1, refused: 4 })
  expect((await readProblems(checked.id)).map(([line, column]: [number, string]) => [line, column])).toEqual([
    [3, 'Category'],
    [4, 'URL'],
    [5, 'Category'],
    [6, 'URL'],
  ])
  expect(await run(checked.id)).toMatchObject({ made: 1 })
  const [site] = await app.context.db.select().from(networkSitesTable)
  expect(site).toMatchObject({ url: 'https://notes.example/garden' })
  expect(await undo(checked.id)).toMatchObject({ removed: 1, kept: 0 })
  expect(await app.context.db.$count(networkSitesTable)).toBe(0)
})

test('a network site is there already, however its address is written [MOVE-09]', async () => {
  const first = await checkFile('network-sites', [
    'URL,Category',
    'https://garden.example,Home & Garden',
    'https://garden.example/,Home & Garden',
    'HTTPS://Garden.example:443,Home & Garden',
  ])
  expect([first.fresh, (await readProblems(first.id)).map(([, , says]: [number, string, string]) => says)]).toEqual([
    1,
    ['Repeats line 2', 'Repeats line 2'],
  ])
  await run(first.id)
  const again = ['https://GARDEN.example/,Home & Garden', 'https://garden.example/a,Home & Garden']
  expect(await checkFile('network-sites', ['URL,Category', ...again])).toMatchObject({ known: 1, fresh: 1 })
})

test('301 domains are imported and undone without a word to cPanel, and removed there by hand later [MOVE-09]', async () => {
  cpanel.domains.set('old-brand.com', 'old-brand-com_agency.example')
  cpanel.redirects.set('old-brand.com', 'https://client.example/landing')
  const file = [
    'Domain,Redirect URL',
    'Old-Brand.com,https://client.example/landing',
    'other-brand.com,https://client.example/',
    'localhost,https://client.example/',
    'loop.com,https://loop.com/',
    'word.com,somewhere else',
  ]
  const checked = await checkFile('redirect-domains', file)
  expect(checked).toMatchObject({ fresh: 2, refused: 3 })
  expect(await run(checked.id)).toMatchObject({ made: 2 })
  const { body } = await root.call(redirectDomainsContract.list)
  expect(body.data.map(({ domain }: { domain: string }) => domain).sort()).toEqual(['old-brand.com', 'other-brand.com'])
  expect(await checkFile('redirect-domains', file.slice(0, 2))).toMatchObject({ fresh: 0, known: 1 })
  expect(await undo(checked.id)).toMatchObject({ removed: 2, kept: 0 })
  expect([await app.context.db.$count(redirectDomainsTable), cpanel.calls]).toEqual([0, []])

  const again = await checkFile('redirect-domains', file.slice(0, 2))
  await run(again.id)
  const [row] = await app.context.db
    .select()
    .from(redirectDomainsTable)
    .where(eq(redirectDomainsTable.domain, 'old-brand.com'))
  expect((await root.call(redirectDomainsContract.remove, { params: { id: row!.id } })).status).toBe(204)
  expect([cpanel.domains.size, cpanel.redirects.size]).toEqual([0, 0])
})

test('notes of the changelog are imported with their author and day, of campaigns and teams, and undone [MOVE-09]', async () => {
  const anna = await app.make.admin({ username: 'anna' })
  const team = await app.make.team({ name: 'Writers' })
  const file = [
    'Campaign,Date,Note,User',
    'Austin Roofing,03/16/2019,New headline,ANNA',
    'writers,03/17/2019,"Two lines,\nkept",',
    'Nowhere,03/16/2019,Lost,anna',
    'Austin Roofing,13/13/2019,No such day,anna',
    'Austin Roofing,03/18/2019,,anna',
    'Austin Roofing,03/18/2019,Who wrote it,a stranger',
    'austin roofing,03/16/2019,New headline,anna',
  ]
  const checked = await checkFile('changelog', file)
  expect((await readProblems(checked.id)).map(([line, column]: [number, string]) => [line, column])).toEqual([
    [5, 'Campaign'],
    [6, 'Date'],
    [7, 'Note'],
    [8, 'User'],
    [9, null],
  ])
  expect(await run(checked.id)).toMatchObject({ made: 2 })
  const items = await app.context.db.select().from(activityItemsTable).orderBy(activityItemsTable.id)
  expect(items).toMatchObject([
    { campaign_id: campaign.id, date: '2019-03-16', note: 'New headline', user_id: anna.id, is_task: false },
    { team_id: team.id, date: '2019-03-17', note: 'Two lines,\nkept' },
  ])
  expect(await checkFile('changelog', file.slice(0, 2))).toMatchObject({ fresh: 0, known: 1 })
  await root.call(activityItemsContract.update, { params: { id: items[0]!.id }, body: { note: 'Better headline' } })
  expect(await undo(checked.id)).toMatchObject({ removed: 1, kept: 1 })
})

test('a note of a name that a campaign and a team have, or two teams, is refused [MOVE-09]', async () => {
  for (const name of ['Design', 'Twin', 'Twin']) await app.make.campaign({ name })
  for (const name of ['design', 'Editors', 'Editors']) await app.make.team({ name })
  const checked = await checkFile('changelog', [
    'Campaign,Date,Note',
    'Design,03/16/2019,Whose is it',
    'editors,03/16/2019,Whose is it',
    'Twin,03/16/2019,Whose is it',
    `${campaign.id},03/19/2019,Of the campaign`,
  ])
  expect(checked).toMatchObject({ fresh: 1 })
  expect(await readProblems(checked.id)).toEqual([
    [
      2,
      'Campaign',
      'There are 2 campaigns and teams named Design; please use the number (NM ID) of the campaign, or rename one',
    ],
    [
      3,
      'Campaign',
      'There are 2 campaigns and teams named editors; please use the number (NM ID) of the campaign, or rename one',
    ],
    [4, 'Campaign', 'There are 2 named Twin; please use the number (NM ID)'],
  ])
})

test('a note of a day that no one can mean is refused with its cell [EDGE-02, MOVE-09]', async () => {
  const checked = await checkFile('changelog', [
    'Campaign,Date,Note',
    ...['1899-12-30', '0026-11-15', '2569-11-15', '2030-01-01', '2025-11-15'].map((day) => `Austin Roofing,${day},New`),
  ])
  expect(checked).toMatchObject({ fresh: 1, refused: 4 })
  expect(await readProblems(checked.id)).toEqual([
    [2, 'Date', 'Before the year 2000'],
    [3, 'Date', 'Before the year 2000'],
    [4, 'Date', 'More than a day ahead'],
    [5, 'Date', 'More than a day ahead'],
  ])
})

test('a day that a program has written as a midnight, in whichever zone, is that day [EDGE-02, MOVE-09]', async () => {
  const days = ['2019-11-02T00:00:00.000Z', '2019-11-02 00:00:00+00', '2019-11-02T00:00:00+01:00']
  const { id } = await checkFile('changelog', [
    'Campaign,Date,Note',
    ...[...days, '2019-11-03T03:30:00Z'].map((day, at) => `Austin Roofing,${day},Midnight ${at}`),
  ])
  expect(await run(id)).toMatchObject({ made: 4 })
  const items = await app.context.db
    .select({ date: activityItemsTable.date })
    .from(activityItemsTable)
    .where(like(activityItemsTable.note, 'Midnight%'))
  expect(items.map(({ date }) => date)).toEqual(Array(4).fill('2019-11-02'))
})

test('admins and leads handlers are imported with pages and campaigns, and invited when it runs [MOVE-09]', async () => {
  await app.make.admin({ username: 'taken', email: 'taken@agency.example' })
  const file = [
    'Username,Email,Pages,Campaigns',
    'rosa,rosa@agency.example,Leads; clientSites,austin roofing',
    'paul,paul@agency.example,,',
    'TAKEN,other@agency.example,,',
    'other,Taken@agency.example,,',
    'nowhere,nowhere@agency.example,Moon,Nowhere',
    'bad,no address,,',
    'Rosa,again@agency.example,,',
  ]
  const checked = await checkFile('admins', file)
  expect(await readProblems(checked.id)).toEqual([
    [4, 'Username', 'This name is taken'],
    [5, 'Email', 'This email is taken'],
    [6, 'Pages', 'There is no page Moon to give'],
    [6, 'Campaigns', 'There is no campaign Nowhere'],
    [7, 'Email', 'Email is not valid'],
    [8, null, 'Repeats line 2'],
  ])
  expect(sink.letters).toHaveLength(0)
  expect(await run(checked.id)).toMatchObject({ made: 2, refused: 5 })
  const [rosa] = await app.context.db.select().from(usersTable).where(eq(usersTable.username, 'rosa'))
  expect(rosa).toMatchObject({ role: 'admin', permissions: ['leads', 'clientSites'] })
  const details = (await root.call(adminsContract.get, { params: { id: rosa!.id } })).body
  expect(details.campaignsPermissions).toEqual({ [campaign.id]: 1 })
  const letter = await until(() => sink.letters.find(({ to }) => to.includes('rosa@agency.example')))
  await until(() => sink.letters.some(({ to }) => to.includes('paul@agency.example')))
  expect(await checkFile('admins', file.slice(0, 2))).toMatchObject({ fresh: 0, known: 1 })

  const key = /\/reset\?key=([\w-]+)/.exec(letter.email.text ?? '')![1]!
  const body = { key, new_password: 'battery staple', new_password_confirmation: 'battery staple' }
  expect((await app.guest.call(passwordResetContract.reset, { body })).status).toBe(200)
  expect(await undo(checked.id)).toMatchObject({ removed: 1, kept: 1 })
  expect(await readProblems(checked.id)).toContainEqual([2, null, 'Has accepted the invitation'])

  const handlers = await checkFile('leads-handlers', ['Username,Email,Pages', 'hal,hal@agency.example,Admin Access'])
  expect(await readProblems(handlers.id)).toEqual([[2, 'Pages', 'There is no page Admin Access to give']])
  const fine = await checkFile('leads-handlers', ['Username,Email,Pages', 'hal,hal@agency.example,leads'])
  expect(await run(fine.id)).toMatchObject({ made: 1 })
  const listed = (await root.call(leadsHandlersContract.list)).body
  expect(JSON.stringify(listed)).toContain('hal@agency.example')
})

test('people who are deactivated where they come from are not invited [MOVE-09]', async () => {
  const { id } = await checkFile('admins', [
    'Username,Email,Status',
    'gone,gone@agency.example,Deactivated',
    'off,off@agency.example,inactive',
    'here,here@agency.example,Active',
    'asked,asked@agency.example,Invited',
    'plain,plain@agency.example,',
    'odd,odd@agency.example,on leave',
  ])
  expect(await readProblems(id)).toEqual([
    [2, 'Status', 'Not active, so not invited'],
    [3, 'Status', 'Not active, so not invited'],
    [7, 'Status', 'Please say Active or Deactivated'],
  ])
  expect(await run(id)).toMatchObject({ made: 3, refused: 3 })
  const names = (await app.context.db.select().from(usersTable)).map(({ username }) => username)
  expect(['gone', 'off', 'odd'].filter((name) => names.includes(name))).toEqual([])
})

test('an account that was given more since is kept when its import is undone [MOVE-09]', async () => {
  const file = [
    'Username,Email,Campaigns',
    'more,more@agency.example,austin roofing',
    'same,same@agency.example,austin roofing',
  ]
  const { id } = await checkFile('admins', file)
  expect(await run(id)).toMatchObject({ made: 2 })
  const [more] = await app.context.db.select().from(usersTable).where(eq(usersTable.username, 'more'))
  const body = { pages: { leads: 1 } }
  expect((await root.call(adminsContract.update, { params: { id: more!.id }, body })).status).toBe(200)
  expect(await undo(id)).toMatchObject({ removed: 1, kept: 1 })
  expect(await readProblems(id)).toContainEqual([2, null, 'Someone has changed this account since'])
})

test.each([
  ['admins', ['Username,Email', 'late,late@agency.example']],
  ['clients', ['Name,Nickname,Email,Password', 'Late Co,late client,late@client.example,a good password']],
] as const)('giving access by a file of %s asks again who one is [MOVE-09]', async (kind, lines) => {
  const { id } = await checkFile(kind, [...lines])
  await app.context.db.update(sessionsTable).set({ proven_at: new Date(Date.now() - 16 * 60_000) })
  const refused = await root.call(importsContract.run, { params: { id } })
  expect([refused.status, refused.body.reauthenticate]).toEqual([403, true])
  await app.context.db.update(sessionsTable).set({ proven_at: new Date() })
  expect(await run(id)).toMatchObject({ made: 1 })
})

test('a file of campaigns that is imported as listings is refused as a whole [MOVE-09]', async () => {
  const lines = ['Name,Client,Manager,Start Date,Due Date', 'Roofs,Acme,Morgan,2025-01-01,5']
  const { id, chosen } = await upload('campaign-gmbs', lines.join('\n'))
  const before = await app.context.db.$count(gmbsTable)
  const checked = await root.call(importsContract.check, { params: { id }, body: { columns: chosen } })
  expect([checked.status, checked.body.errors]).toEqual([
    422,
    {
      link: ['Please pick the column for Link'],
      campaign: ['Please pick the column for Campaign'],
      status: ['Please pick the column for Status'],
    },
  ])
  expect((await root.call(importsContract.run, { params: { id } })).status).toBeGreaterThan(400)
  expect(await app.context.db.$count(gmbsTable)).toBe(before)
})
