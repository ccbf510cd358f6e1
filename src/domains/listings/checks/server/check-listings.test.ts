import { eq } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { gmbsTable } from '#domains/listings/gmbs/schema.ts'
import { spokenHostsTable } from '#domains/sites/checks/schema.ts'
import { claimHost, releaseHost } from '#domains/sites/checks/server/host-claims.ts'
import { mapsHost } from '#integrations/public-listing/public-listing.ts'
import { type App, setUp } from '#test/app.ts'
import { startListingsApp, summitListing } from '#test/public-listings.ts'
import { until } from '#test/until.ts'
import { checkDueListings, markAllDue } from './check-listings.ts'
import { checkListingNow } from './check-page.ts'
import { checkCampaignListings } from './check-requested.ts'

const { app, maps, listing, forget, stored, hoursToNext, answering } = await setUp(startListingsApp())
const root = await app.as(await app.make.superAdmin({ username: 'olivia' }))
beforeEach(forget)

const quick = { between: 0 }

test('when Google blocks us, the round ends, due listings are left alone, and a requested check reports the reason', async () => {
  const [first, second, third] = [await listing(), await listing(), await listing()]
  await root.call(gmbsContract.checkSome, { body: { ids: [first.id, second.id] } })
  answering(429, { 'retry-after': '7200' })
  expect(await checkDueListings(app.context, quick)).toBe(1)
  expect(maps.requested).toEqual([first.cid])
  expect(await stored(second.id)).toMatchObject({
    check_asked_at: null,
    check_problem: 'Google blocks automated requests (429)',
    checked_at: null,
  })
  expect((await stored(third.id)).check_problem).toBeNull()
  for (const { id } of [first, second, third]) {
    expect(await hoursToNext(id)).toBeGreaterThan(1.9)
    expect(await hoursToNext(id)).toBeLessThan(4.1)
  }
})

test('requested listings come first, then the one due longest, and none again within a day', async () => {
  const [late, later, asked] = [
    await listing(summitListing, { next_check_at: new Date('2026-01-02') }),
    await listing(summitListing, { next_check_at: new Date('2026-01-01') }),
    await listing(summitListing, { next_check_at: new Date('2099-01-01') }),
  ]
  const first = await listing(summitListing, { next_check_at: new Date('2099-01-01') })
  const { status } = await root.call(gmbsContract.checkSome, { body: { ids: [first.id, asked.id, asked.id] } })
  expect(status).toBe(204)
  expect((await stored(asked.id)).check_asked_at).toEqual(expect.any(Date))
  expect(await checkDueListings(app.context, quick)).toBe(4)
  expect(maps.requested).toEqual([first.cid, asked.cid, later.cid, late.cid])
  expect((await stored(asked.id)).check_asked_at).toBeNull()
  expect(await hoursToNext(late.id)).toBeGreaterThan(9)
  expect(await hoursToNext(late.id)).toBeLessThan(24)
  await app.context.db
    .update(gmbsTable)
    .set({ next_check_at: new Date(0) })
    .where(eq(gmbsTable.id, late.id))
  await checkDueListings(app.context, quick)
  expect(await hoursToNext(late.id)).toBeGreaterThan(23)
  expect(await checkDueListings(app.context, quick)).toBe(0)
  await markAllDue(app.context)
  expect(await checkDueListings(app.context, quick)).toBe(4)
})

test('however many processes check, Google Maps gets one request at a time, with pauses', async () => {
  let [now, most] = [0, 0]
  const at: number[] = []
  maps.instead = (_request, response) => {
    at.push(performance.now())
    most = Math.max(most, ++now)
    setTimeout(() => {
      now -= 1
      response.writeHead(404).end()
    }, 15)
  }
  for (let n = 0; n < 4; n += 1) await listing()
  const counts = await Promise.all([
    checkDueListings(app.context, { between: 200 }),
    checkDueListings(app.context, { between: 200 }),
  ])
  expect([counts[0]! + counts[1]!, most]).toEqual([4, 1])
  expect(Math.min(...at.slice(1).map((time, index) => time - at[index]!))).toBeGreaterThan(190)
})

test('a manual check waits for the one that is under way', async () => {
  const { id } = await listing()
  await claimHost(app.context.db, mapsHost, 60)
  const asked = root.call(gmbsContract.check, { params: { id } })
  await until(async () => !(await claimHost(app.context.db, mapsHost, 60)))
  expect(maps.requested).toEqual([])
  await releaseHost(app.context.db, mapsHost)
  expect((await asked).body.checked_at).toEqual(expect.any(String))
  await app.context.db.delete(spokenHostsTable)
})

test('a deleted listing is not checked, and neither is another user’s [GMB-27]', async () => {
  const { id } = await listing()
  const foreign = await listing()
  const mine = await app.make.campaign()
  const admin = await app.as(await app.make.admin({ campaigns: [mine.id] }))
  const own = await listing(summitListing, { campaign_id: mine.id })
  await root.call(gmbsContract.remove, { params: { id } })
  const before = await app.dump()
  expect((await root.call(gmbsContract.check, { params: { id } })).status).toBe(404)
  expect((await admin.call(gmbsContract.check, { params: { id: foreign.id } })).status).toBe(404)
  const some = (ids: unknown) => admin.call(gmbsContract.checkSome, { body: { ids } })
  const refused = await some([own.id, foreign.id])
  expect([refused.status, refused.body.errors]).toEqual([422, { ids: ['There is no such listing'] }])
  for (const ids of [[], [0], 'all', Array.from({ length: 201 }, (_, n) => n + 1)])
    expect((await some(ids)).status).toBe(422)
  expect(await app.dump()).toBe(before)
  expect(maps.requested).toEqual([])
  expect((await some([own.id])).status).toBe(204)
})

test('of the listings of a campaign it is said which are not surely live [TODAY-05]', async () => {
  const campaign_id = (await app.make.campaign()).id
  const saidOf = async (values: Parameters<App['make']['gmb']>[0], seen?: object | null) => {
    const { id } = await listing(seen, { campaign_id, ...values })
    const [found] = await checkCampaignListings(app.context, campaign_id)
    await app.context.db.delete(gmbsTable).where(eq(gmbsTable.id, id))
    return found!.unclear
  }
  expect(await saidOf({ status: 1 })).toBeNull()
  expect(await saidOf({ status: 2 })).toBe('is pending on Google')
  expect(await saidOf({ status: 1 }, null), 'Google Maps has no such place').toBe('was not found on Google')
  answering(500)
  expect(await saidOf({ status: 1 })).toBe('could not be checked on Google')
})

test('a manual check does not wait forever for many others', async () => {
  const { id } = await listing()
  await claimHost(app.context.db, mapsHost, 60)
  await expect(checkListingNow(app.context, await stored(id), 2)).rejects.toMatchObject({
    status: 409,
    message: 'Other listings are being checked right now, please try again in a moment',
  })
  await app.context.db.delete(spokenHostsTable)
})
