import { expect, test } from 'vitest'
import type { PermissionFlag } from '#contract/allow.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { getReadableFields, leadSorts, leadsContract } from '#domains/leads/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'

const app = await setUp(startApp())
const superAdmin = await app.as(await app.make.superAdmin())

const listed = async (caller: Caller, query: Record<string, unknown>) =>
  (await caller.call(leadsContract.list, { query })).body

// ——— the fields ———

test('a lead has every field as the specification spells it [LEAD-56, LEAD-57, API-02, API-04]', async () => {
  const campaign = await app.make.campaign({ name: 'Austin Roofing' })
  const site = await app.make.clientSite({ campaign_id: campaign.id })
  const { id } = await app.make.lead({
    campaign_id: campaign.id,
    clientsite_id: site.id,
    lead_s: 'Callrail',
    lead_id: 'CAL123',
    lead_type: 'Call',
    occurred_at: new Date('2026-03-01T14:05:00Z'),
    lead_name: 'Jane <b>Sample</b>',
    lead_location: 'Austin, TX',
    lead_email: 'jane@example.com',
    lead_phone: '+15125550144',
    message: 'Roof "leak"\nand \u{1F3E0}',
    duration: 3725,
    answered: true,
    recording_url: 'https://app.callrail.com/secret',
    notes: 'call back',
    tags: ['Voicemail', 'Autospam'],
    tag_causes: [{ tag: 'Autospam', because: '+15125550144' }],
    confirmed: true,
    first_call: true,
    client_progress: 2,
    company_name: 'Acme',
    client_notes: 'keen',
    client_value: 1234.5,
    client_profit: 0.07,
    rating: 4,
    rating_via: 'link',
    last_url: 'https://site.example/a',
    referrer: 'https://www.google.com/',
    source: 'Google Paid',
    keywords: 'roof repair',
    gclid: 'abc',
    tracking_phone_number: '+15125550180',
    tracking_source: 'Google Ads',
  })
  const { data } = await listed(superAdmin, { campaign_ids: campaign.id })
  expect(data).toEqual([
    {
      id,
      campaign_id: campaign.id,
      campaign_name: 'Austin Roofing',
      campaign: { id: campaign.id, name: 'Austin Roofing' },
      clientsite_id: site.id,
      lead_date: '2026-03-01',
      lead_time: '09:05',
      lead_type: 'Call',
      lead_s: 'Callrail',
      lead_id: 'CAL123',
      lead_name: 'Jane <b>Sample</b>',
      lead_location: 'Austin, TX',
      lead_email: 'jane@example.com',
      lead_phone: '+15125550144',
      message: 'Roof "leak"\nand \u{1F3E0}',
      duration: 3725,
      duration_formatted: '1:02:05',
      answered: true,
      answering_status: 'Answered',
      recording: true,
      notes: 'call back',
      tags: [{ name: 'Voicemail' }, { name: 'Autospam', because: '+15125550144' }],
      confirmed: 1,
      hide: 0,
      archived: 0,
      first_call: true,
      has_related: false,
      missed_call: false,
      changers: [],
      client_progress: 2,
      company_name: 'Acme',
      client_notes: 'keen',
      client_value: 1234.5,
      client_profit: 0.07,
      rating: '4',
      rating_via: 'link',
      rating_unconfirmed: 0,
      last_url: 'https://site.example/a',
      referrer: 'https://www.google.com/',
      source: 'Google Paid',
      keywords: 'roof repair',
      gclid: 'abc',
      gbraid: null,
      wbraid: null,
      msclkid: null,
      fbclid: null,
      source_stated: null,
      tracking_phone_number: '+15125550180',
      tracking_source: 'Google Ads',
      notify: true,
      mail: null,
      version: 1,
    },
  ])
})

test('durations are m:ss, and h:mm:ss for an hour and longer [LEAD-56]', async () => {
  const campaign_id = (await app.make.campaign()).id
  for (const duration of [0, 9, 75, 3599, 3600, 36_061, null]) await app.make.lead({ campaign_id, duration })
  const { data } = await listed(superAdmin, { campaign_ids: campaign_id, sort: 'duration', order: 'asc' })
  const shown = data.map((lead: { duration_formatted: string }) => lead.duration_formatted)
  expect(shown).toEqual(['0:00', '0:09', '1:15', '59:59', '1:00:00', '10:01:01', null])
})

