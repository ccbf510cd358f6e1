import { expect, test, vi } from 'vitest'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { startApp } from '#test/app.ts'
import { takeDatabaseAway } from '#test/database-outage.ts'

test('an outage of the database is one error and one count in the log, however many requests it refuses', async () => {
  const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }
  const app = await startApp({ log })
  const person = await app.as(await app.make.superAdmin())
  const giveBack = await takeDatabaseAway(app.context.settings.DATABASE_URL!)

  const list = () => person.call(campaignsContract.list)
  const refused = await Promise.all(Array.from({ length: 20 }, list))
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]))
  // Clients read it, too: in the agency's house the product has no name.
  expect(refused[0]!.body.message).toBe('The server is not ready, please try again in a moment')
  expect((await app.guest.fetch('/')).status).not.toBe(503)
  // Refused without asking the database, so it says nothing about the outage.
  expect((await app.guest.fetch('/api/hooks/callrail', { method: 'POST', body: '{}' })).status).toBe(401)
  expect((await list()).status).toBe(503)
  const errors = log.error.mock.calls.filter(([line]) => 'url' in line)
  expect(errors.map(([, message]) => message)).toEqual(['database unavailable; further refused requests are counted'])

  await giveBack()
  expect((await list()).status).toBe(200)
  expect(log.warn).toHaveBeenCalledWith({ refused: 21, seconds: expect.any(Number) }, 'database available again')
  await app.close()
})
