import { expect, test } from 'vitest'
import { allEndpoints } from '#app/server/parts.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { redirectDomainsTable } from '#domains/sites/redirects/schema.ts'
import { setUp, startApp } from '#test/app.ts'

/** Every list, with a dozen rows that are alike: whatever it is sorted by, only a unique column tells them apart. */
const app = await setUp(startApp())
const { make } = app
const root = await app.as(await make.superAdmin())
const { id: client_id } = await make.client()
const { id: campaign_id } = await make.campaign({ client_id })
const { id: category_id } = await make.networkCategory()
const { id: network_site_id } = await make.networkSite({ category_id })
const occurred_at = new Date('2026-03-09T12:00:00Z')
for (let count = 0; count < 12; count++) {
  await make.client({ name: 'Twin' })
  await make.campaign({ name: 'Twin', client_id })
  await make.clientSite({ campaign_id, ip: `192.0.2.${count}` })
  await make.gmb({ campaign_id, title: 'Twin', updated_at: occurred_at })
  await make.activityItem({ campaign_id, note: 'Twin', date: '2026-03-09' })
  await make.lead({ campaign_id, lead_name: 'Twin', occurred_at, hide: count < 6 })
  await make.networkSite({ category_id })
  await make.outgoingLink({ network_site_id, first_seen_at: occurred_at, last_seen_at: occurred_at })
  const domain = { domain: `twin-${count}.example`, registered_domain: 'twin.example' }
  await app.context.db
    .insert(redirectDomainsTable)
    .values({ ...domain, domainkey: 'twin', redirect_url: 'https://new.example', created_at: occurred_at })
}

/** Rows of other campaigns. */
for (const add of [make.clientSite, make.gmb, make.activityItem, make.lead]) await add()

type List = Endpoint & { list: { sorts: readonly string[] } }
const lists = allEndpoints
  .map(({ endpoint }) => endpoint)
  .filter((endpoint): endpoint is List => endpoint.list !== undefined && !endpoint.path.includes(':'))

async function readIds(list: List, query: Record<string, unknown>): Promise<unknown[]> {
  const { status, body } = await root.call({ ...list, response: undefined }, { query })
  expect([status, status === 200 ? '' : body]).toEqual([200, ''])
  const { data } = typeof body === 'string' ? JSON.parse(body) : body
  return data.map((row: { id?: number }) => row.id ?? JSON.stringify(row))
}

test.each(lists.map((list) => [list.address, list] as const))(
  'the pages of %s neither repeat nor skip a row, whatever the sort',
  async (_, list) => {
    for (const sort of list.list.sorts)
      for (const order of ['asc', 'desc']) {
        const pages = [1, 2, 3].map((page) => readIds(list, { sort, order, page, per_page: 5 }))
        const whole = await readIds(list, { sort, order, per_page: 200 })
        expect((await Promise.all(pages)).flat(), `${sort} ${order}`).toEqual(whole.slice(0, 15))
      }
  },
)

test('names are sorted without case, accents and kinds of apostrophes [CL-19]', async () => {
  const names = ['Zoë', 'ÉMILE', 'o’brien', 'Emma', "O'Brian", 'ångström', 'zack']
  for (const name of names) {
    await make.client({ name: `By name ${name}` })
    await make.campaign({ name: `By name ${name}`, client_id })
    await make.gmb({ campaign_id, title: `By name ${name}` })
  }
  const sorted = ['ångström', 'ÉMILE', 'Emma', "O'Brian", 'o’brien', 'zack', 'Zoë'].map((name) => `By name ${name}`)
  const columns = { client: ['name', 'search'], campaigns: ['name', 'q'], 'campaign-gmb': ['title', 'search'] }
  for (const [address, [sort = '', search = '']] of Object.entries(columns)) {
    const list = lists.find((one) => one.address === `GET /${address}`)!
    const { body } = await root.call(
      { ...list, response: undefined },
      { query: { sort, order: 'asc', [search]: 'By name' } },
    )
    const { data } = typeof body === 'string' ? JSON.parse(body) : body
    const found = data.map((row: Record<string, string>) => row[sort])
    expect(
      found.filter((name: string) => name.startsWith('By name')),
      address,
    ).toEqual(sorted)
  }
})

/** They see the rows of one campaign; the second sees none of its hidden leads. */
const staff = [
  await app.as(await make.admin({ campaigns: [campaign_id] })),
  await app.as(await make.handler({ campaigns: [campaign_id] })),
]

test.each(lists.map((list) => [list.address, list] as const))(
  'the total of %s counts the rows that its reader sees',
  async (_, list) => {
    for (const who of [root, ...staff]) {
      const { status, body } = await who.call({ ...list, response: undefined }, { query: { per_page: 200 } })
      if (status !== 200) expect(status).toBe(403)
      else expect(Math.min(body.meta?.total ?? body.total, 200)).toBe(body.data.length)
    }
  },
)
