import { parse } from 'csv-parse/sync'
import { asc, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { clientSitesTable } from '#domains/sites/client/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { importsBy } from '#test/imports.ts'
import { importsContract } from '../contract.ts'
import { importFilesTable, importProblemsTable, importRefusedTable } from '../schema.ts'

const app = await setUp(startApp({ work: true }))
const root = await app.as(await app.make.superAdmin({ username: 'olivia' }))
await app.make.campaign({ name: 'Austin Roofing' })
beforeEach(async () => {
  await app.context.db.delete(leadsTable)
})

const { upload, settle, check, run } = importsBy(app, root)
const groupsOf = async (id: number) => (await root.call(importsContract.groups, { params: { id } })).body
const refusedOf = async (id: number) => {
  const answer = await root.fetch(`/api/imports/${id}/refused`)
  return { status: answer.status, text: await answer.text() }
}
const leads = () => app.context.db.select().from(leadsTable).orderBy(asc(leadsTable.occurred_at), asc(leadsTable.id))
const toAustin = { campaign: { '': 'Austin Roofing' } }

const whatConverts = [
  'Lead ID,Lead Type,Date Created,Contact Name,Contact Email,Contact Phone,Phone Number,Lead Source,Lead Keyword,Call Duration,Call Status,Profile',
  '153928,Phone Call,2026-03-16T14:30:00Z,Ann,,(512) 555-0100,+15125550180,google,roofs,1m 23s,Answered,My Profile',
  '153929,Web Form,2026-03-16T15:30:00Z,Ben,ben@example.com,,,facebook,,,,My Profile',
  '153930,Chat,2026-03-16T16:30:00Z,Cay,cay@example.com,,,(direct),,,,My Profile',
].join('\n')

test('WhatConverts’ columns and values are known, and its other values can be mapped [OPEN-04]', async () => {
  const { id, columns, chosen } = await upload('leads', whatConverts)
  expect(chosen).toMatchObject({
    lead_id: 0,
    lead_type: 1,
    lead_date: 2,
    lead_name: 3,
    lead_email: 4,
    lead_phone: 5,
    tracking_phone_number: 6,
    keywords: 8,
    duration: 9,
    answered: 10,
    campaign: 11,
  })
  expect(columns[1]).toEqual({
    title: 'Lead Type',
    samples: ['Phone Call', 'Web Form', 'Chat'],
    words: ['Phone Call', 'Web Form', 'Chat'],
  })
  expect(await check(id, chosen)).toMatchObject({ fresh: 0, refused: 3 })
  expect(await groupsOf(id)).toEqual({
    data: [
      { column: 'Profile', says: 'There is no campaign My Profile', value: 'My Profile', lines: 3 },
      { column: 'Lead Type', says: 'Must be Form or Call', value: 'Chat', lines: 1 },
    ],
    total: 2,
  })
  const values = { campaign: { 'my profile': 'Austin Roofing' }, lead_type: { Chat: 'Form' } }
  expect(await check(id, chosen, values)).toMatchObject({ fresh: 3, refused: 0 })
  expect((await root.call(importsContract.columns, { params: { id } })).body.values).toEqual(values)
  expect(await run(id)).toMatchObject({ made: 3 })
  expect(await leads()).toMatchObject([
    {
      lead_type: 'Call',
      lead_s: 'Callrail',
      lead_id: '153928',
      occurred_at: new Date('2026-03-16T14:30:00Z'),
      lead_phone: '(512) 555-0100',
      tracking_phone_number: '+15125550180',
      source: 'google',
      keywords: 'roofs',
      duration: 83,
      answered: true,
    },
    { lead_type: 'Form', lead_name: 'Ben', source: 'facebook', duration: null },
    { lead_type: 'Form', lead_name: 'Cay', source: '(direct)' },
  ])
})

test('CallRail’s own export can be imported: calls without a type, status in words [OPEN-04]', async () => {
  const file = [
    'Call Status,Number Name,Tracking Number,Source,Start Time,Duration (seconds),Name,Phone Number,Email,City,State',
    'Answered Call,Website Pool,512-555-0180,Google Organic,2026-03-16 02:30 PM,45,Ann,512-555-0100,,Austin,TX',
    'Missed Call,Website Pool,512-555-0180,Bing,3/17/2026 9:05 AM,0,,512-555-0101,,Austin,TX',
  ].join('\n')
  const { id, chosen } = await upload('leads', file)
  expect(await check(id, chosen, toAustin)).toMatchObject({ fresh: 2, refused: 0 })
  await run(id)
  expect(await leads()).toMatchObject([
    {
      lead_type: 'Call',
      lead_name: 'Ann',
      lead_location: 'Austin, TX',
      answered: true,
      duration: 45,
      source: 'Google Organic',
      tracking_source: 'Website Pool',
      occurred_at: new Date('2026-03-16T18:30:00Z'),
    },
    { lead_type: 'Call', answered: false, lead_phone: '512-555-0101', occurred_at: new Date('2026-03-17T13:05:00Z') },
  ])
})

test('a column titled Call Type makes a line a call only where its value is a kind of call [OPEN-04]', async () => {
  const file = [
    'Date,Name,Call Type',
    '2026-03-16,Ann,Abandoned',
    '2026-03-17,Ben,First Call',
    '2026-03-18,Cay,Phone Call',
    '2026-03-19,Dan,Web Form',
    '2026-03-20,Eve,Roof repair',
    '2026-03-21,Flo,',
  ].join('\n')
  const { id, chosen } = await upload('leads', file)
  expect(await check(id, chosen, toAustin)).toMatchObject({ fresh: 6, refused: 0 })
  await run(id)
  const types = (await leads()).map(({ lead_name, lead_type }) => `${lead_name} ${lead_type}`)
  expect(types).toEqual(['Ann Call', 'Ben Call', 'Cay Call', 'Dan Form', 'Eve Form', 'Flo Form'])
  expect((await leads())[0]).toMatchObject({ call_type: 'abandoned' }) // as the answering status expects it
})

test('a spreadsheet without ids gets generated ones, and repeating the file imports nothing new [OPEN-04]', async () => {
  const file = [
    'Timestamp,First Name,Last Name,Email Address,Mobile,Comments',
    '3/16/2026 14:30:00,Ann,Ash,ann@example.com,(512) 555-0100,A roof',
    '3/16/2026 15:30:00,Ben,Birch,,512-555-0101,',
    '3/16/2026 15:30:00,ben,birch,,+15125550101,the same person at the same time',
  ].join('\n')
  const first = await upload('leads', file)
  expect(await check(first.id, first.chosen, toAustin)).toMatchObject({ fresh: 2, refused: 1 })
  expect(await run(first.id)).toMatchObject({ made: 2, refused: 1 })
  const made = await leads()
  expect(made).toMatchObject([
    { lead_name: 'Ann Ash', lead_type: 'Form', message: 'A roof', lead_email: 'ann@example.com' },
    { lead_name: 'Ben Birch', lead_phone: '512-555-0101' },
  ])
  expect(new Set(made.map(({ lead_id }) => lead_id)).size).toBe(2)
  const again = await upload('leads', file)
  expect(await check(again.id, again.chosen, toAustin)).toMatchObject({ fresh: 0, known: 2, refused: 1 })
})

test('refused lines can be downloaded, fixed and imported, even when the import is done [OPEN-04]', async () => {
  const file = [
    'Lead ID,Type,Date,Campaign,Name,Phone',
    'R-1,Form,2026-03-16,Austin Roofing,Ann,+1 512 555 0100',
    'R-2,Fax,never,Nowhere,"Ben, B.",+1 512 555 0101',
    'R-3,Form,2026-03-16,Austin Roofing',
    'R-4,Form,2026-03-16,Austin Roofing,"Cay,x',
    'R-5,Fax,2026-03-16,Austin Roofing,Dan,1,2,3',
    'R-1,Form,2026-03-16,Austin Roofing,Eve,',
  ].join('\n')
  const { id, chosen } = await upload('leads', file)
  expect(await check(id, chosen)).toMatchObject({ fresh: 1, refused: 5 })
  expect((await groupsOf(id)).data[0]).toMatchObject({ lines: 1 })
  const checked = await refusedOf(id)
  expect(checked.status).toBe(200)
  expect(parse(checked.text, { bom: true })).toEqual([
    ['Lead ID', 'Type', 'Date', 'Campaign', 'Name', 'Phone', 'Reason'],
    [
      'R-2',
      'Fax',
      'never',
      'Nowhere',
      'Ben, B.',
      '(512) 555-0101',
      'Type: Must be Form or Call; Date: Not a date (year-month-day, such as 2026-11-25); Campaign: There is no campaign Nowhere',
    ],
    ['R-3', 'Form', '2026-03-16', 'Austin Roofing', '', '', 'The line has 4 cells, the header 6'],
    ['R-4,Form,2026-03-16,Austin Roofing,"Cay,x', '', '', '', '', '', 'A quote is opened and never closed'],
    [
      'R-5',
      'Fax',
      '2026-03-16',
      'Austin Roofing',
      'Dan',
      '1,2,3',
      'The line has 8 cells, the header 6: a value with ‘,’ in it needs quotes',
    ],
    ['R-1', 'Form', '2026-03-16', 'Austin Roofing', 'Eve', '', 'Repeats line 2'],
  ])
  await run(id)
  expect(await app.context.db.$count(importFilesTable, eq(importFilesTable.import_id, id))).toBe(0)
  expect((await refusedOf(id)).text).toBe(checked.text)
  const [kept] = await app.context.db.select().from(importRefusedTable).where(eq(importRefusedTable.import_id, id))
  expect(kept!.content.includes('R-2')).toBe(false)
  const mended = checked.text
    .split('\r\n')
    .slice(0, 2)
    .join('\r\n')
    .replace('Fax', 'Form')
    .replace('never', '2026-03-16')
  const second = await upload('leads', mended.replace('Nowhere', 'Austin Roofing'))
  expect(await check(second.id, second.chosen)).toMatchObject({ fresh: 1, refused: 0 })
  await run(second.id)
  expect((await leads()).map(({ lead_phone }) => lead_phone)).toEqual(['+1 512 555 0100', '(512) 555-0101'])
  expect(await refusedOf(second.id)).toMatchObject({ status: 409, text: expect.stringContaining('No line is refused') })
})

const facebook =
  'id,created_time,ad_id,campaign_name,form_id,platform,what_do_you_need?,full_name,email\n' +
  '900000000000007,2025-11-15T15:20:00-05:00,11,Nowhere,14,ig,a_new_roof,Ann Ash,ann@example.com\n'

test.each([
  ['Facebook’s file', facebook, 'What do you need? a new roof'],
  ['a plain file', 'Date,Name,Reason,Campaign\n2026-03-16,Ann,Hail,Nowhere\n', null],
])('the reasons of refused lines are no part of %s that is imported again [OPEN-04]', async (_, file, message) => {
  const first = await upload('leads', file)
  await check(first.id, first.chosen, { lead_type: { '': 'Form' } })
  const second = await upload('leads', (await refusedOf(first.id)).text)
  expect(second.columns.at(-1)?.title).toBe('Reason')
  expect(await check(second.id, second.chosen, { lead_type: { '': 'Form' } })).toMatchObject({ refused: 1 })
  const { text } = await refusedOf(second.id)
  expect(text).toBe((await refusedOf(first.id)).text)
  expect(text.split('\r\n')[0]).toBe(`${file.split('\n')[0]},Reason`)
  const third = await upload('leads', text.replace('Nowhere', 'Austin Roofing'))
  expect(await check(third.id, third.chosen, { lead_type: { '': 'Form' } })).toMatchObject({ fresh: 1 })
  await run(third.id)
  expect(await leads()).toMatchObject([{ message }])
})

test('a file’s own column Reason stays, beside that of the refused lines [OPEN-04]', async () => {
  const file = 'Date,Name,Reason,Campaign,Reason\n2026-03-16,Ann,,Nowhere,Hail\n2026-03-17,Ben,,Austin Roofing,Wind\n'
  const form = { lead_type: { '': 'Form' } }
  const first = await upload('leads', file)
  await check(first.id, first.chosen, form)
  await run(first.id)
  expect(await leads()).toMatchObject([{ message: 'Reason: Wind' }])
  const { text } = await refusedOf(first.id)
  expect(text).toContain('Date,Name,Reason,Campaign,Reason,Reason\r\n2026-03-16,Ann,,Nowhere,Hail,Campaign: ')
  const second = await upload('leads', text)
  await check(second.id, second.chosen, form)
  expect((await refusedOf(second.id)).text).toBe(text)
  const third = await upload('leads', text.replace('Nowhere', 'Austin Roofing'))
  await check(third.id, third.chosen, form)
  await run(third.id)
  expect(await leads()).toMatchObject([{ message: 'Reason: Hail' }, { message: 'Reason: Wind' }])
})

test.each(['A test from Facebook', 'Repeats line 2', 'A draft, not sent yet', 'The line has 3 cells, the header 4'])(
  'the reason of a whole line is replaced when it is imported again: %s [OPEN-04]',
  async (reason) => {
    const { id, chosen } = await upload('leads', `Date,Name,Campaign,Reason\n2026-03-16,Ann,Nowhere,"${reason}"\n`)
    await check(id, chosen, { lead_type: { '': 'Form' } })
    expect((await refusedOf(id)).text).toContain('Date,Name,Campaign,Reason\r\n')
  },
)

test('a line of totals is refused again, and a password comes back as it was, whatever the reason says [OPEN-04]', async () => {
  const file = 'Name,Nickname,Email,Password\nTotal,,,\nBlue,blue,no mail,=Secret-horse-7!\n'
  const first = await upload('clients', file)
  await check(first.id, first.chosen)
  const { text } = await refusedOf(first.id)
  const second = await upload('clients', text.replace('no mail', 'blue@example.com'))
  expect(await check(second.id, second.chosen)).toMatchObject({ fresh: 1, refused: 1 })
  expect((await groupsOf(second.id)).data).toMatchObject([{ says: 'A line of totals' }])
  await run(second.id)
  const signIn = (password: string) =>
    app.guest.fetch('/api/user/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'blue', password }),
    })
  expect((await signIn('=Secret-horse-7!')).status).toBe(200)
})

