import { expect, test } from 'vitest'
import { classifyCallRailEvent } from '#integrations/callrail/webhook.ts'
import { callRailWebhookSample } from '#integrations/fakes/callrail-sample.ts'
import { readCorpus } from '#test/corpus.ts'
import { findByPath } from '../../custom-sources/body-paths.ts'
import { readSourceBody } from '../../custom-sources/server/read-body.ts'
import { parseCallRailCall, parseCallRailForm, parseCallRailText } from './callrail-lead.ts'
import { parseFormidableEntry } from './formidable-lead.ts'
import { cleanLine, cleanText } from './incoming-lead.ts'
import { detectTrafficSource } from './lead-source.ts'
import { parseEventBody } from './parse-body.ts'

const heard = new Date('2026-03-16T16:20:00Z')

test('the call in CallRail’s documentation is parsed correctly', () => {
  expect(parseCallRailCall(parseEventBody(Buffer.from(callRailWebhookSample.body)), heard)).toEqual({
    lead_type: 'Call',
    occurred_at: new Date('2018-02-19T18:41:00.236Z'),
    lead_name: 'Kaylah Mills',
    lead_location: 'Rochester, PA',
    lead_email: null,
    lead_phone: '+12148654559',
    message: null,
    duration: 13,
    answered: false,
    call_type: 'voicemail',
    voicemail: true,
    recording_url: 'https://app.callrail.com/calls/766970532/recording/redirect?access_key=aaaaccccddddeeee',
    last_url: null,
    referrer: null,
    source: 'Google Paid',
    source_stated: null,
    gbraid: null,
    wbraid: null,
    msclkid: null,
    fbclid: null,
    keywords: null,
    gclid: null,
    tracking_phone_number: '+14045558514',
    tracking_source: 'Google AdWords',
  })
})

test('values and nulls sent as text are read as what they mean', () => {
  const odd = { answered: 'false', voicemail: 'TRUE', duration: '15', recording: '', customer_name: '', call_type: '' }
  expect(parseCallRailCall(odd, heard)).toMatchObject({
    answered: false,
    voicemail: true,
    duration: 15,
    recording_url: null,
    lead_name: null,
    call_type: null,
  })
  for (const said of ['yes', 'Y', '1', 1])
    expect(parseCallRailCall({ answered: said, voicemail: said }, heard)).toMatchObject({
      answered: true,
      voicemail: true,
    })
  for (const said of ['no', '0', 0]) expect(parseCallRailCall({ answered: said }, heard).answered).toBe(false)
  expect(parseCallRailCall({ answered: true, duration: 61.6, call_type: 'Answered' }, heard)).toMatchObject({
    answered: true,
    duration: 62,
    call_type: 'answered',
  })
  for (const duration of ['', 'long', -5, null, {}, 1e300])
    expect(parseCallRailCall({ duration }, heard).duration).toBeNull()
  expect(parseCallRailCall({ call_type: 'answered' }, heard).answered).toBe(true)
  expect(parseCallRailCall({}, heard)).toMatchObject({ answered: null, voicemail: null })
  expect(parseCallRailCall({ recording: 'javascript:alert(1)' }, heard).recording_url).toBeNull()
})

test('the time is the provider’s, with an offset or in the company’s zone; nonsense counts as now', () => {
  const at = (start_time: unknown, company_time_zone = 'America/Chicago') =>
    parseCallRailCall({ start_time, company_time_zone }, heard).occurred_at.toISOString()
  expect(at('2026-03-16T11:00:00.000-05:00')).toBe('2026-03-16T16:00:00.000Z')
  expect(at('2026-03-16T11:00:00')).toBe('2026-03-16T16:00:00.000Z')
  for (const offset of ['-05', '-0500', ' -05:00'])
    expect(at(`2026-03-16T11:00:00${offset}`)).toBe('2026-03-16T16:00:00.000Z')
  expect(at('2026-03-08 02:30:00')).toBe('2026-03-08T08:30:00.000Z') // does not exist: 03:30
  expect(at('2025-11-02 01:30', 'America/Chicago')).toBe('2025-11-02T06:30:00.000Z') // exists twice: the first
  expect(at('2026-03-16T11:00:00', 'Nowhere/Else')).toBe('2026-03-16T11:00:00.000Z')
  for (const nonsense of ['', 'yesterday', '1970-01-01T00:00:00Z', '2126-01-01T00:00:00Z', 5, null, '9'.repeat(400)])
    expect(at(nonsense)).toBe(heard.toISOString())
  for (const impossible of ['2026-13-45 11:00:00', '2026-03-16 25:61', '2026-13-45T11:00:00Z'])
    expect(at(impossible)).toBe(heard.toISOString())
})

test('a call lasts as long as it says in any form, and its zone may have a long name [EDGE-02]', () => {
  for (const duration of ['65', '1:05', '00:01:05', '65s', '1m 5s', '65.0', 65])
    expect(parseCallRailCall({ duration }, heard).duration, String(duration)).toBe(65)
  for (const duration of ['', 'long', '-5', '1,5']) expect(parseCallRailCall({ duration }, heard).duration).toBeNull()
  const start_time = '2026-03-16 11:00:00'
  for (const company_time_zone of ['Central Time (US & Canada)', 'America/Chicago', 'CT'])
    expect(parseCallRailCall({ start_time, company_time_zone }, heard).occurred_at.toISOString()).toBe(
      '2026-03-16T16:00:00.000Z',
    )
  for (const written of [
    '2026-03-16 11:00 AM',
    '03/16/2026 11:00 AM',
    'Mar 16, 2026 11:00 am',
    '2026-03-16 11:00:00.000',
  ])
    for (const company_time_zone of ['Central Time (US & Canada)', 'America/Chicago'])
      expect(
        parseCallRailCall({ start_time: written, company_time_zone }, heard).occurred_at.toISOString(),
        written,
      ).toBe('2026-03-16T16:00:00.000Z')
})

test('a time of CallRail is in the zone of its company, also one with a name of its own, and answered is a word too [EDGE-02]', () => {
  for (const [company_time_zone, instant] of [
    ['Arizona', '2026-11-25T15:05:09.000Z'],
    ['Indiana (East)', '2026-11-25T13:05:09.000Z'],
    ['Atlantic Time (Canada)', '2026-11-25T12:05:09.000Z'],
    ['Saskatchewan', '2026-11-25T14:05:09.000Z'],
  ] as const)
    expect(
      parseCallRailCall({ start_time: '2026-11-25 08:05:09', company_time_zone }, new Date('2026-11-26')).occurred_at,
      company_time_zone,
    ).toEqual(new Date(instant))
  expect(parseCallRailCall({ answered: 'answered', voicemail: 'No' }, heard)).toMatchObject({
    ...{ answered: true, voicemail: false },
  })
  expect(parseCallRailCall({ answered: 'missed', voicemail: 'Voicemail' }, heard)).toMatchObject({
    ...{ answered: false, voicemail: true },
  })
})

