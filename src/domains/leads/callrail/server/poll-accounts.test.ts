import { eq, sql } from 'drizzle-orm'
import { beforeEach, expect, test } from 'vitest'
import { allJobs } from '#app/server/parts.ts'
import { connectionsContract } from '#domains/connections/contract.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { processInbox } from '#domains/leads/intake/server/worker.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { recordingsContract } from '#domains/leads/recordings/contract.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import { startCallRailStandIn } from '#integrations/fakes/callrail.ts'
import { setUp, startApp } from '#test/app.ts'
import { callRailKey, postCall, sendCallRail } from '#test/provider-hooks.ts'
import { until } from '#test/until.ts'
import { callRailAccountsTable, callRailCompaniesTable, callRailRequestsTable } from '../schema.ts'
import { assignCompanyLeads } from './assign-leads.ts'
import { holdAccount, pollAccounts } from './poll-accounts.ts'

const callrail = await setUp(startCallRailStandIn())
const app = await setUp(startApp({ settings: { CALLRAIL_SIGNING_KEY: callRailKey, ...callrail.settings } }))
const { db } = app.context
const root = await app.as(await app.make.superAdmin())
const client = await app.make.client({ emails: ['owner@example.com'] })
const campaign = await app.make.campaign({ client_id: client.id })
const site = await app.make.clientSite({ campaign_id: campaign.id, callrail_campaign_identifier: 'COM1' })

/** Connected three hours ago; the minutes of a test count from then. */
const connectedAt = Date.now() - 3 * 3_600_000
const at = (minutes: number) => new Date(connectedAt + minutes * 60_000)
const timeAt = (minutes: number) => at(minutes).toISOString()
const look = async (minutes: number, context = app.context) => {
  const looks = await pollAccounts(context, at(minutes))
  await processInbox(app.context)
  return looks
}
const company = (id: string, status = 'active') => ({ id, name: `Company ${id}`, status, time_zone: 'America/Chicago' })

beforeEach(async () => {
  Object.assign(callrail, { companies: [company('COM1')], calls: [], forms: [], conversations: [], behaviour: {} })
  callrail.requests.length = 0
  for (const table of [callRailAccountsTable, callRailCompaniesTable, callRailRequestsTable]) await db.delete(table)
  await db.execute(sql`update connections set created_at = ${at(0)}`)
})

/** Returns a hook's event in the format of CallRail's list: only new ids, numbers as numbers, null for empty values. */
function toListed(event: Record<string, unknown>) {
  const { resource_id, company_resource_id, company_id: _number, ...rest } = event
  const orNull = Object.entries(rest).map(([name, value]) => [name, value === '' ? null : value])
  const call = { ...Object.fromEntries(orNull), duration: event.duration === null ? null : Number(event.duration) }
  return { ...call, id: String(resource_id), company_id: company_resource_id, start_time: String(event.start_time) }
}
const callAt = (minutes: number, values: object = {}) =>
  toListed(postCall({ start_time: timeAt(minutes), duration: '45', ...values }))

let count = 0
function formAt(minutes: number, values: object = {}) {
  count += 1
  return {
    id: `FRM${process.pid}x${count}`,
    company_id: 'COM1',
    form_data: {
      name: 'Jane Form',
      email: `jane${count}@form.example`,
      phone: `512-557-${1000 + count}`,
      roof: 'Metal',
    },
    form_url: 'https://a.example/contact',
    landing_page_url: 'https://a.example/?gclid=abc',
    submitted_at: timeAt(minutes),
    source: 'Google Ads',
    ...values,
  }
}

const textAt = (minutes: number, content: string, direction = 'incoming') => ({
  direction,
  content,
  created_at: timeAt(minutes),
})
function conversation(messages: ReturnType<typeof textAt>[], values: object = {}) {
  count += 1
  return {
    id: `SMT${process.pid}x${count}`,
    company_id: 'COM1',
    customer_phone_number: `+1512556${String(1000 + count).slice(-4)}`,
    initial_tracking_number: '+15125550180',
    current_tracking_number: '+15125550180',
    last_message_at: messages[0]?.created_at ?? timeAt(0),
    recent_messages: messages,
    ...values,
  }
}

const leadsOf = (lead_id: string) => db.select().from(leadsTable).where(eq(leadsTable.lead_id, lead_id))
const leadsFrom = (phone: string) => db.select().from(leadsTable).where(eq(leadsTable.phone_key, phone))
const mailsOf = (id: number) => db.$count(mailsTable, eq(mailsTable.lead_id, id))
const listRequests = (list: string) => callrail.requests.filter((request) => request.includes(`/${list}.json?`))
const account = async () => (await db.select().from(callRailAccountsTable))[0]!
const countLeads = () => db.$count(leadsTable)
const outcome = (result: string) => [expect.objectContaining({ outcome: result })]

