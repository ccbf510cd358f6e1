import { expect, test } from 'vitest'
import type { PermissionFlag } from '#contract/allow.ts'
import { addDays, endOfMonth, getToday } from '#contract/days.ts'
import { apiKeysContract } from '#domains/access/keys/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import { clientReportsContract } from '#domains/reports/client-reports/contract.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { networkSitesContract } from '#domains/sites/network/contract.ts'
import { caller, setUp, startApp } from '#test/app.ts'
import { clientRecordContract } from '../client-contract.ts'
import { recordsContract } from '../contract.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())

const readCampaign = (id: number, who = root) => who.call(recordsContract.campaign, { params: { id } })
const readClient = (id: number, who = root) => who.call(clientRecordContract.read, { params: { id } })

async function makeCampaign() {
  const category = await app.make.category()
  const campaign = await app.make.campaign({ categories: [category.id], notes: 'Roofs', service_fee: 900 })
  const handy = await app.make.handler({ campaigns: [campaign.id] })
  await app.make.activityItem({ campaign_id: campaign.id, note: 'Call back', assignee_id: handy.id })
  await app.make.lead({ campaign_id: campaign.id, source: 'Google Organic', confirmed: true })
  await app.make.lead({ campaign_id: campaign.id, source: 'Google Organic', hide: true })
  return { ...campaign, handy }
}

test('a key reads neither the accounts of staff nor the sessions of a client [OPEN-01]', async () => {
  const campaign = await makeCampaign()
  await app.as(await app.make.customer({ client_id: campaign.client_id }))
  expect((await readClient(campaign.client_id)).body.logins).toHaveLength(1)
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const form = { name: 'CRM', pages: { clients: 1, campaigns: 1 }, access: 'read', expires_at }
  const by = caller(app.url, (await root.call(apiKeysContract.create, { body: form })).body.key)
  expect((await readClient(campaign.client_id, by)).body).toMatchObject({ id: campaign.client_id, logins: [] })
  expect((await readCampaign(campaign.id, by)).body).toMatchObject({ id: campaign.id, people: null })
})

test('a campaign opens for everyone who may see it, with the parts they may read elsewhere and no money [WORK-13]', async () => {
  const { id, name, client_id, handy } = await makeCampaign()
  const admin = async (...permissions: PermissionFlag[]) =>
    (await readCampaign(id, await app.as(await app.make.admin({ campaigns: [id], permissions })))).body
  const whole = (await readCampaign(id)).body
  expect(whole).toMatchObject({
    name,
    client: { id: client_id },
    state: { notes: 'Roofs', trouble_state: 2 },
    contract: { manager: 'Morgan', due_date: 1 },
    sources: [{ source: 'Google Organic', type: 'Form', leads: 1, verified: 1 }],
    tasks: { total: 1, data: [{ note: 'Call back', assignee: handy.username }] },
  })
  expect(whole.people).toContainEqual({ id: handy.id, username: handy.username, role: 'leads_handler' })
  expect(JSON.stringify(whole)).not.toContain('900')
  expect(await admin('clientSites')).toMatchObject({ state: null, contract: null, sources: null, tasks: null })
  expect(await admin('leadChart')).toMatchObject({ state: { notes: 'Roofs' }, contract: null, tasks: null })
  expect(await admin('changelog')).toMatchObject({ tasks: { total: 1 }, sources: null, contract: null })
  // Sources are not theirs to read: neither in a lead, nor as a filter, nor as counts.
  const alone = {
    client: null,
    categories: null,
    state: null,
    contract: null,
    sources: null,
    tasks: null,
    people: null,
  }
  expect((await readCampaign(id, await app.as(handy))).body).toMatchObject(alone)
  expect((await readCampaign(id, await app.as(await app.make.customer({ client_id })))).body).toMatchObject(alone)
  for (const who of [await app.make.admin(), await app.make.handler(), await app.make.customer()])
    expect((await readCampaign(id, await app.as(who))).status).toBe(404)
  expect((await readCampaign(9_999_999)).status).toBe(404)
  expect((await readCampaign(id, app.guest)).status).toBe(401)
})

test('a campaign’s open task that was moved here names its assignee, who has no account [MOVE-05]', async () => {
  const { id } = await app.make.campaign()
  await app.make.activityItem({ campaign_id: id, is_task: true, assignee_name: 'Quinn (left)' })
  expect((await readCampaign(id)).body.tasks).toMatchObject({ total: 1, data: [{ assignee: 'Quinn (left)' }] })
})

test('a client has its campaigns, emails and sessions; those of campaigns the reader may not see are left out [WORK-13]', async () => {
  const client = await app.make.client({ emails: ['a@b.example'] })
  const [mine, other] = [
    await app.make.campaign({ client_id: client.id }),
    await app.make.campaign({ client_id: client.id }),
  ]
  const account = await app.make.customer({ client_id: client.id })
  await app.as(account)
  for (const { id } of [mine, other]) {
    const lead = await app.make.lead({ campaign_id: id, confirmed: true })
    await app.context.db
      .insert(mailsTable)
      .values({ lead_id: lead.id, campaign_id: id, kind: 'notification', recipients: ['a@b.example'], state: 'sent' })
  }
  const whole = (await readClient(client.id)).body
  expect(whole).toMatchObject({
    emails: 'a@b.example',
    user: { id: account.id, email: account.email, is_active: 1 },
    may_change: true,
    unrated: 2,
    mails: [{ state: 'sent' }, { state: 'sent' }],
    logins: [{ address: '127.0.0.1' }],
  })
  const contract = { manager: 'Morgan', service_fee: mine.service_fee }
  expect(whole.campaigns).toMatchObject([
    { verified: 1, contract },
    { verified: 1, contract },
  ])
  expect(JSON.stringify(whole)).not.toMatch(/token|password/)
  const some = (await readClient(client.id, await app.as(await app.make.admin({ campaigns: [mine.id] })))).body
  expect(some.campaigns).toMatchObject([{ id: mine.id }])
  expect(some).toMatchObject({ may_change: false, unrated: 1 })
  expect(some.mails).toHaveLength(1)
  expect(some.logins).toEqual([])
  expect((await readClient(client.id, await app.as(await app.make.admin()))).status).toBe(404)
  const without = await app.make.admin({ campaigns: [mine.id], permissions: ['campaigns'] })
  expect((await readClient(client.id, await app.as(without))).status).toBe(403)
})

