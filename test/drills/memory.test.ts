import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '#test/database.ts'
import { exported, flat } from '../../soak/memory.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
beforeAll(async () => {
  database = await createDatabase()
})
afterAll(() => database.drop())
const settings = { SECRET_KEY: '5e'.repeat(32) }

test('an export streams: it is written no faster than it is read, and ends when its reader leaves (R31) [LEAD-67]', async () => {
  const done = await exported(settings, database.url, { leads: 15_000, letters: 8000 })
  console.log(done)
  expect(done.rows).toBe(15_000)
  expect(done.megabytes).toBeGreaterThan(120)
  expect(done.grownForASlowReader).toBeLessThan(40)
  // Half of the memory of the file and its rows. `npm run soak` limits 200,000 ordinary leads to 100 MB.
  expect(done.grownBy).toBeLessThan(200)
})

test('a process’s memory stays flat, however many requests it gets (R31)', async () => {
  const { requests, early, late } = await flat(settings, database.url, 0.05)
  expect(requests).toBeGreaterThan(50)
  expect(late.heap - early.heap).toBeLessThan(10)
})