test('the first lead of a new account is there and mailed within three minutes of its key, without a hook [MOVE-03]', async () => {
  const other = callrail.addAccount('ACC2', 'key-of-the-second')
  const made = await root.call(connectionsContract.create, { body: { kind: 'callrail', api_key: 'key-of-the-second' } })
  expect(made).toMatchObject({ status: 200, body: { account: { id: 'ACC2' } } })
  const since = Date.parse(made.body.created_at)
  await app.make.clientSite({ campaign_id: campaign.id, callrail_campaign_identifier: 'COM2' })
  other.companies.push(company('COM2'))
  await pollAccounts(app.context, new Date(since + 30_000))
  const start_time = new Date(since + 40_000).toISOString()
  other.calls.push(toListed(postCall({ start_time, duration: '20', company_resource_id: 'COM2' })))
  await pollAccounts(app.context, new Date(since + 150_000))
  await processInbox(app.context)
  const [lead] = await leadsOf(other.calls[0]!.id)
  expect(lead).toMatchObject({ lead_type: 'Call', campaign_id: campaign.id, duration: 20 })
  expect(await mailsOf(lead!.id)).toBe(1)
  const { body } = await root.call(connectionsContract.get, { params: { id: made.body.id } })
  expect(body).toMatchObject({ state: 'works', says: '1 company, read every two minutes', used_at: expect.anything() })
  expect(allJobs.find(({ name }) => name === 'callrail-poll')).toMatchObject({ cron: '* * * * *' })
  expect((await root.call(connectionsContract.remove, { params: { id: made.body.id } })).status).toBe(204)
})

test('a call, a form and a text become the leads that their hooks would have made [MOVE-03] [IN-04] [EDGE-13]', async () => {
  const values = { call_type: 'answered', answered: true, duration: '125', customer_phone_number: '+15125550101' }
  const hooked = postCall({ ...values, start_time: timeAt(20), landing_page_url: 'https://a.example/?gclid=abc' })
  await sendCallRail(app, hooked)
  callrail.calls = [callAt(10, { ...values, landing_page_url: 'https://a.example/?gclid=abc' })]
  callrail.forms = [formAt(10)]
  callrail.conversations = [conversation([textAt(11, 'You are welcome', 'outgoing'), textAt(10, 'Do you fix roofs?')])]
  await look(30)
  const [[byHook], [byList]] = [await leadsOf(hooked.resource_id), await leadsOf(callrail.calls[0]!.id)]
  const own = ['id', 'lead_id', 'occurred_at', 'created_at', 'first_call', 'facets'] as const
  const shared = (lead: typeof byHook) =>
    Object.fromEntries(Object.entries(lead!).filter(([name]) => !own.includes(name as never)))
  expect(shared(byList)).toEqual(shared(byHook))
  expect(byList!.occurred_at).toEqual(at(10))
  const [form] = await leadsOf(callrail.forms[0]!.id)
  expect(form).toMatchObject({ lead_type: 'Form', message: 'roof: Metal', source: 'Google Paid', occurred_at: at(10) })
  const [text, ...more] = await leadsFrom(String(callrail.conversations[0]!.customer_phone_number))
  expect(text).toMatchObject({ lead_type: 'Form', message: 'Do you fix roofs?', tracking_phone_number: '+15125550180' })
  expect(more).toEqual([])
  for (const lead of [byList, form, text]) expect(await mailsOf(lead!.id)).toBe(1)
})

test('a message of another shape holds up no other of its conversation [EDGE-13]', async () => {
  const odd = [{ ...textAt(12, 'Later'), created_at: null }, { ...textAt(12, 'x'), direction: null }, null, 'text']
  const messages = [...odd, textAt(11, 'Hello?'), textAt(10, 'Do you fix roofs?')]
  callrail.conversations = [conversation([], { last_message_at: timeAt(12), recent_messages: messages })]
  await look(30)
  const [text] = await leadsFrom(String(callrail.conversations[0]!.customer_phone_number))
  expect(text!.message!.split('\n').toSorted()).toEqual(['Do you fix roofs?', 'Hello?'])
})

test('each list is read every two minutes from an hour before the last look, with 90 requests an hour for any number of companies [MOVE-03]', async () => {
  callrail.companies = Array.from({ length: 600 }, (_, index) => company(`COM${index}`))
  for (let minute = 1; minute <= 121; minute++) await look(minute)
  for (const list of ['calls', 'form_submissions']) expect(listRequests(list)).toHaveLength(61)
  const { rows } = await db.execute<{ most: number }>(sql`
    select max((select count(*) from callrail_requests later where later.at >= one.at and later.at < one.at + interval '1 hour'))::int as most
    from callrail_requests one`)
  expect(rows[0]!.most).toBeLessThanOrEqual(90)
  const inTheHour = callrail.requests.length
  expect(inTheHour).toBeLessThanOrEqual(61 * 3 + 3 * 3)
  const starts = listRequests('calls').map((request) =>
    Date.parse(new URL(request.split(' ')[1]!, 'http://x').searchParams.get('start_date')!),
  )
  expect(starts.slice(0, 3)).toEqual([at(-60), at(1 - 60), at(3 - 60)].map(Number))
  expect(callrail.requests.every((request) => request.startsWith('GET '))).toBe(true)
})

test('what started before the account was connected is history: no lead, no mail [MOVE-03]', async () => {
  callrail.calls = [callAt(-5), callAt(-0.5, { duration: '300' }), callAt(1)]
  callrail.forms = [formAt(-5)]
  callrail.conversations = [conversation([textAt(2, 'And today?'), textAt(-10, 'Hello')])]
  const before = await countLeads()
  expect(await look(6)).toMatchObject([{ stored: 2 }])
  expect(await countLeads()).toBe(before + 2)
})

