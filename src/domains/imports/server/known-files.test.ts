import { asc } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { importsBy } from '#test/imports.ts'
import { importsContract } from '../contract.ts'

const app = await setUp(startApp({ work: true }))
const root = await app.as(await app.make.superAdmin())
const client = await app.make.client({ name: 'Outside Plumbing', emails: ['owner@example.com'] })
const campaign = await app.make.campaign({ name: 'Spring Roofs', client_id: client.id })
const site = await app.make.clientSite({ campaign_id: campaign.id })
beforeEach(async () => {
  await app.context.db.delete(leadsTable)
})

const { upload, checkFile, run } = importsBy(app, root)
async function importFile(content: string | Buffer) {
  const checked = await checkFile('leads', content)
  const { id } = checked
  const groups = (await root.call(importsContract.groups, { params: { id } })).body.data
  return { checked, groups, done: checked.fresh > 0 ? await run(id) : checked, id }
}
const leads = () => app.context.db.select().from(leadsTable).orderBy(asc(leadsTable.id))

const facebookTitles =
  'id\tcreated_time\tad_id\tad_name\tadset_id\tadset_name\tcampaign_id\tcampaign_name\tform_id\tform_name\tis_organic\tplatform\twhat_do_you_need?\tfull_name\temail\tphone_number\tlead_status'
const facebookLine = (id: string, name: string) =>
  `l:${id}\t2025-11-15T15:20:00-05:00\tag:11\tAd\tas:12\tSet\tc:13\tSpring Roofs\tf:14\tForm\tfalse\tig\ta_new_roof\t${name}\tann@example.com\tp:+15125550202\tCREATED`

test('Facebook’s export, UTF-16 with tabs, is mapped without a hand; its test is refused [EDGE-06, EDGE-08]', async () => {
  const text = [
    facebookTitles,
    facebookLine('900000000000002', 'José Ash'),
    facebookLine('3', '<test lead: dummy data for full_name>'),
  ].join('\n')
  const { done, groups } = await importFile(Buffer.from(`\ufeff${text}`, 'utf16le'))
  expect(groups).toEqual([{ column: null, says: 'A test from Facebook', value: null, lines: 1 }])
  expect(done).toMatchObject({ made: 1, refused: 1 })
  expect(await leads()).toMatchObject([
    {
      lead_type: 'Form',
      lead_s: 'Other',
      lead_id: '900000000000002',
      lead_name: 'José Ash',
      lead_email: 'ann@example.com',
      phone_key: '+15125550202',
      campaign_id: campaign.id,
      source: 'Instagram',
      tracking_source: 'Spring Roofs',
      message: 'What do you need? a new roof',
      occurred_at: new Date('2025-11-15T20:20:00Z'),
    },
  ])
})

test('a line that a form plugin exports although its visitor never sent it is no lead [EDGE-08]', async () => {
  const titles = 'Entry ID,Name,Email,Comment or Message,Entry Date,Campaign'
  const line = (id: number) => `${id},Ann,ann@example.com,It leaks,2025-11-15 14:30,Spring Roofs`
  for (const [title, sent, unsent, says] of [
    ['Draft', '0', '1', 'A draft, not sent yet'],
    ['Entry Type', 'Completed', 'Abandoned', 'Abandoned, never sent'],
    ['Response Type', 'completed', 'partial', 'Abandoned, never sent'],
    ['Entry Type', '1', 'In Progress', 'In progress, not sent yet'],
  ] as const) {
    await app.context.db.delete(leadsTable)
    const { groups } = await importFile([`${titles},${title}`, `${line(7)},${sent}`, `${line(8)},${unsent}`].join('\n'))
    expect(groups, title).toEqual([{ column: null, says, value: null, lines: 1 }])
    expect(await leads(), title).toMatchObject([{ lead_id: '7', message: 'It leaks' }])
  }
})

test('a call that was made is no lead, as the files of telephone systems say it [EDGE-08]', async () => {
  const line = (day: number, direction: string) => `2025-11-${day},Ann,512-555-0${day}0,0:45,Spring Roofs,${direction}`
  for (const [title, received, made] of [
    ['Direction', 'Inbound', 'Outbound'],
    ['direction', 'incoming', 'outgoing'],
    ['Call Direction', 'Incoming', 'Outgoing Call'],
    ['Call Type', 'First Call', 'Outbound'],
    ['Type', 'Incoming Call', 'OUTBOUND_CALL'],
  ] as const) {
    await app.context.db.delete(leadsTable)
    const { groups } = await importFile(
      [`Date,Name,Phone,Duration,Campaign,${title}`, line(15, received), line(16, made)].join('\n'),
    )
    expect(groups, made).toContainEqual({ column: null, says: 'An outbound call', value: null, lines: 1 })
    expect(
      (await leads()).map(({ lead_phone }) => lead_phone),
      made,
    ).not.toContain('512-555-0160')
  }
})

test('a call of Dialpad’s file is of who called, not of who took it, and at the time of its zone [EDGE-08]', async () => {
  const titles =
    'date_started,call_id,target_kind,direction,external_number,internal_number,talk_duration,voicemail,email,name,timezone,campaign'
  const line = (id: number, direction: string, zone: string) =>
    `2025-11-15 14:05:54.388365,${id},User,${direction},+15125550144,+15125550180,15.783,False,bob@agency.example,Bob Agent,${zone},Spring Roofs`
  const { groups } = await importFile(
    [titles, line(71, 'inbound', 'UTC'), line(72, 'outbound', 'UTC'), line(73, 'inbound', '')].join('\n'),
  )
  expect(groups).toEqual([{ column: null, says: 'An outbound call', value: null, lines: 1 }])
  const call = {
    ...{ lead_type: 'Call', lead_s: 'Other', lead_phone: '+15125550144', tracking_phone_number: '+15125550180' },
    ...{ lead_name: null, lead_email: null },
  }
  expect(await leads()).toMatchObject([
    { ...call, lead_id: '71', occurred_at: new Date('2025-11-15T14:05:54Z') },
    { ...call, lead_id: '73', occurred_at: new Date('2025-11-15T19:05:54Z') },
  ])
})

test('the number of the caller is found in the files of telephone systems, also beside a Caller ID that is a name [EDGE-08]', async () => {
  for (const [titles, values, lead] of [
    ['From,To,Caller ID,Length', '5125550144,5125550180,JOAN OTTER,1:35', { duration: 95 }],
    ['Calling Number,Called Number,Duration', '5125550144,5125550180,95', { tracking_phone_number: '5125550180' }],
    ['from,to,duration (total),duration (in call)', '5125550144,5125550180,95,90', { duration: 95 }],
    ['From,To,Action,Action Result,Duration', '5125550144,5125550180,Phone Call,Missed,0:00:05', { answered: false }],
    ['Caller ID,Duration', '5125550144,95', {}],
    ['Caller ID,Phone Number,Duration', '5125550144,5125550180,95', { tracking_phone_number: '5125550180' }],
  ] as const) {
    await app.context.db.delete(leadsTable)
    await importFile(`Date,Direction,Campaign,${titles}\n2025-11-15,Inbound,Spring Roofs,${values}\n`)
    expect(await leads(), titles).toMatchObject([{ lead_type: 'Call', lead_phone: '5125550144', ...lead }])
  }
})

test('in the file of a CRM, Phone Number is the person’s, whatever other phone stands beside it [EDGE-08]', async () => {
  for (const [titles, values] of [
    ['Phone Number,Mobile Phone Number', '5125550144,'],
    ['Mobile Phone Number,Phone Number', ',5125550144'],
    ['Phone Number,Home Phone', '5125550144,5125550199'],
    ['Phone Number,Mobile', '5125550144,'],
    ['WhatsApp Phone Number,Phone Number,Lead Status', ',5125550144,New'],
    ['Phone,Phone Number', ',5125550144'],
    ['Phone Number,Mobile Phone Number', ',5125550144'],
  ] as const) {
    await app.context.db.delete(leadsTable)
    await importFile(`Record ID,Create Date,First Name,Campaign,${titles}\n71,2025-11-15,Joan,Spring Roofs,${values}\n`)
    expect(await leads(), titles).toMatchObject([{ lead_phone: '5125550144', tracking_phone_number: null }])
  }
})

