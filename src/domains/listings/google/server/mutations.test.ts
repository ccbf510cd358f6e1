import { and, desc, eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { startGoogleStandIn } from '#integrations/fakes/google/server.ts'
import { revokeAccess } from '#integrations/fakes/google/state.ts'
import { OutboundClient } from '#integrations/outbound/outbound.ts'
import { setUp, startApp } from '#test/app.ts'
import { type GoogleLocation, googleLocationsContract } from '../contract.ts'
import { getRefreshTokenContext, googleAccountsTable, googleEditsTable, googleLocationsTable } from '../schema.ts'
import { sendWaitingEdits } from './edit-queue.ts'
import { upsertLocations } from './store-locations.ts'
import { syncAccount } from './sync.ts'

let accountId = 0
const google = await setUp(startGoogleStandIn())
const app = await setUp(startApp({ settings: google.settings }))
const olivia = await app.as(await app.make.superAdmin({ username: 'olivia' }))
const morgan = await app.as(await app.make.admin({ username: 'morgan', permissions: ['googleLocations'] }))

const category = (words: string) => ({
  name: `categories/gcid:${words.toLowerCase().replaceAll(' ', '_')}`,
  displayName: words,
})
const granite = {
  title: 'Granite Roofing',
  languageCode: 'en',
  phoneNumbers: { primaryPhone: '(512) 555-0100', additionalPhones: ['(512) 555-0101'] },
  websiteUri: 'https://granite.example/',
  categories: { primaryCategory: category('Roofing contractor'), additionalCategories: [category('Gutter service')] },
  storefrontAddress: {
    regionCode: 'US',
    addressLines: ['100 Main St, Rear', 'Suite 5'],
    locality: 'Austin',
    administrativeArea: 'TX',
    postalCode: '78701',
  },
  serviceArea: {
    businessType: 'CUSTOMER_AND_BUSINESS_LOCATION',
    places: {
      placeInfos: [
        { placeName: 'Austin, TX, USA', placeId: 'a' },
        { placeName: 'Waco, TX, USA', placeId: 'b' },
      ],
    },
  },
  profile: { description: 'Roofs since 1990.' },
}
beforeEach(async () => {
  app.context.outbound = new OutboundClient(app.context.settings)
  Object.assign(google, { before: () => {}, editsAMinute: 10, reviewed: new Set() })
  for (const one of [google.locations, google.edits, google.pending, google.refreshTokens, google.accessTokens])
    one.clear()
  google.failing.length = 0
  google.locations.set('locations/1', { name: 'locations/1', ...structuredClone(granite) })
  google.locations.set('locations/2', {
    name: 'locations/2',
    title: 'On Wheels',
    websiteUri: 'https://wheels.example/',
  })
  const account = {
    name: 'accounts/1',
    accountName: 'Agency',
    type: 'PERSONAL',
    locations: ['locations/1', 'locations/2'],
  }
  const person = { subject: 's1', email: 'agency@gmail.example', accounts: [account] }
  google.people = [person]
  google.refreshTokens.set('refresh', person)
  await app.context.db.delete(googleAccountsTable)
  const [made] = await app.context.db
    .insert(googleAccountsTable)
    .values({ subject: 's1', email: person.email, account_name: 'Agency', refresh_token: Buffer.alloc(0) })
    .returning()
  accountId = made!.id
  const refresh_token = app.context.secrets.seal('refresh', getRefreshTokenContext(accountId))
  await app.context.db.update(googleAccountsTable).set({ refresh_token }).where(eq(googleAccountsTable.id, accountId))
  await syncAccount(app.context, accountId)
  google.requests.length = 0
})

const row = async (search = 'Granite'): Promise<GoogleLocation> =>
  (await olivia.call(googleLocationsContract.list, { query: { search } })).body.data[0]
const save = async (body: object, { who = olivia, search = 'Granite' } = {}) =>
  who.call(googleLocationsContract.update, { params: { id: (await row(search)).id }, body })
const check = async (body: object, search = 'Granite') =>
  olivia.call(googleLocationsContract.check, { params: { id: (await row(search)).id }, body })
const patches = () => google.requests.filter((line) => line.startsWith('PATCH'))
const sent = () => patches().filter((line) => !line.includes('validateOnly'))
const atGoogle = (name = 'locations/1') => google.locations.get(name) as Record<string, unknown>

test('a save starts with a dry run at Google, then changes only what differs, and keeps the rest as it is at Google [GMAN-12]', async () => {
  const before = await row()
  const { status, body } = await save({
    ...before,
    title: ' Granite & Sons ',
    website: 'https://sons.example/',
    description: before.description,
  })
  expect([status, body]).toMatchObject([200, { title: 'Granite & Sons', website: 'https://sons.example/', edit: null }])
  expect(patches()).toEqual([
    'PATCH /v1/locations/1?updateMask=title%2CwebsiteUri&validateOnly=true',
    'PATCH /v1/locations/1?updateMask=title%2CwebsiteUri',
  ])
  expect(atGoogle()).toEqual({
    name: 'locations/1',
    ...granite,
    title: 'Granite & Sons',
    websiteUri: 'https://sons.example/',
  })
  expect((await row()).title).toBe('Granite & Sons')
  const [trail] = await app.context.db
    .select()
    .from(auditTable)
    .where(eq(auditTable.kind, 'Google location'))
    .orderBy(desc(auditTable.id))
  expect(trail).toMatchObject({
    username: 'olivia',
    row_id: before.id,
    action: 'changed',
    before: { title: 'Granite Roofing', website: 'https://granite.example/' },
    after: { title: 'Granite & Sons', website: 'https://sons.example/' },
  })
})

test('every field can be changed, and the rest of each part that Google takes as a whole stays [GMAN-12]', async () => {
  const { status } = await save({
    phone: '(512) 555-0199',
    primary_category: { name: 'categories/gcid:roofing_supply_store' },
    categories: [
      { name: 'categories/gcid:gutter_service' },
      { name: 'categories/gcid:siding_contractor', displayName: 'Wrong' },
    ],
    address: '7 Oak Ave, Round Rock, TX 78664',
    service_area: 'Waco, TX, USA',
    description: '',
  })
  expect(status).toBe(200)
  expect(sent()).toEqual([
    'PATCH /v1/locations/1?updateMask=profile%2CphoneNumbers%2Ccategories%2CstorefrontAddress%2CserviceArea',
  ])
  expect(atGoogle()).toEqual({
    name: 'locations/1',
    ...granite,
    phoneNumbers: { primaryPhone: '(512) 555-0199', additionalPhones: ['(512) 555-0101'] },
    categories: {
      primaryCategory: category('Roofing supply store'),
      additionalCategories: [category('Gutter service'), category('Siding contractor')],
    },
    storefrontAddress: {
      ...granite.storefrontAddress,
      addressLines: ['7 Oak Ave'],
      locality: 'Round Rock',
      postalCode: '78664',
    },
    serviceArea: { ...granite.serviceArea, places: { placeInfos: [{ placeName: 'Waco, TX, USA', placeId: 'b' }] } },
    profile: { description: '' },
  })
  expect(await row()).toMatchObject({
    categories: [category('Gutter service'), category('Siding contractor')],
    address: '7 Oak Ave, Round Rock, TX 78664',
    description: null,
  })
})

test('unchanged values change nothing, at Google and here [GMAN-12]', async () => {
  const before = await row()
  for (const body of [
    before,
    {},
    { ...before, primary_category: { name: before.primary_category!.name }, version: 1 },
  ]) {
    expect(await save(body)).toMatchObject({ status: 200, body: { version: 1 } })
    expect((await check(body)).body).toEqual({ changes: [] })
  }
  expect([patches(), await app.context.db.$count(googleEditsTable)]).toEqual([[], 0])
})

test('the check describes what would change after a dry run at Google, and changes nothing', async () => {
  const { body } = await check({
    title: 'Granite & Sons',
    primary_category: { name: 'categories/gcid:roofing_supply_store' },
    categories: [],
    address: '100 Main St, Rear, Suite 5, Austin, TX 78702',
  })
  expect(body.changes).toEqual([
    { field: 'title', before: 'Granite Roofing', after: 'Granite & Sons' },
    { field: 'primary_category', before: 'Roofing contractor', after: 'Roofing supply store' },
    { field: 'categories', before: 'Gutter service', after: null },
    {
      field: 'address',
      before: '100 Main St, Rear, Suite 5, Austin, TX 78701',
      after: '100 Main St, Rear, Suite 5, Austin, TX 78702',
    },
  ])
  expect(sent()).toEqual([])
  expect(await row()).toMatchObject({ title: 'Granite Roofing', edit: null, version: 1 })
  await save({ address: '100 Main St, Rear, Suite 5, Austin, TX 78702' })
  expect(atGoogle()).toMatchObject({
    storefrontAddress: { addressLines: ['100 Main St, Rear', 'Suite 5'], postalCode: '78702' },
  })
})

test.each([
  ['7 Oak Ave, Austin, TX, 78702', ['7 Oak Ave'], 'Austin', 'TX', '78702'],
  ['7 Oak Ave, Suite 5, Austin TX 78702', ['7 Oak Ave', 'Suite 5'], 'Austin', 'TX', '78702'],
  ['7 Oak Ave, austin Tx, 78702-1234', ['7 Oak Ave'], 'austin', 'TX', '78702-1234'],
  ['7 Oak Ave, Round Rock, Texas 78664', ['7 Oak Ave'], 'Round Rock', 'TX', '78664'],
  ['9 Elk Dr, Wheeling, West Virginia, 26003', ['9 Elk Dr'], 'Wheeling', 'WV', '26003'],
  ['7 Calle Sol, San Juan, PR 00901', ['7 Calle Sol'], 'San Juan', 'PR', '00901'],
  ['7 Oak Ave, 29 Palms, CA 92277', ['7 Oak Ave'], '29 Palms', 'CA', '92277'],
  ['7 Oak Ave, Washington, D.C. 20001', ['7 Oak Ave'], 'Washington', 'DC', '20001'],
  ['9 Elk Dr, Wheeling, W. Va. 26003', ['9 Elk Dr'], 'Wheeling', 'WV', '26003'],
  ['7 Oak Ave, Austin, Tex. 78701', ['7 Oak Ave'], 'Austin', 'TX', '78701'],
])(
  'an American address is read as it is written: %s [GMAN-12]',
  async (address, addressLines, locality, state, zip) => {
    expect((await save({ address })).status).toBe(200)
    expect(atGoogle()).toMatchObject({
      storefrontAddress: { addressLines, locality, administrativeArea: state, postalCode: zip },
    })
  },
)

test.each([
  '7 Oak Ave, Austin, TX78702',
  '7 Oak Ave, Austin, 78702',
  '7 Oak Ave, Suite 5, TX 78702',
  '7 Oak Ave, Suite B, TX, 78702',
  '7 Oak Ave, #5, TX 78702',
  '7 Oak Ave, Lot 12, TX 78702',
  'Oak Mall, 1200 Broadway, TX 78701',
  '7 Oak Ave, 2nd Floor, TX 78702',
  '7 Oak Ave, Suite 5, Round Rock TX 78664',
  '7 Oak Ave, Rear Round Rock TX 78664',
  '7 Oak Ave, Austin, TX 7870',
  '7 Oak Ave, Austin, XY 78702',
  '7 Oak Ave, Austin, TX 78702 1234',
])('an address whose city, state or ZIP code is not sure is refused: %s [GMAN-12]', async (address) => {
  expect(await save({ address })).toMatchObject({
    ...{ status: 422, body: { errors: { address: ['Write it like 100 Main St, Austin, TX 78701'] } } },
  })
  expect(atGoogle()).toEqual({ name: 'locations/1', ...granite })
})

test('an address of Australia takes its state from the part before its postal code [GMAN-12]', async () => {
  const storefrontAddress = {
    ...{ regionCode: 'AU', addressLines: ['1 King St'], locality: 'Sydney' },
    ...{ administrativeArea: 'NSW', postalCode: '2000' },
  }
  google.locations.set('locations/1', { name: 'locations/1', ...structuredClone(granite), storefrontAddress })
  await syncAccount(app.context, accountId)
  for (const address of ['9 Bay St, Sydney, NSW, 2001', '9 Bay St, Sydney NSW 2001'])
    expect((await save({ address })).status, address).toBe(200)
  expect(atGoogle()).toMatchObject({
    storefrontAddress: { ...storefrontAddress, addressLines: ['9 Bay St'], postalCode: '2001' },
  })
  // Victoria may be a city, too.
  for (const address of ['9 Bay St, Suite 5, Dubbo NSW 2001', '9 Bay St, Geelong, Victoria, 3220'])
    expect((await save({ address })).status, address).toBe(422)
})

test.each([
  ['GB', 'London', 'England', 'SW1A 1AA', '9 Mall Rd, London, SW1A 2AA', 'London', 'SW1A 2AA'],
  ['IE', 'Dublin 1', 'County Dublin', 'D01 F5P2', '9 Mall Rd, Dublin 2, D02 X285', 'Dublin 2', 'D02 X285'],
])(
  'an address of %s keeps its known area where its postal code stands alone [GMAN-12]',
  async (regionCode, city, administrativeArea, code, address, locality, postalCode) => {
    const known = { regionCode, addressLines: ['1 Mall Rd'], locality: city, administrativeArea, postalCode: code }
    google.locations.set('locations/1', {
      ...{ name: 'locations/1', ...structuredClone(granite), storefrontAddress: known },
    })
    await syncAccount(app.context, accountId)
    expect((await save({ address })).status).toBe(200)
    expect(atGoogle()).toMatchObject({
      storefrontAddress: { addressLines: ['9 Mall Rd'], locality, administrativeArea, postalCode },
    })
  },
)

test.each([
  ['title', { title: '' }, 'A business needs a name.'],
  ['website', { website: 'not one' }, 'This is not a valid website address.'],
  ['phone', { phone: 'none' }, 'The phone number is not valid.'],
  ['description', { description: 'x'.repeat(751) }, 'At most 750 characters are allowed.'],
  ['categories', { categories: [{ name: 'categories/gcid:none' }] }, 'There is no such category.'],
  ['primary_category', { primary_category: { name: 'categories/gcid:none' } }, 'There is no such category.'],
  ['primary_category', { primary_category: null }, 'Google requires a primary category'],
  ['address', { address: 'PO Box 7, Austin, TX 78701' }, 'Google refuses it: po box in address not allowed'],
  ['address', { address: 'Somewhere' }, 'Write it like 100 Main St, Austin, TX 78701'],
  ['address', { address: null }, 'Write it like 100 Main St, Austin, TX 78701'],
  ['service_area', { service_area: 'Waco, TX, USA; Mars' }, 'New places are added at Google itself: Mars'],
])(
  'a value of %s that Google refuses is reported on the field, and changes nothing [GMAN-12]',
  async (field, body, sentence) => {
    for (const answer of [await check(body), await save(body)])
      expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: [sentence] } } })
    expect([sent(), atGoogle()]).toEqual([[], { name: 'locations/1', ...granite }])
    expect((await row()).edit).toBe(null)
    expect(await app.context.db.$count(googleEditsTable)).toBe(0)
  },
)

