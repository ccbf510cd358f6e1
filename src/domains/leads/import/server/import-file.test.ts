import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asc, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { spammersTable } from '#domains/leads/spam/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { importLeads } from './import-file.ts'
import { parseLeadLine } from './import-line.ts'

const folder = mkdtempSync(join(tmpdir(), 'leadline-import-'))
let said: string[] = []

const app = await setUp(startApp())
const client = await app.make.client({ emails: ['owner@example.com'] })
const campaign = await app.make.campaign({ name: 'Austin Roofing', client_id: client.id })
const site = await app.make.clientSite({ campaign_id: campaign.id, url: 'https://www.austin-roofing.example/' })
beforeEach(async () => {
  said = []
  await app.context.db.delete(leadsTable)
})

const say = (line: string) => void said.push(line)
const fileOf = (text: string | Buffer) => {
  const path = join(folder, `${crypto.randomUUID()}.csv`)
  writeFileSync(path, text)
  return path
}
const run = (text: string | Buffer, more: { dryRun?: boolean; confirm?: () => Promise<boolean> } = {}) =>
  importLeads({ context: app.context, file: fileOf(text), dryRun: false, say, ...more })
const all = () => app.context.db.select().from(leadsTable).orderBy(asc(leadsTable.id))

const header = 'lead_id,lead_type,lead_date,lead_time,campaign,lead_name,lead_phone,lead_email,message'

test('leads are imported from a CSV file, by the names of campaign and site, and no one is mailed [IN-03]', async () => {
  const text = [
    `${header},clientsite,duration,answered,client_value,rating,client_progress,confirmed,tags`,
    `A-1,Form,2026-03-08,02:30,Austin Roofing,Ann,(512) 555-0100,ann@example.com,"A roof, and",austin-roofing.example,,,"$1,200.50",5,Won,yes,"Low Value, Other"`,
    `A-2,call,03/09/2026,,${campaign.id},Ben,512-555-0101,,,${site.id},75,no,,,,0,`,
  ].join('\n')
  expect(await run(text)).toEqual({ fresh: 2, known: 0, refused: 0, written: 2 })
  expect(await all()).toMatchObject([
    {
      lead_s: 'Formidable',
      lead_id: 'A-1',
      campaign_id: campaign.id,
      clientsite_id: site.id,
      occurred_at: new Date('2026-03-08T07:30:00Z'), // 02:30 does not exist that day in New York, so it is 03:30
      phone_key: '+15125550100',
      message: 'A roof, and',
      client_value: 1200.5,
      rating: 5,
      client_progress: 1,
      confirmed: true,
      tags: ['Low Value', 'Other'],
    },
    { lead_s: 'Callrail', lead_id: 'A-2', duration: 75, answered: false, first_call: true, tags: [], confirmed: false },
  ])
  expect(await app.context.db.$count(mailsTable)).toBe(0)
})

test('an id or tracking number that a spreadsheet has shortened is refused, because those of others look the same [EDGE-03]', async () => {
  const line = (id: string, tracked: string) => `${id},Form,2026-03-08,02:30,Austin Roofing,Ann,,,,${tracked}`
  const lines = [line('9.00E+14', ''), line('"9,00E+14"', ''), line('A-1', '1.51256E+10'), line('12e4567', '')]
  expect(await run([`${header},tracking_phone_number`, ...lines].join('\n'), { confirm: async () => true })).toEqual({
    ...{ fresh: 1, known: 0, refused: 3, written: 1 },
  })
  expect(said.filter((one) => one.includes('Excel has shortened this number'))).toHaveLength(3)
  expect(await all()).toMatchObject([{ lead_id: '12e4567' }])
})

test('a lead that a file calls spam is hidden, as one that is tagged by hand', async () => {
  await run(
    `${header},tags\nA-1,Form,2026-03-08,02:30,Austin Roofing,Ann,,,,"Other, Spam"\nA-2,Form,2026-03-08,02:30,Austin Roofing,Ben,,,,Other`,
  )
  expect(await all()).toMatchObject([
    { lead_id: 'A-1', hide: true },
    { lead_id: 'A-2', hide: false },
  ])
})