test('words for nothing are no password and no key [EDGE-08]', async () => {
  const file = (titles: string, line: (word: string, at: number) => string) =>
    [titles, ...['N/A', 'NULL', '-', '#N/A'].map(line)].join('\n')
  const clients = await upload(
    'clients',
    file('Name,Nickname,Email,Password', (word, at) => `Red ${at},red${at},red${at}@example.com,${word}`),
  )
  await check(clients.id, clients.chosen)
  expect(await run(clients.id)).toMatchObject({ made: 4, refused: 0 })
  const sites = await upload(
    'client-sites',
    file(
      'URL,CallRail Company ID,CallRail Signing Key,Campaign',
      (word, at) => `red${at}.example,COM${at},${word},Austin Roofing`,
    ),
  )
  await check(sites.id, sites.chosen)
  expect(await run(sites.id)).toMatchObject({ made: 4, refused: 0 })
  const keys = await app.context.db.select({ key: clientSitesTable.callrail_signing_key }).from(clientSitesTable)
  expect(keys).toEqual([{ key: null }, { key: null }, { key: null }, { key: null }])
})

test('the same reason with the same value is one group, and repeated lines are one [OPEN-04]', async () => {
  const line = (id: string, campaign: string) => `${id},Form,2026-03-16,${campaign}`
  const file = [
    'Lead ID,Type,Date,Campaign',
    ...['G-1', 'G-2', 'G-3'].map((id) => line(id, 'Moon')),
    line('G-4', 'Austin Roofing'),
    line('G-5', 'Austin Roofing'),
    line('G-4', 'Austin Roofing'),
    line('G-5', 'Austin Roofing'),
    line('G-6', 'Mars'),
  ].join('\n')
  const { id, chosen } = await upload('leads', file)
  await check(id, chosen)
  const all = await groupsOf(id)
  expect(all).toEqual({
    data: [
      { column: 'Campaign', says: 'There is no campaign Moon', value: 'Moon', lines: 3 },
      { column: null, says: 'It repeats another line', value: null, lines: 2 },
      { column: 'Campaign', says: 'There is no campaign Mars', value: 'Mars', lines: 1 },
    ],
    total: 3,
  })
  const second = await root.call(importsContract.groups, { params: { id }, query: { per_page: 1, page: 2 } })
  expect(second.body).toEqual({ data: [all.data[1]], total: 3 })
})