test('an error that names several fields is shown on the one that was changed', async () => {
  const answer = await save({ website: null }, { search: 'Wheels' })
  expect(answer.body.errors).toEqual({
    website: ['Google refuses it: missing both phone and website'],
    phone: ['Google refuses it: missing both phone and website'],
  })
  expect(await save({ address: '1 A St, Austin, TX 78701' }, { search: 'Wheels' })).toMatchObject({
    body: { errors: { address: [expect.stringContaining('it visits its customers')] } },
  })
})

test.each([
  { title: 5 },
  { categories: 'x' },
  { categories: [{}] },
  { primary_category: 'x' },
  { phone: ['x'] },
  { description: 'a\u0000' },
  { version: 0 },
  { title: 'x'.repeat(501) },
  [],
])('an invalid body is refused before a request to Google: %j [GMAN-12]', async (body) => {
  expect((await save(body)).status).toBe(422)
  expect(google.requests).toEqual([])
})

test('two people edit one location: the second, with an older version, gets a conflict with the newer one', async () => {
  const seen = await row()
  expect((await save({ title: 'First', version: seen.version })).status).toBe(200)
  const answer = await save({ phone: '(512) 555-7777', version: seen.version }, { who: morgan, search: 'First' })
  expect([answer.status, answer.body]).toMatchObject([
    409,
    {
      message: 'Someone else changed this location in the meantime',
      newer: { title: 'First', phone: '(512) 555-0100' },
    },
  ])
  const checked = await check({ phone: '(512) 555-7777', version: seen.version }, 'First')
  expect([checked.status, checked.body.newer.title]).toEqual([409, 'First']) // before the confirmation
  const newer = answer.body.newer
  const merged = { phone: '(512) 555-7777', title: newer.title, version: newer.version }
  expect((await save(merged, { who: morgan, search: 'First' })).status).toBe(200)
  expect(atGoogle()).toMatchObject({ title: 'First', phoneNumbers: { primaryPhone: '(512) 555-7777' } })
})

