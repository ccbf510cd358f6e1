import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { leadsContract } from '#domains/leads/contract.ts'
import { leadDetailContract } from '#domains/leads/detail/contract.ts'
import { leadFormContract } from '#domains/leads/form/contract.ts'
import { importLeads } from '#domains/leads/import/server/import-file.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { relatedLeadsContract } from '#domains/leads/related/contract.ts'
import { leadSpamContract, spamContract } from '#domains/leads/spam/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { callRailKey, postCall, sendCallRail, sendForm, waitForIntake } from '#test/provider-hooks.ts'

const app = await setUp(startApp({ work: true, settings: { CALLRAIL_SIGNING_KEY: callRailKey } }))
const site = await app.make.clientSite({ callrail_campaign_identifier: 'COM1', key: 'form-key' })
const superAdmin = await app.as(await app.make.superAdmin())

const stored = async (lead_id: string) =>
  (await app.context.db.select().from(leadsTable).where(eq(leadsTable.lead_id, lead_id)))[0]!
const read = async (id: number) => (await superAdmin.call(leadDetailContract.read, { params: { id } })).body
const relatedTo = async (id: number) =>
  (await superAdmin.call(relatedLeadsContract.ofLead, { params: { id } })).body.data.map(
    ({ id: one }: { id: number }) => one,
  )

async function receiveCall(values: Record<string, unknown>) {
  const call = postCall(values)
  await sendCallRail(app, call)
  await waitForIntake(app)
  return stored(call.resource_id)
}
let entries = 0
async function receiveForm(values: Record<string, unknown>) {
  entries += 1
  await sendForm(app, site.id, 'form-key', { item_id: `clean-${entries}`, ...values })
  await waitForIntake(app)
  return stored(`${site.id}-clean-${entries}`)
}
const addLead = (values: Record<string, unknown>) =>
  superAdmin.call(leadFormContract.create, {
    body: {
      campaign_id: site.campaign_id,
      clientsite_id: site.id,
      lead_date: '2026-03-16',
      lead_time: '12:00',
      lead_type: 'Form',
      lead_s: 'Formidable',
      lead_id: crypto.randomUUID(),
      notify: false,
      ...values,
    },
  })

const withheld = [
  '+7378742883',
  '86282452253',
  '+17378742833',
  '+10000000000',
  '0000000000',
  '+464',
  '+1266696687',
  'Anonymous',
]

test('a withheld caller has no key and no first call, is related to no one and cannot be blocked [EDGE-03]', async () => {
  for (const customer_phone_number of withheld) {
    const [one, two] = [await receiveCall({ customer_phone_number }), await receiveCall({ customer_phone_number })]
    for (const { id, phone_key, first_call } of [one, two]) {
      const lead = await read(id)
      expect([phone_key, first_call, lead.first_call, lead.lead_phone, lead.has_related]).toEqual([
        null,
        false,
        null,
        'Withheld',
        false,
      ])
      expect(await relatedTo(id)).toEqual([])
    }
    const { body } = await superAdmin.call(leadSpamContract.mark, { params: { id: one.id }, body: { spammer: true } })
    expect(body.hide).toBe(1)
    expect((await receiveCall({ customer_phone_number })).tags).not.toContain('Autospam')
  }
  expect((await superAdmin.call(spamContract.spammers)).body).toEqual([])
  for (const phone of ['+1 737-874-2883', '+1 000-000-0000'])
    expect(
      (await superAdmin.call(spamContract.addSpammer, { body: { name: 'Nobody', phone, email: null } })).status,
    ).toBe(422)
})

test('an extension, a second number and what a spreadsheet adds make no difference to who calls [EDGE-03]', async () => {
  const spellings = [
    '512-555-0144 ext 7',
    '(512) 555-0144 x9',
    '15125550144.0',
    'p:+15125550144',
    '\u202a+1 512\u2011555\u20110144\u202c',
    '512-555-0144 / 512-555-0199',
    '（５１２）５５５-０１４４',
  ]
  const leads = []
  for (const phone of spellings) leads.push(await receiveForm({ name: 'Ann', phone }))
  expect(leads.map(({ phone_key }) => phone_key)).toEqual(spellings.map(() => '+15125550144'))
  expect(leads.map(({ lead_phone }) => lead_phone)).toEqual([
    ...['512-555-0144 ext 7', '(512) 555-0144 x9', '15125550144', '+15125550144', '+1 512-555-0144'],
    ...['512-555-0144 / 512-555-0199', '(512)555-0144'],
  ])
  expect((await relatedTo(leads[0]!.id)).length).toBe(spellings.length - 1)
})

