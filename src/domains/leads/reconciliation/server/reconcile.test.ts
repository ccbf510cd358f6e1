import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { allJobs } from '#app/server/parts.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { processInbox } from '#domains/leads/intake/server/worker.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { startCallRailStandIn } from '#integrations/fakes/callrail.ts'
import { setUp, startApp } from '#test/app.ts'
import { callRailKey, postCall, sendCallRail } from '#test/provider-hooks.ts'
import { until } from '#test/until.ts'
import { callRailReconciliationTable } from '../schema.ts'
import { reconcileCallRail } from './reconcile.ts'

const callrail = await setUp(startCallRailStandIn())
const app = await setUp(
  startApp({
    settings: {
      CALLRAIL_SIGNING_KEY: callRailKey,
      ...callrail.settings,
    },
  }),
)
const client = await app.make.client({ emails: ['owner@example.com'] })
const campaign = await app.make.campaign({ client_id: client.id })
await app.make.clientSite({ campaign_id: campaign.id, callrail_campaign_identifier: 'COM1' })
beforeEach(async () => {
  callrail.calls = []
  callrail.forms = []
  callrail.behaviour = {}
  callrail.requests.length = 0
})
afterEach(() => app.context.db.delete(callRailReconciliationTable))

const impatient = { limit: 2_000, retries: 3, minTimeout: 1 }
const run = (patience = impatient) => reconcileCallRail(app.context, patience)
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

/** Returns a hook's event in the format of CallRail's list: only new ids, numbers as numbers, null for empty values. */
function listed(event: Record<string, unknown>) {
  const { resource_id, company_resource_id, company_id: _number, ...rest } = event
  const orNull = Object.entries(rest).map(([name, value]) => [name, value === '' ? null : value])
  const call = { ...Object.fromEntries(orNull), duration: Number(event.duration) }
  return { ...call, id: String(resource_id), company_id: company_resource_id, start_time: String(event.start_time) }
}
const lost = (values: object = {}, hours = 5) => listed(postCall({ start_time: hoursAgo(hours), ...values }))

const callRequests = () => callrail.requests.filter((request) => request.includes('/calls.json?'))
const leadsOf = (lead_id: string) => app.context.db.select().from(leadsTable).where(eq(leadsTable.lead_id, lead_id))
const stored = () => app.context.db.$count(inboundEventsTable)
const mark = async () => (await app.context.db.select().from(callRailReconciliationTable))[0]

test('a call that no hook reported becomes the lead that the hook would have created [IN-04]', async () => {
  const values = {
    start_time: hoursAgo(6),
    call_type: 'answered',
    answered: true,
    duration: '125',
    recording: 'https://api.callrail.com/v3/a/ACC1/calls/CAL/recording.json',
    customer_phone_number: '+15125550101',
    landing_page_url: 'https://a.example/?gclid=abc',
    referring_url: 'https://www.google.com/',
    utm_source: 'google',
    utm_medium: 'cpc',
  }
  const told = postCall(values)
  await sendCallRail(app, told)
  callrail.calls = [listed(postCall({ ...values, start_time: hoursAgo(7) }))]
  expect(await run()).toEqual({ seen: 1, stored: 1, foreign: 0, outcome: 'done', error: null })
  await processInbox(app.context)
  const [[byHook], [byList]] = [await leadsOf(told.resource_id), await leadsOf(callrail.calls[0]!.id)]
  const own = ['id', 'lead_id', 'occurred_at', 'created_at', 'first_call', 'facets'] as const
  const shared = (lead: typeof byHook) =>
    Object.fromEntries(Object.entries(lead!).filter(([name]) => !own.includes(name as never)))
  expect(shared(byList)).toEqual(shared(byHook))
  expect(byList!.occurred_at).toEqual(new Date(callrail.calls[0]!.start_time))
  const [event] = await app.context.db
    .select()
    .from(inboundEventsTable)
    .where(eq(inboundEventsTable.lead_id, byList!.id))
  expect(event).toMatchObject({ provider: 'callrail', state: 'done', reconciled_as: byList!.lead_id })
})

