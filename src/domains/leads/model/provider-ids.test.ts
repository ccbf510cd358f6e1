import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from '#test/app.ts'
import { holdNames, nameOf, namesTaken } from './provider-ids.ts'
import { leads } from './schema.ts'

let app: App
const campaigns: number[] = []
beforeAll(async () => {
  app = await startApp()
  for (let count = 0; count < 3; count += 1) campaigns.push((await app.make.campaign()).id)
  // As it is where leads are spread over machines: no index tells across campaigns.
  await app.house.db.execute(sql`drop index leads_provider`)
})
afterAll(() => app.close())

test('a name makes one lead, whatever campaigns it is told for at once, also where no index says so', async () => {
  const make = (campaign_id: number, lead_id: string) =>
    app.house.db.transaction(async (tx) => {
      const name = { lead_s: 'Callrail', lead_id } as const
      await holdNames(tx, [name])
      if ((await namesTaken(tx, [name])).has(nameOf(name))) return false
      await tx.insert(leads).values({ ...name, campaign_id, lead_type: 'Call', occurred_at: new Date() })
      return true
    })
  const ids = Array.from({ length: 20 }, (_, number) => `CAL-${number}`)
  const made = await Promise.all(ids.flatMap((id) => campaigns.map((campaign) => make(campaign, id))))
  expect(made.filter(Boolean)).toHaveLength(ids.length)
  expect(await app.house.db.$count(leads)).toBe(ids.length)
})