test('of twenty concurrent saves of one version, one succeeds and the others get a conflict', async () => {
  const { id, version } = await row()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      olivia.call(googleLocationsContract.update, { params: { id }, body: { title: `Granite ${index}`, version } }),
    ),
  )
  const counts = Map.groupBy(answers, ({ status }) => status)
  expect([counts.get(200)?.length, counts.get(409)?.length, sent().length]).toEqual([1, 19, 1])
})

test('a change made at Google itself in the meantime is not overwritten', async () => {
  const seen = await row()
  atGoogle().title = 'Changed at Google'
  const answer = await save({ title: 'Mine', version: seen.version })
  expect([answer.status, answer.body.newer?.title]).toEqual([409, 'Changed at Google'])
  expect([sent(), atGoogle().title]).toEqual([[], 'Changed at Google'])
  expect((await row('Changed')).title).toBe('Changed at Google')
})

test('a page that a sync requested before a save does not revert the save', async () => {
  await save({ title: 'Saved' })
  const found = { location: { ...granite, name: 'locations/1' }, standing: 'active' as const, pending_parts: [] }
  const from = { accountId, business: { name: 'accounts/1', accountName: 'Agency' } }
  await upsertLocations(app.context.db, from, [found], new Date(Date.now() - 60_000))
  expect((await row('Saved')).title).toBe('Saved')
  await upsertLocations(app.context.db, from, [found], new Date())
  expect((await row()).title).toBe('Granite Roofing')
})