test('beside a number of the contact, or what only a telephone system says, Phone Number is the dialed one [EDGE-08]', async () => {
  const [contact, dialed] = ['5125550144', '5125550180']
  for (const titles of [
    'Contact Phone,Phone Number,Answered,Voicemail',
    'Contact Phone,Phone Number,Voice Mail',
    'Phone,Phone Number,Recording',
    'Mobile,Phone Number,Recording URL',
    'Mobile,Phone Number,Call ID',
    'Mobile,Phone Number,Call Date',
    'Customer Phone,Phone Number,Agent',
    'Contact Phone Number,Phone Number',
    'Lead Phone,Phone Number',
  ]) {
    await app.context.db.delete(leadsTable)
    const others = titles
      .split(',')
      .slice(2)
      .map(() => '')
    const line = ['2025-11-15', 'Spring Roofs', contact, dialed, ...others].join(',')
    await importFile(`Date,Campaign,${titles}\n${line}\n`)
    expect(await leads(), titles).toMatchObject([{ lead_phone: contact, tracking_phone_number: dialed }])
  }
  await app.context.db.delete(leadsTable)
  await importFile(`Date,Campaign,Contact Phone,Phone Number,Answered\n2025-11-15,Spring Roofs,,${dialed},No\n`)
  expect(await leads()).toMatchObject([{ lead_phone: null, tracking_phone_number: dialed }])
  // A CRM that has left the other one empty.
  await app.context.db.delete(leadsTable)
  await importFile(`Date,Campaign,Contact Phone,Phone Number,Mobile\n2025-11-15,Spring Roofs,,${contact},5125550199\n`)
  expect(await leads()).toMatchObject([{ lead_phone: contact, tracking_phone_number: null }])
})

test('an amount is that of its first title, although the column is empty in the first lines [EDGE-01]', async () => {
  for (const titles of ['Quote Value,Sales Value', 'Revenue,Amount']) {
    await app.context.db.delete(leadsTable)
    await importFile(`Date,Campaign,Name,${titles}\n2025-11-15,Spring Roofs,Ann,900,\n`)
    expect(await leads(), titles).toMatchObject([{ client_value: null }])
  }
})

test('a column is not taken for a phone or an email by its title if its values are none [EDGE-08]', async () => {
  for (const [titles, lines, lead] of [
    [
      'From,To,Phone Number',
      ['"12 Oak St, Austin, TX 78701-1234","9 Elm St, Waco",5125550144', '"Austin, TX","Waco, TX",5125550145'],
      { lead_phone: '5125550144', tracking_phone_number: null },
    ],
    ['Caller ID,Phone Number', ['JOAN OTTER,5125550144', 'Unavailable,5125550145'], { lead_phone: '5125550144' }],
    ['Caller ID,Phone Number', ['JOAN OTTER,5125550144'], { lead_phone: '5125550144' }],
    ['Phone,Cell', ['iPhone 15,5125550144', 'Pixel,5125550145'], { lead_phone: '5125550144' }],
    ['Do you have a phone?,Best phone to call', ['Yes,5125550144', 'Yes,5125550145'], { lead_phone: '5125550144' }],
    ['Email,Work Email,Phone', ['Yes,joan@otter.example,5125550144'], { lead_email: 'joan@otter.example' }],
  ] as const) {
    await app.context.db.delete(leadsTable)
    await importFile(`Date,Campaign,${titles}\n${lines.map((line) => `2025-11-15,Spring Roofs,${line}\n`).join('')}`)
    expect((await leads())[0], titles).toMatchObject(lead)
  }
})

test('an amount that its comma has split into two cells is refused, although an empty cell fits the line again [EDGE-01]', async () => {
  const line = (day: number, rest: string) => `2025-11-${day},51255501${day},Spring Roofs,${rest}`
  const { groups } = await importFile(
    [
      'Date,Phone,Campaign,Value,Notes',
      line(15, '1500,50,'),
      line(16, '1200,'),
      line(17, '1,200,'),
      line(18, '9,,'),
    ].join('\n'),
  )
  const says = 'The line has 6 cells, the header 5: a value with ‘,’ in it needs quotes'
  expect(groups).toEqual([{ column: null, says, value: null, lines: 2 }])
  expect((await leads()).map(({ client_value, notes }) => [client_value, notes])).toEqual([
    [1200, null],
    [9, null],
  ])
  // Also where it has split all of them, as with a decimal comma.
  const all = await importFile(['Date,Phone,Campaign,Value,Notes', line(20, '1500,50,'), line(21, '9,00,')].join('\n'))
  expect(all.groups).toEqual([{ column: null, says, value: null, lines: 2 }])
})

test('a column of time zones behind the time says where it was; what is no zone is refused [EDGE-02]', async () => {
  for (const [titles, cells] of [
    ['Date,Time,Time Zone', '2025-11-15,10:05 AM,PST'],
    ['Start Time,Timezone', '2025-11-15 12:05,Central Time (US & Canada)'],
    ['Start Time,Timezone', '2025-11-15 13:05,America/New York'],
    ['Start Time,Time Zone', '2025-11-15 13:05:00-05:00,PST'],
    ['Created Date,Created Time,Created Time Zone', '11/15/2025,10:05 AM,PST'],
    ['Call Timezone,Call Date', 'America/Los_Angeles,2025-11-15T10:05:00'],
    ['Created At,Created At Time Zone', '2025-11-15 18:05,UTC'],
    ['Lead Date,Lead Time Zone', '2025-11-15T13:05:00,PST'],
    ['Date,Phone Time Zone', '2025-11-15T13:05:00,PST'],
  ] as const) {
    await app.context.db.delete(leadsTable)
    await importFile(`${titles},Phone,Campaign\n${cells},5125550144,Spring Roofs\n`)
    expect(
      (await leads()).map(({ occurred_at }) => occurred_at),
      titles,
    ).toEqual([new Date('2025-11-15T18:05:00Z')])
  }
  const says = 'Not a time zone: Nowhere'
  for (const [titles, cells, column, value] of [
    ['Date,Time,Time Zone', '2025-11-15,13:05,Nowhere', 'Time', '13:05'],
    ['Start Time,Time Zone', '2025-11-15 13:05,Nowhere', 'Start Time', '2025-11-15 13:05'],
  ] as const) {
    const { groups } = await importFile(`${titles},Phone,Campaign\n${cells},5125550145,Spring Roofs\n`)
    expect(groups).toEqual([{ column, says, value, lines: 1 }])
  }
})

test('a zone that cannot be read is no matter where a day stands alone, or the time names its own [EDGE-02]', async () => {
  for (const [titles, cells] of [
    ['Date,Time Zone', '2025-11-15,Nowhere'],
    ['Start Time,Time Zone', '2025-11-15 13:05:00-05:00,BST'],
    ['Date,Time,Time Zone', '2025-11-15,13:05 EST,Nowhere'],
  ] as const) {
    const { checked } = await importFile(`${titles},Phone,Campaign\n${cells},5125550146,Spring Roofs\n`)
    expect(checked, cells).toMatchObject({ fresh: 1, refused: 0 })
    await app.context.db.delete(leadsTable)
  }
})

