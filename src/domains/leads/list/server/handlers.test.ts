import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { PermissionFlag } from '#contract/allow.ts'
import { auditTable } from '#core/db/schema.ts'
import { usersTable } from '#domains/access/schema.ts'
import { getWritableFields, leadsContract } from '#domains/leads/contract.ts'
import { type Answer, type App, type Caller, setUp, startApp } from '#test/app.ts'

const app = await setUp(startApp())
const superAdmin = await app.as(await app.make.superAdmin())
const client = await app.make.client()
const customer = await app.as(await app.make.customer({ client_id: client.id }))
const campaign = await app.make.campaign({ client_id: client.id })

const make = (values: Parameters<App['make']['lead']>[0] = {}) => app.make.lead({ campaign_id: campaign.id, ...values })
const put = (caller: Caller, id: number, body: object) => caller.call(leadsContract.update, { params: { id }, body })
const idsOf = ({ body }: Answer): number[] => body.data.map(({ id }: { id: number }) => id)
/** Every request that writes to a lead by its id. */
const writes = (caller: Caller, id: number) => [
  put(caller, id, { client_notes: 'x' }),
  caller.call(leadsContract.resetProgress, { params: { id } }),
  caller.call(leadsContract.archive, { params: { id } }),
  caller.call(leadsContract.unarchive, { params: { id } }),
]

// ——— archive ———

test('archiving moves a lead to the archive for everyone, unarchiving moves it back; both are idempotent [LEAD-63, LEAD-64, LEAD-77]', async () => {
  const { id } = await make()
  const handlers = [await handler(), await handler()] as const
  const admin = await app.as(await app.make.admin({ campaigns: [campaign.id] }))
  const everybody = [...handlers, admin]
  const places = async () =>
    Promise.all(
      everybody.flatMap((caller) =>
        [leadsContract.list, leadsContract.archived].map(async (list) => idsOf(await caller.call(list)).includes(id)),
      ),
    )
  for (let twice = 0; twice < 2; twice++)
    expect((await handlers[0].call(leadsContract.archive, { params: { id } })).body).toMatchObject({
      id,
      archived: 1,
      version: 2,
    })
  expect(await places()).toEqual([false, true, false, true, false, true])
  for (let twice = 0; twice < 2; twice++)
    expect((await handlers[1].call(leadsContract.unarchive, { params: { id } })).body).toMatchObject({
      archived: 0,
      version: 3,
    })
  expect(await places()).toEqual([true, false, true, false, true, false])
  expect((await trailOf(id)).map(({ after }) => after)).toEqual([{ archived: 1 }, { archived: 0 }])
})

test('a list right after a write shows the write, cached or not [API-12]', async () => {
  const { id } = await make({ lead_name: 'fresh' })
  await put(superAdmin, id, { company_name: 'Fresh & Co' })
  const { body } = await superAdmin.call(leadsContract.list, { query: { lead_search: 'fresh', cache: true } })
  expect(body.data[0].company_name).toBe('Fresh & Co')
})

test('a page has fifty leads, the newest first, by default [LEAD-53]', async () => {
  const many = await app.make.campaign()
  const days = Array.from({ length: 51 }, (_, number) => new Date(Date.UTC(2026, 0, 1 + ((number * 7) % 51))))
  for (const occurred_at of days) await app.make.lead({ campaign_id: many.id, occurred_at })
  const { body } = await superAdmin.call(leadsContract.list, { query: { campaign_ids: many.id } })
  const shown = body.data.map(({ lead_date }: { lead_date: string }) => lead_date)
  expect([shown.length, body.meta.total]).toEqual([50, 51])
  expect(shown).toEqual([...shown].sort().reverse())
})

// ——— access ———