test('one call by hook and poll is one lead and one mail, whichever comes first, and at once [MOVE-03] [IN-04] [IN-18]', async () => {
  const hooks = Array.from({ length: 6 }, () => postCall({ start_time: timeAt(5) }))
  callrail.calls = hooks.map(toListed)
  await sendCallRail(app, hooks[0])
  await processInbox(app.context)
  const rest = hooks.slice(1, 5)
  await Promise.all([...rest.map((call) => sendCallRail(app, call)), look(10), look(10), look(10)])
  await processInbox(app.context)
  await sendCallRail(app, { ...hooks[5]!, recording: 'https://a.example/recording' })
  await processInbox(app.context)
  for (const { resource_id } of hooks) {
    const found = await leadsOf(resource_id)
    expect(found).toHaveLength(1)
    expect(await mailsOf(found[0]!.id)).toBe(1)
  }
  expect((await leadsOf(hooks[5]!.resource_id))[0]).toMatchObject({ recording_url: 'https://a.example/recording' })
  expect(listRequests('calls'), 'of three looks at once one reads').toHaveLength(1)
})

test('a hook with an older number is the same call or form as in the list, whichever comes first [MOVE-03]', async () => {
  const phone = { customer_phone_number: '+15125550171' }
  const calls = [4, 5, 6].map((minute) => postCall({ start_time: timeAt(minute), ...phone }))
  const older = ({ resource_id: _id, ...call }: (typeof calls)[number], id: number) => ({ ...call, id })
  const forms = [formAt(4), formAt(5)]
  callrail.calls = calls.map(toListed)
  callrail.forms = forms
  await sendCallRail(app, older(calls[0]!, 81_001))
  await sendCallRail(app, { ...forms[0]!, id: 91_001 })
  await processInbox(app.context)
  await look(10)
  await sendCallRail(app, older(calls[1]!, 81_002))
  await sendCallRail(app, { ...forms[1]!, id: 91_002 })
  await processInbox(app.context)
  expect((await leadsFrom('+15125550171')).map(({ lead_id }) => lead_id).sort()).toEqual(
    ['81001', calls[1]!.resource_id, calls[2]!.resource_id].sort(),
  )
  expect(await leadsOf('91001')).toHaveLength(1)
  expect(await leadsOf(forms[0]!.id)).toHaveLength(0)
  expect(await leadsOf('91002')).toHaveLength(0)
  // Both in one commit.
  const [last] = [postCall({ start_time: timeAt(11), ...phone })]
  callrail.calls = [toListed(last!)]
  await pollAccounts(app.context, at(13))
  await sendCallRail(app, older(last!, 81_004))
  await processInbox(app.context)
  expect(await leadsFrom('+15125550171')).toHaveLength(4)
})

test('a text that its hook reported is not added again, and texts within a day are one lead [MOVE-03] [EDGE-13]', async () => {
  const thread = conversation([textAt(6, 'Second'), textAt(5, 'First')])
  const hook = {
    ...{ resource_id: 'SMS1', type: 'sms', content: 'First', timestamp: timeAt(5), company_resource_id: 'COM1' },
    ...{ source_number: thread.customer_phone_number, destination_number: '+15125550180' },
  }
  await sendCallRail(app, hook)
  callrail.conversations = [thread]
  await look(8)
  await look(10)
  const late = { ...hook, resource_id: 'SMS2', content: 'Second', timestamp: timeAt(6) }
  await sendCallRail(app, late)
  await processInbox(app.context)
  const [lead, ...more] = await leadsFrom(thread.customer_phone_number)
  expect(lead!.message).toBe('First\nSecond')
  expect(more).toEqual([])
  expect(await mailsOf(lead!.id)).toBe(1)
})

test('a live lead of a company that no client site has is unassigned, by poll and by hook of a connected account alike [MOVE-03]', async () => {
  callrail.companies.push(company('COM7'))
  const hook = postCall({ start_time: timeAt(5), company_resource_id: 'COM7' })
  callrail.calls = [callAt(4, { company_resource_id: 'COM7' }), toListed(hook)]
  callrail.forms = [formAt(4, { company_id: 'COM7' })]
  callrail.conversations = [conversation([textAt(4, 'Hello')], { company_id: 'COM7' })]
  await look(4.5)
  await sendCallRail(app, hook)
  await sendCallRail(app, postCall({ company_resource_id: 'COM-of-nobody' }))
  await processInbox(app.context)
  await look(8)
  const ids = [callrail.calls[0]!.id, hook.resource_id, callrail.forms[0]!.id]
  for (const id of ids) {
    const found = await leadsOf(id)
    expect(found).toMatchObject([{ campaign_id: 0, clientsite_id: null, origin: 'company/COM7' }])
    expect(await mailsOf(found[0]!.id)).toBe(0)
  }
  expect(await leadsFrom(String(callrail.conversations[0]!.customer_phone_number))).toMatchObject([{ campaign_id: 0 }])
  const [quarantined] = await db.select().from(inboundEventsTable).where(eq(inboundEventsTable.state, 'quarantined'))
  expect(quarantined!.reason).toContain('COM-of-nobody')

  // Once a site has the company, its calls come there, and what came before is known.
  const later = await app.make.clientSite({ campaign_id: campaign.id, callrail_campaign_identifier: 'COM7' })
  callrail.calls.push(callAt(9, { company_resource_id: 'COM7' }))
  await sendCallRail(app, { ...hook, changes: ['customer_name'], customer_name: 'Later Name' })
  await look(12)
  for (const id of ids) expect(await leadsOf(id)).toHaveLength(1)
  expect(await leadsOf(hook.resource_id)).toMatchObject([{ lead_name: 'Later Name' }])
  expect(await leadsOf(callrail.calls[2]!.id)).toMatchObject([{ clientsite_id: later.id }])
})

