import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { getCid } from '#domains/listings/gmbs/maps-link.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import type { VerificationStatus } from '#domains/listings/google/labels.ts'
import { googleAccountsTable, googleLocationsTable } from '#domains/listings/google/schema.ts'
import { spokenHostsTable } from '#domains/sites/checks/schema.ts'
import { type App, setUp } from '#test/app.ts'
import { startListingsApp } from '#test/public-listings.ts'
import { checkDueListings } from './check-listings.ts'

let account: number
const client = { GOOGLE_CLIENT_ID: 'our.apps.googleusercontent.com', GOOGLE_CLIENT_SECRET: 'our-secret' }
const { app, maps, forget, stored, logOf } = await setUp(startListingsApp(client))
const root = await app.as(await app.make.superAdmin())
beforeEach(async () => {
  Object.assign(app.context.settings, client)
  await forget()
  await app.context.db.delete(googleAccountsTable)
  const values = {
    subject: 's1',
    email: 'agency@gmail.example',
    account_name: 'Agency',
    refresh_token: Buffer.alloc(1),
  }
  const [made] = await app.context.db.insert(googleAccountsTable).values(values).returning()
  account = made!.id
})

const since = new Date('2026-03-04T05:06:07Z')
type Location = Partial<typeof googleLocationsTable.$inferInsert>
/** Makes a listing that is a location of the account, or an unlinked one if `location` is null. */
const listing = async (location: Location | null = {}, values: Parameters<App['make']['gmb']>[0] = {}) => {
  const gmb = await app.make.gmb(values)
  const cid = getCid(gmb.link)!
  if (location)
    await app.context.db.insert(googleLocationsTable).values({
      account_id: account,
      name: `locations/${gmb.id}`,
      business_account: 'accounts/1',
      business_account_name: 'Agency',
      title: 'Summit Roofing',
      address: '100 Main St, Austin, TX 78701',
      phone: '(512) 555-0100',
      primary_category: { name: 'gcid:roofer', displayName: 'Roofer' },
      open_status: 'OPEN',
      standing: 'active',
      standing_since: since,
      cid,
      ...location,
    })
  return { id: gmb.id, cid }
}
/** Moves checks and requests one second into the past. */
const later = () =>
  app.context.db.execute(sql`
    update campaign_gmbs set checked_at = checked_at - interval '1 second', check_asked_at = check_asked_at - interval '1 second'`)
/** Sets what Google returns at the next read. */
const reads = async (id: number, location: Location) => {
  await later()
  await app.context.db
    .update(googleLocationsTable)
    .set({ ...location, seen_at: sql`clock_timestamp()` })
    .where(eq(googleLocationsTable.name, `locations/${id}`))
  await round()
}
const round = () => checkDueListings(app.context, { between: 0 })

test('a linked listing is checked through its Google account, and its public link is not requested [GMB-27]', async () => {
  const { id } = await listing()
  expect(await round()).toBe(1)
  expect(await stored(id)).toMatchObject({
    seen_by: 'google',
    seen: { title: 'Summit Roofing', phone: '(512) 555-0100', category: 'Roofer', closed: null },
    standing: 'active',
    changed: false,
    status: 1,
  })
  expect([await logOf(id), maps.requested]).toEqual([[], []])
  expect(await round(), 'nothing new').toBe(0)
  await reads(id, { phone: '(512) 555-0199', open_status: 'CLOSED_PERMANENTLY' })
  expect(await stored(id)).toMatchObject({ changed: true, changed_fields: ['Phone', 'Closed'], status: 1 })
  expect(await logOf(id)).toEqual([
    ['Phone', '(512) 555-0100', '(512) 555-0199', null],
    ['Closed', null, 'permanently closed', null],
  ])
})

test.each<[VerificationStatus, string]>([
  ['suspended', 'Suspended'],
  ['disabled', 'Disabled'],
])(
  'one that Google has %s is Suspended since then, and not changed; the end of it is the end',
  async (standing, words) => {
    const { id } = await listing()
    await round()
    await reads(id, { standing, standing_since: since })
    expect(await stored(id)).toMatchObject({ status: 4, suspended_at: since, standing, changed: false, version: 2 })
    await reads(id, { title: 'Summit Roofing' })
    expect((await stored(id)).version).toBe(2)
    await reads(id, { standing: 'active' })
    expect(await stored(id)).toMatchObject({ status: 1, suspended_at: null, standing: 'active', changed: false })
    expect(await logOf(id)).toEqual([
      ['Google status', 'Active', words, null],
      ['Status', 'Live', 'Suspended', null],
      ['Google status', words, 'Active', null],
      ['Status', 'Suspended', 'Live', null],
    ])
    const trail = await app.context.db.select().from(auditTable).where(eq(auditTable.row_id, id))
    expect(trail.filter(({ kind }) => kind === 'listing')).toMatchObject([
      { username: null, after: { Status: 'Suspended' } },
      { username: null, after: { Status: 'Live' } },
    ])
  },
)

test('a suspended listing that Google then disables is suspended since the first day', async () => {
  const { id } = await listing({ standing: 'suspended', standing_since: since })
  await round()
  await reads(id, { standing: 'disabled', standing_since: new Date() })
  expect(await stored(id)).toMatchObject({ status: 4, standing: 'disabled', suspended_at: since })
})