test('the answers of a form may come in a list [EDGE-07]', () => {
  const list = [
    { name: 'name', value: 'Joan Otter' },
    { name: 'email', value: 'joan@otter.example' },
    { name: 'What is leaking?', value: 'Roof' },
  ]
  const lead = { lead_name: 'Joan Otter', lead_email: 'joan@otter.example', message: 'What is leaking? Roof' }
  expect(parseCallRailForm({ form_data: list }, heard)).toMatchObject(lead)
  expect(parseCallRailForm({ form_data: JSON.stringify(list) }, heard)).toMatchObject(lead)
  expect(entry({ item_id: '9', form_id: '7', fields: list })).toMatchObject(lead)
  expect(entry({ item_id: '9', name: 'Ann', items: [{ what: 'Roof', qty: 2 }] })).toMatchObject({
    message: 'items: what: Roof, qty: 2',
  })
})

test.each([
  [
    'Gravity Forms',
    {
      ...{ 'input_1.3': 'Joan', 'input_1.6': 'Otter', input_2: 'joan@otter.example', input_3: '5125550144' },
      ...{ 'input_5.1': '1 Oak St', 'input_5.3': 'Austin', 'input_5.6': 'United States' },
    },
  ],
  [
    'WPForms',
    {
      ...{ 'wpforms[fields][0][first]': 'Joan', 'wpforms[fields][0][last]': 'Otter' },
      ...{ 'wpforms[fields][1]': 'joan@otter.example', 'wpforms[fields][2]': '5125550144' },
    },
  ],
  [
    'Elementor',
    {
      ...{ 'form_fields[name]': 'Joan Otter', 'form_fields[email]': 'joan@otter.example' },
      'form_fields[field_9d7b]': '512-555-0144',
    },
  ],
])('a form of %s that CallRail captured is read by the names of its inputs [EDGE-07]', (_, form_data) => {
  const { lead_name, lead_email, lead_phone } = parseCallRailForm({ form_data }, heard)
  expect([lead_name, lead_email, lead_phone?.replaceAll('-', '')]).toEqual([
    ...['Joan Otter', 'joan@otter.example', '5125550144'],
  ])
})

test('a form that CallRail captured is read by common field names', () => {
  const form_data = {
    'Your Name': 'Jane',
    'E-mail Address': 'jane@example.com',
    Phone_Number: '512-555-0144',
    'How can we help?': 'Roof',
  }
  const more = {
    form_url: 'https://a.example/contact',
    landing_page_url: 'https://a.example/?gclid=abc',
    referrer: 'https://www.google.com/',
    source: 'Google Ads',
    keywords: 'roof',
    submitted_at: '2026-03-13T16:54:53.505-05:00',
  }
  expect(parseCallRailForm({ form_data, ...more }, heard)).toMatchObject({
    lead_type: 'Form',
    occurred_at: new Date('2026-03-13T21:54:53.505Z'),
    lead_name: 'Jane',
    lead_email: 'jane@example.com',
    lead_phone: '512-555-0144',
    message: 'Roof',
    last_url: 'https://a.example/contact',
    gclid: 'abc',
    source: 'Google Paid',
    answered: null,
  })
})

const entry = (body: unknown) => {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const found = parseFormidableEntry(parseEventBody(bytes), 7, bytes, heard, false)
  return 'incoming' in found ? { id: found.id, ...found.incoming } : found
}

test.each([
  ['What is your name?', 'What is your email?', 'What is the best phone number to reach you?'],
  ['Name (required)', 'Email (required)', 'Phone (optional)'],
  ['name_1', 'email_1', 'phone_1'],
  ['Full Name', 'Best Email', 'Daytime Phone'],
  ['Nom complet', 'Adresse e-mail', 'Téléphone'],
  ['Nombre completo', 'Correo electrónico', 'Teléfono'],
  ['Ihr Name', 'E-Mail-Adresse', 'Telefonnummer'],
  ['Nome e cognome', 'Indirizzo email', 'Numero di telefono'],
])('a form that asks %s, %s and %s is read from CallRail and from Formidable [EDGE-07]', (name, email, phone) => {
  const form_data = {
    'Agent Name': 'Bob',
    'Agent Phone': '512-555-0199',
    [name]: 'Joan Otter',
    [email]: 'joan@otter.example',
    [phone]: '512-555-0144',
  }
  const person = { lead_name: 'Joan Otter', lead_email: 'joan@otter.example', lead_phone: '512-555-0144' }
  const message = 'Agent Name: Bob\nAgent Phone: 512-555-0199'
  expect(parseCallRailForm({ form_data }, heard)).toMatchObject({ ...person, message })
  expect(entry({ item_id: '9', form_id: '7', ...form_data })).toMatchObject({ ...person, message })
})

test('forms are parsed flat, nested, as a whole entry and form-encoded', () => {
  const person = { lead_name: 'Ann Lee', lead_email: 'ann@example.com', lead_phone: '5125550144', message: 'Hi' }
  const flat = {
    item_id: '9',
    'First Name': 'Ann',
    last_name: 'Lee',
    Email: 'ann@example.com',
    PHONE: 5125550144,
    Message: 'Hi',
  }
  expect(entry(flat)).toMatchObject({ id: '7-9', ...person })
  expect(
    entry({
      item_id: 9,
      fields: { name: { first: 'Ann', last: 'Lee' }, email: 'ann@example.com', phone: '5125550144', message: ['Hi'] },
    }),
  ).toMatchObject({ id: '7-9', ...person })
  const whole = {
    id: '9',
    item_key: 'k3y',
    name: 'Entry title',
    ip: '203.0.113.9',
    meta: { name: 'Ann Lee', email: 'ann@example.com', phone: '5125550144', message: 'Hi' },
    form_id: '3',
  }
  expect(entry(whole)).toMatchObject({ id: '7-9', ...person })
  expect(entry({ k3y: whole })).toMatchObject({ id: '7-9', ...person })
  expect(entry('item_id=9&fields%5Bname%5D=Ann+Lee&email=ann%40example.com&phone=5125550144&message=Hi')).toMatchObject(
    { id: '7-9', ...person },
  )
})

