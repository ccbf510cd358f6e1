import { expect, test } from 'vitest'
import { readCorpus } from '#test/corpus.ts'
import { findByPath, listSampleFields, toText } from '../body-paths.ts'
import type { FieldMapping } from '../contract.ts'
import type { SourcePreset } from '../labels.ts'
import { mapLead, previewLead } from './map-lead.ts'
import { readSourceBody } from './read-body.ts'
import { suggestMapping } from './suggest-mapping.ts'

type Case = {
  source: string
  preset?: SourcePreset
  body?: unknown
  /** The body as its bytes stood. */
  body_text?: string
  form?: Record<string, string>
  /** A form as it was encoded, and the charset that it declares. */
  encoded?: string
  charset?: string
  lead: Record<string, unknown>
  /** Why it makes no lead. */
  problems?: string[]
}
const formType = 'application/x-www-form-urlencoded'
const readBody = ({ body, body_text, form, encoded, charset }: Omit<Case, 'source' | 'lead'>) =>
  form || encoded
    ? readSourceBody(
        Buffer.from(encoded ?? String(new URLSearchParams(form))),
        charset ? `${formType}; charset=${charset}` : formType,
      )
    : body_text
      ? readSourceBody(Buffer.from(body_text), 'application/json')
      : body
const receivedAt = new Date('2026-11-25T18:10:00Z')
const input = { bytes: Buffer.from(''), receivedAt, zone: 'America/New_York' }
const corpus = readCorpus<Case>('hooks')

test.each(corpus)(
  'a lead of $source is read as it suggests itself [EDGE-07]',
  ({ preset = null, lead, problems: wrong = [], ...sent }) => {
    const body = readBody(sent)
    const mapping = preset ? {} : suggestMapping(body)
    const { lead: read, problems } = previewLead({ ...input, preset, mapping, body })
    expect([read, problems.map(({ says }) => says)]).toEqual([expect.objectContaining(lead), wrong])
  },
)

test.each(corpus)(
  'every address that $source is offered leads to its value, and none is a bare position [EDGE-07]',
  (sent) => {
    const body = readBody(sent)
    for (const { path, value } of listSampleFields(body)) {
      expect(toText(findByPath(body, path)), path).toBe(value)
      if (!/a repeater field|of one value each|numbered|Gravity/.test(sent.source))
        expect(path).not.toMatch(/(^|\.)\d+(\.\D|$)/)
    }
  },
)

test.each([
  [{ Name: 'Joan Otter', Mobile: '212-555-0143', Service: 'Roof' }],
  [{ Name: 'Joan Otter', Phone: '212-555-0143', Value: '500' }],
  { Customers: [{ Title: 'Mrs', FirstName: 'Joan', LastName: 'Otter', Phone: '212-555-0143', Answer: 'yes' }] },
])('a list of one record is no list of answers, and the next record is read too [EDGE-07] (%j)', (body) => {
  const next = JSON.parse(
    JSON.stringify(body).replaceAll('Joan', 'Bob').replaceAll('0143', '0144').replaceAll('Mrs', 'Mr'),
  )
  const { lead } = previewLead({ ...input, preset: null, mapping: suggestMapping(body), body: next })
  expect(lead).toMatchObject({ lead_name: 'Bob Otter', lead_phone: '212-555-0144' })
})

test('false is no text: Odoo sends it for an empty field [EDGE-07]', () => {
  const mapping = {
    lead_name: { from: 'first + last' },
    lead_email: { from: 'email' },
    lead_phone: { from: 'phone' },
    message: { from: 'note' },
    answered: { from: 'answered' },
  }
  const body = { first: 'Joan', last: false, email: false, phone: '512-555-0144', note: false, answered: false }
  const { lead } = previewLead({ ...input, preset: null, mapping, body })
  expect(lead).toMatchObject({
    ...{ lead_name: 'Joan', lead_email: null, lead_phone: '512-555-0144', message: null, answered: false },
  })
})

