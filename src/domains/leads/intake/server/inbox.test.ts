import { expect, test } from 'vitest'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { setUp } from '#test/app.ts'
import { callRailKey, postCall, sendCallRail, sendForm, startIntakeApp, waitForIntake } from '#test/provider-hooks.ts'
import { until } from '#test/until.ts'
import { inboundEventsTable } from '../schema.ts'

const { app, site, form, leadOf, events, lastEvent } = await setUp(startIntakeApp())

test('an event is on disk, byte for byte, before the response (R11) [IN-05]', async () => {
  const bytes = Buffer.from(
    `  {"resource_id": "CAL-bytes", "company_id": "COM1" ,\t"call_type":"answered", "duration": 20}\n`,
  )
  expect((await sendCallRail(app, bytes)).status).toBe(200)
  const event = await lastEvent()
  expect([event.body, event.provider, event.headers['content-type'], event.clientsite_id]).toEqual([
    bytes,
    'callrail',
    'application/json',
    site.id,
  ])
  expect(Object.keys(event.headers)).not.toContain('authorization')
  await waitForIntake(app)
})

const deep = (levels: number) => `${'{"a":['.repeat(levels)}1${']}'.repeat(levels)}`

test('an unusable event is kept with its reason, and does not block those behind it (R11) [IN-05]', async () => {
  const broken: [unknown, RegExp][] = [
    ['', /empty/],
    ['null', /not a JSON object/],
    ['[]', /not a JSON object/],
    ['[{"resource_id":"CAL1","company_id":"COM1"}]', /neither a call nor a form/],
    ['[{"call_type":"answered"},{"call_type":"answered"}]', /not a JSON object/],
    ['"text"', /not a JSON object/],
    ['42', /not a JSON object/],
    [deep(5000), /neither a call nor a form/],
    [`{"company_id":"COM1","resource_id":"CAL-cut","call_type":"missed`, /not valid JSON/],
    ['<xml/>', /neither JSON nor a form/],
    [Buffer.from([0xff, 0xfe, 0x00, 0x01]), /neither JSON nor a form/],
    [{ company_id: 'COM1' }, /neither a call nor a form/],
    [{ company_id: 'COM1', call_type: 'answered', resource_id: { a: 1 }, duration: [] }, /no id/],
    [{ __proto__: null, company_id: 'COM1', call_type: 'answered' }, /no id/],
    ['{"__proto__":{"resource_id":"CAL-p","call_type":"answered"},"company_id":"COM1"}', /neither a call nor a form/],
    [
      postCall({ company_id: 1, company_resource_id: 'COM-nobody' }),
      /No client site has the CallRail company COM-nobody or 1/,
    ],
    [postCall({ resource_id: 'x'.repeat(300) }), /id of the event cannot be used/],
  ]
  const first = ((await lastEvent())?.id ?? 0) + 1
  const before = await app.context.db.$count(leadsTable)
  for (const [body] of broken) expect((await sendCallRail(app, body)).status).toBe(200)
  const good = postCall()
  await sendCallRail(app, good)
  await waitForIntake(app)
  const kept = (await events()).filter(({ id }) => id >= first)
  expect(kept.map(({ state }) => state)).toEqual([...broken.map(() => 'quarantined'), 'done'])
  for (const [index, [, reason]] of broken.entries()) expect(kept[index]!.reason).toMatch(reason)
  expect(await app.context.db.$count(leadsTable)).toBe(before + 1)
})

test('repairable bodies are repaired: NUL, half surrogates, raw line breaks, wrong bytes and wrong types give a clean lead [IN-05]', async () => {
  const text = JSON.stringify(postCall({ resource_id: 'CAL-odd' }))
  const odd = text
    .replace('"Jane Sample"', '"J\\u0000a\\ud800ne\nSample\u0007"')
    .replace('"roof repair"', '{"not":"text"}')
    .replace('"Website Pool"', '[1,2]')
    .replace('"TX"', '7')
  const latin1 = Buffer.from(odd.replace('Austin, TX', 'Malm\u00f6'), 'latin1')
  expect((await sendCallRail(app, latin1)).status).toBe(200)
  await waitForIntake(app)
  expect(await leadOf('CAL-odd')).toMatchObject({
    lead_name: 'Ja\ufffdne Sample',
    lead_location: 'Malm\u00f6',
    keywords: null,
    tracking_source: 'Google Organic',
  })
  await sendCallRail(app, JSON.stringify(postCall({ resource_id: 'CAL-deep' })).replace('"goodtag"', deep(5000)))
  await waitForIntake(app)
  expect(await leadOf('CAL-deep')).toBeDefined()
})

test('a broken body is kept if any of our keys signed it, including a single company’s key [IN-05]', async () => {
  await app.make.clientSite({ callrail_campaign_identifier: 'COM-key', signingKey: 'a-key-of-its-own' })
  expect((await sendCallRail(app, '{{{', { key: 'a-key-of-its-own' })).status).toBe(200)
  expect(await lastEvent()).toMatchObject({ clientsite_id: null, headers: { signature: expect.any(String) } })
  expect((await sendCallRail(app, '{{{', { key: 'nobody has this' })).status).toBe(401)
  // Broken, but it still names the company: only the company's own key counts.
  const broken = '{"company_resource_id":"COM-key","resource_id":'
  expect((await sendCallRail(app, broken, { key: callRailKey })).status).toBe(401)
  expect((await sendCallRail(app, broken, { key: 'a-key-of-its-own' })).status).toBe(200)
  await waitForIntake(app)
})

test('a body of 1 MB is accepted, one byte more is not [IN-05]', async () => {
  const call = postCall({ transcription: '' })
  const room = 1024 * 1024 - Buffer.byteLength(JSON.stringify(call))
  const full = JSON.stringify({ ...call, transcription: 'x'.repeat(room) })
  expect((await sendCallRail(app, full)).status).toBe(200)
  const before = await app.context.db.$count(inboundEventsTable)
  const answer = await sendCallRail(app, `${full} `)
  expect([answer.status, await answer.json()]).toEqual([413, { message: 'This is too large' }])
  expect((await sendForm(app, form.id, 'key-of-the-form', 'x'.repeat(1024 * 1024 + 1))).status).toBe(413)
  expect(await app.context.db.$count(inboundEventsTable)).toBe(before)
  await waitForIntake(app)
})

test('a body of any content type, or none, is accepted [IN-05]', async () => {
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'not a type', 'multipart/form-data', '']) {
    const answer = await sendForm(app, form.id, 'key-of-the-form', `{"name":"T","item_id":"type ${type}"}`, {
      'content-type': type,
    })
    expect(answer.status).toBe(200)
  }
  await waitForIntake(app)
  expect(await leadOf(`${form.id}-type not a type`)).toMatchObject({ lead_name: 'T' })
})

test('during a rush stored events wait while new ones come in; then all become leads', async () => {
  const calls = Array.from({ length: 40 }, (_, nth) => postCall({ customer_phone_number: `+151255590${10 + nth}` }))
  const arrived = calls.map((call) => ({
    provider: 'callrail' as const,
    clientsite_id: site.id,
    headers: {},
    body: Buffer.from(JSON.stringify(call)),
  }))
  await Promise.all(arrived.map((event) => app.context.inbox.store(event)))
  expect(app.context.inbox.isRushed).toBe(true)
  await until(() => !app.context.inbox.isRushed)
  await waitForIntake(app)
  expect(await leadOf(calls[39]!.resource_id)).toBeDefined()
})