test.each([
  ['is deleted and added again', (id: number) => root.call(clientSitesContract.remove, { params: { id } })],
  ['gives its company to another site', giveUpCompany],
])('a call, form or text of a client site that %s stays one lead, by poll and by hook [MOVE-03]', async (_, leave) => {
  count += 1
  const id = `COM-again${count}`
  callrail.companies.push(company(id))
  const first = await app.make.clientSite({ campaign_id: campaign.id, callrail_campaign_identifier: id })
  const hook = postCall({ start_time: timeAt(3), company_resource_id: id })
  const { resource_id: _id, ...older } = postCall({ start_time: timeAt(4), company_resource_id: id, id: 7_000 + count })
  callrail.calls = [callAt(2, { company_resource_id: id })]
  callrail.forms = [formAt(2, { company_id: id })]
  callrail.conversations = [conversation([textAt(2, 'Hello')], { company_id: id })]
  await sendCallRail(app, hook)
  await sendCallRail(app, older)
  await look(4)
  const before = await countLeads()
  expect(before).toBeGreaterThan(4)
  await leave(first.id)
  const later = await app.make.clientSite({ campaign_id: campaign.id, callrail_campaign_identifier: id })
  callrail.calls.push(toListed(hook), callAt(4, { ...older, id: undefined, resource_id: `CAL-again${count}` }))
  Object.assign(callrail.calls[0]!, { duration: 99 })
  const again = textAt(3, 'Are you there?')
  callrail.conversations = [{ ...callrail.conversations[0]!, recent_messages: [again, textAt(2, 'Hello')] }]
  await look(8)
  await sendCallRail(app, { ...hook, changes: ['customer_name'], customer_name: 'Later Name' })
  await processInbox(app.context)
  expect(await countLeads()).toBe(before)
  expect(await leadsOf(hook.resource_id)).toMatchObject([{ clientsite_id: first.id, lead_name: 'Later Name' }])
  expect(await leadsOf(callrail.calls[0]!.id)).toMatchObject([{ clientsite_id: first.id, duration: 99 }])
  callrail.calls = [callAt(9, { company_resource_id: id })]
  await look(12)
  expect(await leadsOf(callrail.calls[0]!.id)).toMatchObject([{ clientsite_id: later.id }])
})

async function giveUpCompany(id: number) {
  const { body } = await root.call(clientSitesContract.get, { params: { id } })
  const form = { url: body.url, campaign_id: campaign.id, callrail_campaign_identifier: null, forms_only: true }
  const saved = await root.call(clientSitesContract.update, {
    params: { id },
    body: { ...form, version: body.version },
  })
  expect(saved.status).toBe(200)
}

test('leads without a campaign follow their company to its campaign, and no one is mailed about them [MOVE-03]', async () => {
  callrail.companies.push(company('COM5'), company('COM6'))
  callrail.calls = [5, 6].map((nth) => callAt(2, { company_resource_id: `COM${nth}` }))
  await look(5)
  const later = await app.make.clientSite({ campaign_id: campaign.id, callrail_campaign_identifier: 'COM5' })
  const place = { companies: ['COM5'], clientsite_id: later.id, campaign_id: campaign.id }
  const by = { actor: { me: null }, zone: 'America/Chicago' }
  const moved = await db.transaction((tx) => assignCompanyLeads(tx, by, place))
  const [[lead], [other]] = [await leadsOf(callrail.calls[0]!.id), await leadsOf(callrail.calls[1]!.id)]
  expect(moved).toEqual([lead!.id])
  expect(lead).toMatchObject({ campaign_id: campaign.id, clientsite_id: later.id })
  expect(other).toMatchObject({ campaign_id: 0 })
  expect(await mailsOf(lead!.id)).toBe(0)
  callrail.calls = callrail.calls.map((call) => ({ ...call, duration: 99 }))
  await look(8)
  expect(await leadsOf(callrail.calls[0]!.id)).toMatchObject([{ id: lead!.id, duration: 99 }])
})

test.each([
  ['is added with its company', async (form: object) => root.call(clientSitesContract.create, { body: form })],
  [
    'gets its company and campaign later',
    async (form: { url: string; forms_only: boolean }) => {
      const { id } = await app.make.clientSite({ campaign_id: null, url: form.url })
      return root.call(clientSitesContract.update, { params: { id }, body: { ...form, version: 1 } })
    },
  ],
])(
  'leads that wait for a client site follow once one %s, and no one is mailed about them [MOVE-03]',
  async (_, add) => {
    count += 1
    const [id, other] = [`COM-wait${count}`, `COM-other${count}`]
    callrail.companies.push(company(id), company(other))
    callrail.calls = [id, other].map((company_resource_id) => callAt(2, { company_resource_id }))
    await look(5)
    const job = allJobs.find(({ name }) => name === 'callrail-poll')!
    const form = { url: `https://wait${count}.example`, campaign_id: campaign.id, callrail_campaign_identifier: id }
    const made = await add({ ...form, forms_only: false })
    expect(made.status).toBe(200)
    await job.run(app.context, {} as never)
    const [lead] = await leadsOf(callrail.calls[0]!.id)
    expect(lead).toMatchObject({ campaign_id: campaign.id, clientsite_id: made.body.id })
    expect(await mailsOf(lead!.id)).toBe(0)
    expect(await leadsOf(callrail.calls[1]!.id)).toMatchObject([{ campaign_id: 0, clientsite_id: null }])
  },
)