test('a purchase of WhatConverts waits for a person to say what it is; its chats stay forms then [EDGE-07]', () => {
  const lead = { lead_id: 153928, date_created: '2026-11-25T18:05:09Z', contact_name: 'Joan Otter' }
  const read = (lead_type: string, mapping: FieldMapping) =>
    previewLead({ ...input, preset: 'whatconverts', mapping, body: { ...lead, lead_type } })
  for (const lead_type of ['Transaction', 'Event'])
    expect(read(lead_type, {}).problems).toEqual([
      { field: 'lead_type', says: `Must be Form or Call: choose in the mapping which of them it is (‘${lead_type}’)` },
    ])
  const mapping: FieldMapping = { lead_type: { from: 'lead_type', values: { Transaction: 'Form' } } }
  for (const lead_type of ['Transaction', 'Chat', 'Web Form'])
    expect(read(lead_type, mapping), lead_type).toMatchObject({ lead: { lead_type: 'Form' }, problems: [] })
  expect(read('Phone Call', mapping)).toMatchObject({ lead: { lead_type: 'Call' }, problems: [] })
})

test('a date at midnight beside a time of its own is the day as it is written [EDGE-02]', () => {
  const mapping = { lead_name: { from: 'name' }, lead_date: { from: 'date' }, lead_time: { from: 'time' } }
  const read = (date: string, time: string) => {
    const { lead } = previewLead({ ...input, preset: null, mapping, body: { name: 'Joan', date, time } })
    return [lead.lead_date, lead.lead_time]
  }
  for (const date of ['2026-11-25', '2026-11-25T00:00:00Z', '2026-11-25T00:00:00.000Z', '2026-11-25 00:00:00'])
    expect(read(date, '1:05 PM'), date).toEqual(['2026-11-25', '13:05:00'])
  expect(read('2026-11-25T02:00:00Z', '9:00 PM')).toEqual(['2026-11-24', '21:00:00'])
  expect(read('2026-11-25T02:00:00Z', '02:00:00Z')).toEqual(['2026-11-24', '21:00:00'])
  expect(read('2026-11-25T00:00:00Z', '00:00:00Z')).toEqual(['2026-11-24', '19:00:00'])
  // Also where the time names a zone west of the agency's.
  for (const time of ['9:15 AM CST', '09:15:00-06:00'])
    expect(read('2026-11-24', time), time).toEqual(['2026-11-24', '10:15:00'])
})

test('a call that is not over, or is only said to be over, does not wait for the word whether it was answered [EDGE-07]', () => {
  const mapping = { lead_phone: { from: 'From' }, answered: { from: 'CallStatus' } }
  for (const [CallStatus, answered, problems] of [
    ['ringing', null, []],
    ['in-progress', null, []],
    ['hangup', null, []],
    ['NOANSWER', false, []],
    ['perhaps', null, [{ field: 'answered', says: 'Must be yes or no (‘perhaps’)' }]],
  ] as const) {
    const read = previewLead({ ...input, preset: null, mapping, body: { From: '+15125550144', CallStatus } })
    expect([read.lead.lead_type, read.lead.answered, read.problems], CallStatus).toEqual(['Call', answered, problems])
  }
})

