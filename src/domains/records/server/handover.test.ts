import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { notArrivedHash } from '#core/secrets/passwords.ts'
import { agencyContract } from '#domains/agency/contract.ts'
import { campaignAreasContract } from '#domains/campaigns/area/contract.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { type HandoverStep, handoverContract, testLeadContract } from '#domains/campaigns/handover/contract.ts'
import { workingHoursContract } from '#domains/campaigns/hours/contract.ts'
import { defaultSchedule } from '#domains/campaigns/schedule.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { termsContract } from '#domains/campaigns/terms/contract.ts'
import { callRailAccountsTable, callRailCompaniesTable } from '#domains/leads/callrail/schema.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { clientSiteLogsTable } from '#domains/sites/client/schema.ts'
import { startSmtpSink } from '#integrations/fakes/smtp.ts'
import { setUp, startApp } from '#test/app.ts'
import { callRailKey, postCall, sendCallRail } from '#test/provider-hooks.ts'
import { until } from '#test/until.ts'

const sink = await setUp(startSmtpSink())
const app = await setUp(startApp({ work: true, settings: { SMTP_URL: sink.url, CALLRAIL_SIGNING_KEY: callRailKey } }))
const root = await app.as(await app.make.superAdmin())

const read = async (id: number, who = root): Promise<HandoverStep[]> =>
  (await who.call(handoverContract.read, { params: { id } })).body
const readStep = async (id: number, key: string) => (await read(id)).find((step) => step.key === key)!
const sendTest = (id: number, to: unknown, who = root) =>
  who.call(testLeadContract.send, { params: { id }, body: { to } })

/** A campaign as it is created by the dialog, of a client with a login account. */
async function makeNewCampaign() {
  const client = await app.make.client({ name: 'Granite Roofing' })
  await app.make.customer({ client_id: client.id })
  return app.make.campaign({ client_id: client.id, name: 'Granite Tulsa', initial_target: 0, service_fee: 900 })
}

test('a new campaign has everything to do, each with its place [MOVE-14]', async () => {
  const { id } = await makeNewCampaign()
  const page = `/campaign/${id}`
  expect(await read(id)).toEqual([
    { key: 'site', done: false, says: 'This campaign has no client site', at: null, door: page },
    { key: 'arrivals', done: false, says: 'No call or form has come in yet', at: null, door: page },
    { key: 'mail', done: false, says: 'No test lead was sent yet', at: null, door: page },
    { key: 'hours', done: false, says: 'Not set: the preset hours apply', at: null, door: `${page}?tab=team` },
    { key: 'area', done: false, says: 'No area was drawn', at: null, door: `${page}?tab=area` },
    { key: 'terms', done: false, says: 'Not saved: the service fee of $900 applies', at: null, door: page },
    { key: 'target', done: false, says: 'No target was set', at: null, door: page },
  ])
  const alone = await app.make.campaign()
  expect(await readStep(alone.id, 'mail')).toMatchObject({
    says: expect.stringMatching(/ has no email address$/),
    door: `/client/${alone.client_id}`,
  })
  await app.make.customer({ client_id: alone.client_id, password_hash: notArrivedHash })
  expect(await readStep(alone.id, 'mail')).toMatchObject({
    says: expect.stringMatching(/ has not accepted the invitation yet$/),
  })
})

test('each step is done by its own work [MOVE-14]', async () => {
  const { id } = await makeNewCampaign()
  const params = { id }
  // The preset hours count once a person has saved them.
  const hours = { timezone: 'America/New_York', schedule: defaultSchedule }
  await root.call(workingHoursContract.save, { params, body: hours })
  expect(await readStep(id, 'hours')).toMatchObject({ done: true, at: expect.any(String) })
  expect((await root.call(workingHoursContract.read, { params })).body.version).toBe(1)
  const corners = [
    { lat: 36, lng: -96 },
    { lat: 36.2, lng: -96 },
    { lat: 36.1, lng: -95.8 },
  ]
  await root.call(campaignAreasContract.save, { params, body: { points: corners } })
  expect(await readStep(id, 'area')).toMatchObject({ done: true, says: 'An area of 3 points', at: expect.any(String) })
  await root.call(campaignAreasContract.remove, { params })
  expect(await readStep(id, 'area')).toMatchObject({ done: false })
  await root.call(termsContract.save, { params, body: { terms: [{ from: '2026-01-01', kind: 'per_lead' }] } })
  expect(await readStep(id, 'terms')).toMatchObject({ done: true, says: 'Per lead' })
  await app.context.db.update(campaignsTable).set({ month_3_target: 20 }).where(eq(campaignsTable.id, id))
  expect(await readStep(id, 'target')).toMatchObject({ done: true, says: '20 leads a month from month 3' })
})