test('a file without tags leaves them to the rules for incoming leads [IN-03]', async () => {
  await run(
    'lead_id,lead_type,lead_date,lead_time,campaign,duration,answered\nB-1,Call,2026-03-16,12:00,Austin Roofing,60,0',
  )
  expect(await all()).toMatchObject([{ tags: ['Auto Missed Call'] }])
})

test('a column of tags that is empty in each line leaves them to the rules, too [IN-03]', async () => {
  await app.context.db.insert(spammersTable).values({ name: 'Spa', phone: '5125550199', phone_key: '+15125550199' })
  const aircall = [
    'line,date (TZ offset incl.),time (TZ offset incl.),number timezone,datetime (UTC),country_code,direction,from,to,answered,missed_call_reason,user,duration (total),duration (in call),voicemail,recording,comments,tags,call quality,team,campaign',
    'L,2025-11-25,13:07:09,America/New_York,2025-11-25 18:07:09,US,inbound,15125550103,15125550180,No,no_available_agent,,25,0,,,,,,,Austin Roofing',
  ]
  const meta = [
    'Created,Name,Email,Source,Form,Channel,Stage,Owner,Labels,Phone,Secondary phone number,WhatsApp number,Campaign',
    '2025-11-25 13:05,Spa,,,,,,,,5125550199,,,Austin Roofing',
    '2025-11-25 14:05,Ann,,,,,,,-,5125550104,,,Austin Roofing',
  ]
  for (const file of [aircall, meta]) await run(file.join('\n'))
  expect((await all()).map(({ lead_phone, tags, hide }) => [lead_phone, tags, hide])).toEqual([
    ['15125550103', ['Auto Missed Call'], false],
    ['5125550199', ['Autospam'], true],
    ['5125550104', [], false],
  ])
  // A tag below the lines that are looked at first.
  await app.context.db.delete(leadsTable)
  const lines = Array.from({ length: 120 }, (_, at) => meta[1]!.replace('Spa,,', `S${at},s${at}@example.com,`))
  await run([meta[0], ...lines, meta[2]!.replace(',-,', ',Other,')].join('\n'))
  expect(new Set((await all()).map(({ tags, hide }) => `${tags} ${hide}`))).toEqual(new Set([' false', 'Other false']))
})

test('calls of a file that does not say whether they were answered are not tagged as missed [IN-03]', async () => {
  await run(
    'lead_id,lead_type,lead_date,lead_time,campaign,duration\nB-1,Call,2026-03-16,12:00,Austin Roofing,60\nB-2,Call,2026-03-16,23:00,Austin Roofing,60',
  )
  expect(await all()).toMatchObject([
    { answered: null, tags: [] },
    { answered: null, tags: [] },
  ])
})

test('the duration of a call is no message where our own file of leads is imported [IN-03]', async () => {
  const call = { campaign_id: campaign.id, lead_type: 'Call' as const, message: null }
  await app.make.lead({ ...call, lead_name: 'Ann', duration: 83 })
  await app.make.lead({ ...call, lead_name: 'Ben', duration: 3723 })
  await app.make.lead({ ...call, lead_name: 'Cay', duration: 5, message: 'Call at 9:30' })
  await app.make.lead({ ...call, lead_name: 'Dan', lead_type: 'Form', message: '9:30' })
  const root = await app.as(await app.make.superAdmin())
  const json = { headers: { 'content-type': 'application/json' }, body: '{}' }
  const file = await (await root.fetch('/api/lead/export', { method: 'POST', ...json })).text()
  await app.context.db.delete(leadsTable)
  expect(await run(file)).toMatchObject({ written: 4 })
  const read = (await all()).map(({ lead_name, duration, message }) => [lead_name, duration, message])
  expect(read.sort()).toEqual([
    ['Ann', 83, null],
    ['Ben', 3723, null],
    ['Cay', null, 'Call at 9:30'],
    ['Dan', null, '9:30'],
  ])
})