test('calls that are known or stored already are not stored again, however often it runs [IN-04]', async () => {
  const told = postCall({ start_time: hoursAgo(4) })
  await sendCallRail(app, told)
  await processInbox(app.context)
  callrail.calls = [listed(told), lost()]
  expect(await run()).toMatchObject({ seen: 2, stored: 1 })
  expect(await run()).toMatchObject({ seen: 2, stored: 0 }) // the event is not processed yet
  await Promise.all([run(), run()])
  await processInbox(app.context)
  const before = await stored()
  expect(await run()).toMatchObject({ stored: 0, outcome: 'done' })
  expect(await stored()).toBe(before)
})

test('a concurrent hook and reconciliation create one lead and one mail [IN-04, IN-18]', async () => {
  const told = Array.from({ length: 8 }, () => postCall({ start_time: hoursAgo(3) }))
  callrail.calls = told.map(listed)
  await Promise.all([...told.map((call) => sendCallRail(app, call)), run(), run(), processInbox(app.context)])
  await processInbox(app.context)
  for (const { resource_id } of told) {
    const found = await leadsOf(resource_id)
    expect(found).toHaveLength(1)
    expect(await app.context.db.$count(mailsTable, eq(mailsTable.lead_id, found[0]!.id))).toBe(1)
  }
})

const lostForm = (values: object = {}, minutes = 50) => {
  count += 1
  return {
    id: `FRM${process.pid}x${count}`,
    company_id: 'COM1',
    form_data: { name: 'Jane Form', email: `jane${count}@form.example`, phone: '512-555-0122', roof: 'Metal' },
    form_url: 'https://a.example/contact',
    landing_page_url: 'https://a.example/?gclid=abc',
    referrer: 'https://www.google.com/',
    submitted_at: new Date(Date.now() - minutes * 60_000).toISOString(),
    source: 'Google Ads',
    utm_campaign: 'Spring',
    ...values,
  }
}
let count = 0

test('a form that no hook reported becomes the lead that the hook would have created, once [EDGE-13]', async () => {
  const [told, missed] = [lostForm(), lostForm()]
  await sendCallRail(app, told)
  await processInbox(app.context)
  callrail.forms = [told, missed, lostForm({ company_id: 'COM-of-nobody' })]
  callrail.calls = [lost()]
  expect(await run()).toEqual({ seen: 4, stored: 2, foreign: 1, outcome: 'done', error: null })
  expect(await run()).toMatchObject({ stored: 0 })
  await Promise.all([processInbox(app.context), run()])
  await sendCallRail(app, missed)
  await processInbox(app.context)
  const [[byHook], byList] = [await leadsOf(told.id), await leadsOf(missed.id)]
  expect(byList).toHaveLength(1)
  const person = {
    lead_type: 'Form',
    lead_name: 'Jane Form',
    message: 'roof: Metal',
    gclid: 'abc',
    source: 'Google Paid',
  }
  expect([byHook, byList[0]]).toMatchObject([person, person])
  expect(byList[0]!.occurred_at).toEqual(new Date(missed.submitted_at))
  expect(await app.context.db.$count(mailsTable, eq(mailsTable.lead_id, byList[0]!.id))).toBe(1)
  const asked = callrail.requests.find((request) => request.includes('form_submissions.json'))
  expect(asked).toContain('per_page=250')
})

test('a form that a hook reported under an older number is known, and one of this minute is left to its hook [EDGE-13]', async () => {
  const told = lostForm()
  await sendCallRail(app, { ...told, id: 77_001 })
  await processInbox(app.context)
  callrail.forms = [told, lostForm({}, 0.5)]
  expect(await run()).toMatchObject({ seen: 2, stored: 0 })
})