test.each<[string, object, { answered: boolean | null; voicemail: boolean | null }]>([
  ['the event', { event: 'phone.callee_missed' }, { answered: false, voicemail: null }],
  ['the event', { event: 'call.voicemail_left' }, { answered: false, voicemail: true }],
  ['the event', { event: '/restapi/v1.0/account/1/extension/2/voicemail' }, { answered: false, voicemail: true }],
  [
    'that of another call',
    { previous_call_status: 'Missed', last_call_result: 'Missed' },
    { answered: null, voicemail: null },
  ],
  [
    'that of the line',
    { lead_status: 'Missed', queue_type: 'voicemail', voicemail_box_state: 'voicemail', voicemail: { enabled: true } },
    { answered: null, voicemail: null },
  ],
  ['a word', { media: 'voicemail' }, { answered: false, voicemail: true }],
  ['its address', { data: { voicemail: 'https://media.example/a.mp3' } }, { answered: false, voicemail: true }],
  ['a mark', { data: { has_voicemail: true } }, { answered: false, voicemail: true }],
  ['none', { voicemail_link: null, has_voicemail: false, voicemail: {} }, { answered: null, voicemail: null }],
  [
    'a greeting',
    { number: { messages: { voicemail: 'https://a.example/hi.mp3' } } },
    { answered: null, voicemail: null },
  ],
  ['a reason', { data: { missed_call_reason: 'short_abandoned' } }, { answered: false, voicemail: null }],
  ['no reason', { data: { missed_call_reason: null } }, { answered: null, voicemail: null }],
  ['a mark', { body: { parties: [{ missedCall: true }] } }, { answered: false, voicemail: null }],
  [
    'another who answered',
    { body: { parties: [{ missedCall: true }, { missedCall: false }] } },
    { answered: null, voicemail: null },
  ],
  ['the end', { type: 'call.completed', data: { answeredAt: null } }, { answered: false, voicemail: null }],
  [
    'the end of an answered one',
    { type: 'call.completed', data: { answeredAt: '2026-11-25T18:05:09Z' } },
    { answered: null, voicemail: null },
  ],
  ['the start', { type: 'call.ringing', data: { answeredAt: null } }, { answered: null, voicemail: null }],
  ['a status', { status: 'answered', missed_call_reason: 'busy' }, { answered: true, voicemail: null }],
  ['another word', { status: 'dismissed' }, { answered: null, voicemail: null }],
  ['words that deny one', { disposition: 'No voicemail' }, { answered: null, voicemail: null }],
  [
    'a status beside the address of a greeting',
    { status: 'answered', voicemail_url: 'https://a.example/hi.mp3' },
    { answered: true, voicemail: null },
  ],
  ['a mark beside the end', { call_status: 'completed', voicemail: true }, { answered: false, voicemail: true }],
])('how a call went is read as its sender says it, by %s [EDGE-07] (%j)', (_, said, outcome) => {
  const body = { ...said, from: '+15125550144', direction: 'inbound' }
  const { incoming } = mapLead({ ...input, preset: null, mapping: suggestMapping(body), body })
  expect(incoming).toMatchObject({ lead_type: 'Call', ...outcome })
})

test('a phone that is only a country code or an empty mask reaches no one [EDGE-07]', () => {
  const mapping = { lead_phone: { from: 'phone' }, lead_email: { from: 'email' } }
  const read = (body: object) => previewLead({ ...input, preset: null, mapping, body }).problems.map(({ says }) => says)
  for (const phone of ['+1', '+1 (___) ___-____', '(___) ___-____']) {
    expect(read({ phone, email: '' }), phone).toEqual(['No name, phone, email or message'])
    expect(read({ phone, email: '', budget: '900' }), phone).toEqual([
      'The mapped contact fields are all empty: Email, Phone',
    ])
    expect(read({ phone, email: 'joan@otter.example' }), phone).toEqual([])
  }
  for (const phone of [
    '512-555-0144',
    'Anonymous',
    'ask for Bob',
    '+44 20 7946 0958·',
    '+33 · 1 · 42 68 53 00',
    '·555-0144',
  ])
    expect(read({ phone, email: '' }), phone).toEqual([])
})

const typeform = corpus[0]!.body
test('an answer is addressed by a value in it, wherever it stands [EDGE-07]', () => {
  const paths = listSampleFields({
    answers: [{ field: { id: 'x', ref: 'email' }, type: 'email', email: 'a@b.example' }],
  })
  expect(paths.map(({ path }) => path)).toEqual(['answers[field.ref=email].email'])
  expect(findByPath(typeform, 'form_response.answers[field.ref=email].email')).toBe('joan@otter.example')
  const texts = ['id', 'ref', 'key', 'name', 'title'].map((key) => {
    const list = [
      { [key]: 'a', said: 'A' },
      { [key]: 'b [c]', said: 'B' },
    ]
    return listSampleFields({ list })
      .filter(({ value }) => value === 'B')
      .map(({ path }) => [path, findByPath({ list: list.toReversed() }, path)])
  })
  expect(texts).toEqual(['id', 'ref', 'key', 'name', 'title'].map((key) => [[`list[${key}="b [c]"].said`, 'B']]))
})

