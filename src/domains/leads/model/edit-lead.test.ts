import { and, asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { leadsContract } from '../contract.ts'
import { leadsTable } from './schema.ts'

const app = await setUp(startApp())
const superAdmin = await app.as(await app.make.superAdmin({ username: 'sam' }))

const put = (caller: Caller, id: number, body: object) => caller.call(leadsContract.update, { params: { id }, body })
const stored = async (id: number) => (await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, id)))[0]!
const trail = (id: number) =>
  app.context.db
    .select()
    .from(auditTable)
    .where(and(eq(auditTable.kind, 'lead'), eq(auditTable.row_id, id)))
    .orderBy(asc(auditTable.id))

// ——— what can be changed ———

test('every field is changed, returned as in the list, and stored [LEAD-61, API-17]', async () => {
  const campaign = await app.make.campaign()
  const site = await app.make.clientSite({ campaign_id: campaign.id })
  const { id } = await app.make.lead({ occurred_at: new Date('2026-07-01T12:00:00Z') })
  const body = {
    id,
    client_progress: 1,
    company_name: ' Acme ',
    client_notes: 'keen',
    client_value: 1234.56,
    client_profit: 0,
    rating: '5',
    notes: 'called',
    confirmed: 1,
    hide: 1,
    tags: [{ name: 'Voicemail' }, { name: 'Spam' }],
    campaign_id: campaign.id,
    clientsite_id: site.id,
    lead_date: '2026-07-04',
    lead_time: '23:59',
    lead_type: 'Call',
    lead_s: 'Callrail',
    lead_id: 'CAL-1',
    lead_name: 'Jane',
    lead_email: 'Jane@Example.com',
    lead_phone: '(212) 555-0123',
    message: 'hello',
    source: 'Facebook',
    last_url: 'https://a.example/',
    referrer: 'https://b.example/',
    notify: false,
  }
  const { status, body: answer } = await put(superAdmin, id, body)
  expect(status).toBe(200)
  expect(answer).toMatchObject({ ...body, company_name: 'Acme', version: 2, rating_via: 'staff', first_call: true })
  const { body: list } = await superAdmin.call(leadsContract.list, { query: { campaign_ids: campaign.id } })
  expect(list.data).toEqual([answer])
  expect((await stored(id)).occurred_at).toEqual(new Date('2026-07-05T03:59:00Z'))
  expect(await stored(id)).toMatchObject({ phone_key: '+12125550123', email_key: 'jane@example.com' })
})

test('null and blank text clear a field [LEAD-61]', async () => {
  const { id } = await app.make.lead({
    client_progress: 3,
    rating: 2,
    rating_via: 'link',
    client_value: 5,
    notes: 'x',
    lead_phone: '2125550123',
  })
  const cleared = { client_progress: null, rating: null, client_value: null, notes: '  ', lead_phone: null }
  const { body } = await put(superAdmin, id, cleared)
  expect(body).toMatchObject({ ...cleared, notes: null, rating_via: null })
  expect((await stored(id)).phone_key).toBeNull()
})

test('progress is reset, and resetting it again changes nothing [LEAD-62]', async () => {
  const { id } = await app.make.lead({ client_progress: 4 })
  for (let twice = 0; twice < 2; twice++) {
    const { status, body } = await superAdmin.call(leadsContract.resetProgress, { params: { id } })
    expect([status, body.client_progress, body.version]).toEqual([200, null, 2])
  }
  expect(await trail(id)).toHaveLength(1)
})

test('a tag that a person removes loses its cause; one they add has none [LEAD-61]', async () => {
  const { id } = await app.make.lead({
    tags: ['Autospam', 'After Hours'],
    tag_causes: [
      { tag: 'Autospam', because: 'spammer' },
      { tag: 'After Hours', because: 'Sunday' },
    ],
  })
  const set = (...names: string[]) => put(superAdmin, id, { tags: names.map((name) => ({ name })) })
  const kept = await set('After Hours', 'Other')
  expect(kept.body.tags).toEqual([{ name: 'After Hours', because: 'Sunday' }, { name: 'Other' }])
  expect((await set('Autospam', 'After Hours')).body.tags).toEqual([
    { name: 'After Hours', because: 'Sunday' },
    { name: 'Autospam' },
  ])
  expect((await set()).body.tags).toEqual([])
})