test('text that a program has written as HTML is text [EDGE-04]', async () => {
  await importFile(
    'Date,First Name,Last Name,Message,Campaign\n2025-11-15,Ryan,O&#039;Brien,Roof &amp; gutter &lt;6 ft&gt;,Spring Roofs\n',
  )
  expect(await leads()).toMatchObject([{ lead_name: "Ryan O'Brien", message: 'Roof & gutter <6 ft>' }])
})

test('a name with a comma moves no cell, although an empty one at the end fits the line again [EDGE-08]', async () => {
  const titles = 'Date,Campaign,Name,Phone,Email,Message'
  const line = (day: number, name: string, end: string) =>
    `2025-11-${day},Spring Roofs,${name},51255501${day},joan@otter.example,${end}`
  const [says, ended] = [7, 8].map(
    (cells) => `The line has ${cells} cells, the header 6: a value with ‘,’ in it needs quotes`,
  )
  const unless = ', unless the ‘,’ at the end is one too many'
  const some = await importFile([titles, line(15, 'Otter, Joan', ''), line(16, 'Ann Birch', 'Hi')].join('\n'))
  expect(some.groups).toEqual([{ column: null, says: says + unless, value: null, lines: 1 }])
  // Also where a comma ends each line.
  const all = await importFile([titles, line(17, 'Otter, Joan', ','), line(18, 'Ben Birch', 'Hi,')].join('\n'))
  expect(all.groups).toEqual([{ column: null, says: ended + unless, value: null, lines: 1 }])
  // And where each line has such a name.
  const each = await importFile([titles, line(19, 'Otter, Joan', ''), line(20, 'Birch, Ann', '')].join('\n'))
  expect(each.groups).toEqual([{ column: null, says, value: null, lines: 2 }])
  const noEmail = line(21, 'Otter, Joan', '').replace('joan@otter.example', '')
  expect((await importFile([titles, noEmail].join('\n'))).groups).toEqual([
    { column: null, says, value: null, lines: 1 },
  ])
  expect((await leads()).map(({ lead_name, message }) => [lead_name, message])).toEqual([
    ['Ann Birch', 'Hi'],
    ['Ben Birch', 'Hi'],
  ])
})

test('a comma that ends one line, or all but one, is no reason to refuse it [EDGE-08]', async () => {
  const titles = 'Date,Campaign,Name,Phone,Email,Message'
  const line = (day: number, end = '') =>
    `2025-11-${day},Spring Roofs,Ann,51255501${day},ann@otter.example,It leaks${end}`
  for (const lines of [
    [line(11), line(12, ','), line(13)],
    [line(11, ',,,'), line(12), line(13)],
    [line(11, ','), line(12, ','), line(13, ','), line(14, ','), line(15, ','), line(16)],
    [line(11, ','), line(12, ','), ',,,,,'],
  ]) {
    await app.context.db.delete(leadsTable)
    const { checked } = await importFile([titles, ...lines].join('\n'))
    expect(checked, lines.join('\n')).toMatchObject({ fresh: lines.filter((one) => /\d/.test(one)).length, refused: 0 })
    expect((await leads()).every(({ message }) => message === 'It leaks')).toBe(true)
  }
})

test('an empty cell too many is refused where others may have moved, and the refusal says what else it may be [EDGE-08]', async () => {
  const says = 'a value with ‘,’ in it needs quotes, unless the ‘,’ at the end is one too many'
  for (const [titles, even, moved] of [
    ['Name,Message', 'Ann,Hi', 'Otter, Joan,'],
    ['Name,Email', 'Ann,ann@otter.example', 'Otter,Joan,'],
    ['Name,Phone', 'Ann,5125550144', 'Otter,Joan,'],
    ['Value,Duration', '900,45', '1500,50,'],
  ] as const) {
    const { groups } = await importFile(
      [`Date,Campaign,${titles}`, ...[even, moved].map((one) => `2025-11-15,Spring Roofs,${one}`)].join('\n'),
    )
    expect(groups, moved).toEqual([
      { column: null, says: `The line has 5 cells, the header 4: ${says}`, value: null, lines: 1 },
    ])
  }
})

test('a phone or email behind a column that is about it has not moved [EDGE-08]', async () => {
  for (const [titles, values, lead] of [
    ['Phone,Tracking Number', 'Anonymous,5125550180', { tracking_phone_number: '5125550180' }],
    ['Phone Type,Phone', 'Mobile,5125550144', { lead_phone: '5125550144' }],
    ['Email Opt-In,Email', 'Yes,joan@otter.example', { lead_email: 'joan@otter.example' }],
    ['Mobile?,Phone', 'Yes,(512) 555-0144', { lead_phone: '(512) 555-0144' }],
    ['Phone,Order', 'none,1234567', {}],
    ['Phone,Phone Type,Order', '5125550144,Mobile,1234567', { lead_phone: '5125550144' }],
  ] as const) {
    await app.context.db.delete(leadsTable)
    const { groups } = await importFile(`Date,Campaign,Name,${titles}\n2025-11-15,Spring Roofs,Joan,${values},\n`)
    expect(groups, titles).toEqual([])
    expect(await leads(), titles).toMatchObject([lead])
  }
})

test('a comma that ends every line but the header splits no amount [EDGE-01]', async () => {
  const { checked } = await importFile(
    'Date,Phone,Campaign,Value,Duration\n2025-11-15,5125550115,Spring Roofs,1500,45,\n2025-11-16,5125550116,Spring Roofs,900,12,\n',
  )
  expect(checked).toMatchObject({ fresh: 2, refused: 0 })
  expect((await leads()).map(({ client_value, duration }) => [client_value, duration])).toEqual([
    [1500, 45],
    [900, 12],
  ])
})

test('an unknown tag says what to do about it [EDGE-08]', async () => {
  const { groups } = await importFile('Date,Name,Campaign,Tags\n2025-11-15,Ann,Spring Roofs,Hot\n')
  const says = 'Not a tag here: choose one for it, or leave the column out'
  expect(groups).toEqual([{ column: 'Tags', says, value: 'Hot', lines: 1 }])
})

test('a tag may be written in small letters [EDGE-08]', async () => {
  await importFile('Date,Name,Campaign,Tags\n2025-11-15,Ann,Spring Roofs,low value; spam\n')
  expect(await leads()).toMatchObject([{ tags: ['Low Value', 'Spam'] }])
})

test('a mark, and 1 as a number with a point, are yes [EDGE-08]', async () => {
  await importFile(
    'Date,Phone,Campaign,Answered,Verified\n2025-11-15,5125550141,Spring Roofs,1.0,✓\n2025-11-15,5125550142,Spring Roofs,0.0,☐\n',
  )
  expect((await leads()).map(({ answered, confirmed }) => [answered, confirmed])).toEqual([
    [true, true],
    [false, false],
  ])
})

test('yes and no are read as spreadsheets of other languages write them [EDGE-08]', async () => {
  const words = [
    ['ja', 'nein'],
    ['sí', 'no'],
    ['oui', 'non'],
    ['sim', 'não'],
    ['WAHR', 'FALSCH'],
    ['VERDADERO', 'FALSO'],
    ['VRAI', 'FAUX'],
    ['t', 'f'],
  ]
  const lines = words.map(([yes, no], at) => `2025-11-${at + 10},Ann,512-555-01${at + 10},${yes},${no},Spring Roofs`)
  const { groups } = await importFile(['Date,Name,Phone,Answered,Voicemail,Campaign', ...lines].join('\n'))
  expect(groups).toEqual([])
  const read = await leads()
  expect(read.map(({ answered, voicemail }) => [answered, voicemail])).toEqual(words.map(() => [true, false]))
})

