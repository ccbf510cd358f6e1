import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { connectionsContract } from '#domains/connections/contract.ts'
import { startGoogleStandIn } from '#integrations/fakes/google/server.ts'
import { revokeAccess, type StandInLocation } from '#integrations/fakes/google/state.ts'
import { OutboundClient } from '#integrations/outbound/outbound.ts'
import { setUp, startApp } from '#test/app.ts'
import { until } from '#test/until.ts'
import { googleLocationsContract } from '../contract.ts'
import {
  getRefreshTokenContext,
  googleAccountsTable,
  googleCategoriesTable,
  googleEditsTable,
  googleLocationsTable,
} from '../schema.ts'
import { googleLocationsJobs, queueAllSyncs } from './jobs.ts'
import { syncAccount } from './sync.ts'

const google = await setUp(startGoogleStandIn())
const app = await setUp(startApp({ settings: google.settings }))
const root = await app.as(await app.make.superAdmin())
beforeEach(async () => {
  app.context.outbound = new OutboundClient(app.context.settings) // drops tokens and breakers of earlier tests
  Object.assign(google, { people: [], before: () => {}, unapproved: false, lasts: 3600 })
  for (const one of [google.locations, google.voices, google.pending, google.accessTokens]) one.clear()
  for (const one of [google.refreshTokens, google.foreignTokens]) one.clear()
  google.failing.length = 0
  google.requests.length = 0
  await app.context.db.delete(googleAccountsTable)
  await app.context.db.delete(googleCategoriesTable)
})

/** Links a Google account that has these locations. */
async function linked(number: number, groups: Record<string, string[]>) {
  const accounts = Object.entries(groups).map(([name, locations], index) => ({
    name,
    accountName: `${index === 0 ? 'Agency' : 'Group'} ${name.slice(9)}`,
    type: index === 0 ? 'PERSONAL' : 'LOCATION_GROUP',
    locations,
  }))
  const person = { subject: `s${number}`, email: `agency${number}@gmail.example`, accounts }
  google.people.push(person)
  google.refreshTokens.set(`refresh-${number}`, person)
  const [{ id } = { id: 0 }] = await app.context.db
    .insert(googleAccountsTable)
    .values({ subject: person.subject, email: person.email, account_name: '', refresh_token: Buffer.alloc(0) })
    .returning()
  const refresh_token = app.context.secrets.seal(`refresh-${number}`, getRefreshTokenContext(id))
  await app.context.db.update(googleAccountsTable).set({ refresh_token }).where(eq(googleAccountsTable.id, id))
  return { id, person }
}
const put = (number: number, values: object = {}): string => {
  const location: StandInLocation = {
    name: `locations/${number}`,
    title: `Shop ${String(number).padStart(4, '0')}`,
    ...values,
  }
  google.locations.set(location.name, location)
  return location.name
}
const many = (count: number, from = 1) => Array.from({ length: count }, (_, index) => put(from + index))
const list = async (query: object = {}) => (await root.call(googleLocationsContract.list, { query: { ...query } })).body
const queueSyncs = () => app.context.db.transaction((tx) => queueAllSyncs(app.context, tx))
const titles = async (query: object = {}) => (await list(query)).data.map(({ title }: { title: string }) => title)
const account = async (id: number) => {
  const { body } = await root.call(googleLocationsContract.accounts)
  return body.find((one: { id: number }) => one.id === id)
}

const granite = {
  title: 'Granite Roofing',
  storeCode: 'TX-7',
  phoneNumbers: { primaryPhone: '(512) 555-0100', additionalPhones: ['(512) 555-0101'] },
  websiteUri: 'https://granite.example/',
  categories: {
    primaryCategory: { name: 'categories/gcid:roofing_contractor', displayName: 'Roofing contractor' },
    additionalCategories: [{ name: 'categories/gcid:gutter_service', displayName: 'Gutter service' }],
  },
  storefrontAddress: {
    regionCode: 'US',
    addressLines: ['100 Main St', 'Suite 5'],
    locality: 'Austin',
    administrativeArea: 'TX',
    postalCode: '78701',
  },
  serviceArea: {
    places: {
      placeInfos: [
        { placeName: 'Austin, TX, USA', placeId: 'a' },
        { placeName: 'Waco, TX, USA', placeId: 'b' },
      ],
    },
  },
  profile: { description: 'Roofs since 1990.' },
  metadata: {
    mapsUri: 'https://maps.google.com/maps?cid=12345678901234567890',
    newReviewUri: 'https://search.google.com/review',
    placeId: 'ChIJ1',
  },
}