test.each<[VerificationStatus, number]>([
  ['in_review', 2],
  ['pending_verification', 2],
  ['unverified', 3],
  ['ownership_conflict', 3],
  ['active', 1],
])('a suspension that ends as %s leaves the status %i; other listings keep theirs', async (standing, status) => {
  const off = await listing({ standing }, { status: 4, suspended_at: since })
  const on = await listing({ standing }, { status: 1 })
  await round()
  expect(await stored(off.id)).toMatchObject({ status, suspended_at: null, standing })
  expect(await stored(on.id)).toMatchObject({ status: 1, standing })
})

test('an unknown status at Google changes nothing, and staff may set another until Google has a new one', async () => {
  const { id } = await listing({ standing: 'unknown' }, { status: 4, suspended_at: since })
  await round()
  expect(await stored(id)).toMatchObject({ status: 4, suspended_at: since, standing: null })
  await reads(id, { standing: 'active' })
  await app.context.db.update(gmbsTable).set({ status: 4, suspended_at: since }).where(eq(gmbsTable.id, id))
  await reads(id, { title: 'Summit Roofing' })
  expect((await stored(id)).status).toBe(4)
})

test('an account that must be linked again says so, and no listing becomes suspended', async () => {
  const { id } = await listing()
  await round()
  await later()
  await app.context.db.update(googleAccountsTable).set({ needs_relink_since: sql`clock_timestamp()` })
  expect(await round()).toBe(1)
  const gmb = await stored(id)
  expect(gmb).toMatchObject({ status: 1, standing: 'active', changed: false })
  expect(gmb.check_problem).toBe('The Google account agency@gmail.example must be linked again')
  expect(await round(), 'reported once').toBe(0)
  expect(maps.requested).toEqual([])
})

test('without a Google client, a linked listing is checked by its public link [GMB-27]', async () => {
  const { id, cid } = await listing()
  await round()
  maps.known.set(cid, { title: 'Summit Roofing LLC', address: '100 Main Street' })
  Object.assign(app.context.settings, { GOOGLE_CLIENT_ID: undefined })
  await app.context.db.update(gmbsTable).set({ next_check_at: new Date(0) })
  expect(await round()).toBe(1)
  expect(await stored(id)).toMatchObject({ seen_by: 'link', changed: false, check_problem: null })
  expect(await round(), 'and not by what Google said last').toBe(0)
  await app.context.db.delete(spokenHostsTable) // the pause between requests is not under test
  const { body } = await root.call(gmbsContract.check, { params: { id } })
  expect([body.check_asked_at, maps.requested]).toEqual([null, [cid, cid]])
})

test('values that two sources format differently are not compared', async () => {
  const { id, cid } = await listing(null)
  maps.known.set(cid, { title: 'Summit Roofing LLC', address: '100 Main Street' })
  await round()
  await app.context.db.insert(googleLocationsTable).values({
    account_id: account,
    name: `locations/${id}`,
    business_account: 'accounts/1',
    business_account_name: 'Agency',
    title: 'Summit Roofing',
    cid,
  })
  await round()
  expect(await stored(id)).toMatchObject({ seen_by: 'google', changed: false, seen: { title: 'Summit Roofing' } })
  await reads(id, { vanished_since: new Date() })
  await app.context.db.update(gmbsTable).set({ next_check_at: new Date(0) })
  await round()
  expect(await stored(id)).toMatchObject({ seen_by: 'link', changed: false, standing: null })
  expect(maps.requested).toEqual([cid, cid])
})

test('‘Check now’ requests a sync from Google and waits for the result', async () => {
  const { id } = await listing()
  await round()
  const { body } = await root.call(gmbsContract.check, { params: { id } })
  expect(body.check_asked_at).toEqual(expect.any(String))
  const { rows } = await app.context.db.execute(sql`select data from pgboss.job where name = 'google-sync'`)
  expect(rows).toEqual([{ data: { id: account } }])
  expect(await round(), 'not yet').toBe(0)
  await reads(id, { title: 'Summit Roofing LLC' })
  expect(await stored(id)).toMatchObject({ check_asked_at: null, changed_fields: ['Title'] })
})

test('a requested check reports when Google does not answer or cannot be reached', async () => {
  const { id } = await listing()
  await round()
  const ask = async (at = sql`clock_timestamp()`) => {
    await app.context.db
      .update(gmbsTable)
      .set({ check_asked_at: at as never })
      .where(eq(gmbsTable.id, id))
  }
  await app.context.db.update(googleLocationsTable).set({ seen_at: since })
  await ask()
  await later()
  await app.context.db
    .update(googleAccountsTable)
    .set({ sync_ended_at: sql`clock_timestamp()`, problem: 'Google’s request limit is reached for now' })
  await round()
  expect(await stored(id)).toMatchObject({
    check_asked_at: null,
    check_problem: 'Google’s request limit is reached for now',
    changed: false,
  })
  await app.context.db.update(googleAccountsTable).set({ sync_ended_at: null, problem: null })
  await reads(id, {})
  expect((await stored(id)).check_problem).toBeNull()
  await app.context.db.update(googleLocationsTable).set({ seen_at: since })
  await ask(sql`now() - interval '11 minutes'`)
  await round()
  expect((await stored(id)).check_problem).toBe('Google did not answer in time')
})