test('a guest gets 401 and a caller without the page 403, before anything is read or written [PERM-01]', async () => {
  const { id } = await make({ client_progress: 1 })
  const every = Object.keys(leadsContract) as (keyof typeof leadsContract)[]
  const noPage: PermissionFlag[] = ['leadChart', 'show_lead_http_columns']
  const leaver = await app.make.admin({ campaigns: [campaign.id] })
  const inactive = await app.as(leaver)
  await app.context.db.update(usersTable).set({ is_active: false }).where(eq(usersTable.id, leaver.id))
  const refused: [Caller, (keyof typeof leadsContract)[], number][] = [
    [app.guest, every, 401],
    [inactive, every, 401],
    [await handler(noPage), every, 403],
    [await app.as(await app.make.admin({ campaigns: [campaign.id], permissions: noPage })), every, 403],
    [await handler(['leads']), ['archived', 'archivedStatistic', 'unarchive'], 403],
    [await handler(['archivedleads']), ['list', 'statistic', 'archive'], 403],
  ]
  const before = await app.dump()
  for (const [caller, names, status] of refused)
    for (const name of names) {
      const endpoint = leadsContract[name]
      const body = endpoint.method === 'PUT' ? { body: { client_notes: 'x' } } : {}
      const answer = await caller.call(endpoint, { params: { id }, query: { page: 'x' }, ...body })
      expect([name, answer.status]).toEqual([name, status])
    }
  expect(await app.dump()).toBe(before)
  expect(await trailOf(id)).toEqual([])
})

test('leads of other campaigns, hidden ones and missing ones are all 404 [PERM-04, PERM-05, PERM-13]', async () => {
  const other = await app.make.campaign()
  const orphan = await app.make.lead({ campaign_id: null })
  const foreign = await app.make.lead({ campaign_id: other.id })
  const hidden = await make({ hide: true })
  const stranger = await app.as(await app.make.admin())
  const callers: [Caller, (number | string)[]][] = [
    [await handler(), [foreign.id, orphan.id, hidden.id]],
    [customer, [foreign.id, orphan.id, hidden.id]],
    [stranger, [foreign.id, orphan.id, hidden.id, (await make()).id]],
    [superAdmin, [999_999, 2_147_483_648, '99999999999999999999', 0, -1, 'x', '1.5', '1e1', '%00']],
  ]
  const before = await app.dump()
  for (const [caller, ids] of callers)
    for (const id of ids)
      for (const { status, body } of await Promise.all(writes(caller, id as number)))
        expect([id, status, body]).toEqual([
          id,
          404,
          { message: 'This no longer exists, or you don’t have access to it' },
        ])
  expect(await app.dump()).toBe(before)
  for (const answer of await Promise.all(writes(superAdmin, orphan.id))) expect(answer.status).toBe(200)
})

test('everyone lists their own campaigns’ leads, and only a super admin those without a campaign (R10) [PERM-03, PERM-04, PERM-05]', async () => {
  const other = await app.make.campaign()
  const [mine, hidden] = [await make(), await make({ hide: true })]
  const [foreign, orphan] = [await app.make.lead({ campaign_id: other.id }), await app.make.lead({ campaign_id: null })]
  const made = [mine, hidden, foreign, orphan].map(({ id }) => id)
  const sees = async (caller: Caller, query = {}) => {
    const answer = await caller.call(leadsContract.list, { query: { per_page: 200, ...query } })
    const badges = await caller.call(leadsContract.statistic, { query })
    expect(badges.body.countByType.Form + badges.body.countByType.Call).toBe(answer.body.meta.total)
    return made.map((id) => idsOf(answer).includes(id))
  }
  expect(await sees(superAdmin)).toEqual([true, true, true, true])
  expect(await sees(await app.as(await app.make.admin({ campaigns: [campaign.id] })))).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(await sees(await handler())).toEqual([true, false, false, false])
  expect(await sees(customer)).toEqual([true, false, false, false])
  expect(await sees(customer, { campaign_ids: other.id })).toEqual([false, false, false, false]) // a filter only narrows
  expect(await sees(await app.as(await app.make.admin()))).toEqual([false, false, false, false])
})

test('a revoked campaign is gone with the next request [PERM-04]', async () => {
  const { id } = await make()
  const user = await app.make.handler({ campaigns: [campaign.id] })
  const caller = await app.as(user)
  expect((await put(caller, id, { client_notes: 'mine' })).status).toBe(200)
  await app.context.pool.query('delete from user_campaigns where user_id = $1', [user.id])
  expect((await put(caller, id, { client_notes: 'still?' })).status).toBe(404)
  expect((await caller.call(leadsContract.list)).body.meta.total).toBe(0)
})

// ——— write permissions ———