test('ten edits of a location a minute are sent; the eleventh waits, says so, and is sent in order', async () => {
  for (let index = 1; index <= 10; index += 1) expect((await save({ title: `Granite ${index}` })).body.edit).toBe(null)
  const waiting = await save({ title: 'Granite 11' })
  expect(waiting).toMatchObject({
    status: 200,
    body: {
      title: 'Granite 10',
      edit: { state: 'waiting', fields: { title: 'Granite 11' }, username: 'olivia', error: null },
    },
  })
  const twelfth = await save({ phone: '(512) 555-0112', version: waiting.body.version }, { who: morgan })
  expect(twelfth.body.edit).toMatchObject({ fields: { title: 'Granite 11', phone: '(512) 555-0112' } })
  expect([sent().length, atGoogle().title]).toEqual([10, 'Granite 10'])
  expect((await olivia.call(googleLocationsContract.list, { query: { pending: 1 } })).body.total).toBe(1)
  expect((await save({ title: 'On other wheels' }, { search: 'Wheels' })).body.edit).toBe(null) // another location's minute

  // Forms opened before are outdated.
  expect(await save({ title: 'Granite 0', version: 1 })).toMatchObject({
    status: 409,
    body: { newer: { edit: { state: 'waiting' } } },
  })

  const id = (await row()).id
  await sendWaitingEdits(app.context, id)
  expect(sent().filter((line) => line.includes('locations/1')).length).toBe(10)
  await minutePasses()
  await sendWaitingEdits(app.context, id)
  expect(await row()).toMatchObject({ title: 'Granite 11', phone: '(512) 555-0112', edit: null })
  expect(atGoogle()).toMatchObject({ title: 'Granite 11', phoneNumbers: { primaryPhone: '(512) 555-0112' } })
  const jobs = await app.context.db.execute(
    sql`select 1 from pgboss.job where name = 'google-edit' and data ->> 'id' = ${String(id)}`,
  )
  expect(jobs.rows.length).toBeGreaterThan(0)
})