test('an account without Form Tracking still has its calls compared [EDGE-13]', async () => {
  callrail.calls = [lost()]
  callrail.behaviour = { next: [...Array.from({ length: 7 }, () => 'answer' as const), 404] }
  expect(await run()).toMatchObject({ stored: 1, outcome: 'done' })
})

test('a missing recording is filled in, an existing one stays', async () => {
  const [without, having] = [
    postCall({ start_time: hoursAgo(3) }),
    postCall({ start_time: hoursAgo(3), recording: 'https://a.example/1' }),
  ]
  for (const call of [without, having]) await sendCallRail(app, call)
  await processInbox(app.context)
  callrail.calls = [without, having].map((call) => ({ ...listed(call), recording: 'https://a.example/2' }))
  expect(await run()).toMatchObject({ stored: 1 })
  await processInbox(app.context)
  expect(await leadsOf(without.resource_id)).toMatchObject([{ recording_url: 'https://a.example/2' }])
  expect(await leadsOf(having.resource_id)).toMatchObject([{ recording_url: 'https://a.example/1' }])
  expect(await run()).toMatchObject({ stored: 0 })
})

test('outbound calls, calls in progress, calls that a hook may still report, and other companies’ calls are left alone', async () => {
  callrail.calls = [
    lost({ direction: 'outbound' }),
    { ...lost({}, 1), duration: null },
    lost({ duration: '3000' }, 1), // ended ten minutes ago
    lost({ company_resource_id: 'COM-of-nobody' }),
    { ...lost(), id: 'CAL\0', company_id: 'COM\0' },
    { ...lost(), start_time: hoursAgo(0.1) },
  ]
  const before = await stored()
  expect(await run()).toMatchObject({ seen: 6, stored: 0, foreign: 1, outcome: 'done' })
  expect(await stored()).toBe(before)
})

test('a call that came in under an older id, or from a file to the minute, is the same call', async () => {
  const start = new Date(hoursAgo(30))
  start.setUTCSeconds(42, 123)
  const [old, imported] = ['+15125550171', '+15125550172']
  const minute = new Date(start)
  minute.setUTCSeconds(0, 0)
  for (const [phone_key, occurred_at] of [
    [old, start],
    [imported, minute],
  ] as const)
    await app.make.lead({ lead_type: 'Call', lead_s: 'Callrail', phone_key, lead_phone: phone_key, occurred_at })
  const at = { start_time: start.toISOString() }
  callrail.calls = [
    lost({ ...at, customer_phone_number: old }),
    lost({ ...at, customer_phone_number: imported }),
    lost({ start_time: new Date(start.getTime() + 5000).toISOString(), customer_phone_number: old }),
  ]
  expect(await run()).toMatchObject({ seen: 3, stored: 1 })
  await processInbox(app.context)
})

test('the first run goes back seven days, a day at a time; later ones start a day before the mark', async () => {
  const days = () =>
    callRequests().map((request) => {
      const query = new URL(request.split(' ')[1]!, 'http://x').searchParams
      const age = (name: string) => Math.round((Date.now() - Date.parse(query.get(name)!)) / 3_600_000)
      return [age('start_date'), age('end_date')]
    })
  callrail.calls = [lost({}, 8 * 24), lost({}, 6 * 24 + 1)]
  expect(await run()).toMatchObject({ seen: 1, stored: 1 })
  expect(days()).toEqual([7, 6, 5, 4, 3, 2, 1].map((day) => [day * 24, (day - 1) * 24]))
  expect((await mark())!.until!.getTime()).toBeGreaterThan(Date.now() - 60_000)
  callrail.requests.length = 0
  await run()
  expect(days()).toEqual([[24, 0]])
})