test('each role reads its own fields and no others (R9) [PERM-02, PERM-13, PERM-14]', async () => {
  const client = await app.make.client()
  const campaign = await app.make.campaign({ client_id: client.id })
  const { id } = await app.make.lead({ campaign_id: campaign.id, tags: ['Spam'], source: 'Facebook' })
  const at = { campaigns: [campaign.id] }
  const plain: PermissionFlag[] = ['leads', 'archivedleads']
  const http: PermissionFlag[] = [...plain, 'show_lead_http_columns']
  const makers = [
    app.make.customer({ client_id: client.id }),
    app.make.handler({ ...at, permissions: plain }),
    app.make.handler({ ...at, permissions: http }),
    app.make.admin({ ...at, permissions: plain }),
    app.make.admin({ ...at, permissions: http }),
    app.make.superAdmin(),
  ]
  const sizes: number[] = []
  for (const user of await Promise.all(makers)) {
    const caller = await app.as(user)
    const { data } = await listed(caller, { campaign_ids: campaign.id })
    const { body } = await caller.call(leadsContract.update, { params: { id }, body: { client_notes: user.username } })
    const permissions = Object.fromEntries(http.map((flag) => [flag, false]))
    for (const flag of user.role === 'super_admin' ? http : user.permissions) permissions[flag] = true
    const person = { isAdmin: /admin/.test(user.role), isSuperAdmin: user.role === 'super_admin', permissions }
    const expected = [...getReadableFields(person as Parameters<typeof getReadableFields>[0])].sort()
    expect(Object.keys(data[0]).sort()).toEqual(expected)
    expect(Object.keys(body).sort()).toEqual(expected) // a write returns no more than the list
    expect(JSON.stringify(data)).not.toContain('recording_url')
    sizes.push(expected.length)
  }
  expect(sizes).toEqual([sizes[0], sizes[0], sizes[0]! + 1, sizes[0]! + 4, sizes[0]! + 16, sizes[0]! + 16])
})

test('a related lead has the same phone or email in the same campaign, and is visible to the reader [LEAD-56, PERM-13]', async () => {
  const [here, there] = [await app.make.campaign(), await app.make.campaign()]
  const campaigns = [here.id, there.id]
  const handler = await app.as(await app.make.handler({ campaigns }))
  const phone = { phone_key: '+12125550155' }
  const make = (values: Parameters<typeof app.make.lead>[0]) => app.make.lead({ campaign_id: here.id, ...values })
  const byPhone = [await make(phone), await make(phone)]
  const byEmail = [
    await make({ lead_email: 'Jo@x.example' }),
    await make({ lead_email: 'jo@X.example', archived: true }),
  ]
  const elsewhere = await make({ campaign_id: there.id, ...phone })
  const besideHidden = await make({ phone_key: '+12125550166' })
  const hidden = await make({ phone_key: '+12125550166', hide: true })
  const nobody = [
    await make({}),
    await make({ campaign_id: null, ...phone }),
    await make({ campaign_id: null, ...phone }),
  ]
  const related = async (caller: Caller, list: Endpoint = leadsContract.list) => {
    const { body } = await caller.call(list, { query: { per_page: 200 } })
    return new Map<number, boolean>(
      body.data.map((lead: { id: number; has_related: boolean }) => [lead.id, lead.has_related]),
    )
  }
  const [seen, all, archive] = [
    await related(handler),
    await related(superAdmin),
    await related(handler, leadsContract.archived),
  ]
  expect(byPhone.map(({ id }) => seen.get(id))).toEqual([true, true])
  expect([seen.get(byEmail[0]!.id), archive.get(byEmail[1]!.id)]).toEqual([true, true])
  expect(seen.get(elsewhere.id)).toBe(false)
  expect([seen.get(besideHidden.id), all.get(besideHidden.id), all.get(hidden.id)]).toEqual([false, true, true])
  expect(nobody.map(({ id }) => all.get(id))).toEqual([false, false, false])
})