test('everything that Google returns about a location is stored, in the shape of the list [GMAN-10, GMAN-11]', async () => {
  const { id } = await linked(1, { 'accounts/1': [put(1, granite)] })
  await syncAccount(app.context, id)
  expect(await list()).toEqual({
    total: 1,
    data: [
      {
        id: expect.any(Number),
        title: 'Granite Roofing',
        google_maps_url: 'https://maps.google.com/maps?cid=12345678901234567890',
        address: '100 Main St, Suite 5, Austin, TX 78701',
        phone: '(512) 555-0100',
        website: 'https://granite.example/',
        service_area: 'Austin, TX, USA; Waco, TX, USA',
        primary_category: { name: 'categories/gcid:roofing_contractor', displayName: 'Roofing contractor' },
        categories: [{ name: 'categories/gcid:gutter_service', displayName: 'Gutter service' }],
        description: 'Roofs since 1990.',
        email: 'agency1@gmail.example',
        account_id: id,
        account_name: 'Agency 1',
        needs_relink_since: null,
        review_link: 'https://search.google.com/review',
        standing: 'active',
        standing_since: expect.any(String),
        open_status: null,
        pending: [],
        has_google_updated: false,
        vanished_since: null,
        seen_at: expect.any(String),
        version: 1,
        edit: null,
      },
    ],
  })
  const [row] = await app.context.db.select().from(googleLocationsTable)
  expect(row!.cid).toBe('12345678901234567890')
})

test('every business account of every linked account is read page by page, within Google’s page sizes [GMAN-10]', async () => {
  const groups = Object.fromEntries(
    Array.from({ length: 23 }, (_, index) => [`accounts/${index + 1}`, many(1, 1000 + index)]),
  )
  const one = await linked(1, { ...groups, 'accounts/99': many(230) })
  const two = await linked(2, { 'accounts/50': many(2, 5000) })
  await syncAccount(app.context, one.id)
  await syncAccount(app.context, two.id)
  expect((await list()).total).toBe(23 + 230 + 2)
  const pages = google.requests.filter((line) => line.includes('/v1/accounts/99/locations'))
  expect(pages.length).toBe(3)
  expect(google.requests.filter((line) => line.startsWith('GET /v1/accounts?')).length).toBe(2 + 1)
  expect(pages.every((line) => line.includes('pageSize=100') && line.includes('readMask='))).toBe(true)
})

test('the table is searched, filtered, sorted and paged here, without a request to Google [GMAN-01, GMAN-10]', async () => {
  const one = await linked(1, { 'accounts/1': [put(1, granite), put(2, { title: '100% Plumbing' }), ...many(3, 10)] })
  const two = await linked(2, {
    'accounts/2': [put(20, { title: 'Zinc Siding', profile: { description: 'Granite too' } })],
  })
  for (const { id } of [one, two]) await syncAccount(app.context, id)
  google.requests.length = 0
  expect(await titles({ search: 'GRANITE' })).toEqual(['Granite Roofing', 'Zinc Siding'])
  expect(await titles({ search: 'gutter' })).toEqual(['Granite Roofing'])
  expect(await titles({ search: '0% p' })).toEqual(['100% Plumbing'])
  expect(await titles({ search: 'agency2@' })).toEqual(['Zinc Siding'])
  expect(await titles({ search: 'displayName' })).toEqual([])
  expect(await titles({ account_id: two.id })).toEqual(['Zinc Siding'])
  expect(await titles({ sort: 'title', order: 'desc', per_page: 2 })).toEqual(['Zinc Siding', 'Shop 0012'])
  expect(await titles({ sort: 'title', order: 'desc', per_page: 2, page: 2 })).toEqual(['Shop 0011', 'Shop 0010'])
  for (const sort of googleLocationsContract.list.list.sorts)
    expect((await list({ sort, order: 'desc' })).data.length, sort).toBe(6)
  for (const query of [{ sort: 'refresh_token' }, { per_page: 201 }, { standing: 'none' }, { page: 0 }])
    expect((await root.call(googleLocationsContract.list, { query })).status).toBe(422)
  expect(google.requests).toEqual([])
})

