import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { googleAccountsTable, googleLocationsTable } from '#domains/listings/google/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { gmbsContract } from '../contract.ts'
import { gmbLogsTable, gmbsTable } from '../schema.ts'

const app = await setUp(startApp())
const keeper = await app.as(await app.make.superAdmin({ username: 'olivia' }))
const campaign = await app.make.campaign({ name: 'Austin Roofs' })

const link = (digits: number) => `https://maps.google.com/maps?cid=${'12345678901234567890123'.slice(0, digits)}`
const form = (values: object = {}) => ({
  title: 'Summit Roofing',
  link: link(19),
  campaign_id: campaign.id,
  status: 1,
  ...values,
})
const whole = {
  address: '100 Main St, Austin, TX 78701',
  website: 'https://summit.example',
  phone: '+1 512-555-0100',
  password: 'the listing’s own word',
  email: 'listing@summit.example',
  recovery_email: 'rescue@summit.example',
  review_link: 'https://search.google.com/local/writereview?placeid=x',
  client_owned: true,
  is_client_location: 1,
  notes: 'Opens late',
}
const made = async (values?: object) => (await keeper.call(gmbsContract.create, { body: form(values) })).body
const change = (id: number, values: object) => keeper.call(gmbsContract.update, { params: { id }, body: form(values) })
const read = async (id: number) => {
  const { body } = await keeper.call(gmbsContract.list)
  return body.data.find((one: { id: number }) => one.id === id)
}
const logs = async (id: number) => (await keeper.call(gmbsContract.logs, { params: { id } })).body
const stored = async (id: number) => (await app.context.db.select().from(gmbsTable).where(eq(gmbsTable.id, id)))[0]!

test('the list is searched, sorted and paged, with its total [GMB-17]', async () => {
  const place = await app.make.campaign({ name: 'Zebraville' })
  const [zoo, ark] = [
    await made({ title: 'zebra Zoo', campaign_id: place.id, status: 3 }),
    await made({ title: 'Ark', notes: '100% zebra', status: 2 }),
  ]
  const ask = async (query: object) =>
    (await keeper.call(gmbsContract.list, { query: { search: 'zebra', ...query } })).body
  const ids = async (query: object) => (await ask(query)).data.map(({ id }: { id: number }) => id)
  expect(await ids({})).toEqual([ark.id, zoo.id])
  expect(await ids({ sort: 'status', order: 'desc' })).toEqual([zoo.id, ark.id])
  expect(await ids({ sort: 'campaign_name', order: 'desc' })).toEqual([zoo.id, ark.id])
  expect(await ids({ search: 'zebraville' })).toEqual([zoo.id])
  expect(await ids({ search: '100%' })).toEqual([ark.id])
  const page = await ask({ page: 2, per_page: 1 })
  expect([page.total, page.data.length, page.data[0].id]).toEqual([2, 1, zoo.id])
})

test('the list is filtered by one state of each listing, and a wrong state is refused', async () => {
  const place = await app.make.campaign({ name: 'Stateville' })
  const make = async (values: object) => (await app.make.gmb({ campaign_id: place.id, ...values })).id
  const gone_at = new Date()
  const live = await make({ status: 1, changed: true })
  const lost = await make({ status: 1, gone_at })
  const suspended = await make({ status: 4, gone_at })
  const ask = async (state: string) =>
    keeper.call(gmbsContract.list, { query: { search: 'stateville', state, sort: 'id' } })
  const ids = async (state: string) => (await ask(state)).body.data.map(({ id }: { id: number }) => id)
  expect([await ids('1'), await ids('not_found'), await ids('4'), await ids('changed'), await ids('2')]).toEqual([
    [live],
    [lost],
    [suspended],
    [live],
    [],
  ])
  expect((await ask('asleep')).status).toBe(422)
})

