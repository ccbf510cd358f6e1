import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { setUp, startApp } from '#test/app.ts'
import { findTakenProviderIds, lockProviderIds, providerIdKey } from './provider-ids.ts'
import { leadsTable } from './schema.ts'

const campaigns: number[] = []
const app = await setUp(startApp())
for (let count = 0; count < 3; count += 1) campaigns.push((await app.make.campaign()).id)
// As with sharded leads, where no unique index spans campaigns.
await app.context.db.execute(sql`drop index leads_provider`)

test('concurrent events with one number for different campaigns create one lead, even without a unique index', async () => {
  const make = (campaign_id: number, lead_id: string) =>
    app.context.db.transaction(async (tx) => {
      const name = { lead_s: 'Callrail', lead_id } as const
      await lockProviderIds(tx, [name])
      if ((await findTakenProviderIds(tx, [name])).has(providerIdKey(name))) return false
      await tx.insert(leadsTable).values({ ...name, campaign_id, lead_type: 'Call', occurred_at: new Date() })
      return true
    })
  const ids = Array.from({ length: 20 }, (_, number) => `CAL-${number}`)
  const made = await Promise.all(ids.flatMap((id) => campaigns.map((campaign) => make(campaign, id))))
  expect(made.filter(Boolean)).toHaveLength(ids.length)
  expect(await app.context.db.$count(leadsTable)).toBe(ids.length)
})
