import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { googleAccountsTable, googleLocationsTable } from '#domains/listings/google/schema.ts'
import { syncAccount } from '#domains/listings/google/server/sync.ts'
import { startGoogleStandIn } from '#integrations/fakes/google/server.ts'
import { setUp, startApp } from '#test/app.ts'
import { seedGoogle } from './google.ts'

const google = await setUp(startGoogleStandIn())
const app = await setUp(startApp({ settings: google.settings }))

test('the demo’s Google has the agency’s listings, suspended ones too; an account is linked, and still is after a restart', async () => {
  for (const [status, title] of [
    [1, 'Live'],
    [4, 'Suspended'],
    [3, 'Unverified'],
  ] as const)
    await app.make.gmb({ title, status, address: '100 Main St, Austin, TX 78701', phone: '+15125550100' })
  await seedGoogle(app.context, google)
  google.refreshTokens.clear()
  await seedGoogle(app.context, google)
  const accounts = await app.context.db.select().from(googleAccountsTable)
  expect(accounts.map(({ email }) => email)).toEqual(['listings@leadline.example'])
  await syncAccount(app.context, accounts[0]!.id)
  const { rows } = await app.context.db.execute(sql`
    select g.title, l.standing, l.address, l.phone from campaign_gmbs g join google_locations l on g.link like '%cid=' || l.cid order by g.id`)
  expect(rows.length).toBe(await app.context.db.$count(googleLocationsTable))
  expect(rows.length).toBeGreaterThan(1)
  const standings: Record<string, string> = { Live: 'active', Suspended: 'suspended', Unverified: 'unverified' }
  for (const { title, ...rest } of rows)
    expect(rest).toEqual({
      standing: standings[String(title)],
      address: '100 Main St, Austin, TX 78701',
      phone: '(512) 555-0100',
    })
})