test('a client’s page lists the emails that it was sent, not those that another client got before the lead moved [ACCT-09]', async () => {
  const [acme, beta] = [await app.make.client({ name: 'Acme' }), await app.make.client({ name: 'Beta' })]
  const [from, to] = [await app.make.campaign({ client_id: acme.id }), await app.make.campaign({ client_id: beta.id })]
  const lead = await app.make.lead({ campaign_id: from.id, confirmed: true })
  const mail = { lead_id: lead.id, kind: 'notification', state: 'sent' } as const
  await app.context.db
    .insert(mailsTable)
    .values({ ...mail, campaign_id: from.id, client_id: acme.id, recipients: ['owner@acme.example'] })
  const move = { params: { id: lead.id }, body: { campaign_id: to.id } }
  expect((await root.call(leadsContract.update, move)).status).toBe(200)
  await app.context.db
    .insert(mailsTable)
    .values({ ...mail, campaign_id: to.id, client_id: beta.id, recipients: ['owner@beta.example'] })
  expect((await readClient(beta.id)).body.mails).toMatchObject([{ recipients: ['owner@beta.example'] }])
})

test('a client’s figures are of this month, and those that its report has: no hidden, old or rated lead, no target of an archived campaign without leads [ACCT-01] [RPT-05]', async () => {
  const client = await app.make.client({ phone: '512-555-0142', notes: 'Prefers calls before noon.' })
  const make = (values: object) => app.make.campaign({ client_id: client.id, ...values })
  const [small, none, archived, ended, next] = [
    await make({ name: 'A', initial_target: 5 }),
    await make({ name: 'B', initial_target: 0 }),
    await make({ name: '0', archived: true, initial_target: 7 }),
    await make({ name: 'C', archived: true, initial_target: 9 }),
    await make({ name: 'B2', initial_target: 4, start_date: addDays(endOfMonth(getToday('America/New_York')), 1) }),
  ]
  const verified = (values: object) => app.make.lead({ campaign_id: small.id, confirmed: true, ...values })
  await verified({})
  await verified({ rating: 4 })
  await verified({ client_progress: 2 })
  await verified({ hide: true })
  await verified({ confirmed: false })
  await verified({ occurred_at: new Date(Date.now() - 92 * 86_400_000) })
  await app.make.lead({ campaign_id: ended.id, lead_type: 'Call', tags: ['Missed Call'] })
  const { body } = await readClient(client.id)
  expect(body).toMatchObject({ phone: '512-555-0142', notes: 'Prefers calls before noon.', unrated: 1 })
  expect(body.campaigns.map(({ id, verified, target }: (typeof body.campaigns)[0]) => [id, verified, target])).toEqual([
    [small.id, 3, 5],
    [none.id, 0, 0],
    [next.id, 0, 0],
    [archived.id, 0, 0],
    [ended.id, 0, 9],
  ])
  const report = { params: { id: client.id }, body: { period: 'month', from: getToday('America/New_York') } }
  const { key } = (await root.call(clientReportsContract.create, report)).body
  const { campaigns, target } = (await app.guest.call(clientReportsContract.read, { params: { key } })).body
  expect(campaigns).toMatchObject([
    { name: 'A', verified: 3, target: 5 },
    { name: 'B', verified: 0, target: 0 },
    { name: 'B2', verified: 0, target: 0 },
    { name: 'C', verified: 0, target: 9 },
  ])
  expect(target).toBe(14)
  const handler = await app.as(
    await app.make.admin({ permissions: ['clients'], campaigns: [small.id, none.id, archived.id] }),
  )
  expect((await readClient(client.id, handler)).body.campaigns[0]).toMatchObject({ id: small.id, contract: null })
})

test('a single site or listing has the fields of its list [WORK-12]', async () => {
  const site = await app.make.clientSite()
  const network = await app.make.networkSite()
  const listing = await app.make.gmb()
  await app.make.gmb()
  const one = { params: { id: site.id } }
  expect((await root.call(clientSitesContract.get, one)).body).toMatchObject({ id: site.id, url: site.url })
  const stranger = await app.as(await app.make.admin())
  expect((await stranger.call(clientSitesContract.get, one)).status).toBe(404)
  expect((await root.call(networkSitesContract.get, { params: { id: network.id } })).body).toMatchObject({
    url: network.url,
  })
  expect((await root.call(networkSitesContract.get, { params: { id: 9_999_999 } })).status).toBe(404)
  expect((await root.call(gmbsContract.get, { params: { id: listing.id } })).body).toMatchObject({
    title: listing.title,
    password: null,
  })
  expect((await stranger.call(gmbsContract.get, { params: { id: listing.id } })).status).toBe(404)
  const { body } = await root.call(gmbsContract.list, { query: { campaign_id: listing.campaign_id } })
  expect(body).toMatchObject({ total: 1, data: [{ id: listing.id }] })
})