test('a number that a spreadsheet has shortened is refused from people and files, and from a hook is text only [EDGE-03]', async () => {
  const [one, two] = [
    await receiveForm({ name: 'Bo', phone: '1.51256E+10' }),
    await receiveForm({ name: 'Cy', phone: '1.51256E+10' }),
  ]
  expect([one, two].map(({ lead_phone, phone_key }) => [lead_phone, phone_key])).toEqual([
    ['1.51256E+10', null],
    ['1.51256E+10', null],
  ])
  expect((await read(one.id)).has_related).toBe(false)
  const { status, body } = await addLead({ lead_phone: '1,51256E+10' })
  expect([status, body]).toMatchObject([422, { errors: { lead_phone: ['Excel has shortened this number'] } }])
  const said: string[] = []
  const file = join(mkdtempSync(join(tmpdir(), 'leadline-contact-')), 'leads.csv')
  writeFileSync(
    file,
    `lead_id,lead_type,lead_date,campaign,lead_phone\nX-1,Form,2026-03-08,${site.campaign_id},1.51256E+10\n`,
  )
  await importLeads({ context: app.context, file, dryRun: false, say: (line) => void said.push(line) })
  expect(said.join('\n')).toContain('Excel has shortened this number')
})

test('people’s phones are stored alike, and every door leads to the same person [EDGE-03]', async () => {
  const made = await addLead({ lead_phone: '+44 020 7946 0958', lead_email: 'mailto:una@sue.example.' })
  expect(made.body).toMatchObject({ lead_phone: '+44 20 7946 0958', lead_email: 'una@sue.example' })
  const edited = await superAdmin.call(leadsContract.update, {
    params: { id: made.body.id },
    body: { lead_phone: 'tel:+1-512-555-0177;ext=12' },
  })
  expect(edited.body.lead_phone).toBe('+1-512-555-0177;ext=12')
  expect((await stored(made.body.lead_id)).phone_key).toBe('+15125550177')
  const withheldNow = await superAdmin.call(leadsContract.update, {
    params: { id: made.body.id },
    body: { lead_phone: 'private number' },
  })
  expect(withheldNow.body.lead_phone).toBe('Withheld')
})

test('the first valid address of an email field is stored and compared, and the rest stays in the message [EDGE-05]', async () => {
  const sent = [
    'Mary <mary@sue.example>',
    'mailto:mary@sue.example',
    'mary@sue.example.',
    'MARY@sue.example; other@sue.example',
    '\u200bmary@sue.example\u200b',
    'mary＠sue.example',
  ]
  const leads = []
  for (const email of sent) leads.push(await receiveForm({ name: 'Mary', email, message: 'A roof' }))
  expect(leads.map(({ email_key }) => email_key)).toEqual(sent.map(() => 'mary@sue.example'))
  expect(leads.map(({ message }) => message)).toEqual([
    'A roof',
    'A roof',
    'A roof',
    'A roof\nEmail as sent: MARY@sue.example; other@sue.example',
    'A roof',
    'A roof',
  ])
  expect((await relatedTo(leads[0]!.id)).length).toBe(sent.length - 1)
})

test('what is no address is compared with no one, and stays readable [EDGE-05]', async () => {
  const [one, two] = [
    await receiveForm({ name: 'Di', email: 'no email' }),
    await receiveForm({ name: 'Ed', email: 'no email' }),
  ]
  expect([one, two].map(({ lead_email, message }) => [lead_email, message])).toEqual([
    [null, 'Email as sent: no email'],
    [null, 'Email as sent: no email'],
  ])
  expect((await read(one.id)).has_related).toBe(false)
})

test('a person’s edit keeps the second address too, once [EDGE-05]', async () => {
  const made = await addLead({ lead_email: 'a@sue.example', message: 'Gutters' })
  const edit = () =>
    superAdmin.call(leadsContract.update, {
      params: { id: made.body.id },
      body: { lead_email: 'b@sue.example, c@sue.example' },
    })
  await edit()
  expect((await edit()).body).toMatchObject({
    lead_email: 'b@sue.example',
    message: 'Gutters\nEmail as sent: b@sue.example, c@sue.example',
  })
})

const search = async (lead_search: string) =>
  (await superAdmin.call(leadsContract.list, { query: { lead_search } })).body.data.map(
    ({ lead_name }: { lead_name: string | null }) => lead_name,
  )