test('the day alone keeps the time and the time alone the day; a skipped or repeated hour is resolved [LEAD-78]', async () => {
  const { id } = await app.make.lead({ occurred_at: new Date('2026-01-15T14:30:45Z') })
  const at = async (body: object) => {
    const answer = await put(superAdmin, id, body)
    const { lead_date, lead_time, version } = answer.body
    return [lead_date, lead_time, version, (await stored(id)).occurred_at.toISOString()]
  }
  expect(await at({ lead_date: '2026-01-15', lead_time: '09:30' })).toEqual([
    '2026-01-15',
    '09:30',
    1,
    '2026-01-15T14:30:45.000Z',
  ])
  expect(await at({ lead_date: '2026-07-01' })).toEqual(['2026-07-01', '09:30', 2, '2026-07-01T13:30:45.000Z'])
  expect(await at({ lead_time: '00:00' })).toEqual(['2026-07-01', '00:00', 3, '2026-07-01T04:00:00.000Z'])
  expect(await at({ lead_date: '2026-03-08', lead_time: '02:30' })).toEqual([
    '2026-03-08',
    '03:30',
    4,
    '2026-03-08T07:30:00.000Z',
  ])
  expect(await at({ lead_date: '2026-11-01', lead_time: '01:30' })).toEqual([
    '2026-11-01',
    '01:30',
    5,
    '2026-11-01T05:30:00.000Z',
  ])
})

// ——— what is refused ———

test('a value of the wrong shape is refused by its name, and nothing is written [API-18]', async () => {
  const { id } = await app.make.lead({ notes: 'before' })
  const before = await app.dump()
  const wrong: Record<string, unknown[]> = {
    client_progress: [0, 6, '1', 1.5, [1]],
    company_name: ['a\0b', '\ud800', 'x'.repeat(256), 5, {}],
    client_notes: ['x'.repeat(10_001)],
    client_value: [-1, 1e12, 0.001, '5', true],
    rating: [5, '6', '', true],
    notes: ['a\0b'],
    confirmed: [2, 'yes', null],
    hide: ['1'],
    tags: [[{ name: 'Nonsense' }], ['Spam'], 'Spam', null],
    campaign_id: [0, 2_147_483_648, 'x', null],
    lead_date: ['2026-02-30', '', null, 20_260_101],
    lead_time: ['24:00', '9:5', null],
    lead_type: ['Fax', null],
    lead_id: ['', ' ', 'x'.repeat(201), 'a\0b', '\udfff', null],
    lead_phone: ['5'.repeat(51)],
    message: ['x'.repeat(20_001)],
    notify: ['maybe', null],
    version: [0, 1.5, '1'],
  }
  for (const [field, values] of Object.entries(wrong))
    for (const value of values) {
      const { status, body } = await put(superAdmin, id, { notes: 'after', [field]: value })
      expect([field, value, status, Object.keys(body.errors)[0]?.split('.')[0]]).toEqual([field, value, 422, field])
    }
  const another = await put(superAdmin, id, { id: id + 1, notes: 'after' })
  expect([another.status, Object.keys(another.body.errors)]).toEqual([422, ['id']])
  expect(await app.dump()).toBe(before)
  expect(await trail(id)).toEqual([])
})