test('a form whose fields are called by keys, numbers or parts loses nothing that the visitor wrote [EDGE-07]', () => {
  const reach = { lead_email: 'joan@otter.example', lead_phone: '512-555-0144' }
  const sent = { a1: 'Joan', b2: 'joan@otter.example', c3: '512-555-0144', d4: 'It leaks' }
  expect(entry({ item_id: '1', ...sent })).toMatchObject({
    ...reach,
    lead_name: null,
    message: 'a1: Joan\nd4: It leaks',
  })
  const numbered = { 25: 'Joan', 26: 'joan@otter.example', 27: '512-555-0144', 28: 'It leaks' }
  expect(entry({ item_id: '1', item_meta: numbered })).toMatchObject({ ...reach, message: '25: Joan\n28: It leaks' })
  expect(entry({ item_id: '1', name: 'Joan', email: 'joan@otter.example', item_meta: { 25: 'Joan' } })).toMatchObject({
    ...{ lead_name: 'Joan', message: null },
  })
  const names = [
    { name: 'Joan', last: 'Otter' },
    { first: 'Joan', last: 'Otter' },
    { name: 'Joan', surname: 'Otter' },
    { name: 'Joan Otter', first: 'Tom', last: 'Lee' },
    { name: { first: 'Joan', last: 'Otter' } },
  ]
  for (const one of names) expect(entry({ item_id: '1', ...one })).toMatchObject({ lead_name: 'Joan Otter' })
  expect(entry({ item_id: '1', name: 'Joan', country_code: '+44', phone: '20 7946 0958' })).toMatchObject({
    ...{ lead_phone: '+44 20 7946 0958', message: null },
  })
  // An email that was asked and not given is not that of another.
  expect(entry({ item_id: '1', name: 'Joan', email: '', a1: 'tom@lee.example' })).toMatchObject({
    ...{ lead_email: null, message: 'a1: tom@lee.example' },
  })
})

test('a whole entry, as Formidable sends it without fields of its own, has each answer once and nothing of the browser [EDGE-07]', () => {
  // FrmAPIAppController::get_entries_array: a list of one row of the table, with the answers beside its columns.
  const visit = { browser: 'Mozilla/5.0 (X11)', referrer: 'https://a.example/contact' }
  const row = {
    ...{ id: '12', item_key: 'k3y', name: 'k3y', description: JSON.stringify(visit), ip: '203.0.113.9', form_id: '2' },
    ...{ post_id: '0', user_id: '0', parent_item_id: '0', is_draft: '0', updated_by: '0' },
    ...{ created_at: '2026-03-16 16:00:00', updated_at: '2026-03-16 16:00:00', email: 'joan@otter.example' },
  }
  const answers = { a1b2c: 'Joan', d3e4f: 'It leaks' }
  const description = 'a:2:{s:7:"browser";s:11:"Mozilla/5.0";s:8:"referrer";s:1:"/";}'
  for (const sent of [
    { ...row, ...answers },
    { ...row, ...answers, name: 'Joan', description },
  ])
    expect(entry([sent])).toMatchObject({
      ...{ id: '7-12', lead_name: null, lead_email: 'joan@otter.example', message: 'a1b2c: Joan\nd3e4f: It leaks' },
    })
  const stored = {
    ...{ name: 'Joan Otter', 'name-value': { first: 'Joan', last: 'Otter' } },
    ...{ address: '12 Elm St\nAustin, TX', 'address-value': { line1: '12 Elm St', city: 'Austin', state: 'TX' } },
    ...{ photo: 'https://a.example/roof.jpg', 'photo-value': '345', when: '03/20/2026', 'when-value': '2026-03-20' },
  }
  expect(entry([{ ...row, ...stored, message: 'It leaks', 'home-value': '300000' }])).toMatchObject({
    ...{ lead_name: 'Joan Otter', lead_location: 'Austin, TX' },
    message:
      'It leaks\n\naddress: 12 Elm St, Austin, TX\nphoto: https://a.example/roof.jpg\nwhen: 03/20/2026\nhome-value: 300000',
  })
  const repeated = {
    ...{
      jobs: { form: '8', i121: { what: 'Roof', qty: '2' }, i122: { what: 'Gutter', qty: '1' } },
      none: { form: '9' },
    },
    ...{ what: ['Roof', 'Gutter'], qty: ['2', '1'] },
  }
  expect(entry([{ ...row, ...repeated }])).toMatchObject({
    message: 'jobs: what: Roof, qty: 2; what: Gutter, qty: 1',
  })
  // A description of the visitor's own is one, and so is a name.
  expect(entry([{ ...row, name: 'Joan Otter', description: 'It leaks' }])).toMatchObject({
    ...{ lead_name: 'Joan Otter', message: 'It leaks' },
  })
})

test('the parts of a name are read under questions with other words, and those of another person are not [EDGE-07]', () => {
  const cases: [Record<string, string>, string | null][] = [
    [{ 'First Name (required)': 'Joan', 'Last Name (required)': 'Otter' }, 'Joan Otter'],
    [{ 'Please enter first name': 'Joan', 'Please enter last name': 'Otter' }, 'Joan Otter'],
    [{ 'Your Name (First)': 'Joan', 'Your Name (Last)': 'Otter' }, 'Joan Otter'],
    [{ 'Full Name - First': 'Joan', 'Full Name - Last': 'Otter' }, 'Joan Otter'],
    [{ 'Legal First Name': 'Joan', 'Legal Last Name': 'Otter' }, 'Joan Otter'],
    [{ billing_first_name: 'Joan', billing_last_name: 'Otter' }, 'Joan Otter'],
    [{ name: 'Joan', user_first_name: 'Bo', user_last_name: 'Agent' }, 'Joan'],
    [{ first_name: 'Joan', user_first_name: 'Bo', user_last_name: 'Agent' }, 'Joan'],
    [{ firstName: 'Joan', billing_last_name: 'Fox' }, 'Joan'],
    [{ name: 'Joan', 'Primary Applicant First Name': 'Kit', 'Primary Applicant Last Name': 'Fox' }, 'Joan'],
    [{ txtFirstName: 'Joan', txtLastName: 'Otter' }, 'Joan Otter'],
    [{ 'First/Given Name': 'Joan', 'Last/Family Name': 'Otter' }, 'Joan Otter'],
    [{ Forename: 'Joan', Surname: 'Otter' }, 'Joan Otter'],
    [{ 'What’s your first name?': 'Joan', 'And your last name?': 'Otter' }, 'Joan Otter'],
    [{ Name: 'Joan', 'Last Name (required)': 'Otter' }, 'Joan Otter'],
    [{ Name: 'Joan Otter', 'Legal First Name': 'Joanna', 'Legal Last Name': 'Smith' }, 'Joan Otter'],
    [{ "Spouse's first name": 'Bo', 'Child First Name (required)': 'Kit' }, null],
    [{ Name: 'Joan Otter', "Pet's first name": 'Rex' }, 'Joan Otter'],
  ]
  for (const [answers, lead_name] of cases)
    expect(entry({ item_id: 1, email: 'joan@otter.example', ...answers }), JSON.stringify(answers)).toMatchObject({
      lead_name,
    })
  const legal = { 'Legal first name': 'Joan', 'Legal last name': 'Otter' }
  const billing = { billing_first_name: 'Kit', billing_last_name: 'Fox' }
  expect(entry({ ...legal, ...billing })).toMatchObject({
    lead_name: 'Joan Otter',
    message: 'billing_first_name: Kit\nbilling_last_name: Fox',
  })
  expect(entry({ phone: '512-555-0144', billing_last_name: 'Fox' })).toMatchObject({ lead_name: null })
  expect(entry({ name: 'Joan Otter', 'Legal first name': 'Joanna' })).toMatchObject({
    message: 'Legal first name: Joanna',
  })
})