test('a line that its file marks as a test is no lead [EDGE-06]', async () => {
  for (const title of ['Test Lead', 'is_test', 'Is Test Lead']) {
    await app.context.db.delete(leadsTable)
    const { groups } = await importFile(
      `Date,Name,Campaign,${title}\n2025-11-15,Ann,Spring Roofs,No\n2025-11-16,Ben,Spring Roofs,Yes\n`,
    )
    expect(groups, title).toEqual([{ column: null, says: 'A test from its sender', value: null, lines: 1 }])
    expect(await leads(), title).toMatchObject([{ lead_name: 'Ann' }])
  }
})

test('a title with a number sign is that of a number, and of no name [EDGE-08]', async () => {
  const values = '2025-11-15,Spring Roofs,Ann,Ash,ann@example.com'
  for (const [title, value, lead] of [
    ['Lead #', '4711', { lead_id: '4711', lead_name: 'Ann Ash' }],
    ['Customer #', '4711', { lead_name: 'Ann Ash' }],
    ['Caller #', '512-555-0144', { lead_name: 'Ann Ash', lead_phone: '512-555-0144' }],
    ['Home Phone #', '512-555-0144', { lead_phone: '512-555-0144' }],
  ] as const) {
    await app.context.db.delete(leadsTable)
    await importFile(`Date,Campaign,First Name,Last Name,Email,${title}\n${values},${value}\n`)
    expect(await leads(), title).toMatchObject([lead])
  }
})

test('the same Facebook lead by hook and by file is one, whichever comes first [EDGE-08]', async () => {
  const file = [facebookTitles, facebookLine('900000000000004', 'Ann')].join('\n')
  await app.make.lead({
    campaign_id: campaign.id,
    clientsite_id: site.id,
    lead_s: 'Other',
    lead_id: '900000000000004',
    origin: 'source/1',
  })
  expect((await importFile(file)).checked).toMatchObject({ known: 1, fresh: 0 })
})

test('city and state are added to a street that stands alone [EDGE-08]', async () => {
  for (const [address, city, state, location] of [
    ['12 Oak St', 'Austin', 'TX', '12 Oak St, Austin, TX'],
    ['123 Austin Ave', 'Austin', 'TX', '123 Austin Ave, Austin, TX'],
    ['12 Oak Ct', 'Hartford', 'CT', '12 Oak Ct, Hartford, CT'],
    ['12 Oak St', '"Austin, TX"', 'TX', '12 Oak St, Austin, TX'],
    ['12 Oak St', '', 'TX', '12 Oak St'],
    ['', '"Austin, TX"', 'TX', 'Austin, TX'],
    ['', 'Austin', 'TX', 'Austin, TX'],
    ...['"Austin, TX 78701"', '"Austin, Texas"', '"12 Oak St, Round Rock, TX 78664"', '"12 Oak St, St. Louis"'].map(
      (whole) => [whole, 'Austin', 'TX', whole.slice(1, -1)],
    ),
    ...['12 Oak St Austin', '12 Oak St Austin TX', '12 Oak St Round Rock TX', '12 Oak St Toronto ON M5V 2T6'].map(
      (whole) => [whole, 'Austin', 'Texas', whole],
    ),
    ...['12 Oak St 78701', 'Texas', 'USA', '78701', '30.26 N 97.74 W'].map((whole) => [whole, 'Austin', 'TX', whole]),
    ['', '"Austin, Travis County"', 'TX', 'Austin, Travis County, TX'],
  ]) {
    await app.context.db.delete(leadsTable)
    await importFile(
      `Date,Name,Phone,Campaign,Address,City,State,Zip\n2025-11-25,Ann,512-555-0102,Spring Roofs,${address},${city},${state},78701\n`,
    )
    expect(await leads(), address).toMatchObject([{ lead_location: location }])
  }
})

test('two dashes are CallRail’s sign for no value [EDGE-08]', async () => {
  const titles = 'Call Status,Tracking Number,Company Name,Start Time,Duration (seconds),Name,Phone Number,Value'
  const { checked } = await importFile(
    `${titles}\nAnswered Call,512-555-0180,Spring Roofs,2025-11-15 02:30 PM,45,--,512-555-0100,--\n`,
  )
  expect(checked).toMatchObject({ fresh: 1, refused: 0 })
  expect(await leads()).toMatchObject([{ lead_name: null, client_value: null, lead_phone: '512-555-0100' }])
})

test('CallRail’s Company Name is a client or a campaign, Voicemail a tag, and Spam tags and hides [EDGE-08]', async () => {
  const { done } = await importFile(
    [
      'Call Status,Number Name,Tracking Number,Company Name,Source,Start Time,Duration (seconds),Name,Phone Number,Voicemail,Spam,Tags,Value',
      'Answered Call,Pool,512-555-0180,Outside Plumbing,Google Organic,2025-11-15 02:30 PM,45,Ann,512-555-0100,No,No,Roof; VIP,"$1,200.50"',
      'Voicemail,Pool,512-555-0180,Spring Roofs,Google Organic,2025-11-15 03:30 PM,20,Ben,512-555-0101,Yes,No,,',
      'Abandoned Call,Pool,512-555-0180,outside plumbing,Google Organic,2025-11-16 03:30 PM,5,Cay,512-555-0102,,Yes,,#N/A',
    ].join('\r\n'),
  )
  expect(done).toMatchObject({ made: 3, refused: 0 })
  expect(await leads()).toMatchObject([
    {
      lead_type: 'Call',
      lead_s: 'Callrail',
      campaign_id: campaign.id,
      company_name: null,
      client_value: 1200.5,
      hide: false,
    },
    { answered: false, voicemail: true, tags: expect.arrayContaining(['Voicemail']) },
    { tags: expect.arrayContaining(['Spam']), hide: true, client_value: null },
  ])
})

test('a header that comes again and a report’s sums are no leads, and a name has one line [EDGE-08]', async () => {
  const { done, groups } = await importFile(
    [
      'Date,Name,Phone,Campaign,Value',
      '2025-11-15,"José\nNuñez",512-555-0401,Spring Roofs," $1,200.50 "',
      'Date,Name,Phone,Campaign,Value',
      '"=""2025-11-16""",Total Roofing,512-555-0402,Spring Roofs, $ - ',
      'Total,2,,,"1,200.50"',
      'Grand Total:,,,,"$1,200.50"',
      'Total (2),,,,',
      'Average,,,,600.25',
    ].join('\n'),
  )
  expect(groups).toMatchObject([
    { says: 'A line of totals', lines: 4 },
    { says: 'The header again', lines: 1 },
  ])
  expect(done).toMatchObject({ made: 2, refused: 5 })
  expect(await leads()).toMatchObject([
    { lead_name: 'José Nuñez', client_value: 1200.5 },
    { lead_name: 'Total Roofing', client_value: 0 },
  ])
})

test('Google’s lead forms and WhatConverts’ leads are mapped without a hand [EDGE-08]', async () => {
  const google = await importFile(
    [
      'Lead ID,Lead Submit Time,Campaign ID,Campaign Name,Form ID,GCLID,Full Name,User Email,User Phone,When can we call?,Is Test',
      'TeSt1,2025-11-15T18:05:09+00,77,Spring Roofs,88,Cj0K,Dee,dee@example.com,+15125550105,In the morning,false',
      'TeSt2,2025-11-15T18:05:09+00,77,Spring Roofs,88,Cj0K,Dee,dee@example.com,+15125550105,,true',
    ].join('\n'),
  )
  expect(google.groups).toMatchObject([{ says: 'A test from Google Ads', lines: 1 }])
  expect(await leads()).toMatchObject([
    {
      lead_s: 'Other',
      lead_id: 'TeSt1',
      source: 'Google Paid',
      gclid: 'Cj0K',
      lead_email: 'dee@example.com',
      message: 'When can we call? In the morning',
    },
  ])
  await importFile(
    [
      'Lead ID,Lead Type,Date Created,Contact Name,Contact Email,Lead Source,Profile,Sales Value,Spam,Company Name',
      '5,Web Form,2025-11-15T18:05:09Z,Eve,eve@example.com,google,Spring Roofs,1200.50,yes,Eve & Sons',
    ].join('\n'),
  )
  expect((await leads())[1]).toMatchObject({
    lead_name: 'Eve',
    company_name: 'Eve & Sons',
    client_value: 1200.5,
    hide: true,
    tags: ['Spam'],
  })
})