test('someone else’s campaign or client site is refused like the lead itself (R5) [PERM-04]', async () => {
  const [mine, other] = [await app.make.campaign(), await app.make.campaign()]
  const sites = {
    mine: await app.make.clientSite({ campaign_id: mine.id }),
    other: await app.make.clientSite({ campaign_id: other.id }),
  }
  const gone = await app.make.clientSite({ campaign_id: mine.id, deleted_at: new Date() })
  const admin = await app.as(await app.make.admin({ campaigns: [mine.id] }))
  const { id } = await app.make.lead({ campaign_id: mine.id })
  const before = await app.dump()
  expect((await put(admin, id, { campaign_id: other.id, clientsite_id: sites.other.id })).status).toBe(404)
  expect((await put(admin, id, { campaign_id: 999_999 })).status).toBe(404)
  for (const clientsite_id of [sites.other.id, gone.id, 999_999]) {
    const { status, body } = await put(admin, id, { clientsite_id })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['clientsite_id']])
  }
  expect(await app.dump()).toBe(before)
  expect((await put(admin, id, { clientsite_id: sites.mine.id })).status).toBe(200)
  const half = await put(superAdmin, id, { campaign_id: other.id }) // without its site
  expect([half.status, Object.keys(half.body.errors)]).toEqual([422, ['clientsite_id']])
  expect((await put(superAdmin, id, { campaign_id: other.id, clientsite_id: sites.other.id })).status).toBe(200)
  expect((await put(admin, id, { notes: 'still mine?' })).status).toBe(404)
})

test('the provider’s id is unique: 409, and nothing is written [API-15]', async () => {
  await app.make.lead({ lead_s: 'Callrail', lead_id: 'taken' })
  const { id } = await app.make.lead({ lead_s: 'Callrail', lead_id: 'free' })
  const before = await app.dump()
  const { status, body } = await put(superAdmin, id, { lead_id: 'taken', notes: 'x' })
  expect([status, Object.keys(body.errors)]).toEqual([409, ['lead_id']])
  expect(await app.dump()).toBe(before)
  expect(await trail(id)).toEqual([])
  expect((await put(superAdmin, id, { lead_s: 'Formidable', lead_id: 'taken' })).status).toBe(200)
})

// ——— concurrent changes ———

test('two people who change different fields both win (R28) [LEAD-79]', async () => {
  const { id } = await app.make.lead()
  await put(superAdmin, id, { notes: 'first', version: 1 })
  const { status, body } = await put(superAdmin, id, { company_name: 'second', version: 1 })
  expect(status).toBe(200)
  expect(body).toMatchObject({ notes: 'first', company_name: 'second', version: 3 })
})

test('a change of the same field gets 409 with the newer lead as its caller may read it, and writes nothing (R28) [LEAD-79]', async () => {
  const campaign = await app.make.campaign()
  const handler = await app.as(await app.make.handler({ campaigns: [campaign.id], permissions: ['leads'] }))
  const { id } = await app.make.lead({ campaign_id: campaign.id, source: 'Facebook' })
  await put(superAdmin, id, { client_notes: 'newer', version: 1 })
  const before = await app.dump()
  const { status, body } = await put(handler, id, { client_notes: 'late', company_name: 'x', version: 1 })
  expect(status).toBe(409)
  expect(Object.keys(body)).toEqual(['message', 'errors', 'lead'])
  expect(Object.keys(body.errors)).toEqual(['client_notes'])
  expect(body.lead).toMatchObject({ id, client_notes: 'newer', company_name: null, version: 2 })
  expect(body.lead).not.toHaveProperty('source')
  expect(await app.dump()).toBe(before)
  expect((await put(handler, id, { client_notes: 'late', version: 2 })).status).toBe(200)
  expect((await put(handler, id, { client_notes: 'last', version: 3 })).status).toBe(200)
})

test('without a version the last writer wins, and an unlikely version is not an error [LEAD-79]', async () => {
  const { id } = await app.make.lead()
  await put(superAdmin, id, { notes: 'first' })
  expect((await put(superAdmin, id, { notes: 'second' })).body).toMatchObject({ notes: 'second', version: 3 })
  expect((await put(superAdmin, id, { notes: 'third', version: 9_007_199_254_740_991 })).status).toBe(200)
})

