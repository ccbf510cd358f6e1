import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { setUp, startApp } from '#test/app.ts'
import { gmbsContract } from '../contract.ts'
import { gmbsTable } from '../schema.ts'

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
    expect([answer.status, answer.body]).toEqual([404, { message: 'Not found' }])
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

test('an outdated form gets the newer listing, and changes nothing', async () => {
  const { id, version } = await made()
  await change(id, { phone: '1' })
  const late = await change(id, { phone: '2', version })
  expect([late.status, late.body.newer.phone]).toEqual([409, '1'])
  expect((await read(id)).phone).toBe('1')
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
  const { id } = await app.make.gmb({ campaign_id: campaign.id, changed: true, changed_at: new Date() })
  await change(id, { notes: 'Looked at it' })
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