test('a listing suspended at Google shows the same date as GMB Manager', async () => {
  const own = await app.make.gmb({
    status: 4,
    suspended_at: new Date('2026-02-01T00:00:00Z'),
    campaign_id: campaign.id,
  })
  const read = async () => {
    const { body } = await keeper.call(gmbsContract.list, { query: { sort: 'id', per_page: 200 } })
    return body.data.find(({ id }: { id: number }) => id === own.id).suspended_at
  }
  expect(await read()).toMatch(/^2026-02-01T00:00:00/)
  const [account] = await app.context.db
    .insert(googleAccountsTable)
    .values({
      account_name: 'Agency',
      email: 'agency@mail.example',
      subject: 'agency',
      refresh_token: Buffer.from('x'),
    })
    .returning()
  await app.context.db.insert(googleLocationsTable).values({
    account_id: account!.id,
    name: 'locations/1',
    title: own.title,
    business_account: 'accounts/1',
    business_account_name: 'Agency',
    cid: own.cid,
    standing: 'suspended',
    standing_since: new Date('2026-01-15T00:00:00Z'),
  })
  expect(await read()).toMatch(/^2026-01-15T00:00:00/)
  // Google's location is as old as its first read.
  await app.context.db.update(googleLocationsTable).set({ standing_since: new Date('2026-03-01T00:00:00Z') })
  expect(await read()).toMatch(/^2026-02-01T00:00:00/)
})

test('the list sorts by every column it names, and by no encrypted one', async () => {
  for (const sort of gmbsContract.list.list.sorts)
    expect((await keeper.call(gmbsContract.list, { query: { sort } })).status, sort).toBe(200)
  for (const sort of ['password', 'recovery_email'])
    expect((await keeper.call(gmbsContract.list, { query: { sort } })).status).toBe(422)
  await made({ title: 'Secretive', ...whole })
  for (const search of ['own word', 'rescue@'])
    expect((await keeper.call(gmbsContract.list, { query: { search } })).body.total).toBe(0)
})

test('the statuses are these five [GMB-25]', async () => {
  expect((await keeper.call(gmbsContract.statuses)).body).toEqual([
    { id: 1, name: 'Live' },
    { id: 2, name: 'Pending' },
    { id: 3, name: 'Unverified' },
    { id: 4, name: 'Suspended' },
    { id: 5, name: 'Closed' },
  ])
})

test('the log has each field formatted, newest first, paged [GMB-24]', async () => {
  const other = await app.make.campaign({ name: 'Dallas Roofs' })
  const { id } = await made()
  await change(id, { status: 5, campaign_id: other.id, client_owned: true })
  const { data, total } = await logs(id)
  expect(total).toBe(4)
  const lines = data.map(({ changed, old, new: now, username }: Record<string, string>) => [
    changed,
    old,
    now,
    username,
  ])
  expect(lines).toEqual(
    expect.arrayContaining([
      ['Status', 'Live', 'Closed', 'olivia'],
      ['Campaign', 'Austin Roofs', 'Dallas Roofs', 'olivia'],
      ['Client Owned', 'No', 'Yes', 'olivia'],
    ]),
  )
  expect(lines[3]).toEqual(['Listing', null, 'created', 'olivia'])
  const second = await keeper.call(gmbsContract.logs, { params: { id }, query: { page: 2, per_page: 3 } })
  expect(second.body.data.map(({ changed }: { changed: string }) => changed)).toEqual(['Listing'])
})

describe('the secrets of a listing stay secret [GMB-26]', () => {
  test('they are encrypted, bound to their row, and appear in no list, log or trail', async () => {
    const { id } = await made(whole)
    await change(id, { password: 'another word', recovery_email: 'other@rescue.example' })
    const row = await stored(id)
    expect(row.password!.toString()).not.toContain('another')
    expect(() => app.context.secrets.open(row.password!, `campaign_gmbs.password:${id + 1}`)).toThrow()
    const trail = await app.context.db.select().from(auditTable).where(eq(auditTable.row_id, id))
    const log = await app.context.db.select().from(gmbLogsTable).where(eq(gmbLogsTable.gmb_id, id))
    const list = (await keeper.call(gmbsContract.list)).body
    for (const text of [JSON.stringify(trail), JSON.stringify(log)])
      expect(text).not.toMatch(/own word|another word|rescue/)
    expect(JSON.stringify(list)).not.toMatch(/own word|another word/)
    expect(log).toContainEqual(expect.objectContaining({ changed: 'Password', old: null, new: 'changed' }))
  })

  test('the password is read on demand, and each view is logged', async () => {
    const { id } = await made(whole)
    expect((await keeper.call(gmbsContract.secret, { params: { id } })).body).toEqual({ password: whole.password })
    const trail = await app.context.db
      .select()
      .from(auditTable)
      .where(eq(auditTable.kind, 'look at a listing password'))
    expect(trail.filter(({ row_id }) => row_id === id)).toHaveLength(1)
    expect((await keeper.call(gmbsContract.secret, { params: { id: (await made()).id } })).body).toEqual({
      password: null,
    })
  })

  test('thirty views an hour are the limit, even for concurrent requests', async () => {
    const { id } = await made(whole)
    const curious = await app.as(await app.make.admin({ campaigns: [campaign.id] }))
    const looks = await Promise.all(
      Array.from({ length: 33 }, () => curious.call(gmbsContract.secret, { params: { id } })),
    )
    expect(looks.filter(({ status }) => status === 200)).toHaveLength(30)
    const refused = looks.filter(({ status }) => status === 429)
    expect(refused.map(({ headers }) => headers.has('retry-after'))).toEqual([true, true, true])
    expect((await keeper.call(gmbsContract.secret, { params: { id } })).status).toBe(200)
  })
})

