import { expect, test } from 'vitest'
import { clientsContract } from '#domains/clients/contract.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { type CampaignOption, campaignsContract } from '../contract.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())

test('the picker has the campaign fields that the lead pages show, by name and without money [CAMP-39] [CAMP-41]', async () => {
  const client = await app.make.client({ name: 'Acme' })
  const category = await app.make.category({ name: 'Roofing', color: '#aa0000' })
  await app.make.campaign({ name: 'beta', client_id: client.id, archived: true })
  await app.make.campaign({
    name: 'Alpha',
    client_id: client.id,
    categories: [category.id],
    notes: 'Busy',
    is_ppc: true,
  })
  const { body } = await root.call(campaignsContract.all)
  const options = body.filter((one: CampaignOption) => one.client?.id === client.id)
  expect(options.map((one: CampaignOption) => one.name)).toEqual(['Alpha', 'beta'])
  expect(options[0]).toEqual({
    id: expect.any(Number),
    name: 'Alpha',
    archived: 0,
    client: { id: client.id, name: 'Acme' },
    categories: [{ id: category.id, name: 'Roofing', color: '#aa0000' }],
    is_ppc: 1,
    leads_target: 20,
    trouble_state: 2,
    notes: 'Busy',
  })
})

test('with teams, each entry has its type and a unique key; teams are for admins [CAMP-40]', async () => {
  const campaign = await app.make.campaign({ name: 'Zulu' })
  const team = await app.make.team({ name: 'Ads' })
  await app.make.team({ name: 'Gone', deleted_at: new Date() })
  const admin = await app.as(await app.make.admin({ campaigns: [campaign.id] }))
  const all = async (who: Caller) => (await who.call(campaignsContract.all, { query: { with_teams: 1 } })).body
  expect(await all(admin)).toMatchObject([
    { id: campaign.id, name: 'Zulu', type: 'campaign', key: `campaign-${campaign.id}` },
    { id: team.id, name: 'Ads', type: 'team', key: `team-${team.id}` },
  ])
  const keys = (await all(root)).map((one: CampaignOption) => one.key)
  expect(new Set(keys).size).toBe(keys.length)
  const handler = await app.as(await app.make.handler({ campaigns: [campaign.id] }))
  expect(await all(handler)).toEqual([
    { id: campaign.id, name: 'Zulu', archived: 0, type: 'campaign', key: `campaign-${campaign.id}` },
  ])
  expect((await admin.call(campaignsContract.all)).body.map((one: CampaignOption) => one.name)).toEqual(['Zulu'])
})

test('the picker of clients has those with one of the user’s campaigns, or with none at all [CAMP-46]', async () => {
  const mine = await app.make.campaign({ client_id: (await app.make.client({ name: 'mine' })).id })
  await app.make.campaign({ client_id: (await app.make.client({ name: 'Foreign' })).id })
  const fresh = await app.make.client({ name: 'Fresh' })
  await app.make.client({ name: 'Gone', deleted_at: new Date() })
  const names = async (who: Caller) => (await who.call(clientsContract.list, { query: { nopag: 1 } })).body
  const admin = await app.as(await app.make.admin({ campaigns: [mine.id], permissions: ['campaigns'] }))
  const theirs = await names(admin)
  expect(theirs).toContainEqual({ id: mine.client_id, name: 'mine' })
  expect(theirs).toContainEqual({ id: fresh.id, name: 'Fresh' })
  const seen = theirs.map((client: { name: string }) => client.name)
  expect(seen).not.toContain('Foreign')
  expect(seen).not.toContain('Gone')
  expect(seen).toEqual(seen.toSorted((a: string, b: string) => a.toLowerCase().localeCompare(b.toLowerCase())))
  expect((await names(root)).map((client: { name: string }) => client.name)).toContain('Foreign')
  for (const person of [await app.make.admin({ permissions: ['leads'] }), await app.make.handler()])
    expect((await (await app.as(person)).call(clientsContract.list, { query: { nopag: 1 } })).status).toBe(403)
})

test('the picker of client sites has those of the user’s campaigns [CAMP-47]', async () => {
  const mine = await app.make.clientSite({ url: 'https://mine.example' })
  await app.make.clientSite({ url: 'https://foreign.example' })
  await app.make.clientSite({ url: 'https://nobody.example', campaign_id: null })
  const admin = await app.as(await app.make.admin({ campaigns: [mine.campaign_id!], permissions: ['campaigns'] }))
  expect((await admin.call(clientSitesContract.all)).body).toEqual([
    { id: mine.id, url: 'https://mine.example', campaign_id: mine.campaign_id },
  ])
  const all = (await root.call(clientSitesContract.all)).body.map((site: { url: string }) => site.url)
  expect(all).toEqual(expect.arrayContaining(['https://foreign.example', 'https://nobody.example']))
})