test('a search finds what it should however it is spelled, as soon as the lead is there [EDGE-04]', async () => {
  await receiveForm({ name: 'Strau\u00df M\u00fcller', message: 'Gr\u00fc\u00dfe' })
  await receiveForm({ name: 'Jose\u0301 Iba\u0301n\u0303ez', email: 'jose@search.example' })
  await receiveForm({ name: 'Sean O\u2019Connor', phone: '512-555-0111 ext 42' })
  await receiveForm({ name: '\uff26\uff55\uff4c\uff4c \uff37\uff49\uff44\uff54\uff48' })
  await addLead({ lead_name: '\u0141ukasz S\u00f8rensen' })
  await addLead({ lead_name: 'Ann Smith\u2010Jones', message: 'It\u2019s a t-bone' })
  await addLead({ lead_name: 'Bea DAngelo' })
  const found = {
    muller: 'Strauß Müller',
    strauss: 'Strauß Müller',
    'STRAUSS MÜLLER': 'Strauß Müller',
    grusse: 'Strauß Müller',
    'jose ibanez': 'José Ibáñez',
    Ibáñez: 'José Ibáñez',
    "o'connor": 'Sean O’Connor',
    'O’Connor': 'Sean O’Connor',
    oconnor: 'Sean O’Connor',
    "D'Angelo": 'Bea DAngelo',
    'smith jones': 'Ann Smith\u2010Jones',
    'smith-jones': 'Ann Smith\u2010Jones',
    'its t bone': 'Ann Smith\u2010Jones',
    "' it's": 'Ann Smith\u2010Jones',
    'O\u02bcCONNOR': 'Sean O’Connor',
    'ext 42': 'Sean O’Connor',
    '(512) 555-0111': 'Sean O’Connor',
    'full width': 'Ｆｕｌｌ Ｗｉｄｔｈ',
    ｆｕｌｌ: 'Ｆｕｌｌ Ｗｉｄｔｈ',
    'lukasz sorensen': 'Łukasz Sørensen',
    'mu\u200bller': 'Strauß Müller',
  }
  for (const [words, name] of Object.entries(found)) expect([words, await search(words)]).toEqual([words, [name]])
  const lead = await addLead({ lead_name: 'Plain' })
  await superAdmin.call(leadsContract.update, { params: { id: lead.body.id }, body: { notes: 'Zürich' } })
  expect(await search('zurich')).toEqual(['Plain'])
})

test('a keyword meets a word with marks between its letters, in full width or in the letters of mathematics [EDGE-04]', async () => {
  await superAdmin.call(spamContract.saveKeywords, { body: { keywords: 'casino', confirmed: true } })
  for (const word of [
    'ca\u200bsino',
    'cas\u00adino',
    '\uff43\uff41\uff53\uff49\uff4e\uff4f',
    '\u{1d41c}\u{1d41a}\u{1d42c}\u{1d422}\u{1d427}\u{1d428}',
    'cas\u00edno',
    'c&#8203;asino',
  ])
    expect([word, (await receiveForm({ name: 'Kim', message: `Best ${word} in town` })).tags]).toEqual([
      word,
      ['BLSpam'],
    ])
})

test('a spammer is met by the address, however it was typed [EDGE-05]', async () => {
  const { body } = await superAdmin.call(spamContract.addSpammer, {
    body: { name: 'Sam', phone: null, email: 'Sam <sam@spam.example>' },
  })
  expect(body.email).toBe('sam@spam.example')
  expect((await receiveForm({ name: 'Sam', email: 'mailto:SAM@spam.example' })).tags).toContain('Autospam')
})

test('a phone field that holds sentences keeps its first number; the whole text stays readable [EDGE-03]', async () => {
  const phone =
    '512-555-0161 ext 7 before 5 pm, or reach my wife Susan at 512-555-0162 or my office at 512-555-0163 ext 12'
  const made = await receiveForm({ name: 'Al', phone, message: 'A roof' })
  expect(made).toMatchObject({
    lead_phone: '512-555-0161 ext 7',
    phone_key: '+15125550161',
    message: `A roof\nPhone as sent: ${phone}`,
  })
  const words = 'Please do not call me at all, I only answer emails and letters'
  expect(await receiveForm({ name: 'Bo', phone: words })).toMatchObject({
    lead_phone: null,
    phone_key: null,
    message: `Phone as sent: ${words}`,
  })
})

test('a phone and an email that were encoded once too often are decoded [EDGE-03, EDGE-05]', async () => {
  const lead = await receiveForm({ name: 'Mary', email: 'mary%2Broof%40sue.example', phone: '%2B1%20512%20555%200168' })
  expect([lead.lead_email, lead.lead_phone]).toEqual(['mary+roof@sue.example', '+1 512 555 0168'])
})