/** Moves the edits so far a minute into the past, here and at Google. */
async function minutePasses() {
  await app.context.db.update(googleEditsTable).set({ sent_at: sql`sent_at - interval '61 seconds'` })
  google.edits.clear()
}

test('when Google itself reports its limit, the edit waits and is sent later', async () => {
  google.failing.push({ path: '/v1/locations/1', status: 429, times: 9, retryAfter: 1 })
  google.before = ({ method, url }) => {
    if (method !== 'PATCH' || url.searchParams.has('validateOnly')) google.failing.length = 0
    else google.failing.push({ path: '/v1/locations/1', status: 429, times: 1, retryAfter: 1 })
  }
  const { status, body } = await save({ title: 'Granite later' })
  expect([status, body.title, body.edit]).toMatchObject([
    200,
    'Granite Roofing',
    { state: 'waiting', error: 'Google’s request limit is reached for now' },
  ])
  Object.assign(google, { before: () => {} })
  google.failing.length = 0
  app.context.outbound = new OutboundClient(app.context.settings)
  await sendWaitingEdits(app.context, body.id)
  expect([(await row()).title, (await row()).edit]).toEqual(['Granite later', null])
})

test('an edit whose process died while sending it is sent again, once', async () => {
  const { id } = await row()
  const edit = { location_id: id, fields: { title: 'Granite twice' }, state: 'sending' as const }
  await app.context.db.insert(googleEditsTable).values({ ...edit, sent_at: new Date() })
  await sendWaitingEdits(app.context, id)
  expect(sent()).toEqual([]) // another process is sending it
  await minutePasses()
  await Promise.all([sendWaitingEdits(app.context, id), sendWaitingEdits(app.context, id)])
  expect([sent().length, (await row()).title]).toEqual([1, 'Granite twice'])
})