test('a field that is called as a contact goes before those whose questions only have its words [EDGE-07]', () => {
  const forms = [
    {
      ...{ 'Adjuster Phone': '512-555-0180', 'Adjuster Email': 'bob@adjuster.example', 'Homeowner Name': 'Joan Otter' },
      ...{ 'Homeowner Phone': '512-555-0144', 'Homeowner Email': 'joan@otter.example' },
    },
    {
      ...{ "Student's Full Name": 'Tim Jones', 'Parent Name': 'Joan Otter', 'Attorney Phone': '512-555-0180' },
      ...{
        'Best phone': '512-555-0144',
        'Attorney Email': 'bob@attorney.example',
        'Parent Email': 'joan@otter.example',
      },
    },
  ]
  for (const form of forms) {
    const contact = { lead_name: 'Joan Otter', lead_phone: '512-555-0144', lead_email: 'joan@otter.example' }
    expect(parseCallRailForm({ form_data: form }, heard)).toMatchObject(contact)
    expect(parseFormidableEntry(form, 5, Buffer.from(''), heard, false)).toMatchObject({ incoming: contact })
  }
  const asked = { "Child's Full Name": 'Tim Jones', 'Number to call': '512-555-0144' }
  expect(parseCallRailForm({ form_data: asked }, heard)).toMatchObject({
    lead_name: 'Tim Jones',
    lead_phone: '512-555-0144',
  })
})

test('a question that has a word of providers stays in the message, and what a plugin says of itself does not [EDGE-07]', () => {
  const contact = { Name: 'Joan Otter', Email: 'joan@otter.example' }
  const answers = {
    ...contact,
    Event: 'Wedding',
    Site: 'North yard',
    Test: 'Radon test',
    Action: 'Repair',
    Status: 'Owner',
  }
  const plugins = {
    utm_source: 'google',
    _wpnonce: 'a1',
    'g-recaptcha-response': '03AG',
    form_id: '3',
    action: 'wpforms_submit',
  }
  const said = 'Event: Wedding\nSite: North yard\nTest: Radon test\nAction: Repair\nStatus: Owner'
  expect(parseCallRailForm({ form_data: { ...answers, ...plugins } }, heard).message).toBe(said)
  const entry = (own: object) => parseFormidableEntry({ ...contact, ...own, id: '7' }, 5, Buffer.from(''), heard, false)
  const messageOf = (own: object) => {
    const read = entry(own)
    return 'incoming' in read ? read.incoming.message : read.reason
  }
  expect(messageOf({ event: 'Wedding', action: 'Repair', trigger: 'After work' })).toBe(
    'event: Wedding\naction: Repair\ntrigger: After work',
  )
  const words = [
    ...['create', 'Created', 'update', 'entry_created', 'entry.updated', 'frm_after_create_entry', 'new', '1', 'POST'],
    ...['Form Submission', 'submission', 'New Entry', 'entry-created', 'after-create', 'formSubmit', 'FormSubmitted'],
    ...[
      'Updated Entry',
      'update entry',
      'saved-form',
      'completed',
      'form-completed',
      'draft',
      'manual',
      'import',
      'send',
    ],
    ...['sent', 'webhook', 'PHONE_CALL'],
  ]
  for (const word of words) expect(messageOf({ event: word, action: word, 'Event Name': word }), word).toBeNull()
  for (const answer of [
    'Patch',
    'Form a club',
    'Re-roof',
    'Lead',
    'PayPal',
    'Cash/Check',
    'Contact',
    'HVAC',
    'Updated roof',
  ])
    expect(messageOf({ action: answer, 'Event Name': answer }), answer).toBe(`action: ${answer}\nEvent Name: ${answer}`)
  for (const word of ['/contact-us/', '/', 'After entry is created', 'before entry update', 'contact'])
    expect(messageOf({ action: word, trigger: word }), word).toBeNull()
  for (const answer of ['After the party', 'Before winter', 'After the entry door leaks'])
    expect(messageOf({ event: answer }), answer).toBe(`event: ${answer}`)
  const own = { timezone: 'America/Chicago', site: 'acme.example', status: 'active', 'Lead Type': 'Web Form' }
  expect(parseCallRailForm({ form_data: { ...contact, ...own, action: 'contact' } }, heard).message).toBeNull()
  const plain = {
    ...{
      'event-type': 'Wedding',
      'payment-method': 'Insurance',
      'transaction-type': 'Purchase',
      'lead-type': 'Seller',
    },
    ...{ Test: 'Radon test', 'Payment Plan': 'Monthly', 'Date Started': 'Last week' },
  }
  const lines = (said: object) =>
    Object.entries(said)
      .map(([label, text]) => `${label}: ${text}`)
      .join('\n')
  expect(messageOf(plain)).toBe(lines(plain))
  const ofAnswers = {
    ...{ ...plain, status: 'Homeowner', 'site-name': 'Oak barn', Site: 'North yard' },
    ...{ Subscription: 'Weekly mowing', 'Submitted By': 'Jo Fox', Signature: 'Joan Otter', 'Powered By': 'Gas' },
    ...{ Variant: 'Blue', Referrer: 'Mike Johnson' },
  }
  expect(parseCallRailForm({ form_data: { ...contact, ...ofAnswers } }, heard).message).toBe(lines(ofAnswers))
  const machines = {
    ...{
      event_type: 'form.sent',
      payment_method: 'card',
      'payment-status': 'Paid',
      status: 'active',
      lead_type: 'Web Form',
    },
    ...{ site_name: 'Acme Roofing', test: 'true', site: '3', subscription: '4', signature: 'q1wE3==', variant: 'a' },
    ...{ 'Submitted By': 'admin', 'Powered by': 'Elementor', 'Date Started': '2026-11-25', created_at: 'Pending' },
    ...{ 'Transaction ID': 'ch_1Nq4', 'Payment Amount': '120', referrer: 'https://a.example/' },
  }
  const systems = {
    ...{ event_type: 'Lead Captured', status: 'Follow Up', lead_type: 'Exclusive', site: 'Acme Roofing' },
    ...{ 'Powered By': 'Gravity Forms', 'Submitted By': 'Guest', 'Entry Date': 'Nov 25', 'site-name': 'Acme Roofing' },
  }
  for (const [label, text] of [machines, systems].flatMap((said) => Object.entries(said)))
    expect(messageOf({ [label]: text }), label).toBeNull()
  expect(messageOf({ event: 'Wedding', action: 'delete' })).toMatch('deleted on the website')
  expect(messageOf({ 'Event Type': 'Wedding', site: 'acme.example', test: '1' })).toBe('Event Type: Wedding')
})