test('every page is read, 250 calls at a time', async () => {
  callrail.calls = Array.from({ length: 600 }, () => lost({}, 10))
  expect(await run()).toMatchObject({ seen: 600, stored: 600, outcome: 'done' })
  const pages = callRequests().map((request) => /[?&]page=(\d+)&per_page=250&/.exec(request)?.[1])
  expect(pages.slice(-3)).toEqual(['1', '2', '3'])
  await app.context.db.execute(sql`delete from inbound_events where state = 'stored'`)
})

test('requests are retried while CallRail is busy or broken', async () => {
  callrail.calls = [lost()]
  callrail.behaviour.next = [429, 500, 503, 'answer', 'answer', 'silence']
  expect(await run()).toMatchObject({ stored: 1, outcome: 'done', error: null })
  expect(callRequests()).toHaveLength(7 + 4)
})

test('if CallRail stays busy the run stops: what was compared counts, the rest waits for the next run', async () => {
  callrail.calls = [lost({}, 7 * 24 - 1), lost()]
  callrail.behaviour.next = ['answer', ...Array(20).fill(429)]
  const busy = { outcome: 'busy', error: 'CallRail asked for fewer requests (429).' }
  expect(await run()).toMatchObject({ stored: 1, ...busy })
  expect(callrail.requests).toHaveLength(1 + 4)
  expect(await mark()).toMatchObject(busy)
  const days = (Date.now() - (await mark())!.until!.getTime()) / 86_400_000
  expect(Math.round(days)).toBe(6)
  callrail.behaviour = {}
  callrail.requests.length = 0
  expect(await run()).toMatchObject({ stored: 1, outcome: 'done' })
  expect(callRequests()).toHaveLength(7) // from a day before the mark
})

test.each([
  [500, 'CallRail says: stand-in.', 4],
  [401, 'CallRail says: stand-in: is CALLRAIL_API_KEY right?', 1],
  [404, 'CallRail says: stand-in.', 1],
])('a response of %i is not taken for an empty list', async (status, error, requests) => {
  callrail.calls = [lost()]
  callrail.behaviour.fail = status
  expect(await run()).toMatchObject({ stored: 0, outcome: 'failed', error })
  expect(callrail.requests).toHaveLength(requests)
  expect(await mark()).toMatchObject({ until: null, outcome: 'failed', error })
})

test('a timeout and an unreachable CallRail are reported', async () => {
  callrail.behaviour.next = Array(4).fill('silence')
  expect(await run({ ...impatient, limit: 50 })).toMatchObject({
    outcome: 'failed',
    error: 'CallRail did not respond in time.',
  })
  const settings = { ...app.context.settings, CALLRAIL_API_URL: 'http://127.0.0.1:9/v3' }
  const { outcome, error } = await reconcileCallRail({ ...app.context, settings }, impatient)
  expect([outcome, error]).toEqual(['failed', expect.stringContaining('CallRail cannot be reached')])
})

test('no database transaction is open while waiting for CallRail', async () => {
  callrail.behaviour.next = ['silence']
  const running = run({ ...impatient, retries: 1 })
  await until(() => callrail.requests.length > 0)
  // The job queue looks after its jobs now and then.
  const { rows } = await app.context.db.execute(sql`
    select state, query from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null and backend_type = 'client backend'
      and application_name <> 'pgboss'`)
  expect(rows).toEqual([])
  expect(await running).toMatchObject({ outcome: 'done' })
})

test('without CallRail a run by hand fails with a message, a scheduled one does nothing', async () => {
  const job = allJobs.find(({ name }) => name === 'callrail-reconcile')!
  expect(job.cron).toBe('17 * * * *')
  const settings = { ...app.context.settings, CALLRAIL_API_KEY: undefined }
  const context = { ...app.context, settings }
  await expect(job.run(context, {} as never)).rejects.toThrow('CallRail is not connected')
  await job.run({ ...context, jobs: Object.create(context.jobs, { working: { value: true } }) }, {} as never)
  callrail.calls = [lost()]
  await job.run(app.context, {} as never)
  expect(await mark()).toMatchObject({ outcome: 'done' })
})