test('a password is never stored with its problem [OPEN-04]', async () => {
  const { id, chosen } = await upload('clients', 'Name,Nickname,Email,Password\nBlue,blue,no mail,hunter2\n')
  await check(id, chosen)
  const problems = await app.context.db.select().from(importProblemsTable)
  const told = problems.filter(({ import_id }) => import_id === id)
  expect(told.map(({ column, value }) => [column, value])).toEqual(
    expect.arrayContaining([
      ['Email', 'no mail'],
      ['Password', null],
    ]),
  )
  expect(JSON.stringify(told)).not.toContain('hunter2')
})

test('values for an unknown field are refused [OPEN-04]', async () => {
  const { id, chosen } = await upload('leads', whatConverts)
  const answer = await root.call(importsContract.check, {
    params: { id },
    body: { columns: chosen, values: { shoe: { a: 'b' } } },
  })
  expect([answer.status, answer.body.errors]).toEqual([422, { shoe: ['There is no such field'] }])
  const { lead_date: _, ...undated } = chosen
  const dated = await root.call(importsContract.check, {
    params: { id },
    body: { columns: undated, values: { lead_date: { '': '2026-03-16' }, ...toAustin } },
  })
  expect(dated.status).toBe(200)
  await settle(id)
})

const readingsOf = async (id: number) => (await root.call(importsContract.columns, { params: { id } })).body.readings
const checkAs = (id: number, columns: Record<string, number>, readings: Record<string, string>) =>
  check(id, columns, toAustin, readings)