test('a file with sep=, no-break spaces and words for nothing is imported as it is meant [EDGE-08]', async () => {
  const { done } = await importFile(
    'sep=;\r\nDate;Name;Phone;Email;Campaign;Value\r\n2025-11-15;José Nuñez;512-555-0401;NULL;Spring\u00a0Roofs;1200\r\n2025-11-16;Ann;#REF!;ann@example.com;Spring Roofs;N/A\r\n',
  )
  expect(done).toMatchObject({ made: 2, refused: 0 })
  expect(await leads()).toMatchObject([
    { lead_name: 'José Nuñez', lead_email: null, client_value: 1200 },
    { lead_name: 'Ann', lead_phone: null, client_value: null },
  ])
})

test('existing names are found by what they begin with, contain, or are nearly spelled like [EDGE-09]', async () => {
  await app.make.campaign({ name: 'Müller Roofing', client_id: client.id })
  const { id } = await upload('leads', 'Date,Profile\n2025-11-15,Moon\n')
  const find = async (field: string, search: string) =>
    (await root.call(importsContract.names, { params: { id }, query: { field, search } })).body.names
  expect(await find('campaign', '')).toEqual(['Müller Roofing', 'Spring Roofs'])
  expect(await find('campaign', 'roof')).toEqual(['Müller Roofing', 'Spring Roofs'])
  expect(await find('campaign', 'muller roofng')).toEqual(['Müller Roofing'])
  expect(await find('campaign', 'Moon')).toEqual([])
  expect(await find('clientsite', '')).toHaveLength(1)
  expect(await find('lead_name', '')).toEqual([])
})

test.each([
  'Created Date;Prospect Name;Primary Email;Mobile Number;Campaign;Lead Value;Stars',
  'Date Submitted;Visitor Name;Email 1;Telephone Number;Campaign;Sale Amount;Rating',
  'Fecha;Nombre completo;Correo electrónico;Teléfono;Campaign;Importe;Rating',
  'Datum;Ihr Name;E-Mail-Adresse;Telefonnummer;Campaign;Betrag;Rating',
  'Data;Nome e cognome;Indirizzo email;Cellulare;Campaign;Valor;Rating',
])('a file with the titles %s is mapped without a hand [EDGE-08]', async (titles) => {
  const lines = [titles, '25/11/2025 13:05;Ann Ash;ann@example.com;512-555-0202;Spring Roofs;1.200,50;4']
  await importFile(lines.join('\n'))
  expect(await leads()).toMatchObject([
    {
      occurred_at: new Date('2025-11-25T18:05:00Z'),
      lead_name: 'Ann Ash',
      lead_email: 'ann@example.com',
      lead_phone: '512-555-0202',
      client_value: 1200.5,
      rating: 4,
    },
  ])
})

test.each([
  'Datum;Uhrzeit;Name;Telefon;Dauer;Campaign',
  'Fecha;Hora;Nombre;Teléfono;Duración;Campaign',
  'Date;Heure;Nom;Téléphone;Durée;Campaign',
  'Data;Ora;Nome;Telefono;Durata;Campaign',
  'Data;Hora;Nome;Telefone;Duração;Campaign',
  'Datum;Tijd;Naam;Telefoon;Duur;Campaign',
])('a file with the titles %s has the times and lengths of its calls [EDGE-08]', async (titles) => {
  await importFile(`${titles}\n25/11/2025;13:05;Ann;512-555-0202;0:01:35;Spring Roofs\n`)
  expect(await leads()).toMatchObject([
    { lead_type: 'Call', occurred_at: new Date('2025-11-25T18:05:00Z'), lead_name: 'Ann', duration: 95 },
  ])
})

test.each([
  'Zeitstempel',
  'Marca temporal',
  'Horodateur',
  'Carimbo de data/hora',
  'Informazioni cronologiche',
  'Tijdstempel',
])('the %s of Google Forms is the date [EDGE-08]', async (title) => {
  await importFile(`${title},Email,Campaign\n25/11/2025 13:05:00,ann@example.com,Spring Roofs\n`)
  expect(await leads()).toMatchObject([{ occurred_at: new Date('2025-11-25T18:05:00Z') }])
})