test('people who are not admins write the six feedback fields [PERM-02, PERM-09]', async () => {
  const { id } = await make()
  const six = {
    client_progress: 2,
    company_name: 'Acme',
    client_notes: 'n',
    client_value: 1,
    client_profit: 2,
    rating: '3',
  }
  for (const caller of [await handler(), customer]) {
    expect((await put(superAdmin, id, Object.fromEntries(Object.keys(six).map((name) => [name, null])))).status).toBe(
      200,
    )
    const { status, body } = await put(caller, id, six)
    expect([status, body]).toEqual([200, expect.objectContaining(six)])
  }
})

test('a field that the caller may not write refuses the whole change by name, and nothing is written [PERM-10]', async () => {
  const { id } = await make()
  const at = { campaigns: [campaign.id] }
  const adminWith = async (...permissions: PermissionFlag[]) => app.as(await app.make.admin({ ...at, permissions }))
  const values: Record<string, unknown> = {
    ...{ notes: 'x', confirmed: 1, hide: 1, tags: [], campaign_id: campaign.id, clientsite_id: 1 },
    ...{
      lead_date: '2026-01-01',
      lead_time: '10:00',
      lead_type: 'Call',
      lead_s: 'Callrail',
      lead_id: 'x',
      lead_name: 'x',
    },
    ...{ lead_email: 'x', lead_phone: '1', message: 'x', source: 'x', last_url: 'x', referrer: 'x', notify: true },
    // Fields that no one writes:
    ...{ duration: 1, answered: true, first_call: true, rating_via: 'staff', archived: 1, gclid: 'x', phone_key: 'x' },
    ...{ tracking_source: 'x', changers: [], created_at: 'x', recording_url: 'x', constructor: 'x', facets: 1 },
  }
  const dialog = Object.keys(values).slice(4, 19)
  const callers: [Caller, string[]][] = [
    [await handler(), []],
    [customer, []],
    [await adminWith('archivedleads', 'show_lead_http_columns'), ['notes', 'confirmed', 'hide']],
    [await adminWith('leads'), ['notes', 'confirmed', 'hide', ...dialog]],
    [await adminWith('leads', 'show_lead_http_columns'), ['notes', 'confirmed', 'hide', 'tags', ...dialog]],
    [superAdmin, ['notes', 'confirmed', 'hide', 'tags', ...dialog]],
  ]
  const before = await app.dump()
  for (const [caller, allowed] of callers)
    for (const [field, value] of Object.entries(values)) {
      if (allowed.includes(field)) continue
      const { status, body } = await put(caller, id, { client_notes: 'y', [field]: value })
      expect([field, status, Object.keys(body.errors)]).toEqual([field, 403, [field]])
    }
  expect(await app.dump()).toBe(before)
  expect(await trailOf(id)).toEqual([])
  const everything = { isAdmin: true, isSuperAdmin: true, permissions: { leads: true, show_lead_http_columns: true } }
  const writable = getWritableFields(everything as Parameters<typeof getWritableFields>[0])
  expect(Object.keys(values).filter((field) => writable.has(field)).length + 6).toBe(writable.size) // all are listed above
})

test('a body that is not a change does not cause a 500 [API-14, API-18]', async () => {
  const { id } = await make()
  const before = await app.dump()
  const send = (body: string) =>
    superAdmin.fetch(`/api/lead/${id}`, { method: 'PUT', body, headers: { 'content-type': 'application/json' } })
  const statuses: Record<string, number> = {
    '[]': 422,
    null: 422,
    '"x"': 422,
    '': 422,
    '{': 400,
    '{"notes":1e400}': 422,
    '{"client_value":1e400}': 422,
    '{"__proto__":{"notes":"x"}}': 400,
    [`{"notes":${'['.repeat(5000)}${']'.repeat(5000)}}`]: 422,
  }
  for (const [body, status] of Object.entries(statuses))
    expect([body.slice(0, 30), (await send(body)).status]).toEqual([body.slice(0, 30), status])
  expect((await send(`{"notes":"${'x'.repeat(1024 * 1024)}"}`)).status).toBe(413)
  expect(await app.dump()).toBe(before)
})

// ——— helpers ———

async function handler(permissions?: PermissionFlag[]): Promise<Caller> {
  return app.as(await app.make.handler({ campaigns: [campaign.id], ...(permissions && { permissions }) }))
}

const trailOf = (id: number) => app.context.db.select().from(auditTable).where(eq(auditTable.row_id, id))