test('bodies broken by raw mode are repaired where possible', () => {
  expect(entry(`{"item_id":"1","name":"Smith %26 Sons","message":"line one\nline 'two'\t"}`)).toMatchObject({
    lead_name: 'Smith & Sons',
    message: "line one\nline 'two'",
  })
})

test('a form without a message uses the other fields as the message', () => {
  expect(
    entry({
      item_id: 1,
      form_id: 3,
      name: 'A',
      'Roof type': 'Metal',
      Budget: 5000,
      created_at: '2026-03-16',
      utm_source: 'x',
    }),
  ).toMatchObject({
    message: 'Roof type: Metal\nBudget: 5000',
  })
})

test('a number is of the country that stands beside it, or inside its own field [EDGE-03]', () => {
  const sent = { item_id: 1, form_id: 3, name: 'Ann Lee' }
  const phoneOf = (body: object) => entry({ ...sent, ...body })
  const british = { lead_phone: '(GB) 020 7946 0958', message: null }
  expect(phoneOf({ phone: { countryCode: 'GB', number: '020 7946 0958' } })).toMatchObject(british)
  for (const country of [{ country_code: 'GB' }, { Country: 'United Kingdom' }, { 'Phone Country': 'uk' }])
    expect(phoneOf({ ...country, phone: '020 7946 0958' })).toMatchObject({
      lead_phone: '+44 20 7946 0958',
      message: null,
    })
  expect(phoneOf({ country_code: '44', phone: '20 7946 0958' })).toMatchObject({ lead_phone: '+44 20 7946 0958' })
  expect(phoneOf({ country: 'US', phone: '512-555-0144' })).toMatchObject({
    lead_phone: '512-555-0144',
    message: 'country: US',
  })
  // Of an address, not of a phone.
  expect(phoneOf({ phone: '5125550144', address: { city: 'Paris', country: 'FR' } })).toMatchObject({
    lead_phone: '5125550144',
  })
})

test('a field in parts stands in the message once: an address in one line, other answers each under its question', () => {
  const sent = { item_id: 1, form_id: 3, name: 'Ann Lee' }
  const address = { street: '12 Elm St', city: 'Austin', zip: '78704' }
  expect(entry({ ...sent, address })).toMatchObject({
    lead_location: 'Austin, 78704',
    message: 'address: 12 Elm St, Austin, 78704',
  })
  for (const [answers, message] of [
    [
      { 'Service Address': { line1: '12 Elm St', line2: 'Apt 4', country: 'US' } },
      'Service Address: 12 Elm St, Apt 4, US',
    ],
    [{ roof: { age: 12, material: 'Metal' } }, 'age: 12\nmaterial: Metal'],
    [{ age: 40, roof: { age: 12, material: 'Metal' } }, 'age: 40\nroof: 12 Metal\nmaterial: Metal'],
    [{ name: { first: 'Ann', middle: 'B', last: 'Lee' }, roof: 'Metal' }, 'roof: Metal'],
  ] as const)
    expect(entry({ ...sent, ...answers }), message).toMatchObject({ message })
})

test('of several fields with the same name an empty one hides no other, and nothing is lost [EDGE-07]', () => {
  const [phone, other] = ['512-555-0144', '512-555-0199']
  const list = (...values: string[]) => values.map((value) => ({ name: 'Phone', value }))
  const form = (...pairs: [string, string][]) =>
    new URLSearchParams([['item_id', '1'], ['name', 'Joan'], ...pairs]).toString()
  for (const body of [
    form(['phone', phone], ['phone', '']),
    form(['fields[phone]', phone], ['more[phone]', '']),
    form(['phone', phone], ['phone', phone]),
    { name: 'Joan', fields: list(phone, '') },
    { name: 'Joan', fields: list('', phone) },
    { name: 'Joan', Phone: '', phone, fields: { phone } },
  ])
    expect(entry(body), JSON.stringify(body)).toMatchObject({ lead_phone: phone, message: null })
  expect(entry(form(['phone', phone], ['phone', other]))).toMatchObject({ lead_phone: `${phone}, ${other}` })
  expect(entry({ name: 'Joan', fields: list(phone, other) })).toMatchObject({ lead_phone: `${phone}, ${other}` })
  for (const body of [form(['phone', phone], ['fields[phone]', other]), { name: 'Joan', Phone: phone, phone: other }])
    expect(entry(body)).toMatchObject({ lead_phone: phone, message: expect.stringContaining(other) })
  const answers = { field_data: list('', phone).map((one) => ({ ...one, values: [one.value] })) }
  expect(findByPath(answers, 'field_data.phone')).toEqual([phone])
})

