import { expect, test } from 'vitest'
import { leadsContract } from '#domains/leads/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { leadSumsZoneTable } from '../schema.ts'
import { foldLeadChanges } from './build-sums.ts'

const insert = (first: number, last: number) =>
  app.make.leads(
    Array.from({ length: last + 1 - first }, (_, index) => first + index).map((n) => ({
      campaign_id: campaigns[n % 3]!,
      lead_s: 'Callrail',
      lead_id: `deep-${n}`,
      lead_type: 'Call',
      occurred_at: new Date(Date.UTC(2024, 0, 1, 5, ((n * 7919) % 1500) * 1000)),
      confirmed: n % 2 === 0,
      hide: n % 11 === 0,
      archived: n % 13 === 0,
      tags: n % 7 === 0 ? ['Missed Call'] : [],
    })),
  )

/** Leads of three years, several in the same minute; half are in the sums, the others in changes that are not folded in yet. */
const app = await setUp(startApp())
const campaigns = [(await app.make.campaign()).id, (await app.make.campaign()).id, 0]
await insert(1, 2500)
await foldLeadChanges(app.context.db)
await insert(2501, 5000)
const rows = await app.context.db.select().from(leadsTable)

type Asked = { who: Caller; query: Record<string, string | number>; expected: (row: (typeof rows)[number]) => boolean }

/** Compares every page that starts after the thousandth lead, and the one past the end. */
async function pagesAgree({ who, query, expected }: Asked) {
  for (const order of ['desc', 'asc']) {
    const sign = order === 'asc' ? 1 : -1
    const ids = rows
      .filter(expected)
      .sort((a, b) => sign * (a.occurred_at.getTime() - b.occurred_at.getTime() || a.id - b.id))
      .map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(1200)
    for (let page = 6; (page - 2) * 200 < ids.length; page += 3) {
      const { body } = await who.call(leadsContract.list, { query: { ...query, order, page, per_page: 200 } })
      expect([body.meta.total, body.data.map(({ id }: { id: number }) => id)]).toEqual([
        ids.length,
        ids.slice((page - 1) * 200, page * 200),
      ])
    }
  }
}

test('a page with a large offset equals a count of the leads, for everyone, with filters and within days [LEAD-53, API-06]', async () => {
  const superAdmin = await app.as(await app.make.superAdmin())
  const handler = await app.as(await app.make.handler({ campaigns: campaigns.slice(0, 2) }))
  const cases: Asked[] = [
    { who: superAdmin, query: {}, expected: (row) => !row.archived },
    { who: superAdmin, query: { has_campaign: 1 }, expected: (row) => !row.archived && row.campaign_id !== 0 },
    { who: superAdmin, query: { no_campaign: 1 }, expected: (row) => !row.archived && row.campaign_id === 0 },
    { who: superAdmin, query: { confirmed: 1 }, expected: (row) => !row.archived && row.confirmed },
    {
      who: superAdmin,
      query: { date_from: '2024-02-14', date_to: '2026-09-03' },
      expected: (row) => !row.archived && isWithin(row.occurred_at, '2024-02-14T05:00Z', '2026-09-04T04:00Z'),
    },
    {
      who: handler,
      query: { date_from: '2024-01-17' },
      expected: (row) =>
        !row.archived &&
        !row.hide &&
        row.campaign_id !== 0 &&
        isWithin(row.occurred_at, '2024-01-17T05:00Z', '2100-01-01'),
    },
  ]
  for (const one of cases) await pagesAgree(one)
  await foldLeadChanges(app.context.db)
  await pagesAgree(cases[0]!)
  await app.context.db.delete(leadSumsZoneTable) // as while sums are being built
  await pagesAgree(cases[0]!)
})

const isWithin = (moment: Date, from: string, until: string) => moment >= new Date(from) && moment < new Date(until)