const leadFile = (separator: string, ...lines: string[][]) =>
  [['Name', 'Date', 'Value'], ...lines]
    .map((cells) => cells.map((cell) => (cell.includes(separator) ? `"${cell}"` : cell)).join(separator))
    .join('\n')
const valuesOf = async () => (await leads()).map(({ client_value }) => client_value)

test('amounts and dates of a file are read as its columns show, and the step says how [EDGE-01, EDGE-02]', async () => {
  const file = leadFile(
    ';',
    ['Ann', '05/11/2025', '1500,50'],
    ['Ben', '15/11/2025', '€ 1.234,56'],
    ['Cay', '16/11/2025 2:30 PM', '1.500'],
  )
  const { id, chosen } = await upload('leads', file)
  expect(await readingsOf(id)).toEqual([
    { field: 'lead_date', as: 'dmy', asked: false, preset: 'dmy' },
    { field: 'client_value', as: 'comma', asked: false, preset: 'comma' },
  ])
  expect(await check(id, chosen, toAustin)).toMatchObject({ fresh: 3, refused: 0 })
  expect(await run(id)).toMatchObject({ made: 3 })
  expect((await leads()).map(({ occurred_at, client_value }) => [occurred_at.toISOString(), client_value])).toEqual([
    ['2025-11-05T05:00:00.000Z', 1500.5],
    ['2025-11-15T05:00:00.000Z', 1234.56],
    ['2025-11-16T19:30:00.000Z', 1500],
  ])
})