test('the ways to reach a person are addressed by what they are, as their ids are new with every person [EDGE-07]', () => {
  const contacts = (from: number) => [
    { id: from, type: 'MobilePhone', value: '5125550144' },
    { id: from + 1, type: 'Email', value: 'joan@otter.example' },
  ]
  const mapping = suggestMapping({ name: 'Joan', contacts: contacts(71) })
  const next = { name: 'Ann', contacts: contacts(90).toReversed() }
  expect(mapLead({ ...input, preset: null, mapping, body: next }).incoming).toMatchObject({
    ...{ lead_name: 'Ann', lead_phone: '5125550144', lead_email: 'joan@otter.example' },
  })
  const fields = [
    { id: 'f1', type: 'text', value: 'Joan' },
    { id: 'f2', type: 'email', value: 'joan@otter.example' },
  ]
  expect(suggestMapping({ fields }).lead_email).toEqual({ from: 'fields[id=f2].value' })
})

test('the one party of a call is addressed by its id, which is new in each event, and found again [EDGE-07]', () => {
  const call = (id: string, phoneNumber: string) => ({
    ...{ telephonySessionId: id },
    parties: [{ id: `p-${id}`, direction: 'Inbound', from: { phoneNumber }, to: { phoneNumber: '+15125550180' } }],
  })
  const mapping = suggestMapping(call('s-1', '+15125550144'))
  const { incoming, lead_id } = mapLead({ ...input, preset: null, mapping, body: call('s-2', '+15125550145') })
  expect([lead_id, incoming.lead_phone]).toEqual(['s-2', '+15125550145'])
  const other = { fields: [{ id: 'f9', value: 'a comment' }] }
  expect(findByPath(other, 'fields[id=f1].value')).toBeUndefined()
})

test('the people of an event are addressed by what they are, not by their names [EDGE-07]', () => {
  const read = (sample: unknown, body: unknown) => {
    const mapping = suggestMapping(sample)
    const { lead_name, lead_email } = mapLead({ ...input, preset: null, mapping, body }).incoming
    return [lead_name, lead_email]
  }
  const person = (name: string, email: string) => ({ name, email })
  const [joan, zoe] = [person('Joan Otter', 'joan@otter.example'), person('Zoe Ash', 'zoe@ash.example')]
  expect(read({ attendees: [joan] }, { attendees: [zoe] })).toEqual(['Zoe Ash', 'zoe@ash.example'])
  const chat = (one: object) => ({
    users: [
      { id: 'bob', type: 'agent', ...person('Bob Agent', 'bob@agency.example') },
      { id: 'v', type: 'customer', ...one },
    ],
  })
  expect(read(chat(joan), chat(zoe))).toEqual(['Zoe Ash', 'zoe@ash.example'])
})

test('where the next lead has other ids and labels, its one person, and its primary phone or email, is taken [EDGE-07]', () => {
  const read = (sample: unknown, body: unknown, mapping: FieldMapping = suggestMapping(sample)) => {
    const { lead_name, lead_phone, lead_email } = mapLead({ ...input, preset: null, mapping, body }).incoming
    return { lead_name, lead_phone, lead_email }
  }
  const person = (name: string) => ({ name, email: `${name.toLowerCase()}@otter.example` })
  const booking = (...names: string[]) => ({ payload: { attendees: names.map(person), organizer: person('Bob') } })
  expect(read(booking('Joan'), booking('Zoe'))).toEqual({
    ...{ lead_name: 'Zoe', lead_phone: null, lead_email: 'zoe@otter.example' },
  })
  // The one that was mapped may have stood second, beside someone of the agency.
  const second = { lead_name: { from: 'payload.attendees[name=Joan].name' } }
  expect(read(null, booking('Bob', 'Zoe'), second).lead_name).toBeNull()
  const contact = (name: string, phones: object[], emailAddresses: object[]) => ({ name, phones, emailAddresses })
  const sample = contact(
    'Joan',
    [{ label: 'work', value: '512-555-0144' }],
    [{ type: 'Work', address: 'joan@otter.example' }],
  )
  const primary = { label: 'home', value: '512-555-0146', primary: true }
  const emails = [{ type: 'Home', address: 'zoe@ash.example' }]
  expect(read(sample, contact('Zoe', [{ label: 'x', value: '512-555-0145' }], emails))).toEqual({
    ...{ lead_name: 'Zoe', lead_phone: '512-555-0145', lead_email: 'zoe@ash.example' },
  })
  expect(read(sample, contact('Zoe', [{ label: 'x', value: '512-555-0145' }, primary], []))).toMatchObject({
    lead_phone: '512-555-0146',
  })
  const fax = { label: 'work fax', value: '512-555-0147', primary: true }
  const home = { label: 'home', value: '512-555-0145' }
  expect(read(sample, contact('Zoe', [fax, home], [])).lead_phone).toBe('512-555-0145')
  expect(read(sample, contact('Zoe', [fax], [])).lead_phone).toBeNull()
  // An answer is that to its own question, and a guest is no host.
  const asked = (label: string, value: string) => ({ name: 'Joan', email_questions: [{ label, value }] })
  expect(read(asked('Email', 'joan@otter.example'), asked('Her Email', 'zoe@ash.example')).lead_email).toBeNull()
  const host = { role: 'host', ...person('Bob') }
  const guest = { role: 'guest', ...person('Joan') }
  expect(read({ participants: [host, guest] }, { participants: [host, { ...host, name: 'Ann' }] })).toMatchObject({
    lead_name: null,
  })
})

