import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { googleAccounts, googleLocations } from '#domains/listings/google/schema.ts'
import { syncAccount } from '#domains/listings/google/server/sync.ts'
import { type GoogleStandIn, startGoogle } from '#integrations/fakes/google/server.ts'
import { type App, startApp } from '#test/app.ts'
import { fillGoogle } from './google.ts'

let app: App
let google: GoogleStandIn
beforeAll(async () => {
  google = await startGoogle()
  app = await startApp({ settings: google.settings })
})
afterAll(async () => {
  await app.close()
  await google.close()
})

test('the demo’s Google has the agency’s listings, suspended ones too; an account is linked, and is so after a new start', async () => {
  for (const [status, title] of [
    [1, 'Live'],
    [4, 'Suspended'],
    [3, 'Unverified'],
  ] as const)
    await app.make.gmb({ title, status, address: '100 Main St, Austin, TX 78701', phone: '+15125550100' })
  await fillGoogle(app.house, google)
  google.refreshTokens.clear()
  await fillGoogle(app.house, google)
  const accounts = await app.house.db.select().from(googleAccounts)
  expect(accounts.map(({ email }) => email)).toEqual(['listings@leadline.example'])
  await syncAccount(app.house, accounts[0]!.id)
  const { rows } = await app.house.db.execute(sql`
    select g.title, l.standing, l.address, l.phone from campaign_gmbs g join google_locations l on g.link like '%cid=' || l.cid order by g.id`)
  expect(rows.length).toBe(await app.house.db.$count(googleLocations))
  expect(rows.length).toBeGreaterThan(1)
  const standings: Record<string, string> = { Live: 'active', Suspended: 'suspended', Unverified: 'unverified' }
  for (const { title, ...rest } of rows)
    expect(rest).toEqual({
      standing: standings[String(title)],
      address: '100 Main St, Austin, TX 78701',
      phone: '(512) 555-0100',
    })
})