test('a hook that another company’s key signed makes no lead of a connected company [MOVE-03]', async () => {
  callrail.companies.push(company('COM8'))
  const rival = await app.make.clientSite({ campaign_id: campaign.id, callrail_campaign_identifier: 'COM9' })
  const key = 'key-of-another-company'
  await db.execute(
    sql`update client_sites set callrail_signing_key = ${app.context.secrets.seal(key, `client_sites.callrail_signing_key:${rival.id}`)} where id = ${rival.id}`,
  )
  await look(1)
  const hook = postCall({ company_resource_id: 'COM8' })
  await sendCallRail(app, hook, { key })
  await processInbox(app.context)
  expect(await leadsOf(hook.resource_id)).toEqual([])
})

test('a company whose client site was deleted is no longer served, an archived company with a site is [MOVE-03]', async () => {
  await app.make.clientSite({ callrail_campaign_identifier: 'COM-left', deleted_at: new Date() })
  callrail.companies = [company('COM1', 'disabled'), company('COM-left')]
  callrail.calls = [callAt(1, { company_resource_id: 'COM-left' }), callAt(1)]
  await look(5)
  expect(await leadsOf(callrail.calls[0]!.id)).toEqual([])
  expect(await leadsOf(callrail.calls[1]!.id)).toMatchObject([{ clientsite_id: site.id }])
  const left = postCall({ company_resource_id: 'COM-left' })
  await sendCallRail(app, left)
  await processInbox(app.context)
  expect(await leadsOf(left.resource_id)).toEqual([])
})

test('a call in progress is no lead before its end, however long it takes, and its recording may come later [MOVE-03]', async () => {
  const call = callAt(2, { duration: null, call_type: 'in_progress', answered: true })
  const ringing = callAt(3, { duration: '0', call_type: 'ringing' })
  callrail.calls = [call, ringing]
  for (let minute = 4; minute < 95; minute += 2) await look(minute)
  expect(await leadsOf(call.id)).toEqual([])
  const ended = { ...call, duration: 5400, call_type: 'answered' }
  callrail.calls = [ended, { ...ringing, call_type: 'abandoned', duration: 5 }]
  await look(96)
  expect(await leadsOf(call.id)).toMatchObject([{ duration: 5400, answered: true, recording_url: null }])
  expect(await leadsOf(ringing.id)).toMatchObject([{ answering_status: 'Abandoned' }])
  callrail.calls = [{ ...ended, recording: 'https://a.example/late' }]
  await look(110)
  expect(await leadsOf(call.id)).toMatchObject([{ recording_url: 'https://a.example/late' }])
})

test.each<[string, object]>([
  ['no duration', { duration: null }],
  ['no duration and no type', { duration: null, call_type: null, answered: null }],
  ['a type that never ends', { duration: null, call_type: 'in_progress', answered: true }],
])('a call of %s has ended after a day, and is a lead of unknown duration [MOVE-03]', async (_, values) => {
  const call = callAt(2, values)
  callrail.calls = [call]
  for (const minute of [4, 23 * 60, 24 * 60 + 1]) await look(minute)
  expect(await leadsOf(call.id)).toEqual([])
  await look(24 * 60 + 4)
  expect(await leadsOf(call.id)).toMatchObject([{ duration: null, occurred_at: at(2) }])
})

test('a call is listed with its duration in any form [MOVE-03] [EDGE-02]', async () => {
  callrail.calls = ['1:05', '65s', 65.4].map((duration) => ({ ...callAt(2), duration }))
  await look(6)
  for (const { id } of callrail.calls) expect(await leadsOf(id)).toMatchObject([{ duration: 65 }])
})

test('what CallRail corrects after the call is corrected, once, but not what a person has changed [MOVE-03]', async () => {
  const call = callAt(2, { answered: true, call_type: 'answered', duration: '12', customer_name: 'UNKNOWN' })
  const named = callAt(2, { customer_name: 'Wrong' })
  callrail.calls = [call, named]
  await look(5)
  const [lead] = await leadsOf(named.id)
  const [detail] = await leadsOf(call.id)
  expect(detail).toMatchObject({ tags: [] })
  await db.execute(
    sql`insert into audit (action, user_id, kind, row_id, after) values ('changed', ${(await app.make.superAdmin()).id}, 'lead', ${lead!.id}, ${JSON.stringify({ lead_name: 'Right' })})`,
  )
  await db.execute(sql`update leads set lead_name = 'Right' where id = ${lead!.id}`)
  const corrected = { answered: false, voicemail: true, call_type: 'voicemail', duration: 31, customer_name: 'Jane' }
  callrail.calls = [
    { ...call, ...corrected },
    { ...named, customer_name: 'Still Wrong' },
  ]
  await look(8)
  expect(await leadsOf(call.id)).toMatchObject([
    { duration: 31, voicemail: true, tags: expect.arrayContaining(['Voicemail']), lead_name: 'Jane' },
  ])
  expect(await leadsOf(named.id)).toMatchObject([{ lead_name: 'Right' }])
  const stored = await db.$count(inboundEventsTable)
  await look(11)
  expect(await db.$count(inboundEventsTable)).toBe(stored)
})