test('edits of a location that wait are all sent, in their order', async () => {
  const { id } = await row()
  for (const title of ['Granite first', 'Granite second'])
    await app.context.db.insert(googleEditsTable).values({ location_id: id, fields: { title } })
  await sendWaitingEdits(app.context, id)
  expect([sent().length, (await row()).title]).toEqual([2, 'Granite second'])
})

test('a queued edit that Google refuses is shown on its row until another edit succeeds', async () => {
  const { id } = await row()
  await app.context.db
    .insert(googleEditsTable)
    .values({ location_id: id, fields: { phone: 'none' }, username: 'morgan' })
  await sendWaitingEdits(app.context, id)
  expect((await row()).edit).toMatchObject({
    state: 'failed',
    fields: { phone: 'none' },
    error: 'Google says: Request contains an invalid argument.',
    username: 'morgan',
  })
  expect((await row()).version).toBe(2) // forms that expect its values are outdated
  await save({ title: 'Granite again' })
  expect((await row()).edit).toBe(null)
})

test('changes under review at Google are shown as pending', async () => {
  google.reviewed.add('title')
  expect((await save({ title: 'Granite pending' })).body).toMatchObject({ pending: ['Title'] })
})

test('a location that is gone at Google is marked, and says so [GMAN-12]', async () => {
  google.locations.delete('locations/1')
  const answer = await save({ title: 'Too late' })
  expect([answer.status, answer.body.message]).toEqual([409, 'Google no longer has this location'])
  expect((await row()).vanished_since).not.toBe(null)
  const { status } = await olivia.call(googleLocationsContract.update, {
    params: { id: 999_999 },
    body: { title: 'x' },
  })
  expect(status).toBe(404)
})