test('a dry run says what it would do with each line, and writes nothing (R15) [IN-03]', async () => {
  await app.make.lead({ campaign_id: campaign.id, lead_s: 'Formidable', lead_id: 'C-1' })
  const before = await app.dump()
  const text = [
    header,
    'C-1,Form,2026-03-01,10:00,Austin Roofing,A,,,',
    'C-2,Form,2026-03-01,10:00,Austin Roofing,"B',
    'on two lines",,,',
    '',
    'C-2,Form,2026-03-02,10:00,Austin Roofing,C,,,',
    ',Form,2026-02-30,25:00,Nowhere,D,,,',
    'C-3,Form,2026-03-03,10:00,Austin Roofing',
    'C-4,Fax,2026-03-03,,Austin Roofing,E,,,',
  ].join('\n')
  expect(await run(text, { dryRun: true })).toEqual({ fresh: 1, known: 1, refused: 4, written: 0 })
  expect(said).toEqual([
    'line 2: already exists, left unchanged',
    'line 3: new: Form of 2026-03-01',
    'line 6: refused: Repeats line 3',
    'line 7: refused: lead_date: Not a date (year-month-day, such as 2026-11-25): there is no such day; lead_time: Not a time, such as 14:30 or 2:30 PM; campaign: There is no campaign Nowhere',
    'line 8: refused: The line has 5 cells, the header 9',
    'line 9: refused: lead_type: Must be Form or Call',
    '1 new, 1 already there, 4 refused',
  ])
  expect(await app.dump()).toBe(before)
})

test('a line for an archived campaign is refused unless its lead is there already; a running campaign of the same name is meant first [IN-03]', async () => {
  const ended = await app.make.campaign({ name: 'Old roofs', client_id: client.id, archived: true })
  await app.make.lead({ campaign_id: ended.id, lead_s: 'Formidable', lead_id: 'E-9' })
  await app.make.campaign({ name: 'Austin Roofing', archived: true })
  const lines = ['Old roofs', ended.id, 'Austin Roofing'].map((to, at) => `E-${at},Form,2026-03-01,10:00,${to},A,,,`)
  const known = 'E-9,Form,2026-03-01,10:00,Old roofs,A,,,'
  expect(await run([header, ...lines, known].join('\n'), { confirm: async () => true })).toMatchObject({
    written: 1,
    refused: 2,
    known: 1,
  })
  const refusal = 'campaign: Old roofs is archived: restore it first, or choose another campaign'
  expect(said).toEqual(expect.arrayContaining([`line 2: refused: ${refusal}`, `line 3: refused: ${refusal}`]))
  expect(await all()).toMatchObject([
    { lead_id: 'E-9', campaign_id: ended.id },
    { lead_id: 'E-2', campaign_id: campaign.id },
  ])
})

test('bad lines are reported before anything is written, and without a yes nothing is [IN-03]', async () => {
  const text = `${header}\nD-1,Form,2026-03-01,10:00,Austin Roofing,A,,,\nD-2,Form,never,10:00,Austin Roofing,B,,,\n`
  let asked = ''
  const answering = (answer: boolean) => async () => {
    asked = said.join('\n')
    expect(await all()).toEqual([])
    return answer
  }
  expect(await run(text)).toMatchObject({ written: 0 })
  expect(await run(text, { confirm: answering(false) })).toMatchObject({ written: 0 })
  expect(asked).toContain('line 3: refused: lead_date: Not a date')
  expect(await run(text, { confirm: answering(true) })).toEqual({ fresh: 1, known: 0, refused: 1, written: 1 })
  expect((await all()).map(({ lead_id }) => lead_id)).toEqual(['D-1'])
})

