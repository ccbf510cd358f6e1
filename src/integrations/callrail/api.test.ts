import { beforeEach, expect, test } from 'vitest'
import { startCallRailStandIn } from '#integrations/fakes/callrail.ts'
import { setUp } from '#test/app.ts'
import {
  CallRailError,
  getEnvironmentAccount,
  isEnabled,
  listCalls,
  listCompanies,
  listConversations,
  listTrackers,
  readPages,
} from './api.ts'

const callrail = await setUp(startCallRailStandIn())
const account = getEnvironmentAccount(callrail.settings)!
beforeEach(() => {
  callrail.behaviour = {}
  callrail.requests.length = 0
  callrail.calls = []
})

const call = (id: string, minutes = 0) => ({
  id,
  start_time: new Date(Date.UTC(2026, 10, 27, 3, minutes)).toISOString(),
})
const many = (count: number) => Array.from({ length: count }, (_, index) => call(`CAL${index}`, -index))
const readAll = async (pages: AsyncGenerator<{ rows: { id: string }[] }>) => {
  const ids: string[] = []
  for await (const { rows } of pages) ids.push(...rows.map(({ id }) => id))
  return ids
}
const problemOf = (reading: Promise<unknown>) =>
  reading.then(
    () => 'none',
    (error) => (error instanceof CallRailError ? [error.kind, error.message, error.retryAfter] : error),
  )

test('companies, trackers and conversations are read with the fields that CallRail lists [MOVE-03]', async () => {
  callrail.companies = [{ id: 'COM1', name: 'Acme', status: 'active', time_zone: 'America/Chicago' }]
  callrail.trackers = [
    {
      id: 'TRK1',
      type: 'source',
      status: 'active',
      tracking_number: '+15125550180',
      destination_number: '+15125550191',
    },
    { id: 'TRK2', type: 'session', status: 'disabled', tracking_numbers: ['+15125550181'], company: { id: 'COM1' } },
  ]
  callrail.conversations = [{ id: 'SMT1', company_id: 'COM1', last_message_at: '2026-11-27T03:00:00Z' }]
  expect((await listCompanies(account, { page: 1 })).rows).toMatchObject([
    { id: 'COM1', name: 'Acme', status: 'active' },
  ])
  expect((await listTrackers(account, { page: 1 })).rows).toMatchObject(callrail.trackers)
  expect((await listConversations(account, { page: 1 })).rows).toMatchObject([{ id: 'SMT1', company_id: 'COM1' }])
  expect(callrail.requests.every((request) => request.startsWith('GET /v3/a/ACC1/'))).toBe(true)
  expect(callrail.requests.every((request) => request.includes('per_page=250'))).toBe(true)
})

const tracker = {
  ...{ id: 'TRK1', name: 'Google Ads', type: 'source', status: 'active', tracking_numbers: ['+15125550180'] },
  ...{ destination_number: '+15125550191', company: { id: 'COM1', name: 'Acme' } },
}
test.each<[what: string, page: object, trackers: object[]]>([
  ['a tracker of a menu', { ...tracker, destination_number: null, call_flow: { type: 'menu' } }, [{ id: 'TRK1' }]],
  [
    'a tracker whose flow has the number that it forwards to',
    { ...tracker, destination_number: undefined, call_flow: { type: 'basic', destination_number: '+15125550191' } },
    [{ call_flow: { destination_number: '+15125550191' } }],
  ],
  ['a tracker with a flow of another shape', { ...tracker, call_flow: 'basic' }, [{ id: 'TRK1', call_flow: null }]],
  ['a deleted tracker without its company', { ...tracker, status: 'disabled', company: null }, [{ company: null }]],
  ['a tracker whose company is an id', { ...tracker, company: 'COM1' }, [{ id: 'TRK1', company: null }]],
  ['a tracker without a name', { ...tracker, name: null }, [{ id: 'TRK1', name: null }]],
  ['a tracker whose name is a number', { ...tracker, name: 42 }, [{ id: 'TRK1', name: null }]],
  ['a tracker without a number yet', { ...tracker, tracking_numbers: null }, [{ tracking_numbers: null }]],
  ['a pool that lost a number', { ...tracker, tracking_numbers: ['+1', null] }, [{ tracking_numbers: ['+1', null] }]],
  ['a tracker with an older id', { ...tracker, id: 42 }, [{ id: '42' }]],
])('%s does not hold up the list of the others [MOVE-03]', async (_, row, trackers) => {
  callrail.behaviour.next = [
    { body: { page: 1, per_page: 250, total_pages: 1, total_records: 2, trackers: [row, tracker] } },
  ]
  expect((await listTrackers(account, { page: 1 })).rows).toMatchObject([
    ...trackers,
    { id: 'TRK1', name: 'Google Ads' },
  ])
})

test.each([{ id: null }, { id: '' }, { id: {} }, {}, 'CAL1', null])(
  'a row %j has no id: the others are read, and it is counted [MOVE-03]',
  async (row) => {
    callrail.behaviour.next = [{ body: { total_pages: 1, calls: [call('CAL1'), row, call('CAL2')] } }]
    const { rows, withoutId } = await listCalls(account, { page: 1 })
    expect([rows.map(({ id }) => id), withoutId]).toEqual([['CAL1', 'CAL2'], 1])
    callrail.behaviour.next = [{ body: { total_pages: 1, calls: [row, row] } }]
    expect(await problemOf(listCalls(account, { page: 1 }))).toEqual([
      'unexpected',
      'CallRail answered something else instead of its list',
      null,
    ])
  },
)