test.each<[string, string, string, object]>([
  [
    'RingCentral',
    'Type,Phone Number,Name,Date,Time,Action,Action Result,Duration,Campaign',
    'Incoming,(512) 555-0202,Ann Ash,Tue 11/25/2025,1:05 PM,Phone Call,Accepted,0:01:35,Spring Roofs',
    { lead_type: 'Call', lead_name: 'Ann Ash', phone_key: '+15125550202', duration: 95 },
  ],
  [
    'OpenPhone, whose caller is From',
    'id,direction,from,to,createdAt,duration,Campaign',
    'AC1,incoming,+15125550202,+15125550180,2025-11-25T18:05:00Z,95,Spring Roofs',
    { lead_type: 'Call', lead_id: 'AC1', phone_key: '+15125550202', duration: 95 },
  ],
  [
    'CallTrackingMetrics, whose Date has no time',
    'Name,Duration,Date,Called,Caller Number,Tracking Number,Receiving Number,Status,Direction,Audio,Campaign',
    'ANN ASH,1:35,2025-11-25,2025-11-25 01:05 PM -05:00,(512) 555-0202,(512) 555-0180,(512) 555-0190,answered,inbound,https://r.example/a.mp3,Spring Roofs',
    { lead_type: 'Call', lead_name: 'ANN ASH', answered: true, recording_url: 'https://r.example/a.mp3' },
  ],
  [
    'TikTok, whose titles are like Facebook’s',
    'lead_id,created_time,ad_id,ad_name,adgroup_id,adgroup_name,campaign_name,form_id,form_name,Name,Phone number,Email',
    '7,2025-11-25T13:05:00-05:00,1,Ad,2,Group,Spring Roofs,3,Form,Ann Ash,+15125550202,ann@example.com',
    { lead_type: 'Form', source: 'TikTok', lead_name: 'Ann Ash', message: null },
  ],
  [
    'Typeform, whose titles are questions',
    '#,What is your name?,Your email?,What is the best phone number to reach you?,Submit Date (UTC),Campaign',
    'abc,Ann Ash,ann@example.com,15125550202,2025-11-25 18:05:00,Spring Roofs',
    { lead_type: 'Form', lead_name: 'Ann Ash', lead_email: 'ann@example.com', phone_key: '+15125550202' },
  ],
  [
    'Typeform, whose questions are for the parts of a name',
    '#,What’s your first name?,Your last name,Email,Submit Date (UTC),Campaign',
    'abc,Ann,Ash,ann@example.com,2025-11-25 18:05:00,Spring Roofs',
    { lead_name: 'Ann Ash' },
  ],
  [
    'Nimbata, whose Caller is a number',
    'Call ID,Date,Time,Caller,Tracking Number,Duration,Campaign',
    '1,25/11/2025,13:05:00,+15125550202,+15125550180,00:01:35,Spring Roofs',
    { lead_type: 'Call', lead_name: null, lead_phone: '+15125550202', phone_key: '+15125550202' },
  ],
  [
    'a telephone system that has a number for the name of a stranger',
    'Date,Name,Phone,Duration,Campaign',
    '2025-11-25 13:05,(512) 555-0202,+15125550202,0:45,Spring Roofs',
    { lead_name: null, lead_phone: '+15125550202' },
  ],
  [
    'a form with two numbers of a visitor',
    'Date,Name,Phone,Campaign',
    '2025-11-25 13:05,512-555-0203,+15125550202,Spring Roofs',
    { lead_name: '512-555-0203', lead_phone: '+15125550202' },
  ],
  [
    'JustCall, whose Call Type says how a call ended',
    'Date,Time,Contact Name,Contact Number,Call Direction,Call Type,Call Duration,Campaign',
    '2025-11-25,13:05:00,Ann Ash,+15125550202,Incoming,Missed,00:00:20,Spring Roofs',
    { lead_type: 'Call', answered: false, voicemail: false, duration: 20 },
  ],
  [
    'a telephone system whose Call Type is a voicemail',
    'Date,Caller Number,Call Type,Duration,Campaign',
    '2025-11-25 13:05,+15125550202,Voicemail,0:45,Spring Roofs',
    { lead_type: 'Call', answered: false, voicemail: true },
  ],
  [
    'Calendly, whose Location is where they meet',
    'Invitee Name,Invitee Email,Event Type Name,Start Date & Time,Location,Event Created Date & Time,Campaign',
    'Ann Ash,ann@example.com,Estimate,2025-12-02 10:00 am,Zoom,2025-11-25 01:05 pm,Spring Roofs',
    { lead_type: 'Form', lead_name: 'Ann Ash', lead_location: null },
  ],
  [
    'Forminator, a name in parts',
    'Submission Time,Name - First Name,Name - Last Name,Email Address,Phone,Campaign',
    '"Nov 25, 2025 @ 1:05 PM",Ann,Ash,ann@example.com,512-555-0202,Spring Roofs',
    { lead_name: 'Ann Ash', phone_key: '+15125550202' },
  ],
  [
    'Pipedrive, whose titles begin with what they are of',
    'Deal - Title,Deal - Person - Name,Person - Phone - Mobile,Person - Email - Work,Deal - Deal created,Campaign',
    'Roof,Ann Ash,512-555-0202,ann@example.com,2025-11-25 13:05:00,Spring Roofs',
    { lead_name: 'Ann Ash', lead_email: 'ann@example.com', phone_key: '+15125550202' },
  ],
  [
    'Unbounce, a day and a time',
    'date_submitted,time_submitted,page_name,variant,name,email,phone_number,Campaign',
    '2025-11-25,01:05 PM,Roof,a,Ann Ash,ann@example.com,512-555-0202,Spring Roofs',
    { lead_name: 'Ann Ash' },
  ],
  [
    'Microsoft Forms, whose own Name is empty',
    'ID,Start time,Completion time,Email,Name,Last modified time,What is your name?,What is your phone number?,Describe your project,Campaign',
    '1,11/25/25 13:05:00,11/25/25 13:09:09,anonymous,,,Ann Ash,512-555-0202,New roof,Spring Roofs',
    { lead_name: 'Ann Ash', lead_email: null, phone_key: '+15125550202' },
  ],
  [
    'Typeform, whose hidden fields are empty',
    'name,email,phone,What is your name?,Your email address,Submit Date (UTC),Campaign',
    ',,,Ann Ash,ann@example.com,2025-11-25 18:05:00,Spring Roofs',
    { lead_name: 'Ann Ash', lead_email: 'ann@example.com', lead_phone: null },
  ],
  [
    'Typeform, whose hidden parts of a name are empty',
    'first_name,last_name,email,What’s your full name?,Your email address,Submit Date (UTC),Campaign',
    ',,,Ann Ash,ann@example.com,2025-11-25 18:05:00,Spring Roofs',
    { lead_name: 'Ann Ash', lead_email: 'ann@example.com' },
  ],
  [
    'a program with a column for the day, and one for the time',
    'Created Date,Created Time,Name,Phone,Campaign',
    '11/25/2025,1:05 PM,Ann Ash,512-555-0202,Spring Roofs',
    { lead_name: 'Ann Ash' },
  ],
  [
    'a program with a column for the zone behind that for the time',
    'Created Date,Created Time,Created Time Zone,Name,Campaign',
    '11/25/2025,1:05 PM,EST,Ann Ash,Spring Roofs',
    { lead_name: 'Ann Ash' },
  ],
  [
    'a program whose Received is a time with its zone',
    'Received,Date of Call,Time,Name,Campaign',
    '12:06 PM CST,11/25/2025,12:05 PM CST,Ann Ash,Spring Roofs',
    { lead_name: 'Ann Ash' },
  ],
  [
    'a telephone system whose Call Time is a second date',
    'Date,Call Time,Name,Campaign',
    '11/25/2025 1:05 PM,11/25/2025 1:06 PM,Ann Ash,Spring Roofs',
    { lead_name: 'Ann Ash' },
  ],
  [
    'a telephone system whose Start Time is a time of day',
    'Call Date,Start Time,End Time,Caller Number,Duration,Campaign',
    '11/25/2025,1:05 PM,1:06 PM,512-555-0202,95,Spring Roofs',
    { lead_type: 'Call', duration: 95 },
  ],
  [
    '3CX, whose Call Time is a date',
    'Call Time,Caller ID,Destination,Status,Ringing,Talking,Totals,Cost,Reason,Play,Campaign',
    '2025-11-25T13:05:00,Ann Ash (5125550202),Main (100),Answered,00:00:05,00:01:30,00:01:35,,,,Spring Roofs',
    { phone_key: '+15125550202' },
  ],
  [
    'a program with another date beside its own, which is called a time',
    'Date,Created Time,Name,Campaign',
    '11/25/2025 1:05 PM,11/26/2025 9:00 AM,Ann Ash,Spring Roofs',
    { lead_name: 'Ann Ash' },
  ],
  [
    'a program with the time at which the record was made beside that of the call',
    'Call Date,Created Time,Name,Campaign',
    '11/25/2025 1:05 PM,3:30 PM,Ann Ash,Spring Roofs',
    { lead_name: 'Ann Ash' },
  ],
  [
    'a program whose calls have a start',
    'Date of Call,Call Start,Call End,Name,Campaign',
    '11/25/2025,1:05 PM,1:08 PM,Ann Ash,Spring Roofs',
    { lead_name: 'Ann Ash' },
  ],
  [
    'a program with an empty column for the email beside that of a colleague',
    'Date,Name,Email,Phone,Created By Email,Campaign',
    '11/25/2025 1:05 PM,Ann Ash,,512-555-0202,zoe@agency.example,Spring Roofs',
    { lead_name: 'Ann Ash', lead_email: null },
  ],
  [
    'Facebook, whose form asks for a date',
    'id,created_time,ad_id,form_id,campaign_name,date,time,full_name',
    'l:7,2025-11-25T13:05:00-05:00,ag:1,f:3,Spring Roofs,2025-12-01,10:00 am,Ann Ash',
    { lead_name: 'Ann Ash', message: 'Date: 2025-12-01\nTime: 10:00 am' },
  ],
  [
    'Facebook, by another program, whose own date is empty',
    'id,ad_id,form_id,created_time,date_created,campaign_name,full_name',
    'l:7,ag:1,f:3,,2025-11-25T13:05:00-05:00,Spring Roofs,Ann Ash',
    { lead_name: 'Ann Ash', message: null },
  ],
  [
    'Five9, whose Call Time is a length',
    'CALL ID,TIMESTAMP,CAMPAIGN,ANI,CALL TIME,TALK TIME',
    '7,2025-11-25 13:05:00,Spring Roofs,5125550202,00:01:40,00:01:20',
    { lead_type: 'Call', duration: 80 },
  ],
  [
    'Salesforce, whose Name is the deal’s',
    'Id,Name,Amount,Created Date,Contact Name,Contact Email,Campaign',
    '006,Roof repair,1500,2025-11-25T18:05:00Z,Ann Ash,ann@example.com,Spring Roofs',
    { lead_name: 'Ann Ash' },
  ],
  [
    'Monday, whose Name is the item’s',
    'Name,Full Name,Email,Created At,Campaign',
    'Website lead 12,Ann Ash,ann@example.com,2025-11-25T18:05:00Z,Spring Roofs',
    { lead_name: 'Ann Ash' },
  ],
  [
    '8x8, whose Caller is a number',
    'Call Id,Start Time,Caller,Caller Name,Callee,Direction,Talk Time,Campaign',
    '8,2025-11-25 13:05:00,15125550202,ANN ASH,15125550180,Incoming,00:01:23,Spring Roofs',
    { lead_type: 'Call', lead_name: 'ANN ASH', phone_key: '+15125550202' },
  ],
  [
    'WhatConverts, whose caller is no contact yet',
    'Lead ID,Lead Type,Date Created,Profile,Contact Name,Contact Phone,Caller Name,Caller Number,Phone Number,Destination Number',
    '7,Phone Call,2025-11-25T18:05:00Z,Spring Roofs,,,ANN ASH,+15125550202,+15125550180,+15125550190',
    { lead_name: 'ANN ASH', phone_key: '+15125550202', tracking_phone_number: '+15125550180' },
  ],
])('an export of %s is mapped without a hand [EDGE-08]', async (_, titles, line, lead) => {
  await importFile(`${titles}\n${line}\n`)
  expect(await leads()).toMatchObject([{ occurred_at: new Date('2025-11-25T18:05:00Z'), ...lead }])
})