test('a call that CallRail deletes or marks as spam later leaves its list, and its lead stays [MOVE-03]', async () => {
  callrail.calls = [callAt(2)]
  const { id } = callrail.calls[0]!
  await look(5)
  callrail.calls = []
  await look(8)
  expect(await leadsOf(id)).toHaveLength(1)
  callrail.calls = [callAt(9, { spam: true }), callAt(9, { direction: 'outbound' })]
  await look(12)
  expect(await leadsOf(callrail.calls[0]!.id)).toMatchObject([{ hide: true, tags: expect.arrayContaining(['Spam']) }])
  expect(await leadsOf(callrail.calls[1]!.id)).toEqual([])
})

test('times are read with their offset, or without one in the company’s zone; ids that are none are left alone [MOVE-03]', async () => {
  const offset = timeAt(3).replace('Z', '+00:00')
  const local = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone: 'America/Chicago', dateStyle: 'short', timeStyle: 'medium' },
  }).format(at(3))
  callrail.calls = [
    callAt(3, { start_time: offset, company_time_zone: 'America/Los_Angeles' }),
    callAt(3, { start_time: local, company_time_zone: 'America/Chicago' }),
    { ...callAt(3), id: 'CAL\0', company_id: 'COM\0' },
    { ...callAt(3), start_time: 'soon' },
  ]
  callrail.behaviour.next = ['answer', { body: { calls: callrail.calls, total_pages: 1 } }]
  expect(await look(6)).toMatchObject([{ outcome: 'done', stored: 2 }])
  const second = (date: Date) => Math.floor(date.getTime() / 1000)
  for (const { id } of callrail.calls.slice(0, 2))
    expect(second((await leadsOf(id))[0]!.occurred_at)).toBe(second(at(3)))
})

test('a clock that is minutes off at either end loses and doubles nothing [MOVE-03]', async () => {
  callrail.calls = [callAt(2)]
  await look(5)
  // CallRail's clock is ten minutes ahead of ours, then twenty behind.
  callrail.calls.push(callAt(16), callAt(6))
  await look(7)
  callrail.calls.push(callAt(4, { customer_phone_number: '+15125550777' }))
  await look(24)
  for (const { id } of callrail.calls) expect(await leadsOf(id)).toHaveLength(1)
})

test('after a gap every day and page is read, oldest first, and a look that is interrupted goes on where it was [MOVE-03]', async () => {
  await look(1)
  await db.execute(sql`update connections set created_at = ${at(-6 * 1440)}`)
  await db.execute(
    sql`update callrail_accounts set connected_at = ${at(-6 * 1440)}, calls_until = ${at(-4 * 1440)}, next_look_at = ${at(1)}`,
  )
  const days = [-4, -3, -2, -1].map((day) => callAt(day * 1440 + 60))
  const crowd = Array.from({ length: 600 }, (_, index) => callAt(-3 * 1440 + 100 + index / 10))
  callrail.calls = [...days, ...crowd]
  callrail.behaviour.next = ['answer', 'answer', 503]
  const before = await countLeads()
  expect(await look(4)).toMatchObject([{ outcome: 'failed', error: 'CallRail says: stand-in' }])
  const after = (await account()).calls_until!
  expect(after).toEqual(at(-3 * 1440 - 60))
  callrail.behaviour = {}
  expect(await look(7)).toMatchObject([{ outcome: 'done' }])
  expect((await countLeads()) - before).toBe(604)
  expect((await account()).calls_until).toEqual(at(7))
})

test('pages that shift while they are read, or come in no order, lose no call [MOVE-03]', async () => {
  await look(1)
  const recording = 'https://a.example/recording' // nothing else is still to come
  const crowd = Array.from({ length: 520 }, (_, index) => callAt(2 + index / 100, { recording }))
  callrail.calls = crowd
  let pages = 0
  callrail.behaviour.afterList = (path) => {
    if (path !== 'calls.json') return
    pages += 1
    if (pages === 1) callrail.calls = [...crowd, callAt(8), callAt(8)]
    if (pages === 2) callrail.calls = crowd.filter((_, index) => index !== 519) // deleted: another moves to a page that was read
  }
  const before = await countLeads()
  await look(9)
  callrail.behaviour = {}
  callrail.calls = crowd
  await look(12)
  for (const { id } of crowd) expect((await leadsOf(id)).length, id).toBe(1)
  expect((await countLeads()) - before).toBe(520)
})

test.each<[string, (number | object)[], number[]]>([
  ['the seconds that CallRail says', [{ status: 429, headers: { 'retry-after': '300' } }], [300]],
  [
    'a minute, doubled up to fifteen, if it does not say',
    Array.from({ length: 6 }, () => 429),
    [60, 120, 240, 480, 900, 900],
  ],
])('after too many requests the whole account waits: %s [MOVE-03]', async (_, answers, waits) => {
  let minute = 1
  for (const [index, seconds] of waits.entries()) {
    callrail.behaviour.next = ['answer' as const, answers[index]! as number].slice(index === 0 ? 0 : 1)
    const before = callrail.requests.length
    expect(await look(minute)).toEqual(outcome('busy'))
    expect(callrail.requests.length - before, 'nothing more is requested').toBe(index === 0 ? 2 : 1)
    expect(await look(minute + seconds / 60 - 0.1)).toEqual([])
    minute += seconds / 60
  }
  expect(await look(minute)).toEqual(outcome('done'))
  expect(await account()).toMatchObject({ waits: 0, waits_until: null })
})