test('what a column does not say is asked, runs as its preset, and as it is answered [EDGE-01, EDGE-02]', async () => {
  const file = leadFile(',', ['Ann', '05/11/2025', '1.500'], ['Ben', '06/11/2025', '2'])
  const { id, chosen } = await upload('leads', file)
  const asked = [
    { field: 'lead_date', as: 'mdy', asked: true, preset: 'mdy' },
    { field: 'client_value', as: 'point', asked: true, preset: 'point' },
  ]
  expect(await readingsOf(id)).toEqual(asked)
  await check(id, chosen, toAustin)
  expect(await checkAs(id, chosen, { lead_date: 'dmy', client_value: 'comma' })).toMatchObject({ fresh: 2 })
  expect(await readingsOf(id)).toEqual([
    { ...asked[0], as: 'dmy' },
    { ...asked[1], as: 'comma' },
  ])
  await run(id)
  expect((await leads()).map(({ occurred_at }) => occurred_at.toISOString().slice(0, 10))).toEqual([
    '2025-11-05',
    '2025-11-06',
  ])
  expect(await valuesOf()).toEqual([1500, 2])
  await app.context.db.delete(leadsTable)
  const silent = await upload('leads', file)
  await check(silent.id, silent.chosen, toAustin)
  expect(await run(silent.id)).toMatchObject({ made: 2 })
  expect(await valuesOf()).toEqual([1.5, 2])
})