test('if the account must be linked again, nothing is changed, and the error says so', async () => {
  revokeAccess(google, google.people[0]!)
  const answer = await save({ title: 'Locked out' })
  expect([answer.status, answer.body.message]).toEqual([
    409,
    'The Google account of this location must be linked again',
  ])
  expect(await row()).toMatchObject({
    title: 'Granite Roofing',
    needs_relink_since: expect.any(String),
    standing: 'active',
  })
  expect(sent()).toEqual([])
})

test('while Google is down a save fails with the reason and leaves nothing behind', async () => {
  google.failing.push({ path: '/v1/locations/1', status: 503, times: 9, retryAfter: 1 })
  const answer = await save({ title: 'Into the void' })
  expect([answer.status, answer.body.message]).toEqual([
    503,
    'Google could not be reached: Google answered 503. Please try again in a moment',
  ])
  expect([await app.context.db.$count(googleEditsTable), sent()]).toEqual([0, []])
})

test('categories are found by any words of their names [GMAN-13]', async () => {
  const { id } = await row()
  const found = async (search?: string) => {
    const query = search === undefined ? {} : { search }
    const { body } = await olivia.call(googleLocationsContract.categories, { params: { id }, query })
    return body.categories.map(({ displayName }: { displayName: string }) => displayName)
  }
  expect(await found('food')).toEqual(['Fast food restaurant', 'Food court', 'Seafood restaurant'])
  expect(await found('RESTAURANT fast')).toEqual(['Fast food restaurant'])
  expect(await found('100%')).toEqual([])
  expect((await found()).length).toBe(google.categories.length)
  expect((await olivia.call(googleLocationsContract.categories, { params: { id: 999_999 } })).status).toBe(404)
})

test('categories that were never read are read on the first request [GMAN-13]', async () => {
  atGoogle('locations/2').storefrontAddress = { regionCode: 'CA' }
  await app.context.db
    .update(googleLocationsTable)
    .set({ region_code: 'CA' })
    .where(and(eq(googleLocationsTable.name, 'locations/2')))
  const { id } = await row('Wheels')
  google.failing.push({ path: '/v1/categories', status: 503, times: 3 })
  expect((await olivia.call(googleLocationsContract.categories, { params: { id } })).status).toBe(503)
  const { body } = await olivia.call(googleLocationsContract.categories, {
    params: { id },
    query: { search: 'plumber' },
  })
  expect(body.categories).toEqual([{ name: 'categories/gcid:plumber', displayName: 'Plumber' }])
})

test('an answer that makes no sense is a sentence, not an internal error', async () => {
  Object.assign(google.locations.get('locations/2')!, { name: 'not a location' })
  const answer = await save({ title: 'New' }, { search: 'On Wheels' })
  expect([answer.status, answer.body.message]).toEqual([409, 'Google’s answer could not be understood'])
})
