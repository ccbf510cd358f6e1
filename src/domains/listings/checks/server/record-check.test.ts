import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { spokenHostsTable } from '#domains/sites/checks/schema.ts'
import { setUp } from '#test/app.ts'
import { startListingsApp, summitListing } from '#test/public-listings.ts'
import { until } from '#test/until.ts'
import { checkDueListings } from './check-listings.ts'
import { saveCheckResult } from './record-check.ts'

const { app, maps, listing, forget, stored, logOf, hoursToNext, answering } = await setUp(startListingsApp())
const root = await app.as(await app.make.superAdmin({ username: 'olivia' }))
beforeEach(forget)

const quick = { between: 0 }
const check = async (id: number) => {
  const answer = await root.call(gmbsContract.check, { params: { id } })
  await app.context.db.delete(spokenHostsTable) // the pause between requests is not under test
  return answer.body
}
const hangUp = () => {
  maps.instead = (_request, response) => response.socket?.destroy()
}

test('the first check stores the listing; a later difference marks it, with a log row for each field [GMB-27]', async () => {
  const { id, shows } = await listing()
  expect(await checkDueListings(app.context, quick)).toBe(1)
  expect(await stored(id)).toMatchObject({
    changed: false,
    seen: { ...summitListing, closed: null },
    checked_at: expect.any(Date),
  })
  expect(await logOf(id)).toEqual([])
  shows({ title: 'Summit Roofing & Sons', phone: '(512) 555-0199' })
  expect(await check(id)).toMatchObject({
    changed: true,
    changed_at: expect.any(String),
    changed_fields: ['Title', 'Phone'],
    status: 1,
    suspended_at: null,
  })
  expect(await logOf(id)).toEqual([
    ['Title', 'Summit Roofing', 'Summit Roofing & Sons', null],
    ['Phone', '(512) 555-0100', '(512) 555-0199', null],
  ])
  const since = (await stored(id)).changed_at
  await check(id)
  shows({ title: 'Summit Roofing & Sons', phone: '(512) 555-0199', closed: 'Permanently closed' })
  await check(id)
  expect((await logOf(id)).slice(2)).toEqual([['Closed', null, 'permanently closed', null]])
  expect((await stored(id)).changed_at).toEqual(since)
  const [trail] = await app.context.db.select().from(auditTable).where(eq(auditTable.row_id, id)).orderBy(auditTable.id)
  expect(trail).toMatchObject({ kind: 'listing', username: null, after: { changed: true, Phone: '(512) 555-0199' } })
})

test('a suspended listing with the same content is not changed, and a changed one is not suspended', async () => {
  const { id, shows } = await listing(summitListing, { status: 4, suspended_at: new Date('2026-03-04T05:06:07Z') })
  await check(id)
  expect(await check(id)).toMatchObject({ changed: false, status: 4, suspended_at: '2026-03-04T05:06:07Z' })
  shows({ title: 'Other' })
  expect(await check(id)).toMatchObject({ changed: true, status: 4, suspended_at: '2026-03-04T05:06:07Z' })
})

test('accepting keeps the listing as it is now, until the next difference', async () => {
  const { id, shows } = await listing()
  await check(id)
  shows({ title: 'Other' })
  const { version } = await check(id)
  const accepted = await root.call(gmbsContract.accept, { params: { id }, body: { version } })
  expect(accepted.body).toMatchObject({ changed: false, changed_at: null, changed_fields: [] })
  expect((await logOf(id)).at(-1)).toEqual(['Changed listing', null, 'accepted as the new state', 'olivia'])
  expect((await check(id)).changed).toBe(false)
  shows({ title: 'Third' })
  expect((await check(id)).changed).toBe(true)
})

test('a change made after the listing was read cannot be accepted unseen', async () => {
  const { id, shows } = await listing()
  await check(id)
  shows({ title: 'Second' })
  const { version } = await check(id)
  shows({ title: 'Third' })
  await check(id)
  const late = await root.call(gmbsContract.accept, { params: { id }, body: { version } })
  expect([late.status, late.body.newer.changed]).toEqual([409, true])
  expect((await stored(id)).changed).toBe(true)
})