test('keys that every object inherits are fields like any other', () => {
  const odd = parseEventBody(
    Buffer.from('{"__proto__":{"name":"P","email":"p@example.com"},"constructor":"C","item_id":"1"}'),
  )
  expect(({} as Record<string, unknown>).email).toBeUndefined()
  expect(parseFormidableEntry(odd, 7, Buffer.from(''), heard, false)).toMatchObject({
    id: '7-1',
    incoming: { lead_name: 'P' },
  })
})

test('a stated source is a known platform if possible, else the provider’s own name', () => {
  const source = (...names: string[]) => detectTrafficSource({ names }).source
  expect(source('Google My Business')).toBe('Google Maps')
  expect(source('Google Business Profile')).toBe('Google Maps')
  expect(source('Google Local Services Ads')).toBe('Google Local Services Ads')
  expect(source('Google Ads Extension')).toBe('Google Paid')
  expect(source('google_paid')).toBe('Google Paid')
  expect(source('Instagram Ads')).toBe('Instagram')
  expect(source('Facebook Paid')).toBe('Facebook')
  expect(source('Website Pool', 'Google Organic')).toBe('Google Organic')
  expect(source('Bing Organic')).toBe('Bing Organic')
  expect(source('Bing Ads')).toBe('Bing Paid')
  expect(source('A neighbor')).toBe('A neighbor')
  expect(source()).toBeNull()
})

test.each(readCorpus<{ traces: Record<string, unknown>; lead: object }>('sources'))(
  'a source is found by its surest trace: $traces [EDGE-12]',
  ({ traces: { names = [], ...traces }, lead }) => {
    const found = detectTrafficSource({ names: names as string[], ...traces })
    expect(found).toEqual({ source_stated: null, ...lead })
  },
)

test('a medium that a form sends beside the source says that it is paid, and stays in the message [EDGE-12]', () => {
  const read = (fields: object) => entry({ item_id: 1, name: 'A', ...fields })
  expect(read({ source: 'google', medium: 'cpc' })).toMatchObject({ source: 'Google Paid', message: 'medium: cpc' })
  expect(read({ 'lead-source': 'bing', 'lead-medium': 'cpc' })).toMatchObject({ source: 'Bing Paid' })
  expect(read({ traffic_source: 'google', traffic_medium: 'cpc' })).toMatchObject({ source: 'Google Paid' })
  expect(read({ utm: { source: 'google', medium: 'cpc' } })).toMatchObject({ source: 'Google Paid' })
  expect(read({ source: 'google', medium: 'organic', campaign: 'gbp' })).toMatchObject({ source: 'Google Maps' })
  expect(read({ source: 'A neighbor', medium: 'Oil' })).toMatchObject({ source: 'A neighbor', message: 'medium: Oil' })
  expect(read({ google_click_id: 'G1' })).toMatchObject({ gclid: 'G1', source: 'Google Paid' })
})

test('all five click ids are stored, from fields or addresses, and so is a stated source of another platform [EDGE-12]', () => {
  const landing = 'https://a.example/?gclid=G&gbraid=GB&wbraid=WB&msclkid=M&fbclid=F&utm_source=yelp'
  const ids = { gclid: 'G', gbraid: 'GB', wbraid: 'WB', msclkid: 'M', fbclid: 'F' }
  const stated = { source: 'Google Paid', source_stated: 'Yelp' }
  expect(entry({ item_id: 1, name: 'A', landing_url: landing, source: 'Yelp' })).toMatchObject({ ...ids, ...stated })
  expect(parseCallRailForm({ form_data: {}, landing_page_url: landing, source: 'Yelp' }, heard)).toMatchObject({
    ...ids,
    ...stated,
  })
  expect(parseCallRailCall({ ...ids, gclid: '', formatted_tracking_source: 'Google Ads' }, heard)).toMatchObject({
    ...ids,
    gclid: null,
    source: 'Google Paid',
    source_stated: null,
  })
})

test('text is cleaned for storage: no control characters, no half characters, within its length', () => {
  expect(cleanText(' a\u0000b\u0007c\r\nd ')).toBe('abc\nd')
  expect(cleanText('\ud83d')).toBe('\ufffd')
  expect(cleanText(`${'x'.repeat(254)}😀😀`)).toBe(`${'x'.repeat(254)}😀`)
  expect(cleanText('  ')).toBeNull()
  expect(cleanText({})).toBeNull()
  expect(cleanText(0)).toBe('0')
})

test('entities of form plugins are decoded once, in forms and calls alike [EDGE-04]', () => {
  expect(cleanText('Ryan O&#039;Brien')).toBe("Ryan O'Brien")
  expect(cleanText('Roof &amp; gutter &lt;6 ft&gt; it&#8217;s leaking')).toBe('Roof & gutter <6 ft> it’s leaking')
  expect(cleanText('&amp;lt;b&amp;gt; &#x27;a&#x27; AT&T R&D; x &copy=1')).toBe("&lt;b&gt; 'a' AT&T R&D; x &copy=1")
  expect(cleanText('A&#8203;nn &#0;')).toBe('Ann \ufffd')
})

test('lines and links that a form plugin sends as HTML are text, and signs that a visitor wrote stay [EDGE-04]', () => {
  const paragraphs = '<p>My roof leaks<br />\nsince May, 6 &lt; 7</p>\n<p class="x">Please <strong>call</strong></p>\n'
  expect(cleanText(paragraphs)).toBe('My roof leaks\nsince May, 6 < 7\nPlease call')
  expect(cleanText('One<br>Two<BR/><br/>Three')).toBe('One\nTwo\n\nThree')
  expect(cleanText('<ul><li>Roof</li><li>Gutter</li></ul>')).toBe('Roof\nGutter')
  expect(cleanText('See <a href="https://a.example/x" target="_blank">our page</a>')).toBe(
    'See our page (https://a.example/x)',
  )
  expect(cleanText('<a href="https://a.example/">https://a.example/</a>')).toBe('https://a.example/')
  expect(cleanLine('<a href="mailto:ryan@otter.example">ryan@otter.example</a>')).toBe('ryan@otter.example')
  expect(cleanLine('<a href="tel:5125550144">(512) 555-0144</a>')).toBe('(512) 555-0144')
  const picture = '<img src="https://a.example/roof-150.jpg" class="thumbnail" alt="" loading="lazy" />'
  expect(cleanText(`<a href="https://a.example/roof.jpg" target="_blank">${picture}</a>`)).toBe(
    'https://a.example/roof.jpg',
  )
  expect(cleanText(`${picture}<br/><img alt='' src='https://a.example/2.jpg'>`)).toBe(
    'https://a.example/roof-150.jpg\nhttps://a.example/2.jpg',
  )
  expect(cleanText(`<a href="https://a.example/a.pdf">${picture}<span>a.pdf</span></a>`)).toBe(
    'a.pdf (https://a.example/a.pdf)',
  )
  expect(cleanText('Signed: <img src="data:image/png;base64,iVBORw0KGgo=" alt="">')).toBe('Signed: (a picture)')
  const kept = [
    '<6 ft> or > 7',
    'a <img> b',
    'a <img src=x onerror=1> b',
    'a <b and c> d',
    '<p> is a letter',
    'x <- y',
    '<roof>leaks</roof>',
    '&lt;br&gt;',
  ]
  expect(kept.map((text) => cleanText(text))).toEqual([...kept.slice(0, -1), '<br>'])
})