test('a call tagged as missed says so to everyone, even without access to tags [LEAD-76]', async () => {
  const campaign = await app.make.campaign()
  const handler = await app.as(await app.make.handler({ campaigns: [campaign.id], permissions: ['leads'] }))
  await app.make.lead({ campaign_id: campaign.id, lead_name: 'a', tags: ['Missed Call'] })
  await app.make.lead({ campaign_id: campaign.id, lead_name: 'b', tags: ['Auto Missed Call', 'Spam'] })
  await app.make.lead({ campaign_id: campaign.id, lead_name: 'c', tags: ['Spam'] })
  const { data } = await listed(handler, { sort: 'lead_name', order: 'asc' })
  expect(data.map((lead: { missed_call: boolean }) => lead.missed_call)).toEqual([true, true, false])
})

// ——— pages and sorting ———

test('pages return { data, meta: { total } }, and one past the end is empty [API-05, API-06, API-07]', async () => {
  const campaign_id = (await app.make.campaign()).id
  for (let number = 0; number < 5; number++) await app.make.lead({ campaign_id })
  const page = (values: object) => listed(superAdmin, { campaign_ids: campaign_id, ...values })
  expect((await page({ per_page: 2, page: 3 })).data).toHaveLength(1)
  expect(await page({ per_page: 2, page: 4 })).toEqual({ data: [], meta: { total: 5 } })
  expect(await page({ page: 2_147_483_647, per_page: 200 })).toEqual({ data: [], meta: { total: 5 } })
  expect(await page({ lead_search: 'person', page: 9 })).toEqual({ data: [], meta: { total: 5 } })
  expect(await page({ lead_search: 'nobody' })).toEqual({ data: [], meta: { total: 0 } })
})

test('paging over equal values neither repeats nor skips, and nulls are last in both directions, for every sort [LEAD-53, API-09, API-10]', async () => {
  const campaigns = [await app.make.campaign({ name: 'beta' }), await app.make.campaign({ name: 'Alpha' })]
  const values = [null, 'b', 'A', null, 'a', 'B'] as const
  const rows = Array.from({ length: 30 }, (_, number) => {
    const text = values[number % 6]!
    const some = text === null ? null : number % 3
    return {
      campaign_id: campaigns[number % 2]!.id,
      lead_s: 'Formidable' as const,
      lead_id: `sorted-${number}`,
      lead_type: number % 4 ? ('Form' as const) : ('Call' as const),
      occurred_at: new Date(Date.UTC(2026, 1, 1 + (number % 3))),
      lead_name: text,
      lead_location: text,
      lead_email: text && `${text}@x.example`,
      lead_phone: text,
      source: text,
      duration: some,
      confirmed: number % 5 === 0,
      client_progress: some && some + 1,
      client_value: some,
      client_profit: some,
      rating: some && some + 1,
      message: 'sorted',
    }
  })
  await app.context.db.insert(leadsTable).values(rows)
  const campaign_ids = campaigns.map(({ id }) => id).join(',')
  for (const sort of leadSorts)
    for (const order of ['asc', 'desc'] as const)
      for (const lead_search of order === 'asc' ? [''] : ['', 'sorted']) {
        const query = { campaign_ids, sort, order, lead_search, per_page: 11 }
        const pages = []
        for (let page = 1; page <= 3; page++) pages.push(...(await listed(superAdmin, { ...query, page })).data)
        expect(pages).toHaveLength(30)
        const keys = pages.map((lead) => [keyOf(lead, sort), lead.id])
        const expected = [...keys].sort(([a, x], [b, y]) => {
          if (a === b) return order === 'asc' ? x - y : y - x
          if (a === null || b === null) return a === null ? 1 : -1
          return a < b === (order === 'asc') ? -1 : 1
        })
        expect(keys, `${sort} ${order}`).toEqual(expected)
        expect(new Set(pages.map(({ id }) => id)).size).toBe(30)
      }
})

/** Returns the sort key as people see it: text ignoring case. */
function keyOf(lead: Record<string, string | number | null>, sort: string) {
  if (sort === 'lead_date') return `${lead.lead_date} ${lead.lead_time}`
  const value = lead[sort] ?? null
  return typeof value === 'string' && sort !== 'lead_phone' ? value.toLowerCase() : value
}