test('the terms of a campaign are those of today; before they begin and once they have ended it says so [MOVE-14]', async () => {
  const { id } = await makeNewCampaign()
  const says = async (...terms: object[]) => {
    const body = { terms }
    expect((await root.call(termsContract.save, { params: { id }, body })).status).toBe(200)
    const { done, says } = await readStep(id, 'terms')
    return [done, says]
  }
  const ended = { from: '2020-01-01', to: '2020-12-31', kind: 'per_lead' }
  const now = { from: '2021-01-01', to: '2098-12-31', kind: 'flat_plus' }
  const later = { from: '2099-01-01', kind: 'per_lead' }
  expect(await says(ended, now, later)).toEqual([true, 'Fee with included leads'])
  expect(await says(ended, later)).toEqual([
    true,
    'Per lead from Jan 1, 2099; until then the service fee of $900 applies',
  ])
  expect(await says(ended)).toEqual([false, 'Ended: the service fee of $900 applies'])
})

test('a site counts once it is live, and leads once a hook has brought one [MOVE-14]', async () => {
  const { id } = await makeNewCampaign()
  await app.make.lead({ campaign_id: id }) // as a person adds one
  const site = await app.make.clientSite({
    campaign_id: id,
    url: 'https://granite.example/',
    callrail_campaign_identifier: 'COM77',
  })
  const door = `/site/client/${site.id}`
  expect(await readStep(id, 'site')).toMatchObject({ done: false, says: 'granite.example: not checked yet', door })
  expect(await readStep(id, 'arrivals')).toMatchObject({ done: false, door })
  const [read_at, hooked_at] = [new Date('2026-11-01T10:00:00Z'), new Date('2026-11-02T10:00:00Z')]
  await app.context.db
    .insert(callRailCompaniesTable)
    .values({ company_id: 'COM77', account_id: 'ACC1', is_active: true })
  expect(await readStep(id, 'arrivals')).toMatchObject({ done: false })
  await app.context.db.insert(callRailAccountsTable).values({
    ...{ account_id: 'ACC1', connected_at: read_at, next_look_at: read_at, looked_at: read_at, outcome: 'done' },
  })
  expect(await readStep(id, 'arrivals')).toMatchObject({
    ...{ done: true, says: 'CallRail is read, but no lead has come in yet', at: read_at.toJSON(), door },
  })
  await app.context.db.update(callRailCompaniesTable).set({ hooked_at })
  expect(await readStep(id, 'arrivals')).toMatchObject({
    ...{ done: true, says: 'CallRail’s webhook works, but no lead has come in yet', at: hooked_at.toJSON(), door },
  })
  await sendCallRail(app, postCall({ company_resource_id: 'COM77' }))
  await until(async () => (await readStep(id, 'arrivals')).says === 'A call came in')
  expect(await readStep(id, 'arrivals')).toMatchObject({ says: 'A call came in', at: expect.any(String) })

  const other = await makeNewCampaign()
  await app.make.clientSite({ campaign_id: other.id, url: 'https://c.example/', status: 1, checked_at: new Date() })
  expect(await readStep(other.id, 'site')).toMatchObject({
    done: true,
    says: 'c.example is live',
    at: expect.any(String),
  })
  const { id: site_id } = await app.make.clientSite({
    campaign_id: other.id,
    url: 'https://d.example/',
    status: 0,
    problem: 'The name does not exist',
  })
  await app.context.db.insert(clientSiteLogsTable).values({ site_id, status: 0 })
  expect(await readStep(other.id, 'site')).toMatchObject({
    done: false,
    says: 'd.example: not reached yet: The name does not exist',
  })
  await app.context.db.insert(clientSiteLogsTable).values({ site_id, status: 1 })
  expect((await readStep(other.id, 'site')).says).toBe('d.example: offline: The name does not exist')
})

test('a test lead is mailed as a new lead is, is stored and counted nowhere, and its links save nothing [MOVE-14]', async () => {
  const { id } = await makeNewCampaign()
  const countLeads = async () =>
    (
      await app.context.db.execute(
        'select (select count(*) from leads) as leads, (select count(*) from mails) as mails',
      )
    ).rows[0]
  const before = await countLeads()
  const agency = { name: 'North', color: '#0a7d4f', email: 'hello@north.example' }
  expect((await root.call(agencyContract.update, { body: agency })).status).toBe(200)
  const { status, body } = await sendTest(id, 'me@agency.example')
  expect([status, body]).toEqual([200, { message: 'A test lead is on its way to me@agency.example' }])
  await until(() => sink.letters.some(({ to }) => to.includes('me@agency.example')))
  const { email } = sink.letters.find(({ to }) => to.includes('me@agency.example'))!
  expect(email.subject).toBe('Test: New form from Test Lead · Granite Tulsa')
  expect(email.replyTo).toEqual([expect.objectContaining({ address: 'hello@north.example' })])
  for (const part of [email.html, email.text]) expect(part).toContain('It is not a lead, and its links save nothing')
  const links = [...(email.html ?? '').matchAll(/href="([^"]+\/rate[^"]*)"/g)].map(([, link]) => link)
  expect(links.length).toBeGreaterThan(6)
  expect(new Set(links)).toEqual(new Set([`${app.url}/rate?test=1`]))
  expect(await countLeads()).toEqual(before)
  await until(async () => (await readStep(id, 'mail')).done)
  expect(await readStep(id, 'mail')).toMatchObject({
    says: 'A test lead was sent to me@agency.example',
    at: expect.any(String),
  })
})

