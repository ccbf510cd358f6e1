import { createHash } from 'node:crypto'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { asc, eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { msPerDay } from '#contract/days.ts'
import { auditTable } from '#core/db/schema.ts'
import { apiKeysContract } from '#domains/access/keys/contract.ts'
import { erasuresContract } from '#domains/audit/erasures/contract.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { waitForIntake } from '#test/provider-hooks.ts'
import { waitForJobs } from '#test/until.ts'
import { type CustomSource, customSourcesContract, type SourceEvent } from '../contract.ts'
import { customSourcesTable } from '../schema.ts'
import { suggestMapping } from './suggest-mapping.ts'

const app = await setUp(startApp({ work: true }))
const root = await app.as(await app.make.superAdmin())
const client = await app.make.client({ emails: ['owner@example.com'] })
const campaign = await app.make.campaign({ client_id: client.id })
const site = await app.make.clientSite({ campaign_id: campaign.id })
beforeEach(() => waitForJobs(app.context))

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
async function make(more: object = {}): Promise<CustomSource> {
  const body = { name: 'Zapier', clientsite_id: site.id, preset: null, ...more }
  const answer = await root.call(customSourcesContract.create, { body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
const post = (key: string | null, body: BodyInit | object, headers: Record<string, string> = json) =>
  app.guest.fetch(`/api/hooks/in/${key}`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body),
  })
async function send(source: { key: string | null }, body: BodyInit | object, headers?: Record<string, string>) {
  const answer = await post(source.key, body, headers)
  expect([answer.status, await answer.json()]).toEqual([200, { success: true }])
  await waitForIntake(app)
}
const leadsOf = (id: number) =>
  app.context.db
    .select()
    .from(leadsTable)
    .where(eq(leadsTable.origin, `source/${id}`))
    .orderBy(asc(leadsTable.id))
const eventsOf = async (id: number) => (await root.call(customSourcesContract.events, { params: { id } })).body
const get = async (id: number): Promise<CustomSource> =>
  (await root.call(customSourcesContract.get, { params: { id } })).body
const replay = async (id: number, body: object = {}) => {
  const answer = await root.call(customSourcesContract.replay, { params: { id }, body })
  await waitForIntake(app)
  return answer.body
}

const sample = {
  contact: { first: 'Ann', mail: 'ann@example.com', 'tel.no': '(512) 555-0100' },
  answers: [{ text: 'ignored' }, { text: 'A leaky roof' }],
  kind: 'Phone Call',
  when: '3/16/2026 2:30 PM',
  secs: '1:23',
  tape: 'https://calls.example/1.mp3',
}
const mapping = {
  lead_name: { from: 'contact.first' },
  lead_email: { from: 'contact.mail' },
  lead_phone: { from: 'contact.tel.no' },
  message: { from: 'answers.1.text' },
  lead_type: { from: 'kind' },
  lead_date: { from: 'when' },
  duration: { from: 'secs' },
  recording: { from: 'tape' },
  source: { value: 'Yelp' },
}

test('a source is created for a site and mapped from what it received, and a replay turns waiting events into leads [OPEN-03]', async () => {
  const source = await make()
  expect(source).toMatchObject({ name: 'Zapier', mapping: {}, preset: null, sample: null, clientsite_id: site.id })
  expect(source.url).toBe(`${app.context.settings.PUBLIC_URL}/api/hooks/in/${source.key}`)
  await send(source, sample)
  expect(await eventsOf(source.id)).toMatchObject({
    data: [
      {
        state: 'waiting',
        reason: 'The fields of this lead source are not mapped yet',
        lead_id: null,
        body: JSON.stringify(sample),
      },
    ],
    total: 1,
  })
  expect((await get(source.id)).sample).toEqual(sample)

  const before = await app.dump()
  const preview = await root.call(customSourcesContract.preview, { params: { id: source.id }, body: { mapping } })
  const lead = {
    lead_s: 'Other',
    lead_name: 'Ann',
    lead_email: 'ann@example.com',
    lead_phone: '(512) 555-0100',
    message: 'A leaky roof\n\nanswers: text: ignored',
    lead_type: 'Call',
    lead_date: '2026-03-16',
    lead_time: '14:30:00',
    duration: 83,
    source: 'Yelp',
    recording: 'https://calls.example/1.mp3',
  }
  expect(preview.body).toMatchObject({ lead, problems: [], recent: [{ problems: [] }] })
  expect(await app.dump()).toBe(before)

  const saved = await root.call(customSourcesContract.update, { params: { id: source.id }, body: { mapping } })
  expect(saved.body).toMatchObject({ name: 'Zapier', mapping })
  expect((await root.call(customSourcesContract.test, { params: { id: source.id } })).body).toMatchObject({
    lead,
    problems: [],
  })
  expect(await replay(source.id)).toEqual({ replayed: 1 })
  const [made] = await leadsOf(source.id)
  expect(made).toMatchObject({
    lead_s: 'Other',
    lead_type: 'Call',
    campaign_id: site.campaign_id,
    clientsite_id: site.id,
    lead_name: 'Ann',
    occurred_at: new Date('2026-03-16T18:30:00Z'),
    recording_url: 'https://calls.example/1.mp3',
    lead_id: createHash('sha256').update(JSON.stringify(sample)).digest('hex'),
  })
  expect(await eventsOf(source.id)).toMatchObject({ data: [{ state: 'lead', reason: null, lead_id: made!.id }] })
  expect(await app.context.db.$count(mailsTable, eq(mailsTable.lead_id, made!.id))).toBe(1)
})

test('a repeated event is the same lead, and a replay with another mapping updates it [OPEN-03]', async () => {
  const source = await make({ mapping: { lead_name: { from: 'name' } } })
  await send(source, { name: 'Ben', id: 'Z-1', text: 'Roof' })
  await send(source, { name: 'Ben', id: 'Z-1', text: 'Roof' })
  const [made, ...more] = await leadsOf(source.id)
  expect(more).toEqual([])
  const mapped = { lead_name: { from: 'name' }, lead_id: { from: 'id' }, message: { from: 'text' } }
  await root.call(customSourcesContract.update, { params: { id: source.id }, body: { mapping: mapped } })
  const { data } = await eventsOf(source.id)
  expect(await replay(source.id)).toEqual({ replayed: 0 })
  expect(await replay(source.id, { ids: data.map(({ id }: { id: number }) => id) })).toEqual({ replayed: 2 })
  expect(await leadsOf(source.id)).toMatchObject([{ id: made!.id, lead_id: made!.lead_id, message: 'Roof' }])
  await send(source, { name: 'Cay', id: 'Z-2', text: 'Gutter' })
  await send(source, { name: 'Cay', id: 'Z-2', text: 'Gutter and roof' })
  expect(await leadsOf(source.id)).toMatchObject([{}, { lead_id: 'Z-2', message: 'Gutter and roof' }])
})

test('visitors whose events have the form’s id are leads of their own, also when they come at once [OPEN-03]', async () => {
  const mapping = { lead_id: { from: 'form' }, lead_name: { from: 'name' }, lead_phone: { from: 'phone' } }
  const source = await make({ mapping })
  const phones = ['512-555-0701', '512-555-0702', '512-555-0703']
  const sent = phones.map((phone, index) => ({ form: 'contact-7', name: ['Ann', 'Ben', 'Cay'][index], phone }))
  await Promise.all([...sent, ...sent].map((body) => post(source.key, body)))
  await waitForIntake(app)
  const found = await leadsOf(source.id)
  expect(found.map(({ lead_name, lead_phone }) => [lead_name, lead_phone]).sort()).toEqual([
    ['Ann', '512-555-0701'],
    ['Ben', '512-555-0702'],
    ['Cay', '512-555-0703'],
  ])
  const [first, ...others] = found.filter(({ lead_id }) => lead_id === 'contact-7')
  expect(others).toEqual([])
  // Once the first of them is erased, the others' leads go on coming.
  const person = { phone: first!.lead_phone!, email: '' }
  const { total } = (await root.call(erasuresContract.rehearse, { body: person })).body
  expect((await root.call(erasuresContract.erase, { body: { ...person, total } })).status).toBe(200)
  await send(source, { form: 'contact-7', name: 'Dee', phone: '512-555-0704' })
  expect((await leadsOf(source.id)).map(({ lead_phone }) => lead_phone)).toContain('512-555-0704')
})

test('an unreadable event is quarantined with its reason, and becomes a lead after the mapping is fixed [OPEN-03]', async () => {
  const source = await make({
    mapping: { lead_name: { from: 'name' }, lead_type: { from: 'kind' }, lead_date: { from: 'day' } },
  })
  await send(source, { name: 'Dee', kind: 'Chat', day: 'tomorrow' })
  await send(source, { nothing: 'of use' })
  expect((await eventsOf(source.id)).data.map(({ state, reason }: Record<string, string>) => [state, reason])).toEqual([
    ['quarantined', 'The mapped contact fields are all empty: Name'],
    [
      'quarantined',
      'Lead Type: Must be Form or Call: choose in the mapping which of them it is (‘Chat’); Lead Date: Not a date (‘tomorrow’)',
    ],
  ])
  const mended = {
    lead_name: { from: 'name' },
    lead_type: { from: 'kind', values: { chat: 'Form' } },
    lead_date: { from: 'day', values: { tomorrow: '2026-03-17' } },
  }
  // The newest event stays unreadable.
  const save = (body: object) => root.call(customSourcesContract.update, { params: { id: source.id }, body })
  const refused = await save({ mapping: mended })
  const says = 'The mapped contact fields are all empty: Name'
  expect([refused.status, refused.body]).toEqual([
    422,
    expect.objectContaining({ errors: { mapping: [says] }, problems: [{ field: null, says }] }),
  ])
  expect(await get(source.id)).toEqual(expect.objectContaining({ version: source.version, mapping: source.mapping }))
  expect((await save({ mapping: mended, confirmed: 1 })).status).toBe(200)
  expect(await replay(source.id)).toEqual({ replayed: 2 })
  expect(await leadsOf(source.id)).toMatchObject([{ lead_name: 'Dee', lead_type: 'Form' }])
})

test('a date is read in any form that has one meaning; otherwise the lead has its time of arrival, and says so [EDGE-02]', async () => {
  const source = await make({
    mapping: { lead_name: { from: 'name' }, lead_date: { from: 'at' }, message: { from: 'text' } },
  })
  const recent = new Date(Date.now() - 3 * 3_600_000)
  recent.setMilliseconds(0)
  const forms = [
    recent.toUTCString(),
    String(recent),
    String(recent.getTime() / 1000),
    recent.toISOString().replace('.000Z', '+00'),
  ]
  for (const at of forms) await send(source, { name: 'Ann', at })
  const unusable = {
    '31/31/2026': 'it cannot be read',
    '05/11/2019': 'it cannot be read',
    '2099-01-01T00:00:00Z': 'it is in the future',
  }
  for (const at of Object.keys(unusable)) await send(source, { name: 'Ben', at, text: 'A roof' })
  const [ann, ben] = Map.groupBy(await leadsOf(source.id), ({ lead_name }) => lead_name).values()
  expect(ann!.map(({ occurred_at, message }) => [occurred_at, message])).toEqual(forms.map(() => [recent, null]))
  expect(ben!.map(({ message }) => message)).toEqual(
    Object.entries(unusable).map(
      ([at, why]) => `A roof\n\nLead Date: ${at} (${why}; the lead has the time of its arrival)`,
    ),
  )
  for (const { occurred_at } of ben!) expect(Math.abs(Date.now() - occurred_at.getTime())).toBeLessThan(600_000)
  expect((await eventsOf(source.id)).data.every(({ state }: { state: string }) => state === 'lead')).toBe(true)
})

test('a first sample suggests a mapping, which a source answers beside its own [EDGE-07]', async () => {
  const source = await make()
  expect(source.suggested).toEqual({})
  await send(source, { id: 'Z-1', who: { full_name: 'Ann', 'e-mail': 'ann@example.com' }, comments: 'Roof' })
  expect(await get(source.id)).toMatchObject({
    mapping: {},
    suggested: {
      lead_id: { from: 'id' },
      lead_name: { from: 'who.full_name' },
      lead_email: { from: 'who.e-mail' },
      message: { from: 'comments' },
    },
  })
})

test('JSON, URL-encoded and multipart forms are read [OPEN-03]', async () => {
  const named = { lead_name: { from: 'fields[name]' }, message: { from: 'more' } }
  const source = await make({ mapping: named })
  await send(source, 'fields%5Bname%5D=Eve+Zo%C3%AB&more=a&more=b', form)
  const parts = new FormData()
  parts.set('fields[name]', 'Zoë')
  parts.set('more', new Blob(['…']), 'roof.jpg')
  const multipart = new Response(parts)
  const type = multipart.headers.get('content-type')!
  await send(source, new Uint8Array(await multipart.arrayBuffer()), { 'content-type': type })
  await send(source, '{"fields[name]":"Fay"}', { 'content-type': 'application/json; charset=utf-8' })
  expect((await leadsOf(source.id)).map(({ lead_name, message }) => [lead_name, message])).toEqual([
    ['Eve Zoë', 'a, b'],
    ['Zoë', 'roof.jpg'],
    ['Fay', null],
  ])
})

test('a compressed body is read, however its coding is written, and what cannot be unpacked is refused in words [OPEN-03]', async () => {
  const source = await make({ mapping: { lead_name: { from: 'name' } } })
  const pack = { gzip: gzipSync, 'x-gzip': gzipSync, GZip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
  for (const [coding, compress] of Object.entries(pack))
    await send(source, new Uint8Array(compress(JSON.stringify({ name: coding }))), {
      ...json,
      'content-encoding': coding,
    })
  expect((await leadsOf(source.id)).map(({ lead_name }) => lead_name)).toEqual(Object.keys(pack))
  const other = await post(source.key, '{"name":"Ann"}', { ...json, 'content-encoding': 'compress' })
  expect([other.status, await other.json()]).toEqual([
    415,
    { message: 'Please send the body plain, or with gzip, deflate or br' },
  ])
  const bomb = new Uint8Array(gzipSync(Buffer.alloc(20_000_000, ' ')))
  expect((await post(source.key, bomb, { ...json, 'content-encoding': 'gzip' })).status).toBe(413)
})

test('what is surely JSON or a form is read whatever its type says, as beacons and scripts send it [EDGE-07]', async () => {
  const source = await make({ mapping: { lead_name: { from: 'name' }, lead_phone: { from: 'phone' } } })
  const object = (name: string) => JSON.stringify({ name, phone: '512-555-0144' })
  const fields = (name: string) => `name=${name}&phone=512-555-0144`
  const wrong = [
    [object('Beacon'), 'text/plain;charset=UTF-8'],
    [`[${object('List')}]`, 'text/plain'],
    [JSON.stringify(object('Twice')), 'text/plain'],
    [object('Octets'), 'application/octet-stream'],
    [fields('Plain+Form'), 'text/plain'],
    [fields('Form'), 'application/json'],
    [encodeURIComponent(object('Encoded')), 'application/x-www-form-urlencoded'],
    [String.raw`{"name":"Sean O\'Dell","phone":"512-555-0144"}`, 'application/json'],
  ] as const
  for (const [body, type] of wrong) await send(source, body, { 'content-type': type })
  await send(source, new TextEncoder().encode(object('No type')), {})
  const leads = await leadsOf(source.id)
  expect(leads.map(({ lead_name }) => lead_name)).toEqual([
    ...['Beacon', 'List', 'Twice', 'Octets', 'Plain Form', 'Form', 'Encoded', "Sean O'Dell", 'No type'],
  ])
  expect(new Set(leads.map(({ lead_phone }) => lead_phone))).toEqual(new Set(['512-555-0144']))
})

test('what cannot be read is refused, and stands among the events of its source with the reason [OPEN-03]', async () => {
  const source = await make({ mapping: { lead_name: { from: 'name' } } })
  await send(source, { name: 'Ann' })
  const refused = [
    [415, 'Please send JSON or a form', '<a b="c"/>', { 'content-type': 'text/xml' }],
    [415, 'Please send JSON or a form', 'Name: Ann', {}],
    [400, 'The body is not valid JSON', '{"name":', json],
    [400, 'The form is broken', '--x\r\nbroken', { 'content-type': 'multipart/form-data; boundary=x' }],
  ] as const
  for (const [status, message, body, headers] of refused) {
    const answer = await post(source.key, new TextEncoder().encode(body), headers)
    expect([answer.status, await answer.json()]).toEqual([status, { message }])
  }
  await waitForIntake(app)
  const { data } = await eventsOf(source.id)
  expect(data.map(({ state, reason, body }: SourceEvent) => [state, reason, body])).toEqual([
    ...refused.map(([, reason, body]) => ['quarantined', reason, body]).toReversed(),
    ['lead', null, '{"name":"Ann"}'],
  ])
  expect((await get(source.id)).sample, 'the newest that can be read').toEqual({ name: 'Ann' })
  expect((await leadsOf(source.id)).map(({ lead_name }) => lead_name)).toEqual(['Ann'])
})

test('unknown keys, too large bodies and sessions are refused, and nothing is stored [OPEN-03]', async () => {
  const source = await make({ mapping: { lead_name: { from: 'name' } } })
  const gone = await make()
  expect((await root.call(customSourcesContract.remove, { params: { id: gone.id } })).status).toBe(204)
  const before = await app.dump()
  const statuses = [
    await post('x'.repeat(43), {}),
    await post(gone.key, {}),
    await post('x'.repeat(43), '{"name":'),
    await post(source.key, JSON.stringify({ name: 'x'.repeat(1024 * 1024) })),
    await root.fetch(`/api/hooks/in/${source.key}`, { method: 'POST', headers: json, body: '{"name":"A"}' }),
  ].map(({ status }) => status)
  expect(statuses).toEqual([404, 404, 404, 413, 403])
  expect(await app.dump()).toBe(before)
  const expires_at = new Date(Date.now() + msPerDay).toISOString()
  const wanted = { name: 'Zapier', access: 'write', pages: { leads: 1 }, expires_at }
  const { key } = (await root.call(apiKeysContract.create, { body: wanted })).body
  const byKey = await post(source.key, '{"name":"A"}', { ...json, authorization: `Bearer ${key}` })
  expect([byKey.status, await leadsOf(source.id)], 'an API key is no sender either').toEqual([403, []])
})

const whatConverts = {
  trigger: 'new',
  lead_id: 153928,
  lead_type: 'Phone Call',
  date_created: '2026-02-01T14:09:01Z',
  tracking_number: '+17044486577',
  caller_number: '+18033861858',
  city: 'Charlotte',
  state: 'NC',
  lead_source: 'google',
  lead_medium: 'cpc',
  lead_keyword: 'generating leads',
  lead_url: 'https://www.example.com/contact',
  call_duration_seconds: 64,
  call_status: 'Answered',
  contact_name: 'Jeremy Helms',
  contact_email_address: 'jeremy@example.com',
  phone_name: 'Google AdWords',
}
const facebook = {
  id: '1234567890',
  created_time: '2026-02-28T08:49:14+0000',
  field_data: [
    { name: 'full_name', values: ['Joe Example'] },
    { name: 'email', values: ['joe@example.com'] },
    { name: 'phone_number', values: ['+15125550123'] },
    { name: 'what_is_leaking?', values: ['Roof', 'Gutter'] },
  ],
}
const google = {
  lead_id: 'TeSter-123',
  user_column_data: [
    { column_name: 'Full Name', string_value: 'Gia Example', column_id: 'FULL_NAME' },
    { column_name: 'User Phone', string_value: '1-650-555-0123', column_id: 'PHONE_NUMBER' },
    { column_name: 'User Email', string_value: 'gia@example.com', column_id: 'EMAIL' },
    { column_name: 'Which service?', string_value: 'Repair', column_id: 'which_service?' },
  ],
  api_version: '1.0',
  form_id: 40000000000,
  campaign_id: 123456,
  google_key: 'secret',
  gcl_id: 'abc',
  lead_submit_time: '2026-02-26T12:30:00Z',
}

test.each([
  [
    'whatconverts',
    whatConverts,
    {
      lead_id: '153928',
      lead_type: 'Call',
      lead_name: 'Jeremy Helms',
      lead_email: 'jeremy@example.com',
      lead_phone: '+18033861858',
      lead_location: 'Charlotte, NC',
      occurred_at: new Date('2026-02-01T14:09:01Z'),
      duration: 64,
      answered: true,
      source: 'Google Paid',
      keywords: 'generating leads',
      tracking_phone_number: '+17044486577',
      tracking_source: 'Google AdWords',
    },
  ],
  [
    'facebook',
    facebook,
    {
      lead_id: '1234567890',
      lead_type: 'Form',
      lead_name: 'Joe Example',
      lead_email: 'joe@example.com',
      lead_phone: '+15125550123',
      message: 'what_is_leaking? Roof, Gutter',
      source: 'Facebook',
      occurred_at: new Date('2026-02-28T08:49:14Z'),
    },
  ],
  [
    'google',
    google,
    {
      lead_id: 'TeSter-123',
      lead_type: 'Form',
      lead_name: 'Gia Example',
      lead_email: 'gia@example.com',
      lead_phone: '1-650-555-0123',
      message: 'Which service? Repair',
      gclid: 'abc',
      source: 'Google Paid',
      occurred_at: new Date('2026-02-26T12:30:00Z'),
    },
  ],
])(
  'the preset %s reads its documented payload, and a mapping overrides it field by field [OPEN-03]',
  async (preset, body, expected) => {
    const source = await make({ preset })
    await send(source, body)
    expect(await leadsOf(source.id)).toMatchObject([{ lead_s: 'Other', ...expected }])
    const overruled = { lead_name: { value: 'Overruled' } }
    const { body: preview } = await root.call(customSourcesContract.preview, {
      params: { id: source.id },
      body: { mapping: overruled, sample: body },
    })
    expect(preview).toMatchObject({ lead: { lead_name: 'Overruled', lead_email: expected.lead_email }, problems: [] })
  },
)

test.each<[string, object]>([
  [
    'JustCall',
    {
      type: 'call.completed',
      data: {
        call_sid: 'CA1',
        contact_number: '15125550144',
        call_start: '2026-02-25T18:05:09Z',
        call_info: { direction: 'Incoming', type: 'Voicemail', voicemail_transcription: 'My roof leaks' },
        call_duration: { total_duration: 40 },
      },
    },
  ],
  [
    'GoHighLevel',
    {
      ...{ type: 'InboundMessage', direction: 'inbound', messageType: 'CALL', messageId: 'M1', status: 'voicemail' },
      ...{ attachments: ['https://media.example/a.mp3'], dateAdded: '2026-02-25T18:05:09Z', phone: '+15125550144' },
    },
  ],
  [
    'Quo',
    {
      type: 'call.completed',
      data: {
        object: {
          ...{ id: 'AC1', direction: 'incoming', status: 'completed', from: '+15125550144', answeredAt: null },
          ...{ createdAt: '2026-02-25T18:05:09Z', voicemail: { url: 'https://media.example/a.mp3', duration: 17 } },
        },
      },
    },
  ],
])(
  'a voicemail that a telephone system sends is tagged Voicemail, and is no missed call (%s) [IN-11]',
  async (_, body) => {
    const source = await make({ mapping: suggestMapping(body) })
    await send(source, body)
    expect(await leadsOf(source.id)).toMatchObject([
      { lead_type: 'Call', voicemail: true, answered: false, tags: ['Voicemail'] },
    ])
  },
)

test('a call that its telephone system calls missed inside the working hours is one [IN-10]', async () => {
  const body = {
    event: 'call.ended',
    data: {
      ...{ id: 812, direction: 'inbound', status: 'done', missed_call_reason: 'agents_did_not_answer' },
      ...{ started_at: '2026-02-25T18:05:09Z', answered_at: null, duration: 100, raw_digits: '+1 512-555-0144' },
    },
  }
  const source = await make({ mapping: suggestMapping(body) })
  await send(source, body)
  expect(await leadsOf(source.id)).toMatchObject([{ lead_type: 'Call', answered: false, tags: ['Auto Missed Call'] }])
})

test('Facebook’s notice without fields and Google’s test are quarantined with their reasons [OPEN-03]', async () => {
  const fromFacebook = await make({ preset: 'facebook' })
  await send(fromFacebook, {
    object: 'page',
    entry: [{ id: '1', time: 1, changes: [{ field: 'leadgen', value: { leadgen_id: '99', page_id: '1' } }] }],
  })
  expect((await eventsOf(fromFacebook.id)).data).toMatchObject([
    { state: 'quarantined', reason: expect.stringContaining('notice of lead 99 has no fields') },
  ])
  const fromGoogle = await make({ preset: 'google' })
  await send(fromGoogle, { ...google, is_test: true })
  expect((await eventsOf(fromGoogle.id)).data).toMatchObject([{ state: 'quarantined', reason: 'A test from Google' }])
  expect([...(await leadsOf(fromFacebook.id)), ...(await leadsOf(fromGoogle.id))]).toEqual([])
})

test('named answers are found by name, in any order [OPEN-03]', async () => {
  const source = await make()
  const body = {
    mapping: { lead_name: { from: 'field_data.full_name' }, message: { from: 'field_data.3.values.1' } },
    sample: facebook,
  }
  expect((await root.call(customSourcesContract.preview, { params: { id: source.id }, body })).body).toMatchObject({
    lead: { lead_name: 'Joe Example', message: 'Gutter\n\nemail: joe@example.com\nphone_number: +15125550123' },
  })
})

test('a source exists for those who may see its site; its key is never stored in plain text or written to the audit log [OPEN-03]', async () => {
  const source = await make({ name: 'Mine' })
  const insider = await app.as(await app.make.admin({ permissions: ['clientSites'], campaigns: [site.campaign_id!] }))
  const stranger = await app.as(
    await app.make.admin({ permissions: ['clientSites'], campaigns: [(await app.make.campaign()).id] }),
  )
  const listOf = async (who: Caller) => (await who.call(customSourcesContract.list)).body
  expect((await listOf(insider)).data.map(({ name }: CustomSource) => name)).toContain('Mine')
  expect(await listOf(stranger)).toEqual({ data: [], total: 0 })
  const { get: read, update, remove, preview, test: tried, replay: again, events } = customSourcesContract
  const unseen = await app.make.clientSite()
  const before = await app.dump()
  for (const call of [read, update, remove, preview, tried, again, events]) {
    const sent = { params: { id: source.id }, ...(call.method === 'GET' ? {} : { body: { mapping: {}, sample: {} } }) }
    expect((await stranger.call({ ...call, response: undefined }, sent)).status, call.address).toBe(404)
  }
  const foreign = await stranger.call(customSourcesContract.create, { body: { name: 'X', clientsite_id: site.id } })
  const moved = await insider.call(update, { params: { id: source.id }, body: { clientsite_id: unseen.id } })
  for (const { status, body } of [foreign, moved])
    expect([status, body.errors]).toEqual([422, { clientsite_id: ['There is no such client site'] }])
  expect(await app.dump()).toBe(before)

  const [row] = await app.context.db.select().from(customSourcesTable).where(eq(customSourcesTable.id, source.id))
  expect(row!.key_hash).toEqual(createHash('sha256').update(source.key!).digest())
  expect(row!.key!.toString('latin1')).not.toContain(source.key!)
  const trail = await app.context.db.select().from(auditTable).where(eq(auditTable.kind, 'lead source'))
  expect(trail.length).toBeGreaterThan(0)
  expect(JSON.stringify(trail)).not.toContain(source.key!)
})

test('a mapping of unknown fields and a preview without a sample are refused with a message [OPEN-03]', async () => {
  const source = await make()
  const refused = async (body: object) => {
    const answer = await root.call(customSourcesContract.preview, { params: { id: source.id }, body })
    return [answer.status, Object.keys(answer.body.errors ?? {})]
  }
  expect(await refused({ mapping: { shoe: { from: 'a' } } })).toEqual([422, [expect.stringContaining('mapping')]])
  expect(await refused({ mapping: { lead_name: 'name' } })).toEqual([422, ['mapping.lead_name']])
  expect(await refused({ mapping: {} })).toEqual([422, ['sample']])
})

test('a lead of a source that moved to another site belongs to that site and its campaign [OPEN-03]', async () => {
  const other = await app.make.clientSite()
  const source = await make({ clientsite_id: other.id, mapping: { lead_name: { from: 'name' } } })
  await root.call(customSourcesContract.update, { params: { id: source.id }, body: { clientsite_id: site.id } })
  await send(source, { name: 'Hal' })
  expect(await leadsOf(source.id)).toMatchObject([{ campaign_id: site.campaign_id, clientsite_id: site.id }])
  const [event] = await app.context.db
    .select()
    .from(inboundEventsTable)
    .where(eq(inboundEventsTable.source_id, source.id))
  expect(event).toMatchObject({ provider: 'other', state: 'done', body: Buffer.from('{"name":"Hal"}') })
})

test('a source whose site was deleted stays with what it receives, until it is given another site [OPEN-03]', async () => {
  const gone = await app.make.clientSite({ campaign_id: campaign.id })
  const source = await make({ clientsite_id: gone.id, mapping: { lead_name: { from: 'name' } } })
  expect((await root.call(clientSitesContract.remove, { params: { id: gone.id } })).status).toBe(204)
  await send(source, { name: 'Ida' })
  expect(await get(source.id)).toMatchObject({ clientsite_id: gone.id, clientsite_url: null })
  const listed: CustomSource[] = (await root.call(customSourcesContract.list, { query: { per_page: 100 } })).body.data
  expect(listed.find(({ id }) => id === source.id)).toMatchObject({
    clientsite_url: null,
    campaign_name: campaign.name,
  })
  const reason = 'The client site of this event was deleted'
  expect((await eventsOf(source.id)).data).toMatchObject([{ state: 'quarantined', reason, lead_id: null }])
  const move = { params: { id: source.id }, body: { clientsite_id: site.id } }
  expect((await root.call(customSourcesContract.update, move)).body).toMatchObject({ clientsite_url: site.url })
  expect(await replay(source.id)).toEqual({ replayed: 1 })
  expect(await leadsOf(source.id)).toMatchObject([{ lead_name: 'Ida', clientsite_id: site.id }])
})

test('who has a source’s new campaign reads nothing of what it received for the former client [OPEN-03]', async () => {
  const source = await make({ mapping })
  await send(source, sample) // becomes a lead
  await send(source, { nothing: 'to read' }) // is put aside
  const next = await app.make.campaign()
  const nextSite = await app.make.clientSite({ campaign_id: next.id })
  const moved = await root.call(customSourcesContract.update, {
    params: { id: source.id },
    body: { clientsite_id: nextSite.id },
  })
  expect(moved.status).toBe(200)
  const reader = await app.as(await app.make.admin({ campaigns: [next.id] }))
  const call = { params: { id: source.id } }
  expect((await reader.call(customSourcesContract.events, call)).body).toMatchObject({ data: [], total: 0 })
  expect((await reader.call(customSourcesContract.get, call)).body).toMatchObject({ sample: null, last_event_at: null })
  expect((await reader.call(customSourcesContract.preview, { ...call, body: { mapping } })).status).toBe(422)
  expect((await eventsOf(source.id)).total).toBe(2)
  await send(source, { ...sample, contact: { ...sample.contact, first: 'Bob', mail: 'bob@example.com' } })
  const { data } = (await reader.call(customSourcesContract.events, call)).body
  expect(data.map(({ body }: SourceEvent) => body)).toEqual([expect.stringContaining('Bob')])
})

test('who has a source’s new campaign replays nothing of what it received for the former client [OPEN-03]', async () => {
  const { db } = app.context
  const source = await make()
  await send(source, sample) // waits for a mapping
  await send(source, { ...sample, contact: { ...sample.contact, first: 'Bob' } })
  const next = await app.make.campaign()
  const nextSite = await app.make.clientSite({ campaign_id: next.id })
  const body = { clientsite_id: nextSite.id, mapping }
  expect((await root.call(customSourcesContract.update, { params: { id: source.id }, body })).status).toBe(200)
  const ids = (await eventsOf(source.id)).data.map(({ id }: SourceEvent) => id)
  const former = await app.make.lead({ campaign_id: campaign.id, clientsite_id: site.id })
  await db
    .update(inboundEventsTable)
    .set({ state: 'done', lead_id: former.id })
    .where(eq(inboundEventsTable.id, ids[0]))

  const reader = await app.as(await app.make.admin({ campaigns: [next.id] }))
  const before = await app.dump()
  for (const which of [{}, { ids }]) {
    const answer = await reader.call(customSourcesContract.replay, { params: { id: source.id }, body: which })
    expect([answer.status, answer.body]).toEqual([200, { replayed: 0 }])
  }
  await waitForIntake(app)
  expect(await app.dump()).toBe(before)
  expect(await replay(source.id)).toEqual({ replayed: 1 })
  expect(await leadsOf(source.id)).toMatchObject([{ lead_name: 'Ann', campaign_id: next.id }])
})

test('a source is read, previewed, changed and replayed after a person in its events was erased', async () => {
  const source = await make({ mapping: { lead_name: { from: 'name' }, lead_phone: { from: 'phone' } } })
  await send(source, { name: 'Otto', phone: '512-555-0199' })
  await send(source, { name: 'Zelda', phone: '512-555-0147' })
  const person = { phone: '512-555-0147', email: 'zelda@a.example' }
  const { total } = (await root.call(erasuresContract.rehearse, { body: person })).body
  expect((await root.call(erasuresContract.erase, { body: { ...person, total } })).status).toBe(200)

  expect((await get(source.id)).sample).toEqual({ name: 'Otto', phone: '512-555-0199' })
  expect((await root.call(customSourcesContract.list)).status).toBe(200)
  const preview = await root.call(customSourcesContract.preview, { params: { id: source.id }, body: { mapping } })
  expect([preview.status, preview.body.recent.length]).toEqual([200, 1])
  const { data } = await eventsOf(source.id)
  expect(await replay(source.id, { ids: data.map(({ id }: { id: number }) => id) })).toEqual({ replayed: 1 })
  expect(await eventsOf(source.id)).toMatchObject({
    data: [
      { state: 'lead', reason: 'Erased', body: '[erased]' },
      { state: 'lead', reason: null },
    ],
  })
})
