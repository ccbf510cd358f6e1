import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { setUp, startApp } from '#test/app.ts'
import { cases } from '../bench/cases.ts'
import { startFloor } from '../bench/floor.ts'

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: 'America/New_York' } }))
const pool = new pg.Pool({ ...app.context.pool.options, application_name: 'floor' })
afterAll(() => pool.end())
const floor = await setUp(startFloor(pool))
const root = await app.as(await app.make.superAdmin())
const campaign = await app.make.campaign({ name: 'Roofs' })
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
const phone = { lead_phone: '+13035550101', phone_key: '+13035550101' }
await app.make.lead({ campaign_id: campaign.id, lead_name: 'Ann', occurred_at: hoursAgo(20), ...phone })
await app.make.lead({
  campaign_id: campaign.id,
  message: 'A leak, says Martinez',
  occurred_at: hoursAgo(40),
  ...phone,
})
await app.make.lead({
  campaign_id: campaign.id,
  rating: 4,
  rating_via: 'link',
  unconfirmed_rating: null,
  confirmed: true,
})
await app.make.lead({ lead_type: 'Call', duration: 61, answered: true, tags: ['Missed Call'], client_value: 12.5 })
await app.make.lead({ campaign_id: campaign.id, archived: true })

test.each(cases.map(({ name, path }) => [name, path]))(
  'the floor of the benchmark gives the same response as the app: %s',
  async (_, path) => {
    const response = await fetch(floor.url + path)
    const expected = await fetch(app.url + path, { headers: { authorization: `Bearer ${root.token}` } })
    expect([expected.status, response.status]).toEqual([200, 200])
    expect(await response.json()).toEqual(await expected.json())
  },
)