test('emails to the client that the campaign had before do not count for the one it was given to [MOVE-14]', async () => {
  const { id, client_id: old } = await makeNewCampaign()
  const category = await app.make.category()
  const { id: other } = await app.make.client({ name: 'Slate Roofing' })
  await app.make.customer({ client_id: other })
  const give = async (client_id: number) => {
    const targets = { initial_target: 0, start_date: '2026-01-20', due_date: 15 }
    const body = { name: 'Granite Tulsa', categories: [category.id], client_id, manager: 'Morgan', ...targets }
    expect((await root.call(campaignsContract.update, { params: { id }, body })).status).toBe(200)
  }
  await give(old)
  const nothing = { done: false, says: 'No test lead was sent yet' }
  const { id: lead_id } = await app.make.lead({ campaign_id: id })
  const mail = { lead_id, campaign_id: id, client_id: old, kind: 'notification', state: 'sent' } as const
  await app.context.db.insert(mailsTable).values({ ...mail, recipients: ['old@client.example'] })
  expect(await readStep(id, 'mail')).toMatchObject({ done: true })
  await give(other)
  expect(await readStep(id, 'mail')).toMatchObject(nothing)
  await sendTest(id, 'tested@agency.example')
  await until(async () => (await readStep(id, 'mail')).says.includes('was sent to tested@'))
  await give(old)
  expect(await readStep(id, 'mail')).toMatchObject({ says: 'The last lead was sent to old@client.example' })
  await give(other)
  expect(await readStep(id, 'mail')).toMatchObject(nothing)
})

test('a refused test lead says why [MOVE-14]', async () => {
  const { id } = await makeNewCampaign()
  sink.unknown.add('gone@client.example')
  await sendTest(id, 'gone@client.example')
  await until(async () => (await readStep(id, 'mail')).says.includes('was not sent'))
  expect(await readStep(id, 'mail')).toMatchObject({
    done: false,
    says: expect.stringContaining('gone@client.example'),
  })
})

test('a lead that the client’s address refused is not their working email, even if others got it [MOVE-14]', async () => {
  const { id, client_id } = await makeNewCampaign()
  const { id: lead_id } = await app.make.lead({ campaign_id: id })
  const recipients = ['gone@client.example', 'wife@client.example']
  const error = 'Not delivered to gone@client.example: 550 No such mailbox'
  const mail = { lead_id, campaign_id: id, client_id, kind: 'notification', state: 'sent' } as const
  await app.context.db.insert(mailsTable).values({ ...mail, recipients, error })
  expect(await readStep(id, 'mail')).toMatchObject({
    done: false,
    says: 'The last lead did not reach everyone. Not delivered to gone@client.example: 550 No such mailbox',
  })
  await app.context.db.insert(mailsTable).values({ ...mail, recipients })
  expect(await readStep(id, 'mail')).toMatchObject({ done: true, says: `The last lead was sent to ${recipients[0]}` })
})

test('only those with the page and the campaign read the list and send a test lead [MOVE-14]', async () => {
  const { id } = await makeNewCampaign()
  const may = await app.as(await app.make.admin({ campaigns: [id], permissions: ['campaigns'] }))
  expect(await read(id, may)).toHaveLength(7)
  await app.make.clientSite({ campaign_id: id })
  expect((await read(id, may)).map(({ door }) => door.split('?')[0])).toEqual(Array(7).fill(`/campaign/${id}`))
  const refused = [
    [await app.as(await app.make.admin({ permissions: ['campaigns'] })), 404],
    [await app.as(await app.make.admin({ campaigns: [id], permissions: ['leads'] })), 403],
    [await app.as(await app.make.handler({ campaigns: [id] })), 403],
    [await app.as(await app.make.customer({ client_id: (await app.make.client()).id })), 403],
    [app.guest, 401],
  ] as const
  for (const [who, status] of refused) {
    expect((await who.call(handoverContract.read, { params: { id } })).status).toBe(status)
    expect((await sendTest(id, 'me@agency.example', who)).status).toBe(status)
  }
  expect((await sendTest(id, 'not an address')).body.errors).toHaveProperty('to')
  expect((await sendTest(id, '')).body.errors).toEqual({ to: ['Please enter email'] })
})

test('without a mail server the step says so, and no test lead is queued [MOVE-14]', async () => {
  const mute = await startApp()
  const keeper = await mute.as(await mute.make.superAdmin())
  const client = await mute.make.client()
  await mute.make.customer({ client_id: client.id })
  const { id } = await mute.make.campaign({ client_id: client.id })
  expect((await read(id, keeper)).find(({ key }) => key === 'mail')).toMatchObject({
    done: false,
    says: 'No mail server is connected: a super admin connects one under Connections',
  })
  const before = await mute.dump()
  expect((await sendTest(id, 'me@agency.example', keeper)).status).toBe(409)
  expect(await mute.dump()).toBe(before)
  await mute.close()
})
