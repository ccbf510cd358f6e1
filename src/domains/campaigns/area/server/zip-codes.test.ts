import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { migrateDatabase } from '#app/server/migrate.ts'
import { setUp, startApp } from '#test/app.ts'
import { readZipCodes } from './zip-codes.ts'

const app = await setUp(startApp())

const ask = async (question: ReturnType<typeof sql>) => (await app.context.db.execute(question)).rows[0]

test('every ZIP code exists once, in a state, with its city and a place in the United States [AREA-18]', async () => {
  let count = 0
  for await (const { zip, city, state, lat, lng } of readZipCodes()) {
    count += 1
    // From Samoa's neighbors in the Pacific to Maine, and from Hawaii to the north of Alaska.
    const isWhole = /^\d{5}$/.test(zip) && city !== '' && /^[A-Z]{2}$/.test(state)
    if (!isWhole || !(lat > 5 && lat < 72) || !(lng > -180 && lng < 180)) expect.fail(`${zip} ${city} ${state}`)
  }
  expect(count).toBeGreaterThan(40_000)
  expect(await ask(sql`select count(*)::int from zip_codes`)).toEqual({ count })
  expect(await ask(sql`select city, state from zip_codes where zip = '78701'`)).toEqual({ city: 'Austin', state: 'TX' })
})

test('a start keeps them, and reloads them if the package has changed', async () => {
  const { DATABASE_URL = '' } = app.context.settings
  await app.context.db.execute(sql`update zip_codes set city = 'Elsewhere' where zip = '78701'`)
  await migrateDatabase(DATABASE_URL)
  expect(await ask(sql`select city from zip_codes where zip = '78701'`)).toEqual({ city: 'Elsewhere' })
  await app.context.db.execute(sql`comment on table zip_codes is 'an older one'`)
  await migrateDatabase(DATABASE_URL)
  expect(await ask(sql`select city from zip_codes where zip = '78701'`)).toEqual({ city: 'Austin' })
})