test('a user of other campaigns lists none of it, and moves and adds no listing to it [PERM-01] [PERM-04]', async () => {
  await app.make.gmb({ campaign_id: campaign.id })
  const mine = await app.make.campaign()
  const admin = await app.as(await app.make.admin({ campaigns: [mine.id] }))
  const own = await app.make.gmb({ campaign_id: mine.id })
  const list = (await admin.call(gmbsContract.list)).body
  expect([list.total, list.data.map(({ id }: { id: number }) => id)]).toEqual([1, [own.id]])
  const before = await app.dump()
  expect((await admin.call(gmbsContract.update, { params: { id: own.id }, body: form() })).status).toBe(404)
  expect((await admin.call(gmbsContract.create, { body: form() })).status).toBe(404)
  expect(await app.dump()).toBe(before)
})

test('a user with only the map reads the statuses, and no listing', async () => {
  const admin = await app.as(await app.make.admin({ campaigns: [campaign.id], permissions: ['campaignMap'] }))
  expect((await admin.call(gmbsContract.statuses)).status).toBe(200)
  expect((await admin.call(gmbsContract.list)).status).toBe(403)
})

// ——— changes ———

test('creating returns the listing with all its fields [GMB-18] [GMB-19] [API-03]', async () => {
  const body = await made(whole)
  expect(body).toEqual({
    id: expect.any(Number),
    title: 'Summit Roofing',
    ...whole,
    password: null,
    has_password: true,
    is_client_location: true,
    link: link(19),
    campaign_id: campaign.id,
    campaign_name: 'Austin Roofs',
    status: 1,
    suspended_at: null,
    standing: null,
    changed: false,
    changed_at: null,
    changed_fields: [],
    missed_at: null,
    gone_at: null,
    checked_at: null,
    check_problem: null,
    check_asked_at: null,
    updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    reviews_count: null,
    version: 1,
  })
  const { latitude, longitude } = await stored(body.id)
  expect([Math.round(latitude!), Math.round(longitude!)]).toEqual([30, -98])
})

test('fields that a form omits are empty', async () => {
  expect(await made()).toMatchObject({ address: null, has_password: false, recovery_email: null, client_owned: false })
})

test.each([
  ['no title', { title: ' ' }, { title: ['Please input category name'] }],
  ['no link', { link: '' }, { link: ['Please input GMB link'] }],
  ['fourteen digits', { link: link(14) }, { link: ['Wrong link format'] }],
  ['twenty-one digits', { link: link(21) }, { link: ['Wrong link format'] }],
  ['no status', { status: null }, { status: ['Please select status'] }],
  ['an unknown status', { status: 6 }, { status: ['Please select status'] }],
  ['no campaign', { campaign_id: null }, { campaign_id: ['Please select category'] }],
  ['a website that runs', { website: 'javascript:alert(1)' }, { website: ['Not a web address'] }],
  ['an invalid email', { email: 'nobody' }, { email: ['Email is not valid'] }],
])(
  '%s is refused on its field, and nothing is written [GMB-04] [GMB-05] [GMB-06] [GMB-07] [GMB-08]',
  async (_, values, errors) => {
    const before = await app.dump()
    const answer = await keeper.call(gmbsContract.create, { body: form(values) })
    expect([answer.status, answer.body.errors]).toEqual([422, errors])
    expect(await app.dump()).toBe(before)
  },
)