test('a column that contradicts itself does not run before an answer, and what does not fit that is refused [EDGE-01, EDGE-02]', async () => {
  const file = leadFile(
    ',',
    ['Ann', '15/11/2025', '1500,50'],
    ['Ben', '11/16/2025', '12.50'],
    ['Cay', '17/11/2025', '3'],
  )
  const { id, chosen } = await upload('leads', file)
  await check(id, chosen, toAustin)
  const refused = await root.call(importsContract.run, { params: { id } })
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['lead_date', 'client_value']])
  expect(await root.call(importsContract.readings, { params: { id } })).toMatchObject({
    status: 200,
    body: {
      columns: [{}, { dates: { asked: true, contradicts: true } }, { amounts: { asked: true, contradicts: true } }],
      answers: {},
      kept: [],
    },
  })
  expect(await checkAs(id, chosen, { lead_date: 'dmy', client_value: 'comma' })).toMatchObject({ fresh: 2, refused: 1 })
  expect((await groupsOf(id)).data).toMatchObject([
    { column: 'Date', value: '11/16/2025', says: expect.stringContaining('day/month/year') },
    { column: 'Value', value: '12.50', says: expect.stringContaining('1.200,50') },
  ])
  expect(await run(id)).toMatchObject({ made: 2 })
  const wrong = await root.call(importsContract.check, {
    params: { id },
    body: { columns: {}, readings: { lead_name: 'dmy' } },
  })
  expect(wrong.status).toBe(409)
})

test('refused lines keep how their amounts and dates were read [OPEN-04, EDGE-01, EDGE-02]', async () => {
  const file = [
    'Date;Name;Campaign;Value',
    '16.04.2026;Ann;Austin Roofing;1500,50',
    '03.04.2026;Ben;Nowhere;1.500',
    '05.04.2026 14:30;Cay;Nowhere;1,200',
    'never;Dan;Nowhere;many',
    '2026-04-07T10:00:00-05:00;Eve;Nowhere;1500,5',
    '03.04.2026 00:00 +02:00;Gus;Nowhere;5',
    '06.04.2026;Fay',
  ].join('\n')
  const { id, chosen } = await upload('leads', file)
  await check(id, chosen, { lead_type: { '': 'Form' } })
  const before = (await refusedOf(id)).text
  const cells: string[][] = parse(before, { bom: true })
  expect(cells.slice(1).map(([date, , , value]) => [date, value])).toEqual([
    ['2026-04-03', '1500,00'],
    ['2026-04-05 14:30:00', '1,20'],
    ['never', 'many'],
    ['2026-04-07T10:00:00-05:00', '1500,5'],
    ['2026-04-03T00:00:00+02:00', '5'],
    ['06.04.2026', ''],
  ])
  await run(id)
  const { text } = await refusedOf(id)
  expect(text).toBe(before)
  const again = await upload('leads', text.replaceAll(/(?<=,)Nowhere/g, 'Austin Roofing'))
  expect(await check(again.id, again.chosen, { lead_type: { '': 'Form' } })).toMatchObject({ fresh: 4, refused: 2 })
  await run(again.id)
  expect((await leads()).map((one) => [one.lead_name, one.occurred_at.toISOString(), one.client_value])).toEqual([
    ['Gus', '2026-04-02T22:00:00.000Z', 5],
    ['Ben', '2026-04-03T04:00:00.000Z', 1500],
    ['Cay', '2026-04-05T18:30:00.000Z', 1.2],
    ['Eve', '2026-04-07T15:00:00.000Z', 1500.5],
    ['Ann', '2026-04-16T04:00:00.000Z', 1500.5],
  ])
})