test('a broken quote, odd bytes and a second run are reported by line, and good lines stay good [IN-03]', async () => {
  const line = (id: string, name: string) => `${id},Form,2026-03-01,10:00,Austin Roofing,${name},,,`
  const text = [
    header,
    line('E-1', 'A'),
    line('E-2', '"B" x'),
    line('E-3', '6" pipe'),
    line('E-5', '"two\r\nlines"'),
    line('E-6', '"never ends'),
    line('E-7', 'G'),
  ].join('\r\n')
  expect(await run(text, { confirm: async () => true })).toEqual({ fresh: 4, known: 0, refused: 2, written: 4 })
  expect(said.slice(0, 2)).toEqual([
    expect.stringMatching(/^line 3: refused: A quote is not allowed here/),
    'line 7: refused: A quote is opened and never closed',
  ])
  expect((await all()).map(({ lead_id, lead_name }) => [lead_id, lead_name])).toEqual([
    ['E-1', 'A'],
    ['E-3', '6" pipe'],
    ['E-5', 'two lines'],
    ['E-7', 'G'],
  ])
  const odd = Buffer.concat([Buffer.from(`\ufeff${header}\n`), Buffer.from(line('E-4', 'Jos\u00e9'), 'latin1')])
  expect(await run(odd)).toMatchObject({ refused: 1, written: 0 })
  expect(said.at(-2)).toBe('line 2: refused: The line has bytes that are not UTF-8')
  expect(await run(`${header}\n${line('E-1', 'changed')}`)).toMatchObject({ known: 1, written: 0 })
  expect((await all())[0]).toMatchObject({ lead_name: 'A' })
})

test('an ID that another website has used for another person is a lead of its own, and each file is known when it comes again [IN-03]', async () => {
  const other = await app.make.campaign({ name: 'Dallas Pools', client_id: client.id })
  const line = (id: number, type: string, time: string, to: string, who: string) =>
    `${id},${type},2026-03-01,${time},${to},${who}`
  const [ann, ben, cat, dan] = ['Ann,512-555-0100', 'Ben,512-555-0101', 'Cat,214-555-0100', 'Dan,214-555-0101']
  const roofs = [
    line(1, 'Form', '10:00', 'Austin Roofing', `${ann},,`),
    line(2, 'Call', '11:00', 'Austin Roofing', `${ben},,`),
  ]
  const pools = [line(1, 'Form', '10:00', other.name, `${cat},,`), line(2, 'Call', '12:00', other.name, `${dan},,`)]
  const read = (lines: string[]) => run([header, ...lines].join('\n'))
  expect(await read(roofs)).toMatchObject({ fresh: 2, written: 2 })
  expect(await read(pools)).toMatchObject({ fresh: 2, written: 2 })
  expect(await read(pools)).toMatchObject({ known: 2, written: 0 })
  expect((await all()).map(({ lead_name, campaign_id }) => [lead_name, campaign_id])).toEqual([
    ...['Ann', 'Ben'].map((name) => [name, campaign.id]),
    ...['Cat', 'Dan'].map((name) => [name, other.id]),
  ])

  const [first] = await all()
  const staff = await app.as(await app.make.superAdmin())
  await staff.call(leadsContract.update, {
    params: { id: first!.id },
    body: { lead_name: 'Anna', lead_phone: '512-555-0177', lead_email: 'anna@example.com' },
  })
  const sameCall = line(2, 'Call', '11:00', 'Austin Roofing', 'Eve,512-555-0199,,')
  expect(await read([roofs[0]!, sameCall]), 'a corrected lead and a call of the same time').toMatchObject({ known: 2 })
})

test('an ID that a file has for two people is of two leads, and a true repeat is refused [IN-03]', async () => {
  const titles = 'Entry Id,Entry Date,Source Url,Name,Phone,Email,Campaign'
  const line = (day: number, who: string) => `1,2025-11-${day} 13:05:09,https://a.example/,${who},Austin Roofing`
  const [ann, ben] = [
    line(25, 'Ann Ash,(512) 555-0102,ann@example.com'),
    line(26, 'Ben Birch,512-555-0103,ben@example.com'),
  ]
  const read = (...lines: string[]) => run([titles, ...lines].join('\n'), { confirm: async () => true })
  expect(await read(ann, ben)).toEqual({ fresh: 2, known: 0, refused: 0, written: 2 })
  expect((await all()).map(({ lead_name }) => lead_name)).toEqual(['Ann Ash', 'Ben Birch'])
  expect(await read(ann, ben)).toEqual({ fresh: 0, known: 2, refused: 0, written: 0 })
  expect(await read(line(27, 'Cay,512-555-0104,'), ben, line(28, 'Cay,512-555-0104,'))).toEqual({
    ...{ fresh: 1, known: 1, refused: 1, written: 1 },
  })
  expect(said).toContain('line 4: refused: Repeats line 2')
})