test('an id that comes again with the next lead, such as its form’s, its page’s or a contact’s, is no Lead ID [EDGE-07]', () => {
  const contact = { name: 'Joan', email: 'joan@otter.example' }
  const suggest = (body: unknown) => suggestMapping(body).lead_id
  expect(suggest(readBody({ form: { 'form[id]': '5af1b2c', 'fields[email][value]': contact.email } }))).toBeUndefined()
  for (const part of ['form', 'page', 'contact', 'visitor', 'customer', 'user', 'site', 'location', 'appointment_type'])
    expect([part, suggest({ [part]: { ...contact, id: '7' }, ...contact })]).toEqual([part, undefined])
  expect(suggest({ token: 'what the sender shows to be let in', ...contact })).toBeUndefined()
  expect(suggest({ Form: { Id: '1' }, ...contact, Id: '1-9' })).toEqual({ from: 'Id' })
  expect(suggest({ page: { id: 1 }, data: { id: 9, contact } })).toEqual({ from: 'data.id' })
  expect(suggest({ form_response: { token: 't', ...contact } })).toEqual({ from: 'form_response.token' })
})

test('a text that is JSON is walked like JSON, and another text that begins like it is a text [EDGE-07]', () => {
  const body = {
    rawRequest: JSON.stringify({ q3: { first: 'Joan' }, list: JSON.stringify([{ key: 'a', value: '1' }]) }),
    note: '[urgent] roof',
  }
  expect(findByPath(body, 'rawRequest.q3.first')).toBe('Joan')
  expect(findByPath(body, 'rawRequest.list[key=a].value')).toBe('1')
  expect(findByPath(body, 'note')).toBe('[urgent] roof')
})

test('what is not mapped stands in the message, and what the provider adds does not [EDGE-07]', () => {
  const body = {
    event_id: '1',
    form_id: 7,
    submission_id: 'x',
    created_at: '2026-11-25',
    definition: { fields: [{ id: '1', title: 'T' }] },
    name: 'Ann',
    text: 'It leaks',
    'Tax ID?': '12-34',
    budget: 5000,
    items: [
      { what: 'Roof', qty: 2 },
      { what: 'Gutter', qty: 1 },
    ],
    pets: ['dog', 'cat'],
    home: { floors: 2, attic: true },
  }
  const mapping = { lead_name: { from: 'name' }, message: { from: 'text' } }
  expect(mapLead({ ...input, preset: null, mapping, body }).incoming.message).toBe(
    'It leaks\n\nTax ID? 12-34\nbudget: 5000\nitems: what: Roof, qty: 2; what: Gutter, qty: 1\npets: dog, cat\nfloors: 2\nattic: true',
  )
})