test('the verification status is requested for locations without the merchant’s voice, and has a start date', async () => {
  const cases = {
    suspended: { complyWithGuidelines: { recommendationReason: 'BUSINESS_LOCATION_SUSPENDED' } },
    disabled: { complyWithGuidelines: { recommendationReason: 'BUSINESS_LOCATION_DISABLED' } },
    pending_verification: { verify: { hasPendingVerification: true } },
    unverified: { verify: {} },
    ownership_conflict: { resolveOwnershipConflict: {} },
    in_review: { waitForVoiceOfMerchant: {} },
    unknown: {},
  }
  const names = Object.values(cases).map((why, index) => {
    const name = put(index + 1)
    google.voices.set(name, { hasVoiceOfMerchant: false, hasBusinessAuthority: true, ...why })
    return name
  })
  const { id } = await linked(1, { 'accounts/1': [...names, put(50)] })
  await syncAccount(app.context, id)
  const found = (await list()).data
  expect(found.map(({ standing }: { standing: string }) => standing)).toEqual([...Object.keys(cases), 'active'])
  expect(google.requests.filter((line) => line.includes('VoiceOfMerchantState')).length).toBe(7)
  expect(await titles({ standing: 'suspended' })).toEqual(['Shop 0001'])

  google.voices.delete('locations/1')
  await syncAccount(app.context, id)
  const again = (await list()).data
  expect([again[0].standing, again[0].standing_since > found[0].standing_since]).toEqual(['active', true])
  expect(again[1].standing_since).toBe(found[1].standing_since)
})

test('a verification status that cannot be read stays as it was', async () => {
  const name = put(1)
  google.voices.set(name, { complyWithGuidelines: { recommendationReason: 'BUSINESS_LOCATION_SUSPENDED' } })
  const { id } = await linked(1, { 'accounts/1': [name] })
  await syncAccount(app.context, id)
  google.failing.push({ path: 'VoiceOfMerchantState', status: 429, times: 9, retryAfter: 60 })
  await syncAccount(app.context, id)
  expect([(await list()).data[0].standing, (await account(id)).problem]).toEqual(['suspended', null])
})

test('fields under review at Google are shown and found', async () => {
  google.pending.set('locations/1', new Set(['title', 'phoneNumbers']))
  const { id } = await linked(1, { 'accounts/1': [put(1), put(2)] })
  await syncAccount(app.context, id)
  expect((await list({ pending: 1 })).data).toMatchObject([{ title: 'Shop 0001', pending: ['Title', 'Phone'] }])
})

test('a location that Google no longer lists is marked, not deleted, and unmarked when it is back', async () => {
  const { id, person } = await linked(1, { 'accounts/1': many(3) })
  await syncAccount(app.context, id)
  person.accounts[0]!.locations = ['locations/1', 'locations/3']
  await syncAccount(app.context, id)
  expect(await titles()).toEqual(['Shop 0001', 'Shop 0002', 'Shop 0003'])
  expect(await titles({ vanished: 1 })).toEqual(['Shop 0002'])
  const since = (await list({ vanished: 1 })).data[0].vanished_since
  await syncAccount(app.context, id)
  expect((await list({ vanished: 1 })).data[0].vanished_since).toBe(since)
  person.accounts[0]!.locations.push('locations/2')
  await syncAccount(app.context, id)
  expect(await titles({ vanished: 1 })).toEqual([])
})

test('a grant revoked in the middle of a sync keeps what was read, says needs re-link, and marks no location suspended', async () => {
  const { id, person } = await linked(1, { 'accounts/1': many(250) })
  await syncAccount(app.context, id)
  put(1, { title: 'Shop 0001 has moved' })
  google.before = ({ url }) => {
    if (url.pathname.endsWith('/locations') && url.searchParams.has('pageToken')) revokeAccess(google, person)
  }
  await syncAccount(app.context, id)
  const { data, total } = await list({ search: 'moved' })
  expect(data[0]).toMatchObject({
    title: 'Shop 0001 has moved',
    standing: 'active',
    needs_relink_since: expect.any(String),
  })
  expect([total, (await list()).total, (await list({ vanished: 1 })).total]).toEqual([1, 250, 0])
  expect([(await list({ needs_relink: 1 })).total, (await list({ standing: 'active' })).total]).toEqual([250, 0])
  expect(await account(id)).toMatchObject({
    needs_relink_since: expect.any(String),
    problem: 'Google does not accept the stored access anymore: the account must be linked again',
    syncing: false,
  })
  google.requests.length = 0
  await syncAccount(app.context, id)
  expect(google.requests).toEqual([])
})