test.each([
  ['Full Name', 'Cay M. Co', '', 'Cay Co', 'Ann Ash'],
  ['Customer Name', 'Austin Roofing', 'Austin Roofing', 'Cay Co', 'Ann Ash'],
  ['Contact Name', 'Cay M. Co', 'Ann', 'Cay M. Co', 'Ann'],
])('beside %s, a Name is the deal’s only where each line has a person: %s, %s [EDGE-08]', async (title, ...names) => {
  const [cay, ann, ...said] = names
  const lines = `2025-11-25,Spring Roofs,Cay Co,${cay}\n2025-11-25,Spring Roofs,Ann Ash,${ann}\n`
  await importFile(`Date,Campaign,Name,${title}\n${lines}`)
  expect((await leads()).map(({ lead_name }) => lead_name)).toEqual(said)
})

test('a name stays where a person’s is empty far below [EDGE-08]', async () => {
  const lines = Array.from(
    { length: 120 },
    (_, at) => `2025-11-25,Spring Roofs,Roof ${at},${at < 119 ? `Ann ${at}` : ''}`,
  )
  await importFile(['Date,Campaign,Name,Contact Name', ...lines].join('\n'))
  expect((await leads()).at(-1)).toMatchObject({ lead_name: 'Roof 119' })
})

test.each([
  ['Datum,Uhrzeit', '25.11.2025,13:05', '16.11.2025 15:00,15:00'],
  ['Datum,Uhrzeit', '2025-11-25T05:00:00Z,1:05 PM', '2025-11-26T05:00:00Z,2:05 PM'],
  ['Datum,Uhrzeit', '11/25/2025 18:05,1:05 PM', '11/26/2025 18:05,1:05 PM'],
])('a time counts beside dates of which some have one: %s, %s [EDGE-08]', async (titles, ...lines) => {
  await importFile([`${titles},Name,Campaign`, ...lines.map((line, at) => `${line},Ann ${at},Spring Roofs`)].join('\n'))
  expect((await leads())[0]).toMatchObject({ occurred_at: new Date('2025-11-25T18:05:00Z') })
})

test.each([
  ['Entry Date', '2025-11-25 13:05:00'],
  ['Submission Date', '"Nov 25, 2025 1:05:00 PM"'],
  ['Submit Date (UTC)', '2025-11-25 18:05:00'],
  ['Submission ID,Created At', '7,2025-11-25 13:05:00'],
  ['Timestamp', '11/25/2025 13:05:00'],
])('beside %s, with a time, Date and Time are questions of the form [EDGE-08]', async (title, sent) => {
  const titles = `Name,Email,Date,Time,${title},Campaign`
  const line = (name: string, asked: string) => `${name},${name}@example.com,${asked},${sent},Spring Roofs`
  await importFile([titles, line('ann', '2025-12-01,10:00 am'), line('ben', ',')].join('\n'))
  const occurred_at = new Date('2025-11-25T18:05:00Z')
  expect(await leads()).toMatchObject([
    { occurred_at, message: 'Date: 2025-12-01\nTime: 10:00 am' },
    { occurred_at, message: null },
  ])
})

test('a day alone of when a form was sent is no better than Date and Time [EDGE-08]', async () => {
  await importFile('Date,Time,Submission Date,Name,Campaign\n2025-11-25,1:05 PM,2025-11-26,Ann,Spring Roofs\n')
  expect(await leads()).toMatchObject([{ occurred_at: new Date('2025-11-25T18:05:00Z') }])
})

test.each([
  ['Date,Time,Timestamp', '2025-11-25,1:05 PM', '11/25/2025 13:05:09'],
  ['Date,Time,Submit Date', '2025-11-25,1:05 PM', '2025-11-25 18:05:00'],
  ['Fecha,Hora,Marca temporal', '25/11/2025,13:05', '25/11/2025 13:06:00'],
  ['Date,Time,Timestamp', '2025-11-25,1:05 PM', '11/27/2025 9:31:00'],
])(
  'Date and Time are no questions where no date is later than its sending: %s, %s, %s [EDGE-08]',
  async (titles, date, sent) => {
    await importFile(`${titles},Name,Campaign\n${date},${sent},Ann,Spring Roofs\n`)
    expect(await leads()).toMatchObject([{ occurred_at: new Date('2025-11-25T18:05:00Z'), message: null }])
  },
)

test('Date stays the date where not every line says when it was sent [EDGE-08]', async () => {
  const titles = 'Timestamp,Date,Name,Campaign'
  await importFile(`${titles}\n,2025-11-25,Ann,Spring Roofs\n11/24/2025 9:31 AM,2025-11-24,Ben,Spring Roofs\n`)
  expect(await leads()).toMatchObject([
    { occurred_at: new Date('2025-11-25T05:00:00Z') },
    { occurred_at: new Date('2025-11-24T05:00:00Z') },
  ])
})

test.each([
  ['Caller Number,Duration,Result', '512-555-0202,1:35,Call Connected', '512-555-0303,--,No Answer'],
  ['Caller Number,Tracking Number,Talk Time', '512-555-0202,512-555-0180,1:35', '512-555-0303,512-555-0180,'],
  ['Call ID,From,Direction,Status,Talking', '1,512-555-0202,Inbound,Answered,1:35', '2,512-555-0303,Inbound,Missed,'],
  ['Caller ID,Status,Ringing,Talking', '512-555-0202,Answered,0:05,1:35', '512-555-0303,Unanswered,0:15,'],
])('a missed call without a length is a call like the others: %s [EDGE-08]', async (titles, answered, missed) => {
  const lines = [answered, missed].map((line) => `2025-11-25 13:05,Spring Roofs,${line}`)
  await importFile([`Start Time,Campaign,${titles}`, ...lines].join('\n'))
  expect(await leads()).toMatchObject([
    {
      lead_type: 'Call',
      phone_key: '+15125550202',
      duration: 95,
      answered: titles.includes('Talk Time') ? null : true,
    },
    { lead_type: 'Call', phone_key: '+15125550303', answered: titles.includes('Talk Time') ? null : false },
  ])
})