test('calls of withheld numbers are told apart by what else they say, and a line that says the same is a repeat [IN-03]', async () => {
  const line = (phone: string, duration: string) => `11/25/2025,,${phone},${duration},Austin Roofing`
  const lines = [line('Restricted', '0:45'), line('Anonymous', '2:10'), line('', '3:10')]
  const read = (...more: string[]) =>
    run(['Date,Name,Phone,Duration,Campaign', ...lines, ...more].join('\n'), { confirm: async () => true })
  expect(await read()).toEqual({ fresh: 3, known: 0, refused: 0, written: 3 })
  expect((await all()).map(({ duration }) => duration)).toEqual([45, 130, 190])
  expect(await read(line('Unknown', '2:10'))).toEqual({ fresh: 0, known: 3, refused: 1, written: 0 })
  expect(said).toContain('line 5: refused: Repeats line 3')

  // As it was imported when date and campaign were all of the id.
  await app.context.db.delete(leadsTable)
  const midnight = new Date('2025-11-25T05:00:00Z')
  const hash = hashSha256(JSON.stringify([midnight, [null, null, null], campaign.id])).toString('hex')
  const call = { campaign_id: campaign.id, lead_type: 'Call', lead_s: 'Callrail', occurred_at: midnight } as const
  await app.make.lead({ ...call, lead_id: `import-${hash.slice(0, 32)}`, duration: 45 })
  expect(await read()).toEqual({ fresh: 2, known: 1, refused: 0, written: 2 })

  await app.context.db.delete(leadsTable)
  const form = { ...call, lead_type: 'Form', lead_s: 'Formidable', message: 'My roof leaks' } as const
  const { id } = await app.make.lead({ ...form, lead_id: `import-${hash.slice(0, 32)}` })
  const staff = await app.as(await app.make.superAdmin())
  await staff.call(leadsContract.update, { params: { id }, body: { message: 'His roof leaks, 1 Main St' } })
  const sameForm = 'Date,Message,Campaign\n11/25/2025,My roof leaks,Austin Roofing'
  expect(await run(sameForm), 'a form whose message was edited').toMatchObject({ fresh: 0, known: 1 })
})

test('a file without the required columns, an empty one and a missing one are refused [IN-03]', async () => {
  await expect(run('name,phone\nA,1')).rejects.toThrow('The file has no column lead_date')
  await expect(run('')).rejects.toThrow('The file is empty')
  const nowhere = importLeads({ context: app.context, file: join(folder, 'none.csv'), dryRun: true, say })
  await expect(nowhere).rejects.toThrow('The file cannot be read')
})

test('a large file is read in parts, and each lead is created once [IN-03]', async () => {
  const lines = Array.from(
    { length: 1300 },
    (_, n) => `F-${n},Call,2026-03-01,10:00,Austin Roofing,P${n},512-555-${1000 + (n % 650)},,`,
  )
  const file = fileOf([header, ...lines].join('\n'))
  const both = await Promise.all([1, 2].map(() => importLeads({ context: app.context, file, dryRun: false, say })))
  expect(both.reduce((sum, { written }) => sum + written, 0)).toBe(1300)
  expect(await app.context.db.$count(leadsTable, eq(leadsTable.first_call, true))).toBe(650)
})

test('an unknown lead source is the traffic source of a line without one, and refused beside another [OPEN-04]', () => {
  const line = { lead_date: '2026-03-01', lead_s: 'Referral' }
  expect(parseLeadLine(line, 'UTC', new Date('2026-03-02'))).toMatchObject({
    cells: { lead_s: null, source: 'Referral' },
  })
  expect(parseLeadLine({ ...line, source: 'Bing' }, 'UTC', new Date('2026-03-02'))).toMatchObject({
    wrong: [{ field: 'lead_s' }],
  })
})
