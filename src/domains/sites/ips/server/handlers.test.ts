import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { setUp, startApp } from '#test/app.ts'
import { ipsContract } from '../contract.ts'
import { ipsTable } from '../schema.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())
await app.context.db.insert(ipsTable).values([
  { ip: '198.51.100.20', owner: 'Harbor Hosting', country: 'US', region: 'Texas' },
  { ip: '198.51.100.3', owner: 'Nordic Cloud', country: 'NO', region: null },
  { ip: '198.51.100.200', owner: '100% uptime', country: 'US', region: 'Ohio' },
])

const list = async (query: object = {}, who = root) => (await who.call(ipsContract.list, { query: { ...query } })).body
const addresses = async (query: object) => (await list(query)).data.map(({ ip }: { ip: string }) => ip)

test('the list has each address, its owner and the number of sites that use it [IP-07]', async () => {
  await app.make.networkSite({ ip: '198.51.100.20' })
  await app.make.networkSite({ ip: '198.51.100.20' })
  await app.make.clientSite({ ip: '198.51.100.20' })
  await app.make.clientSite({ ip: '198.51.100.20', deleted_at: new Date() })
  const { data, total } = await list({ page: 1, per_page: 200, cache: 1, owner: 'harbor', sort: 'ip', order: 'asc' })
  expect([data, total]).toEqual([
    [
      {
        id: expect.any(Number),
        ip: '198.51.100.20',
        network_sites_count: 2,
        client_sites_count: 1,
        owner: 'Harbor Hosting',
        country: 'US',
        region: 'Texas',
      },
    ],
    1,
  ])
})

test('each filter narrows the list; a complete address matches only itself, and SQL wildcards are literal', async () => {
  expect(await addresses({ ip: '198.51.100.20' })).toEqual(['198.51.100.20'])
  expect(await addresses({ ip: '100.2' })).toEqual(['198.51.100.20', '198.51.100.200'])
  expect(await addresses({ owner: '0%' })).toEqual(['198.51.100.200'])
  expect(await addresses({ country: 'no' })).toEqual(['198.51.100.3'])
  expect(await addresses({ region: ' ohio ' })).toEqual(['198.51.100.200'])
})

test('an IPv6 address is found in capitals too', async () => {
  await app.context.db.insert(ipsTable).values({ ip: '2001:db8::a1' })
  expect(await addresses({ ip: '2001:DB8::A1' })).toEqual(['2001:db8::a1'])
  await app.context.db.delete(ipsTable).where(eq(ipsTable.ip, '2001:db8::a1'))
})

test('addresses sort as numbers, text ignores case, and empty values come last either way', async () => {
  expect(await addresses({ sort: 'ip', order: 'asc' })).toEqual(['198.51.100.3', '198.51.100.20', '198.51.100.200'])
  expect(await addresses({ sort: 'region', order: 'asc' })).toEqual(['198.51.100.200', '198.51.100.20', '198.51.100.3'])
  expect(await addresses({ sort: 'region', order: 'desc' })).toEqual([
    '198.51.100.20',
    '198.51.100.200',
    '198.51.100.3',
  ])
  expect((await root.call(ipsContract.list, { query: { sort: 'created_at' } })).status).toBe(422)
})

test('client sites that the user may not see are not even counted', async () => {
  const mine = await app.make.clientSite({ ip: '198.51.100.3' })
  await app.make.clientSite({ ip: '198.51.100.3' })
  await app.make.clientSite({ ip: '198.51.100.3', campaign_id: null })
  const admin = await app.as(await app.make.admin({ campaigns: [mine.campaign_id!] }))
  const seen = (await list({ ip: '198.51.100.3' }, admin)).data[0]
  expect([seen.client_sites_count, (await list({ ip: '198.51.100.3' })).data[0].client_sites_count]).toEqual([1, 3])
})