test('setting the current value is not a change: no version, no audit entry, no conflict [LEAD-79, API-19]', async () => {
  const { id } = await app.make.lead({ tags: ['Spam', 'Other'], rating: 3, rating_via: 'link', confirmed: true })
  const same = { tags: [{ name: 'Other' }, { name: 'Spam' }], rating: '3', confirmed: 1, client_notes: ' ' }
  expect((await put(superAdmin, id, same)).body).toMatchObject({ version: 1, rating_via: 'link' })
  expect((await put(superAdmin, id, {})).body.version).toBe(1)
  expect(await trail(id)).toEqual([])
  await put(superAdmin, id, { notes: 'said', version: 1 })
  expect((await put(superAdmin, id, { notes: 'said', version: 1 })).status).toBe(200) // a repeated request
})

test('an amount that a program has computed is stored in cents, and sent again is no change [LEAD-79]', async () => {
  const { id } = await app.make.lead({ client_profit: null })
  for (const _ of [1, 2])
    expect((await put(superAdmin, id, { client_profit: 0.07 * 100 })).body).toMatchObject({
      client_profit: 7,
      version: 2,
    })
  expect(await trail(id)).toHaveLength(1)
})

test('of twenty concurrent changes of a field one wins, and the others get a conflict [LEAD-79]', async () => {
  const { id } = await app.make.lead()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, number) => put(superAdmin, id, { notes: `note ${number}`, version: 1 })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
  const winner = answers.findIndex(({ status }) => status === 200)
  expect(await stored(id)).toMatchObject({ notes: `note ${winner}`, version: 2 })
})

test('concurrent changes of different fields are all saved [LEAD-79]', async () => {
  const { id } = await app.make.lead()
  const changes = {
    notes: 'a',
    company_name: 'b',
    client_notes: 'c',
    client_value: 1,
    confirmed: 1,
    lead_name: 'd',
    lead_phone: '2125550199',
  }
  const answers = await Promise.all(
    Object.entries(changes).map(([field, value]) => put(superAdmin, id, { [field]: value, version: 1 })),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect((await put(superAdmin, id, {})).body).toMatchObject({ ...changes, version: 1 + answers.length })
})

// ——— the audit log ———

test('the audit entry says who, what, before and after, and leaves out what did not change [API-19, LEAD-80]', async () => {
  const { id } = await app.make.lead({ lead_name: 'before', occurred_at: new Date('2026-01-15T14:30:00Z'), rating: 1 })
  await put(superAdmin, id, {
    lead_name: 'after',
    notes: null,
    rating: '2',
    confirmed: 1,
    lead_date: '2026-01-16',
    version: 1,
  })
  const [entry, ...more] = await trail(id)
  expect(more).toEqual([])
  expect(entry).toMatchObject({
    username: 'sam',
    action: 'changed',
    before: { lead_name: 'before', rating: '1', confirmed: 0, lead_date: '2026-01-15' },
    after: { lead_name: 'after', rating: '2', confirmed: 1, lead_date: '2026-01-16' },
    version: 2,
  })
  expect(Object.keys(entry?.after ?? {})).toHaveLength(4)
  expect(entry?.request_id).toMatch(/^[0-9a-f-]{36}$/)
})

test('changers are the people in the audit log, the latest first, each once; the program is not one [LEAD-80]', async () => {
  const campaign = await app.make.campaign()
  const { id } = await app.make.lead({ campaign_id: campaign.id })
  const people = []
  for (const username of ['ann', 'bob']) {
    const user = await app.make.admin({ campaigns: [campaign.id], username })
    people.push(await app.as(user))
  }
  const [ann, bob] = people as [Caller, Caller]
  await put(ann, id, { notes: '1' })
  await put(bob, id, { notes: '2' })
  await put(ann, id, { notes: '3' })
  await app.context.db
    .insert(auditTable)
    .values({ kind: 'lead', row_id: id, action: 'changed', after: { rating: '1' } })
  await app.context.db
    .insert(auditTable)
    .values({ kind: 'campaign', row_id: id, action: 'changed', username: 'eve', user_id: 1 })
  const { body } = await put(bob, id, {})
  expect(body.changers).toEqual([{ username: 'ann' }, { username: 'bob' }])
})