test('a lead whose mapped contact fields are all empty is put aside, and names them [EDGE-07]', () => {
  const mapping = { lead_email: { from: 'a.0.email' }, lead_phone: { from: 'a.1.phone' }, message: { from: 'text' } }
  const problemsOf = (body: unknown) => mapLead({ ...input, preset: null, mapping, body }).problems
  expect(problemsOf({ a: [{ email: ' ' }], text: 'Hello' })).toEqual([
    { field: null, says: 'The mapped contact fields are all empty: Email, Phone' },
  ])
  expect(problemsOf({ a: [{ email: '\u200b' }], text: 'Hello' })).toHaveLength(1)
  expect(problemsOf({ a: [{ email: '' }, { phone: '5125550144' }] })).toEqual([])
  expect(
    mapLead({ ...input, preset: null, mapping: { message: { from: 'text' } }, body: { text: 'Hi' } }).problems,
  ).toEqual([])
})

test('a Lead ID that a spreadsheet has shortened is none, because those of other leads look the same [EDGE-07]', () => {
  const idOf = (name: string, id: string) =>
    mapLead({
      ...{ ...input, bytes: Buffer.from(name), body: { name, id }, preset: null },
      mapping: { lead_name: { from: 'name' }, lead_id: { from: 'id' } },
    }).lead_id
  expect(idOf('Ann', '9.00E+14')).not.toBe(idOf('Ben', '9.00E+14'))
  expect(idOf('Ann', '12e4567')).toBe('12e4567')
})

test('a Lead ID has at most 200 characters', () => {
  const mapping = { lead_id: { from: 'id' }, message: { from: 'text' } }
  const problemsOf = (id: string) =>
    mapLead({ ...input, preset: null, mapping, body: { id, text: 'Hello' } }).problems.map(({ says }) => says)
  expect(problemsOf('7'.repeat(200))).toEqual([])
  expect(problemsOf('7'.repeat(201))).toEqual([expect.stringMatching(/^At most 200 characters/)])
})

test('a body of several leads is put aside, and says so, unless they are the people or the answers of one lead [EDGE-07]', () => {
  const ann = { name: 'Ann', email: 'ann@a.example' }
  const ben = { name: 'Ben', phone: '5125550144' }
  const mapping = { lead_name: { from: 'name' }, lead_email: { from: 'email' } }
  const problemsOf = (body: unknown, preset: SourcePreset | null = null) =>
    previewLead({ ...input, preset, mapping: preset ? {} : mapping, body }).problems.map(({ says }) => says)
  const several = ['2 leads in one body: send each lead by itself']
  expect(problemsOf([ann, ben])).toEqual(several)
  expect(problemsOf([ann, ben], 'facebook')).toEqual(several)
  expect(problemsOf({ total: 2, leads: [ann, ben] })).toEqual(several)
  expect(problemsOf({ event: 'batch', data: { records: [ann, ben] } })).toEqual(several)
  expect(problemsOf({ ...ann, contacts: [ann, ben] })).toEqual([])
  expect(
    problemsOf({
      name: 'Ann',
      responses: [
        { question: 'Phone?', phone: '1' },
        { answer: 'x', email: '' },
      ],
    }),
  ).toEqual([])
})

test('a mapping by position in a list of one object still leads to its values [EDGE-07]', () => {
  const body = readSourceBody(
    Buffer.from('[{ "name": "Joan", "contact": { "email": "a@b.example" } }]'),
    'application/json',
  )
  expect(['0.name', '0.contact.email', 'name', 'contact.email'].map((path) => findByPath(body, path))).toEqual([
    'Joan',
    'a@b.example',
    'Joan',
    'a@b.example',
  ])
})

test('a body that is nested without end is refused with a sentence, and such a text stays a text', () => {
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
  expect(() => readSourceBody(Buffer.from(`{"name":"Ann","x":${deep}}`), 'application/json')).toThrow(
    'The body is nested more than 100 levels deep',
  )
  expect(() => readSourceBody(Buffer.from(JSON.stringify({ brackets: deep })), 'application/json')).not.toThrow()
  expect(findByPath({ text: deep }, 'text')).toBe(deep)
  expect(listSampleFields({ text: deep }).map(({ path }) => path)).toEqual(['text'])
})