test('an expired access token is renewed, even in the middle of a sync', async () => {
  const { id } = await linked(1, { 'accounts/1': many(150) })
  let ended = false
  google.before = ({ url }) => {
    if (!url.searchParams.has('pageToken') || ended) return
    ended = true
    google.accessTokens.clear()
  }
  await syncAccount(app.context, id)
  expect([(await list()).total, (await account(id)).needs_relink_since]).toEqual([150, null])
  expect(google.requests.filter((line) => line === 'POST /token').length).toBe(2)
})

test('repeated 429s end the sync early, with the reason; nothing is lost or marked, and the job retries', async () => {
  const { id } = await linked(1, { 'accounts/1': many(150) })
  await syncAccount(app.context, id)
  google.failing.push({ path: '/locations', status: 429, times: 100, retryAfter: 1 })
  google.requests.length = 0
  await expect(syncAccount(app.context, id)).rejects.toThrow('Google answered 429')
  expect(google.requests.filter((line) => line.includes('/locations?')).length).toBe(1) // Google asked for a pause
  await expect(syncAccount(app.context, id)).rejects.toThrow()
  expect(await account(id)).toMatchObject({
    problem: expect.stringMatching(/Google(’s request limit| could not be reached)/),
    needs_relink_since: null,
  })
  expect([(await list()).total, (await list({ vanished: 1 })).total]).toEqual([150, 0])
  google.failing.length = 0
  app.context.outbound = new OutboundClient(app.context.settings)
  await syncAccount(app.context, id)
  expect((await account(id)).problem).toBe(null)
})

test('a token endpoint that is down or rejects our secret does not ask to link an account again', async () => {
  const { id } = await linked(1, { 'accounts/1': many(1) })
  google.failing.push({ path: '/token', status: 503, times: 1, retryAfter: 1 })
  await expect(syncAccount(app.context, id)).rejects.toThrow()
  expect(await account(id)).toMatchObject({
    needs_relink_since: null,
    problem: expect.stringContaining('could not be reached'),
  })
  app.context.outbound = new OutboundClient(app.context.settings)
  google.clientSecret = 'another'
  await expect(syncAccount(app.context, id)).rejects.toThrow()
  google.clientSecret = google.settings.GOOGLE_CLIENT_SECRET
  expect(await account(id)).toMatchObject({
    needs_relink_since: null,
    problem: 'Google says: The provided client secret is invalid.',
  })
})

test('a single 429 is waited out', async () => {
  const { id } = await linked(1, { 'accounts/1': many(2) })
  google.failing.push({ path: '/accounts/1/locations', status: 429, times: 1 })
  await syncAccount(app.context, id)
  expect([(await list()).total, (await account(id)).problem]).toEqual([2, null])
})

test('a project that Google has not approved is distinguished from a busy one', async () => {
  google.unapproved = true
  const { id } = await linked(1, { 'accounts/1': many(2) })
  await expect(syncAccount(app.context, id)).rejects.toThrow()
  expect((await account(id)).problem).toBe(
    'Google says: Google has not approved this project for its Business Profile APIs: its quota is 0',
  )
  expect(google.requests.filter((line) => line.includes('/v1/accounts')).length).toBe(1)
})

test('an account that another OAuth client has linked must be linked again, and nothing is wrong with the new client', async () => {
  const { id } = await linked(1, { 'accounts/1': [put(1)] })
  google.foreignTokens.add('refresh-1')
  await syncAccount(app.context, id)
  expect(await account(id)).toMatchObject({
    needs_relink_since: expect.any(String),
    problem: 'Google does not accept the stored access anymore: the account must be linked again',
  })
  const [connection] = (await root.call(connectionsContract.list)).body
  expect(connection).toMatchObject({ kind: 'google', state: expect.not.stringMatching('refused') })
  await queueSyncs()
  expect((await account(id)).needs_relink_since, 'the same client').not.toBeNull()
})

test('an account is read again once the client that it was linked with is back', async () => {
  const { id } = await linked(1, { 'accounts/1': [put(1)] })
  google.foreignTokens.add('refresh-1')
  await syncAccount(app.context, id)
  await app.context.db.update(googleAccountsTable).set({ refused_client: 'the client of another project' })
  google.foreignTokens.clear()
  await queueSyncs()
  await syncAccount(app.context, id)
  expect(await account(id)).toMatchObject({ needs_relink_since: null, problem: null, synced_at: expect.any(String) })
  expect(await titles()).toEqual(['Shop 0001'])
})