test('what CallRail asks another reader to wait for is waited for after a look that ends well [MOVE-03]', async () => {
  await look(1)
  const { account_id } = await account()
  callrail.behaviour.beforeList = async (path) => {
    if (path === 'calls.json') await holdAccount(db, account_id, 600, at(3))
  }
  expect(await look(3)).toEqual(outcome('done'))
  expect(await account()).toMatchObject({ waits: 1, waits_until: at(13), next_look_at: at(13) })
})

test('the date that CallRail says to wait for is waited for [MOVE-03]', async () => {
  const header = new Date(Date.now() + 600_000).toUTCString()
  callrail.behaviour.next = ['answer', { status: 429, headers: { 'retry-after': header } }]
  await look(1)
  const { waits_until } = await account()
  expect(waits_until!.getTime() - at(1).getTime()).toBeGreaterThan(590_000)
  expect(waits_until!.getTime() - at(1).getTime()).toBeLessThanOrEqual(600_000)
})

test.each<[string, number | 'silence' | object, string, string]>([
  [
    'a revoked key',
    { status: 401, body: { error: 'HTTP Token: Access denied.' } },
    'refused',
    'CallRail says: HTTP Token: Access denied.',
  ],
  ['a server error', 503, 'unreachable', 'CallRail says: stand-in'],
  ['a page', { body: '<html>Sign in</html>' }, 'unreachable', 'CallRail answered a page instead of its list'],
  [
    'JSON that breaks off',
    { body: '{"calls": [' },
    'unreachable',
    'CallRail answered incomplete data instead of its list',
  ],
])(
  '%s in the middle of a look is named at the connection, loses nothing, and the next look goes on [MOVE-03]',
  async (_, answer, state, says) => {
    callrail.calls = [callAt(2)]
    callrail.forms = [formAt(2)]
    callrail.behaviour.next = ['answer', 'answer', answer as number]
    expect(await look(5)).toEqual(outcome('failed'))
    expect(await leadsOf(callrail.calls[0]!.id)).toHaveLength(1)
    expect(await leadsOf(callrail.forms[0]!.id)).toHaveLength(0)
    const [connection] = (await root.call(connectionsContract.list)).body
    expect(connection).toMatchObject({ kind: 'callrail', source: 'environment', state })
    expect(connection.says).toContain(says)
    expect(await look(7)).toEqual(outcome('done'))
    expect(await leadsOf(callrail.forms[0]!.id)).toHaveLength(1)
  },
)

test('an account without Form Tracking and texts is read all the same [MOVE-03] [EDGE-13]', async () => {
  callrail.calls = [callAt(2)]
  callrail.behaviour.next = ['answer', 'answer', 403, 404]
  expect(await look(5)).toEqual(outcome('done'))
  expect(await leadsOf(callrail.calls[0]!.id)).toHaveLength(1)
})

test('a list that was refused for hours is caught up [MOVE-03]', async () => {
  callrail.forms = [formAt(2)]
  callrail.behaviour.next = ['answer', 'answer', 403]
  await look(5)
  for (let minute = 7; minute < 180; minute += 20) {
    callrail.behaviour.next = ['answer', 403]
    await db.update(callRailAccountsTable).set({ companies_read_at: at(minute) })
    await look(minute)
  }
  callrail.behaviour = {}
  await look(190)
  expect(await leadsOf(callrail.forms[0]!.id)).toHaveLength(1)
})

test('a recording is fetched from the account that has the company [MOVE-03]', async () => {
  const other = callrail.addAccount('ACC4', 'key-four')
  const body = { kind: 'callrail', account_id: 'ACC4', api_key: 'key-four' } as const
  const { id } = (await root.call(connectionsContract.create, { body })).body
  await db.execute(sql`update connections set created_at = ${at(0)}`)
  await app.make.clientSite({ campaign_id: campaign.id, callrail_campaign_identifier: 'COM4' })
  other.companies.push(company('COM4'))
  const recording = 'https://app.callrail.com/calls/1/recording/redirect?access_key=short'
  other.calls.push(callAt(2, { company_resource_id: 'COM4', recording }))
  await look(5)
  const [lead] = await leadsOf(other.calls[0]!.id)
  const { url } = (await root.call(recordingsContract.get, { params: { id: lead!.id } })).body
  expect((await app.guest.fetch(url)).status).toBe(200)
  expect(callrail.requests).toContainEqual(expect.stringContaining(`/a/ACC4/calls/${lead!.lead_id}/recording.json`))
  expect((await root.call(connectionsContract.remove, { params: { id } })).status).toBe(204)
})