test.each([
  { readings: { lead_name: 'mdy' } },
  { readings: { lead_date: 'comma' } },
  { readings: { client_value: 'dmy' } },
  { readings: { nothing: 'dmy' } },
  { readings: { lead_date: 'backwards' } },
])('%j is no way to read a column [EDGE-01]', async (more) => {
  const { id, chosen } = await upload('leads', leadFile(',', ['Ann', '2025-11-15', '1']))
  const body = { columns: chosen, values: toAustin, ...more }
  expect((await root.call(importsContract.check, { params: { id }, body } as never)).status).toBe(422)
})

test('amounts that are none, negative ones and dates ahead are refused with their cells [EDGE-01, EDGE-02]', async () => {
  const day = '2025-11-15'
  const odd = ['0x10', '1e2', '1,2,3', '1.2.3', '1.51E+10', '(12.50)', '12.50-']
  const ahead = new Date(Date.now() + 2 * 86_400_000).toISOString()
  const missing = ['12/30/1899 10:15', '1/1/1900', '1970-01-01T00:00:00Z'] // how spreadsheets and databases write none
  const dates = ['46341', ahead, ...missing, '11/15/2025 24:00', '2/30/2025']
  const file = leadFile(';', ...odd.map((value) => ['Ann', day, value]), ...dates.map((date) => ['Ben', date, '1']))
  const { id, chosen } = await upload('leads', file)
  expect(await check(id, chosen, toAustin)).toMatchObject({ fresh: 0, refused: odd.length + dates.length })
  const groups = (await groupsOf(id)).data.map(({ value, says }: Record<string, string>) => [value, says])
  const negative = 'Must not be negative'
  expect(Object.fromEntries(groups)).toMatchObject({
    ...Object.fromEntries(odd.map((value) => [value, expect.stringMatching(/^Not an amount/)])),
    '(12.50)': negative,
    '12.50-': negative,
    '46341': expect.stringContaining('Excel'),
    [ahead]: 'More than a day ahead',
    ...Object.fromEntries(missing.map((date) => [date, 'Before the year 2000'])),
    '11/15/2025 24:00': expect.stringContaining('the time cannot be read'),
    '2/30/2025': expect.stringContaining('there is no such day'),
  })
})

test('an instant in a file stays that instant through clock changes [EDGE-02]', async () => {
  const file = leadFile(',', ['Ann', '2025-11-02T06:00:00Z', ''], ['Ben', '2025-11-02T05:00:00Z', ''])
  const { id, chosen } = await upload('leads', file)
  await check(id, chosen, toAustin)
  await run(id)
  expect((await leads()).map(({ occurred_at }) => occurred_at.toISOString())).toEqual([
    '2025-11-02T05:00:00.000Z',
    '2025-11-02T06:00:00.000Z',
  ])
})

test.each([
  [
    'Typeform',
    '#,"Name","Email","Phone","Start Date (UTC)","Submit Date (UTC)"\nabc,Joan Otter,joan@otter.example,15125550144,2026-03-20 15:04:09,2026-03-20 15:05:09',
  ],
  [
    'LinkedIn',
    'First Name,Last Name,Email Address,Phone Number,Lead Created At (UTC)\nJoan,Otter,joan@otter.example,+15125550144,2026-03-20 15:05:09',
  ],
  [
    'a column that names its zone in each cell',
    'Date (UTC),Name,Email,Phone\n2026-03-20 11:05:09 -0400,Joan Otter,joan@otter.example,5125550144',
  ],
])('times under a title that says UTC are in UTC: %s [EDGE-02, EDGE-08]', async (_, file) => {
  const { id, chosen } = await upload('leads', file)
  await check(id, chosen, toAustin)
  await run(id)
  expect(await leads()).toMatchObject([
    { lead_name: 'Joan Otter', lead_email: 'joan@otter.example', occurred_at: new Date('2026-03-20T15:05:09Z') },
  ])
})