test('a sync without a Google client says what is missing', async () => {
  const { id } = await linked(1, { 'accounts/1': [put(1)] })
  Object.assign(app.context.settings, { GOOGLE_CLIENT_ID: undefined })
  await expect(syncAccount(app.context, id)).rejects.toThrow()
  Object.assign(app.context.settings, google.settings)
  expect((await account(id)).problem).toBe('Google is not connected: set GOOGLE_CLIENT_ID')
})

test('a location that two linked accounts reach is one row; it stays with the first, and moves when that one is lost', async () => {
  const shared = put(1)
  const one = await linked(1, { 'accounts/1': [shared] })
  const two = await linked(2, { 'accounts/2': [shared] })
  for (const { id } of [one, two]) await syncAccount(app.context, id)
  expect((await list()).data).toMatchObject([{ account_id: one.id }])
  revokeAccess(google, one.person)
  app.context.outbound = new OutboundClient(app.context.settings)
  for (const { id } of [one, two]) await syncAccount(app.context, id)
  expect((await list()).data).toMatchObject([{ account_id: two.id, needs_relink_since: null }])
})

test('strange responses are stored as far as possible, and never break a sync', async () => {
  const broken = put(1, {
    title: 'A\u0000B\ud800',
    categories: 'none',
    phoneNumbers: [],
    metadata: 'x',
    storefrontAddress: 5,
  })
  google.locations.set('locations/2', { name: '../2', title: 'Nameless' })
  const { id } = await linked(1, {
    'accounts/1': [broken, 'locations/2', put(3, { metadata: { mapsUri: 'javascript:alert(1)?cid=x' } })],
  })
  await syncAccount(app.context, id)
  expect(await titles()).toEqual(['AB\ufffd', 'Shop 0003'])
})

test('an account that is unlinked in the middle of its sync leaves nothing behind', async () => {
  const { id } = await linked(1, { 'accounts/1': many(150) })
  google.before = async ({ url }) => {
    if (url.searchParams.has('pageToken')) await app.context.db.delete(googleAccountsTable)
  }
  await syncAccount(app.context, id)
  expect(await app.context.db.$count(googleLocationsTable)).toBe(0)
})

test('all the categories of a region are read once a week, because Google only searches by the start of a name', async () => {
  const { id } = await linked(1, { 'accounts/1': [put(1, granite)] })
  await syncAccount(app.context, id)
  await syncAccount(app.context, id)
  expect(google.requests.filter((line) => line.includes('/v1/categories')).length).toBe(1)
  expect(await app.context.db.$count(googleCategoriesTable, eq(googleCategoriesTable.region_code, 'US'))).toBe(
    google.categories.length,
  )
})

test('Sync now and the schedule queue every account that can be read; the command line syncs at once', async () => {
  const one = await linked(1, { 'accounts/1': many(2) })
  const all = googleLocationsJobs.find(({ name }) => name === 'google-sync-all')!
  await all.run(app.context, {} as never)
  expect((await account(one.id)).locations).toBe(2)
  const [{ id: location_id } = { id: 0 }] = await app.context.db.select().from(googleLocationsTable)
  const old = { location_id, fields: {}, state: 'done' as const, ended_at: new Date(Date.now() - 31 * 86_400_000) }
  await app.context.db.insert(googleEditsTable).values([old, { ...old, ended_at: new Date() }])
  await all.run(app.context, {} as never)
  expect(await app.context.db.$count(googleEditsTable)).toBe(1) // older ones are in the trail

  const working = await startApp({ settings: google.settings, work: true, url: app.context.settings.DATABASE_URL! })
  try {
    put(1, { title: 'New name' })
    expect((await root.call(googleLocationsContract.sync)).status).toBe(204)
    await until(async () => (await titles()).includes('New name'))
  } finally {
    await working.close()
  }
})

test('a page instead of an answer fails the sync, and no location counts as vanished', async () => {
  const { id } = await linked(1, { 'accounts/1': many(3) })
  await syncAccount(app.context, id)
  google.failing.push({ path: '/locations', status: 'page', times: 3 })
  await expect(syncAccount(app.context, id)).rejects.toThrow('The response is not JSON')
  expect([(await list({ vanished: 1 })).total, (await list()).total]).toEqual([0, 3])
  expect((await account(id)).problem).toBe('Google could not be reached: The response is not JSON')
})