test('a result of a call far below that is another word says nothing of whether it was answered [EDGE-08]', async () => {
  const line = (result: string) => `2025-11-25 13:05,Spring Roofs,512-555-0202,${result}`
  const lines = Array.from({ length: 120 }, (_, at) => `${line(at < 119 ? 'Answered' : 'Ringing')},${at}`)
  const { done } = await importFile(['Start Time,Campaign,Caller Number,Result,Call ID', ...lines].join('\n'))
  expect(done).toMatchObject({ refused: 0 })
  expect((await leads()).slice(-2)).toMatchObject([
    { lead_type: 'Call', answered: true },
    { lead_type: 'Call', answered: null },
  ])
})

test.each([
  ['Name,Phone,Email,Tracking Number', 'Ann,512-555-0202,ann@example.com,512-555-0180'],
  ['Name,Phone,Tracking Number,What do you need?', 'Ann,512-555-0202,512-555-0180,A roof'],
  ['Name,Phone,Tracking Number,Duration', 'Ann,512-555-0202,,'],
  ['Name,Caller Number,Channel', 'Ann,512-555-0202,Web form'],
  ['Name,Caller Number,Source', 'Ann,512-555-0202,Website form'],
  ['Name,Phone,Tracking Number', 'Ann,512-555-0202,512-555-0180'],
  ['Name,Phone,Tracking Number,Landing Page,GCLID', 'Ann,512-555-0202,512-555-0180,https://roofs.example/a,x1'],
  ['Name,Phone,Tracking Number,Call Date,Details', 'Ann,512-555-0202,512-555-0180,2025-11-25,It leaks'],
  ['Name,Caller Number,Correo', 'Ann,512-555-0202,ann@example.com'],
])('what a form has sent is no call, whatever number stands beside it: %s [EDGE-08]', async (titles, line) => {
  await importFile(`Date,Campaign,${titles}\n2025-11-25 13:05,Spring Roofs,${line}\n`)
  expect(await leads()).toMatchObject([{ lead_type: 'Form' }])
})

test('a question about another’s contact is none for the lead’s [EDGE-08]', async () => {
  const titles = 'Date,Name,What is your landlord’s phone number?,Phone number of the office?,Campaign'
  await importFile(`${titles}\n2025-11-25 13:05,Ann Ash,512-555-0202,512-555-0203,Spring Roofs\n`)
  expect(await leads()).toMatchObject([{ lead_phone: null }])
})

test('first and last names in other languages are one name [EDGE-08]', async () => {
  const file = ['Fecha,Nombre,Apellidos,Correo,Campaign', '2025-11-25,Ann,Ash Lee,ann@example.com,Spring Roofs']
  await importFile(file.join('\n'))
  expect(await leads()).toMatchObject([{ lead_name: 'Ann Ash Lee' }])
})

test.each([
  ['Name,Last Name', 'Ann,Ash', 'Ann Ash'],
  ['Name,Last Name', 'Ann Ash,Ash', 'Ann Ash'],
  ['Naam,Achternaam', 'Jan,de Vries', 'Jan de Vries'],
  ['Name,Vorname', 'Müller,Jürgen', 'Jürgen Müller'],
  ['Name,Vorname', 'Jürgen Müller,Jürgen', 'Jürgen Müller'],
  ['Name,Last Name', 'Amanda,da Silva', 'Amanda da Silva'],
  ['Name,Vorname', 'Peters,Peter', 'Peter Peters'],
  ['Name,First Name,Last Name', 'Joan,Joan,Otter', 'Joan Otter'],
  ['Name,First Name,Last Name', 'Otter,Joan,Otter', 'Joan Otter'],
])('of the columns %s, a name that lacks a part is joined: %s [EDGE-08]', async (titles, line, lead_name) => {
  await importFile(`Date,Email,Campaign,${titles}\n2025-11-25,ann@example.com,Spring Roofs,${line}\n`)
  expect(await leads()).toMatchObject([{ lead_name }])
})

test.each([
  ['Name,Last Name', 'Ann Maria,Ann', 'Ann Maria'],
  ['Name,Last Name', 'Ann,.', 'Ann'],
  ['Name,Last Name', 'Ann,A.', 'Ann'],
  ['Name,Last Name', 'Ann,Unknown', 'Ann'],
  ['Name,Last Name', 'Ann,(none)', 'Ann'],
  ['Name,Last Name', 'ann@example.com,Ash', 'ann@example.com'],
  ['Name,Last Name', 'Garcia-Lopez,Lopez', 'Garcia-Lopez'],
  ['Name,Last Name', '田中太郎,田中', '田中太郎'],
  ['Name,First Name,Last Name', 'Ann Ash,Ann,.', 'Ann Ash'],
  ['Name,First Name,Last Name', 'Maria Garcia Lopez,Maria,G.', 'Maria Garcia Lopez'],
  ['Name,First Name,Last Name', 'Bob & Ann Ash,Bob,Miller', 'Bob & Ann Ash'],
  ['Name,First Name,Last Name', 'Birch Roofing,Joan,', 'Birch Roofing'],
  ['Name,First Name,Last Name', 'Birch Roofing,,Otter', 'Birch Roofing'],
  ['Name,First Name,Last Name', 'Birch,Joan,Otter', 'Birch'],
])('of the columns %s, a name that lacks none stays: %s [EDGE-08]', async (titles, line, lead_name) => {
  await importFile(`Date,Email,Campaign,${titles}\n2025-11-25,ann@example.com,Spring Roofs,${line}\n`)
  expect(await leads()).toMatchObject([{ lead_name }])
})

test.each([
  ['Phone,Mobile', ',512-555-0202'],
  ['Phone Number,Mobile Phone Number', ',512-555-0202'],
  ['Home Phone,Work Phone,Cell Phone', ',Yes,512-555-0202'],
  ['Phone,Fax,Agent Phone,Mobile', ',512-555-0101,512-555-0102,512-555-0202'],
])('of the columns %s, the one with a phone counts in each line [EDGE-08]', async (titles, cells) => {
  const first = `512-555-0303${cells.replaceAll(/[^,]/g, '')}`
  const lines = [first, cells].map((line) => `2025-11-25,Ann,Spring Roofs,${line}`)
  await importFile([`Date,Name,Campaign,${titles}`, ...lines].join('\n'))
  expect(await leads()).toMatchObject([{ lead_phone: '512-555-0303' }, { lead_phone: '512-555-0202' }])
})

test.each([
  ['Country Code,Phone', '+44,7700900123', '+447700900123'],
  ['Country Code,Phone', '44,447700900123', '+447700900123'],
  ['Country Code,Phone', '+44,+33612345678', '+33612345678'],
  ['Country Code,Phone', '44,tel:+447700900123', '+447700900123'],
  ['Country Code,Phone', '44,whatsapp:+447700900123', '+447700900123'],
  ['Country Code,Phone', '44,ANN ASH <512-555-0202>', '+15125550202'],
  ['Country Code,Phone', '47,4791234567', '+4791234567'],
  ['Country Code,Phone', '45,45123456', '+4545123456'],
  ['Country Code,Phone', '65,6591234567', '+6591234567'],
  ['Country Code,Phone', '39,3912345678', '+393912345678'],
  ['Country Code,Phone', '91,9198765432', '+919198765432'],
  ['Country Code,Phone', '840,5125550202', '+15125550202'],
  ['Country Code,Phone', '1,5125550202', '+15125550202'],
  ['Country Code,Phone', 'US,5125550202', '+15125550202'],
  ['Area Code,Phone Number', '512,5550202', '+15125550202'],
  ['Area Code,Phone Number', '303,5125550202', '+15125550202'],
])('of the columns %s, %s is one number [EDGE-08]', async (titles, cells, phone_key) => {
  await importFile(`Date,Name,Campaign,${titles}\n2025-11-25,Ann,Spring Roofs,${cells}\n`)
  expect(await leads()).toMatchObject([{ phone_key }])
})