test('an unknown campaign is not found, like another user’s, and nothing is written [PERM-04]', async () => {
  const { id } = await made()
  const before = await app.dump()
  for (const answer of [
    await keeper.call(gmbsContract.create, { body: form({ campaign_id: 999_999 }) }),
    await change(id, { campaign_id: 999_999 }),
  ])
    expect([answer.status, answer.body]).toEqual([
      404,
      { message: 'This no longer exists, or you don’t have access to it' },
    ])
  expect(await app.dump()).toBe(before)
})

test.each([15, 20])('a link with %i digits is accepted [GMB-06]', async (digits) => {
  expect((await made({ link: link(digits) })).link).toBe(link(digits))
})

test('editing changes the fields sent and keeps the rest; an empty password keeps the old one [GMB-20]', async () => {
  const { id } = await made(whole)
  const { body } = await change(id, { title: 'Peak Roofing', password: '', notes: '' })
  expect(body).toMatchObject({ title: 'Peak Roofing', notes: null, phone: whole.phone, has_password: true, version: 2 })
  expect((await keeper.call(gmbsContract.secret, { params: { id } })).body.password).toBe(whole.password)
  const again = await change(id, { title: 'Peak Roofing', notes: '' })
  expect(again.body.version).toBe(2)
})

test('a suspension keeps its date, whatever else is changed', async () => {
  const { id } = await made()
  const { body } = await change(id, { status: 4 })
  expect(body.suspended_at).toEqual(expect.any(String))
  expect(body.changed).toBe(false)
  expect((await change(id, { status: 4, notes: 'Asked them' })).body.suspended_at).toBe(body.suspended_at)
  expect((await change(id, { status: 1, notes: 'Asked them' })).body.suspended_at).toBeNull()
})

test('a changed listing stays marked until someone accepts it', async () => {
  const { id, link } = await app.make.gmb({ campaign_id: campaign.id, changed: true, changed_at: new Date() })
  await change(id, { link, notes: 'Looked at it' })
  expect(await read(id)).toMatchObject({ changed: true, changed_at: expect.any(String) })
  const { body } = await keeper.call(gmbsContract.accept, { params: { id } })
  expect(body).toMatchObject({ changed: false, changed_at: null })
  expect((await logs(id)).data[0]).toMatchObject({ changed: 'Changed listing', new: 'accepted as the new state' })
})

test.each([
  ['toggleClientOwned', 'client_owned'],
  ['toggleClientLocation', 'is_client_location'],
] as const)('%s flips it, and a wanted value is set however often it is sent [GMB-22] [GMB-23]', async (call, name) => {
  const { id } = await made()
  const flip = async (body?: object) =>
    (await keeper.call(gmbsContract[call], { params: { id }, ...(body ? { body } : {}) })).body[name]
  expect([await flip(), await flip()]).toEqual([true, false])
  expect([await flip({ [name]: true }), await flip({ [name]: 1 })]).toEqual([true, true])
})

test('deleting removes the listing from the list, once [GMB-21]', async () => {
  const { id } = await made()
  expect((await keeper.call(gmbsContract.remove, { params: { id } })).status).toBe(204)
  expect(await read(id)).toBeUndefined()
  expect((await keeper.call(gmbsContract.remove, { params: { id } })).status).toBe(404)
})

test('an address that ends with a ZIP code has coordinates, another has none', async () => {
  const places = async (address: string) => {
    const { latitude } = await stored((await made({ address })).id)
    return latitude === null ? null : Math.round(latitude)
  }
  expect(await places('1 Main St, Boise, ID 83702-1234, USA')).toBe(44)
  expect(await places('12345 Main St, Boise')).toBeNull()
  expect(await places('1 Main St, Nowhere 00000')).toBeNull()
  const { id } = await made({ address: '1 Main St, Boise, ID 83702' })
  await change(id, { address: '1 Main St, Austin, TX 78701' })
  expect(Math.round((await stored(id)).latitude!)).toBe(30)
})