test.each<[what: string, page: object, pages: number]>([
  ['how many there are', { page: 1, per_page: 250, total_records: 501 }, 3],
  ['that there are none', { page: 1, per_page: 250, total_records: 0 }, 0],
  ['null pages beside the rows', { page: 1, per_page: 100, total_pages: null, total_records: 100 }, 1],
  ['its pages', { page: 1, per_page: 100, total_pages: 7, total_records: 100 }, 7],
])('a list that says %s is read to its end [MOVE-03]', async (_, page, pages) => {
  callrail.behaviour.next = [{ body: { ...page, trackers: [] } }]
  expect(await listTrackers(account, { page: 1 })).toMatchObject({ pages })
})

test('companies and trackers are in use unless they are said not to be [MOVE-03]', () => {
  for (const status of ['active', 'Active', 'enabled', '', null, undefined]) expect(isEnabled({ status })).toBe(true)
  for (const status of ['disabled', 'Disabled', 'deleted', 'canceled', 'inactive'])
    expect(isEnabled({ status })).toBe(false)
})

test.each<[string, object, unknown[]]>([
  [
    'a refused key',
    { status: 401, body: { error: 'HTTP Token: Access denied.' } },
    ['refused', 'CallRail says: HTTP Token: Access denied.', null],
  ],
  ['a key without rights', { status: 403, body: '' }, ['refused', 'CallRail answered 403', null]],
  [
    'too many requests, in seconds',
    { status: 429, headers: { 'retry-after': '90' } },
    ['busy', 'CallRail asked for fewer requests (429)', 90],
  ],
  ['too many requests', { status: 429 }, ['busy', 'CallRail asked for fewer requests (429)', null]],
  ['an outage', { status: 503, body: '<h1>Down for maintenance</h1>' }, ['failed', 'CallRail answered 503', null]],
  [
    'a page',
    { body: '<!doctype html><title>Sign in</title>' },
    ['unexpected', 'CallRail answered a page instead of its list', null],
  ],
  [
    'JSON that breaks off',
    { body: '{"calls":[{"id":"CAL1"' },
    ['unexpected', 'CallRail answered incomplete data instead of its list', null],
  ],
  [
    'a list without its pages',
    { body: { calls: [] } },
    ['unexpected', 'CallRail answered something else instead of its list', null],
  ],
  ['a list of null', { body: 'null' }, ['unexpected', 'CallRail answered something else instead of its list', null]],
  [
    'a redirect',
    { status: 302, headers: { location: 'https://elsewhere.example/' } },
    ['failed', expect.stringContaining('CallRail cannot be reached'), null],
  ],
])('%s is named, and never taken for an empty list [MOVE-03]', async (_, answer, problem) => {
  callrail.behaviour.next = [answer]
  expect(await problemOf(listCalls(account, { page: 1 }))).toEqual(problem)
})

test.each([
  ['http://127.0.0.1:2', 'CallRail cannot be reached: The connection was refused'],
  ['http://callrail.invalid', 'CallRail cannot be reached: This website could not be found'],
])('where no one answers, %s, the reason is said and not that a fetch failed [MOVE-03]', async (apiUrl, says) => {
  expect(await problemOf(listCalls({ ...account, apiUrl }, { page: 1 }))).toEqual(['failed', says, null])
})

test('the time that CallRail asks to wait may be a date [MOVE-03]', async () => {
  const date = new Date(Date.now() + 120_000).toUTCString()
  callrail.behaviour.next = [{ status: 429, headers: { 'retry-after': date } }]
  const [, , seconds] = await problemOf(listCalls(account, { page: 1 }))
  expect(seconds).toBeGreaterThan(115)
  expect(seconds).toBeLessThanOrEqual(120)
})

test('no answer is not waited for without end [MOVE-03]', async () => {
  callrail.behaviour.next = ['silence']
  expect(await problemOf(listCalls(account, { page: 1 }, { limit: 50 }))).toEqual([
    'failed',
    'CallRail did not respond in time',
    null,
  ])
})

test('a list whose pages shift while they are read gives no row twice [MOVE-03]', async () => {
  callrail.calls = many(600)
  callrail.behaviour.afterList = () => callrail.calls.push(call(`NEW${callrail.calls.length}`, 1))
  const ids = await readAll(readPages((page) => listCalls(account, { page })))
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => id.startsWith('CAL'))).toHaveLength(600)
})

test('a list that repeats its pages ends with a sentence, and so does one that grows for ever [MOVE-03]', async () => {
  const rows = many(2)
  const repeating = readPages(() => Promise.resolve({ rows, withoutId: 0, pages: 1_000, total: null }))
  expect(await problemOf(readAll(repeating))).toEqual(['unexpected', 'CallRail’s list repeats its pages', null])
  let pages = 1
  const growing = readPages(() => Promise.resolve({ rows, withoutId: 0, pages: ++pages, total: null }))
  expect(await problemOf(readAll(growing))).toEqual(['unexpected', 'CallRail’s list repeats its pages', null])
})