test('an account that cannot be read holds up no other [MOVE-03]', async () => {
  const other = callrail.addAccount('ACC3', 'key-three')
  await root.call(connectionsContract.create, { body: { kind: 'callrail', account_id: 'ACC3', api_key: 'wrong-key' } })
  await db.execute(sql`update connections set created_at = ${at(0)}`)
  other.companies.push(company('COM3'))
  callrail.calls = [callAt(2)]
  const looks = await look(5)
  expect(looks.map((one) => one.outcome).sort()).toEqual(['done', 'failed'])
  expect(looks.find(({ error }) => error)).toMatchObject({ error: 'CallRail says: HTTP Token: Access denied.' })
  expect(await leadsOf(callrail.calls[0]!.id)).toHaveLength(1)
  await db.execute(sql`update connections set deleted_at = now() where account_id = 'ACC3' and source = 'screen'`)
})

test('a call without an id holds up no other, and the connection says that it was left out [MOVE-03]', async () => {
  callrail.calls = [callAt(2), Object.assign(callAt(3), { id: null }), callAt(4)]
  expect(await look(5)).toEqual([expect.objectContaining({ outcome: 'done', withoutId: 1, stored: 2 })])
  expect(await leadsOf(callrail.calls[0]!.id)).toHaveLength(1)
  expect(await leadsOf(callrail.calls[2]!.id)).toHaveLength(1)
  const says = async () => (await root.call(connectionsContract.list)).body[0].says
  expect(await says()).toContain('1 company, read every two minutes. Left out: 1 item without an ID')
  callrail.calls.splice(1, 1)
  await look(8)
  expect(await says()).not.toContain('Left out')
})

test('an account whose every active company has sent a hook in the last seven days is read hourly, and left to its hooks first [MOVE-03]', async () => {
  callrail.companies = [company('COM1'), company('COM7', 'disabled')]
  await look(1)
  await sendCallRail(app, postCall({ start_time: timeAt(2) }))
  await processInbox(app.context)
  await look(3)
  const [connection] = (await root.call(connectionsContract.list)).body
  expect(connection.says).toContain('1 company, read every hour because its webhooks work')
  callrail.requests.length = 0
  const lost = callAt(10)
  callrail.calls = [lost, callAt(60)]
  for (let minute = 4; minute < 64; minute++) await look(minute)
  expect(listRequests('calls')).toHaveLength(1)
  expect(await leadsOf(lost.id)).toHaveLength(1)
  expect(await leadsOf(callrail.calls[1]!.id), 'its hook may still come').toHaveLength(0)
  callrail.companies.push(company('COM-new'))
  for (let minute = 64; minute < 128; minute++) await look(minute)
  expect(listRequests('calls').length, 'a company without hooks').toBeGreaterThan(2)
  await db.execute(sql`update callrail_companies set hooked_at = now() - interval '8 days'`)
})

test('a long call that was left to its hook is found when the hook is lost [MOVE-03]', async () => {
  callrail.companies = [company('COM1')]
  await look(1)
  await sendCallRail(app, postCall({ start_time: timeAt(2) }))
  await processInbox(app.context)
  await look(3)
  const recording = 'https://app.callrail.com/calls/1/recording/redirect?access_key=short'
  const long = callAt(4, { duration: String(50 * 60), recording })
  callrail.calls = [long]
  await look(66)
  expect(await leadsOf(long.id), 'its hook may still come').toHaveLength(0)
  await look(128)
  expect(await leadsOf(long.id)).toHaveLength(1)
  await db.execute(sql`update callrail_companies set hooked_at = now() - interval '8 days'`)
})

test('a company that is entered by its older number is known by a hook that has both [MOVE-03]', async () => {
  const older = await app.make.clientSite({ campaign_id: campaign.id, callrail_campaign_identifier: '4711' })
  callrail.companies.push(company('COM47'))
  await look(1)
  await sendCallRail(app, postCall({ start_time: timeAt(2), company_id: 4711, company_resource_id: 'COM47' }))
  callrail.calls = [callAt(3, { company_resource_id: 'COM47' })]
  await processInbox(app.context)
  await look(4)
  expect(await leadsOf(callrail.calls[0]!.id)).toMatchObject([{ clientsite_id: older.id, campaign_id: campaign.id }])
})

test('an account that was removed and is connected again is live from then on [MOVE-03]', async () => {
  await look(1)
  await db.execute(sql`update connections set created_at = ${at(60)}`)
  callrail.calls = [callAt(30), callAt(61)]
  await look(64)
  expect(await leadsOf(callrail.calls[0]!.id)).toHaveLength(0)
  expect(await leadsOf(callrail.calls[1]!.id)).toHaveLength(1)
})

test('no database transaction is open while waiting for CallRail', async () => {
  callrail.behaviour.next = ['silence']
  const polling = pollAccounts(app.context, at(1))
  await until(() => callrail.requests.length > 0)
  // The job queue looks after its jobs now and then.
  const { rows } = await db.execute(sql`
    select state, query from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null and backend_type = 'client backend'
      and application_name <> 'pgboss'`)
  expect(rows).toEqual([])
  callrail.disconnect()
  expect(await polling).toEqual(outcome('failed'))
})

test('by hand an account is read at once, unless CallRail asked to wait', async () => {
  const job = allJobs.find(({ name }) => name === 'callrail-poll')!
  await look(1)
  const run = () => job.run(app.context, {} as never)
  const before = listRequests('calls').length
  await run()
  expect(listRequests('calls')).toHaveLength(before + 1)
  await db.execute(sql`update callrail_accounts set waits_until = now() + interval '5 minutes'`)
  await expect(run()).rejects.toThrow('No account of CallRail can be read now: see Connections')
  expect(listRequests('calls')).toHaveLength(before + 1)
})