test('a field of Formidable that was not filled in, such as [25], is none [EDGE-04]', () => {
  const sent = {
    item_id: '9',
    form_id: '7',
    name: '[25]',
    email: '[26]',
    phone: '512-555-0144',
    size: '[27 show="label"]',
  }
  expect(entry(sent)).toMatchObject({ lead_name: null, lead_email: null, lead_phone: '512-555-0144', message: null })
  expect(() => entry({ item_id: '9', form_id: '7', name: '[25]', message: '[27]' })).toThrow('all empty')
})

test('a field that holds its answer beside its name is read by that name, and a repeated part row by row [EDGE-07]', () => {
  const form_data = {
    'field-1': { name: 'Your Name', value: 'Jane Otter' },
    'field-2': { label: 'Phone', type: 'tel', value: '512-555-0152' },
    email: { title: 'Where do we write to?', type: 'email', value: 'jane@otter.example' },
    'field-3': { name: 'What leaks?', value: ['Roof', 'Gutter'] },
  }
  const lead = {
    ...{ lead_name: 'Jane Otter', lead_phone: '512-555-0152', lead_email: 'jane@otter.example' },
    message: 'What leaks? Roof, Gutter',
  }
  expect(parseCallRailForm({ form_data }, heard)).toMatchObject(lead)
  const rooms = { 0: { room: 'Kitchen', size: '10' }, 1: { room: 'Bath', size: '5' } }
  expect(parseCallRailForm({ form_data: { name: 'Jane', rooms } }, heard)).toMatchObject({
    ...{ lead_name: 'Jane', message: 'rooms: room: Kitchen, size: 10; room: Bath, size: 5' },
  })
})

test('a body is read in the charset that it declares, and as Windows-1252 if it is not UTF-8 [EDGE-04]', () => {
  const latin = (text: string) => Buffer.from(text, 'latin1')
  const form = (text: string, type: string) => parseEventBody(latin(text), type).name
  expect(form('name=Jos%E9+Mu%F1oz', 'application/x-www-form-urlencoded; charset=ISO-8859-1')).toBe('José Muñoz')
  expect(form('name=Jos\xe9+Mu%F1oz', 'application/x-www-form-urlencoded')).toBe('José Muñoz')
  expect(form('name=Jos%C3%A9', 'application/x-www-form-urlencoded; charset=utf-8')).toBe('José')
  expect(form('name=%A3%F3d%BC&_charset_=iso-8859-2', 'application/x-www-form-urlencoded')).toBe('Łódź')
  expect(form('name=%93Ann%94', 'application/x-www-form-urlencoded;charset="windows-1252"')).toBe('“Ann”')
  expect(parseEventBody(latin('{"name":"Jos\xe9"}'), 'application/json; charset=iso-8859-1').name).toBe('José')
  expect(parseEventBody(latin('{"name":"Jos\xe9"}'), 'application/json; charset=unknown-8').name).toBe('José')
  expect(parseEventBody(Buffer.from('\ufeff{"name":"José"}', 'utf16le'), 'application/json').name).toBe('José')
  expect(parseEventBody(Buffer.from('{"name":"José"}', 'utf16le'), 'application/json; charset=utf-16').name).toBe(
    'José',
  )
  expect(parseEventBody(Buffer.from('{"name":"José"}'), 'application/json').name).toBe('José')
})

test('a source’s body is read in the charset that it or its part declares [EDGE-04]', () => {
  const read = (body: string, type: string) => readSourceBody(Buffer.from(body, 'latin1'), type)
  expect(read('name=Jos%E9', 'application/x-www-form-urlencoded; charset=ISO-8859-1')).toEqual({ name: 'José' })
  expect(read('{"name":"Jos\xe9"}', 'application/json')).toEqual({ name: 'José' })
  const part =
    '--x\r\nContent-Disposition: form-data; name="name"\r\nContent-Type: text/plain; charset=iso-8859-2\r\n\r\n\xa3\xf3d\xbc\r\n--x--\r\n'
  expect(read(part, 'multipart/form-data; boundary=x')).toEqual({ name: 'Łódź' })
})