test('one miss changes nothing; after two in a row the listing is gone, and it may come back [GMB-27]', async () => {
  const { id } = await listing()
  await check(id)
  answering(404)
  expect(await check(id)).toMatchObject({ changed: false, missed_at: expect.any(String), gone_at: null })
  expect(await hoursToNext(id)).toBeLessThan(2)
  maps.instead = null
  expect(await check(id)).toMatchObject({ changed: false, missed_at: null })
  answering(410)
  await check(id)
  expect(await check(id)).toMatchObject({ changed: true, missed_at: null, gone_at: expect.any(String) })
  await check(id)
  expect(await logOf(id)).toEqual([['Google Maps', 'found', 'not found', null]])
  maps.instead = null
  expect(await check(id)).toMatchObject({ changed: true, gone_at: null })
  expect((await logOf(id)).at(-1)).toEqual(['Google Maps', 'not found', 'found', null])
})

test('pages without a place count as a miss only if another listing could be read since', async () => {
  const [lost, other] = [await listing(), await listing()]
  await check(lost.id)
  lost.shows(null)
  await check(lost.id)
  expect(await check(lost.id), 'perhaps all pages are like that now').toMatchObject({ changed: false, gone_at: null })
  await app.context.db
    .update(gmbsTable)
    .set({ seen_at: sql`now()`, seen_by: 'google' })
    .where(eq(gmbsTable.id, other.id))
  expect(await check(lost.id), 'Google’s API shows no page').toMatchObject({ changed: false, gone_at: null })
  await check(other.id)
  expect(await check(lost.id)).toMatchObject({ changed: true, gone_at: expect.any(String) })
})

test.each([
  ['blocks automated requests', () => answering(429), 'Google blocks automated requests (429)'],
  ['fails', () => answering(500), 'Google answers 500'],
  ['is silent', () => hangUp(), 'The connection was closed unexpectedly'],
])('a response that %s is reported, and changes nothing else', async (_, answer, problem) => {
  const { id } = await listing()
  await check(id)
  const before = await stored(id)
  answer()
  for (let n = 0; n < 3; n += 1) expect(await check(id)).toMatchObject({ changed: false, check_problem: problem })
  const { checked_at, check_problem, next_check_at, ...after } = await stored(id)
  expect(before).toMatchObject(after)
  maps.instead = null
  expect((await check(id)).check_problem).toBeNull()
})

test('a listing with a new link forgets what the old link showed, even during a check', async () => {
  const { id } = await listing()
  await check(id)
  const [before, other] = [await stored(id), await listing({ title: 'Another place' })]
  const form = { title: before.title, campaign_id: before.campaign_id, status: 1 }
  let answer = () => {}
  maps.instead = (_request, response) => {
    answer = () => response.writeHead(404).end()
  }
  const checked = root.call(gmbsContract.check, { params: { id } })
  await until(() => maps.requested.length > 1)
  const link = `https://maps.google.com/maps?cid=${other.cid}`
  const { body } = await root.call(gmbsContract.update, { params: { id }, body: { ...form, link } })
  expect(body).toMatchObject({ checked_at: null, missed_at: null, changed: false })
  answer()
  expect((await checked).body).toMatchObject({ link, checked_at: null, missed_at: null })
  expect(await stored(id)).toMatchObject({ seen: null, missed_at: null })
  maps.instead = null
  await app.context.db.delete(spokenHostsTable)
  expect((await check(id)).changed, 'it is another listing').toBe(false)
})

test('a listing whose link is corrected has not changed, whatever the other one did [GMB-27]', async () => {
  const { id, shows } = await listing()
  await check(id)
  shows({ phone: '(512) 555-0199' })
  expect(await check(id)).toMatchObject({ changed: true, changed_fields: ['Phone'] })
  const other = await listing({ title: 'Another place' })
  const { title, campaign_id } = await stored(id)
  const body = { title, campaign_id, status: 1, link: `https://maps.google.com/maps?cid=${other.cid}` }
  const edited = await root.call(gmbsContract.update, { params: { id }, body })
  expect(edited.body).toMatchObject({ changed: false, changed_at: null, changed_fields: [] })
})

test('a listing whose link changes while its check is saved keeps nothing of the old page', async () => {
  const { id } = await listing()
  const { link } = await stored(id)
  const editor = await app.context.pool.connect()
  await editor.query('begin')
  await editor.query(`update campaign_gmbs set link = link || '&moved=1' where id = $1`, [id])
  const found = { outcome: 'listing', snapshot: { ...summitListing, closed: null } } as const
  const saving = saveCheckResult(app.context, { id, link }, found)
  await until(async () => {
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await app.context.pool.query(waiting)).rowCount === 1
  })
  await editor.query('commit')
  editor.release()
  await saving
  expect(await stored(id)).toMatchObject({ seen: null, checked_at: null })
})