test.each([
  ['Date (UTC),Time (UTC)', '2026-03-20,15:05:09'],
  ['Date (UTC),Time', '2026-03-20,3:05:09 PM'],
  ['Date,Time (GMT)', '03/20/2026,15:05:09'],
  ['Date UTC,Time UTC', '2026-03-20,15:05:09'],
  ['date_gmt,time_utc', '2026-03-20 00:00:00,15:05:09'], // a day as spreadsheets write it
  ['Date,Time (UTC)', '2026-03-20 00:00:00,15:05:09'],
  ['Date (Eastern Time),Time (ET)', '2026-03-20,11:05:09'],
  ['Date,Time (UTC-5)', '2026-03-20,10:05:09'],
  ['Date (UTC),Time (EST)', '2026-03-20,11:05:09 EDT'], // the cell says it itself
  ['Date,Time', '2026-03-20,11:05:09'], // the agency's
  ['Date,Time', '2026-03-20T00:00:00Z,11:05:09'], // a day as databases write it
  ['Date,Time', '2026-03-20T00:00:00+02:00,11:05:09'],
  ['Date,Time', '2026-03-20T20:00:00-04:00,11:05:09'], // no day, but the evening before
])('a zone in the title of a date or of its time counts for both: %s [EDGE-02, EDGE-08]', async (titles, cells) => {
  const { id, chosen } = await upload('leads', `${titles},Name\n${cells},Joan`)
  expect(chosen).toEqual({ lead_date: 0, lead_time: 1, lead_name: 2 })
  await check(id, chosen, toAustin)
  await run(id)
  expect(await leads()).toMatchObject([{ lead_name: 'Joan', occurred_at: new Date('2026-03-20T15:05:09Z') }])
})

test('titles of a date and its time that name different zones refuse the lines [EDGE-02, EDGE-08]', async () => {
  const { id, chosen } = await upload('leads', 'Date (UTC),Time (EST),Name\n2026-03-20,15:05,Joan')
  expect(await check(id, chosen, toAustin)).toMatchObject({ fresh: 0, refused: 1 })
  expect((await groupsOf(id)).data).toEqual([
    { column: 'Time (EST)', says: 'The title of the time says EST, that of the date UTC', value: '15:05', lines: 1 },
  ])
})

test('of two columns with the same title, the second counts where the first is empty, and both are kept [EDGE-08]', async () => {
  const file = [
    'Date,Name,Phone,Email,phone ,Email',
    '2026-03-20,Ann,5125550144,ann@x.example,,',
    '2026-03-20,Ben,N/A,,5125550145,ben@x.example',
    '2026-03-20,Cay,5125550146,cay@x.example,5125550147,cay@x.example',
    '2026-03-20,Dee,,,,',
  ].join('\n')
  const { id, chosen } = await upload('leads', file)
  expect(chosen).toEqual({ lead_date: 0, lead_name: 1, lead_phone: 2, lead_email: 3 })
  await check(id, chosen, toAustin)
  await run(id)
  const byName = Object.fromEntries((await leads()).map((lead) => [lead.lead_name, lead]))
  expect(byName).toMatchObject({
    Ann: { lead_phone: '5125550144', lead_email: 'ann@x.example', message: null },
    Ben: { lead_phone: '5125550145', lead_email: 'ben@x.example', message: null },
    Cay: { lead_phone: '5125550146', lead_email: 'cay@x.example', message: 'Phone: 5125550147' },
    Dee: { lead_phone: null, lead_email: null, message: null },
  })
})

test('Calendly’s invitee is the lead, not the agency’s user; Contact Form 7’s phone and Gravity’s named parts are known [EDGE-08]', async () => {
  const calendly = [
    'User Name,User Email,Invitee Name,Invitee Email,Text Reminder Number,Start Date & Time,Event Created Date & Time',
    'Sam,sam@agency.example,Joan Otter,joan@otter.example,+1 512-555-0144,2026-03-25 10:00 am,2026-03-20 10:05 am',
  ].join('\n')
  expect((await upload('leads', calendly)).chosen).toEqual({ lead_name: 2, lead_email: 3, lead_phone: 4, lead_date: 6 })
  const flamingo =
    'your-name,your-email,your-tel,your-message,Date\nJoan,j@otter.example,5125550144,Leak,2026/03/20 10:05'
  expect((await upload('leads', flamingo)).chosen).toMatchObject({ lead_phone: 2 })
  const gravity =
    'Your Name (First),Your Name (Last),Email (Enter Email),Phone,Entry Date\nJoan,Otter,j@otter.example,1,2026-03-20'
  expect((await upload('leads', gravity)).chosen).toMatchObject({ first_name: 0, last_name: 1, lead_email: 2 })
})