test('a multipart form of a plugin is read as its fields [EDGE-04]', () => {
  const part = (name: string, value: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const body = Buffer.from(
    `${part('item_id', '992')}${part('fields[name]', 'José')}${part('phone', '512-555-0144')}--x--\r\n`,
  )
  const read = { item_id: '992', fields: { name: 'José' }, phone: '512-555-0144' }
  expect(parseEventBody(body, 'multipart/form-data; boundary=x')).toEqual(read)
  expect(() => parseEventBody(body.subarray(0, -6), 'multipart/form-data; boundary=x')).toThrow('The form is broken')
})

test('what a form sends in brackets is read where it belongs: answers, changes and lists of CallRail and Formidable [EDGE-07]', () => {
  const read = (pairs: [string, string][]) => parseEventBody(Buffer.from(new URLSearchParams(pairs).toString()))
  const sent = read([
    ['id', 'FRM1'],
    ['form_data[name]', 'Jane Otter'],
    ['form_data[email]', 'jane@otter.example'],
    ['form_data[What leaks?][]', 'Roof'],
    ['form_data[What leaks?][]', 'Gutter'],
    ['milestones[first_touch][keywords]', 'of an earlier visit'],
    ['keywords', ''],
  ])
  expect(parseCallRailForm(sent, heard)).toMatchObject({
    ...{ lead_name: 'Jane Otter', lead_email: 'jane@otter.example', keywords: null },
    message: 'What leaks? Roof, Gutter',
  })
  const call: [string, string][] = [
    ['resource_id', 'CAL1'],
    ['call_type', 'answered'],
    ['duration', '60'],
  ]
  for (const changes of ['changes[]', 'changes[0]', 'changes'])
    expect(classifyCallRailEvent(read([...call, [changes, 'tags']])).kind, changes).toBe('modified')
  expect(classifyCallRailEvent(read([...call, ['changes', '']])).kind).toBe('call')
  const text: [string, string][] = [
    ['message_type', 'mms'],
    ['media_urls[]', 'https://a.example/1'],
    ['media_urls[]', 'https://a.example/2'],
  ]
  expect(parseCallRailText(read(text), heard).message).toBe('(2 attachments, see CallRail)')
  const picked =
    'item_id=1&name[first]=Jane&name[last]=Otter&jobs[0]=Roof&jobs[1]=Gutter&rooms[0][room]=Bath&rooms[0][size]=5'
  expect(entry(picked)).toMatchObject({
    ...{ lead_name: 'Jane Otter', message: 'jobs: Roof, Gutter\nrooms: room: Bath, size: 5' },
  })
})

test('a part of a multipart form is read as .NET, browsers and libraries for email write it [EDGE-04]', () => {
  const read = (...parts: string[]) =>
    readSourceBody(
      Buffer.from(`${parts.map((part) => `--x\r\n${part}\r\n`).join('')}--x--\r\n`),
      'multipart/form-data; boundary="x"',
    )
  const named = (parameters: string, value: string, more = '') =>
    `Content-Disposition: form-data; ${parameters}\r\n${more}\r\n${value}`
  expect([
    read(`Content-Type: text/plain; charset=utf-8\r\n${named('name=name', 'José')}`, named('NAME = "phone"', '5')),
    read(named('name=photo; filename=roof.jpg', '\xff\xd8')),
    read(named(`name="photo"; filename*=UTF-8''r%C3%B6of%201.jpg`, '\xff\xd8')),
    read(`Content-Type: image/jpeg; name="roof.jpg"\r\n${named('name="photo";\r\n filename="roof.jpg"', '\xff')}`),
    read(named('name="Is the pipe 6%22?"', 'yes'), named('name="Or 7\\"?"', 'no')),
    read(named('name="name"', 'Sm9zw6k=', 'Content-Transfer-Encoding: base64\r\n')),
    read(named('name="name"', 'Jos=C3=A9 =\r\nOtter', 'Content-Transfer-Encoding: quoted-printable\r\n')),
  ]).toEqual([
    { name: 'José', phone: '5' },
    { photo: 'roof.jpg' },
    { photo: 'röof 1.jpg' },
    { photo: 'roof.jpg' },
    { 'Is the pipe 6"?': 'yes', 'Or 7"?': 'no' },
    { name: 'José' },
    { name: 'José Otter' },
  ])
})

test('JSON that curl sends under the type of a form is JSON [OPEN-03]', () => {
  const read = (body: string) => readSourceBody(Buffer.from(body), 'application/x-www-form-urlencoded')
  expect([read('{"name":"José","more":"a=b&c=d"}'), read(' [{"name":"Joan"}]'), read('{name}=Joan')]).toEqual([
    { name: 'José', more: 'a=b&c=d' },
    { name: 'Joan' },
    { '{name}': 'Joan' },
  ])
})

test('a number of JSON that would lose digits stays as it is written: two leads never share an id [EDGE-03]', () => {
  const text = '{"id":12345678901234567891,"phone":1.51256E+10,"n":12.50,"list":[-90071992547409930]}'
  const read = { id: '12345678901234567891', phone: '1.51256E+10', n: 12.5, list: ['-90071992547409930'] }
  expect(parseEventBody(Buffer.from(text))).toEqual(read)
  expect(readSourceBody(Buffer.from(text), 'application/json')).toEqual(read)
  expect(findByPath({ data: text }, 'data.id')).toBe('12345678901234567891')
})

test('a value that a template or a program has left without a value is none, and the rest is read [EDGE-03]', () => {
  const text = '{"name":"Joan: , NaN","age": ,"score":NaN,"list":[-Infinity, 1],"ratio":undefined,"last":}'
  const read = { name: 'Joan: , NaN', age: null, score: null, list: [null, 1], ratio: null, last: null }
  expect(parseEventBody(Buffer.from(text))).toEqual(read)
  expect(readSourceBody(Buffer.from(text), 'application/json')).toEqual(read)
  for (const broken of ['{"name": Joan}', '{"name": NaNa}', '{"name" , "age": 1}'])
    expect(() => readSourceBody(Buffer.from(broken), 'application/json'), broken).toThrow('not valid JSON')
})

test('letters that a sender has encoded twice are one again, where that is sure [EDGE-04]', () => {
  const written = ['JosÃ© MuÃ±oz', 'Oâ€™Brien', 'JOSÃ\u0089', '50Â° â€” Â£500', 'dÃ©jÃ\u00a0 vu']
  expect(written.map((text) => cleanText(text))).toEqual(['José Muñoz', 'O’Brien', 'JOSÉ', '50° — £500', 'déjà vu'])
  const others = ['Ã‰milie GÃ–RING', 'StraÃŸe, NUÃ‘EZ, Ã…sa', 'PÅ™ema ÄŒernÃ½', '5â‚¬ âœ… ðŸ˜€', 'JosÃƒÂ©']
  expect(others.map((text) => cleanText(text))).toEqual([
    ...['Émilie GÖRING', 'Straße, NUÑEZ, Åsa', 'Přema Černý', '5€ ✅ 😀', 'José'],
  ])
  const kept = ['São Paulo', 'IRMÃ…', 'IRMÃ – MÃE', 'CAFÉ™', 'São JosÃ©', 'Ângela', 'SÃO PAULO FC']
  expect(kept.map((text) => cleanText(text))).toEqual(kept)
})

test('CallRail’s times with an offset behind a space, and form_data that is text, are read [EDGE-02, EDGE-07]', () => {
  const times = ['2026-03-16 11:05:09 -0500', '2026-03-16 16:05:09 UTC', '03/16/2026 12:05:09 PM -04:00', '1773677109']
  expect(
    times.map((start_time) => parseCallRailCall({ start_time }, heard).occurred_at.toISOString().slice(0, 19)),
  ).toEqual(times.map(() => '2026-03-16T16:05:09'))
  const form_data = JSON.stringify({ name: 'Joan Otter', email: 'joan@otter.example' })
  expect(parseCallRailForm({ form_data }, heard)).toMatchObject({
    lead_name: 'Joan Otter',
    lead_email: 'joan@otter.example',
  })
})
