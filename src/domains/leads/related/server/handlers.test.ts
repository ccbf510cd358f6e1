import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { toPhoneKey } from '#domains/leads/model/phone-key.ts'
import { type App, type Caller, setUp, startApp } from '#test/app.ts'
import { relatedLeadsContract } from '../contract.ts'

const app = await setUp(startApp())
const superAdmin = await app.as(await app.make.superAdmin())

type Values = NonNullable<Parameters<App['make']['lead']>[0]>
const make = ({ lead_phone = null, ...values }: Values) =>
  app.make.lead({ ...values, lead_phone, phone_key: toPhoneKey(lead_phone) })
const day = (number: number) => new Date(Date.UTC(2026, 0, number, 12))

type Row = { id: number; lead_name: string; campaign_id: number | null }
const of = (caller: Caller, id: number, query: object = {}) =>
  caller.call(relatedLeadsContract.ofLead, { params: { id }, query: { ...query } })
const everywhere = (caller: Caller, query: object = {}) =>
  caller.call(relatedLeadsContract.everywhere, { query: { global: 1, ...query } })
const ids = (rows: Row[]) => rows.map(({ id }) => id)

test('related leads have the same phone or email, however written, in the same campaign [REL-05, REL-06]', async () => {
  const [here, there] = [(await app.make.campaign()).id, (await app.make.campaign()).id]
  const at = { campaign_id: here }
  const base = await make({ ...at, lead_phone: '(512) 555-0101', lead_email: 'Ann@Example.com', occurred_at: day(9) })
  const sameEmail = await make({ ...at, lead_email: 'ann@EXAMPLE.com', occurred_at: day(3) })
  const samePhone = await make({ ...at, lead_phone: '+1 512-555-0101', occurred_at: day(5) })
  const archived = await make({ ...at, lead_phone: '5125550101', archived: true, occurred_at: day(1) })
  const elsewhere = await make({ campaign_id: there, lead_phone: '5125550101', occurred_at: day(2) })
  await make({ ...at, lead_phone: '5125550199', lead_email: 'bob@example.com' })

  const { status, body } = await of(superAdmin, base.id)
  expect(status).toBe(200)
  expect(body.lead).toMatchObject({ id: base.id, lead_email: 'Ann@Example.com' })
  expect(ids(body.data)).toEqual([samePhone.id, sameEmail.id, archived.id]) // the newest first
  expect(body.meta).toEqual({ total: 3 })

  const { body: across } = await of(superAdmin, base.id, { global: 1 })
  expect(ids(across.data)).toEqual([samePhone.id, sameEmail.id, elsewhere.id, archived.id])
})

test('pages and sorts are those of the list, fifty per page [REL-05]', async () => {
  const campaign_id = (await app.make.campaign()).id
  const named = ['Cleo', 'ann', 'Bob', null]
  const made = []
  for (const lead_name of named) made.push(await make({ campaign_id, lead_name, lead_phone: '5125550111' }))
  const base = await make({ campaign_id, lead_name: 'Base', lead_phone: '5125550111' })
  const first = await of(superAdmin, base.id, { sort: 'lead_name', order: 'asc', per_page: 3 })
  const second = await of(superAdmin, base.id, { sort: 'lead_name', order: 'asc', per_page: 3, page: 2 })
  const names = [...first.body.data, ...second.body.data].map(({ lead_name }: Row) => lead_name)
  expect(names).toEqual(['ann', 'Bob', 'Cleo', null])
  expect(second.body.meta.total).toBe(4)
  expect(relatedLeadsContract.ofLead.query.parse({}).per_page).toBe(50)
  expect(relatedLeadsContract.everywhere.query.parse({}).per_page).toBe(50)
})

test('a lead without phone and email, or without campaign, has no related leads [REL-06]', async () => {
  const campaign_id = (await app.make.campaign()).id
  const silent = await make({ campaign_id })
  await make({ campaign_id })
  expect((await of(superAdmin, silent.id)).body).toMatchObject({ data: [], meta: { total: 0 } })
  const unassigned = await make({ campaign_id: null, lead_email: 'nobody@example.com' })
  await make({ campaign_id: null, lead_email: 'nobody@example.com' })
  expect((await of(superAdmin, unassigned.id)).body.data).toEqual([])
  expect((await of(superAdmin, unassigned.id, { global: 1 })).body.data).toHaveLength(1)
})

describe('access', () => {
  let here: { id: number; client_id: number }
  let there: { id: number }
  let base: Row
  let hidden: Row
  let elsewhere: Row
  let customer: Caller
  beforeAll(async () => {
    ;[here, there] = [await app.make.campaign(), await app.make.campaign()]
    customer = await app.as(await app.make.customer({ client_id: here.client_id }))
    const same = { lead_phone: '5125550122' }
    base = (await make({ ...same, campaign_id: here.id })) as Row
    hidden = (await make({ ...same, campaign_id: here.id, hide: true })) as Row
    elsewhere = (await make({ ...same, campaign_id: there.id })) as Row
  })
  const pages = ['leads', 'leadsRelated'] as const

  test('people who are not admins see no hidden leads, and read their own fields [REL-06, PERM-02, PERM-13]', async () => {
    const shown = await make({ campaign_id: here.id, lead_phone: '5125550122' })
    const handler = await app.as(await app.make.handler({ campaigns: [here.id] }))
    for (const person of [handler, customer]) {
      const { body } = await of(person, base.id)
      expect(ids(body.data)).toEqual([shown.id])
      expect(body.meta.total).toBe(1)
      expect(body.lead).not.toHaveProperty('hide')
      expect(body.data[0]).not.toHaveProperty('mail')
    }
    const admin = await app.as(await app.make.admin({ campaigns: [here.id], permissions: [...pages] }))
    expect(ids((await of(admin, base.id)).body.data)).toEqual([shown.id, hidden.id])
  })

  test('a base lead that the caller may not see does not exist [REL-05, PERM-04]', async () => {
    const handler = await app.as(await app.make.handler({ campaigns: [here.id] }))
    const before = await app.dump()
    for (const id of [elsewhere.id, hidden.id, 2_000_000_000])
      expect((await of(handler, id)).body).toEqual({ message: 'This no longer exists, or you don’t have access to it' })
    expect(await app.dump()).toBe(before)
  })

  test('related leads across campaigns are for admins with the page, within their campaigns [REL-04, REL-06, PERM-01]', async () => {
    const at = { campaigns: [here.id] }
    const refused = [
      await app.as(await app.make.handler(at)),
      customer,
      await app.as(await app.make.admin({ ...at, permissions: ['leads'] })),
    ]
    for (const person of refused) {
      expect((await of(person, base.id, { global: 1 })).status).toBe(403)
      expect((await everywhere(person)).status).toBe(403)
      expect((await of(person, base.id)).status).toBe(200)
    }
    const narrow = await app.as(await app.make.admin({ ...at, permissions: [...pages] }))
    const { body } = await of(narrow, base.id, { global: 1 })
    expect(ids(body.data)).not.toContain(elsewhere.id)
    expect(body.meta.total).toBe(body.data.length)
    const wide = await app.as(await app.make.admin({ campaigns: [here.id, there.id], permissions: [...pages] }))
    expect(ids((await of(wide, base.id, { global: 1 })).body.data)).toContain(elsewhere.id)
  })

  test('no one sorts by fields they cannot read (R4) [PERM-14]', async () => {
    const plain = await app.as(await app.make.admin({ campaigns: [here.id], permissions: [...pages] }))
    const refusal = { status: 422, body: { errors: { sort: ['Not available to you'] } } }
    expect(await of(plain, base.id, { sort: 'source' })).toMatchObject(refusal)
    expect(await everywhere(plain, { sort: 'source' })).toMatchObject(refusal)
    expect((await of(superAdmin, base.id, { sort: 'source' })).status).toBe(200)
  })
})

test('across campaigns the list has every lead that shares its phone or email with another visible one [REL-04, REL-06]', async () => {
  const campaigns = [(await app.make.campaign()).id, (await app.make.campaign()).id, (await app.make.campaign()).id]
  const run = fc.sample(
    fc.record({ campaign: fc.nat(3), phone: fc.nat(9), email: fc.nat(9), archived: fc.boolean(), hide: fc.boolean() }),
    { numRuns: 60, seed: 7 },
  )
  const made: { id: number; campaign_id: number; phone: string | null; email: string | null }[] = []
  for (const [index, { campaign, phone, email, archived, hide }] of run.entries()) {
    const lead = await make({
      campaign_id: campaigns[campaign] ?? null,
      lead_phone: phone > 5 ? null : `61255501${phone}0`,
      lead_email: email > 4 ? null : `Someone${email}@Example.com`,
      lead_name: `Random ${index}`,
      occurred_at: day(1 + (index % 28)),
      archived,
      hide,
    })
    made.push({ id: lead.id, campaign_id: lead.campaign_id, phone: lead.phone_key, email: lead.email_key })
  }
  const scopes = [[0], [1, 2], [0, 1, 2]].map((some) => some.map((index) => campaigns[index]!))
  for (const scope of [...scopes, null]) {
    const reader = scope ? await app.as(await app.make.admin({ campaigns: scope })) : superAdmin
    const seen = made.filter((one) => scope === null || scope.includes(one.campaign_id))
    const isRelated = (one: (typeof made)[number]) =>
      seen.some(
        (two) =>
          two !== one &&
          ((one.phone !== null && two.phone === one.phone) || (one.email !== null && two.email === one.email)),
      )
    const expected = seen.filter(isRelated).map(({ id }) => id)
    const { body } = await everywhere(reader, { per_page: 200 })
    const mine = new Set(made.map(({ id }) => id))
    const found = body.data.filter(({ id }: Row) => mine.has(id))
    expect(ids(found).toSorted((a, b) => a - b)).toEqual(expected)
    if (scope) expect(body.meta.total).toBe(expected.length)
    const dates = body.data.map((row: { lead_date: string }) => row.lead_date)
    expect(dates).toEqual(dates.toSorted().reverse())
    const pages = await Promise.all([1, 2].map((page) => everywhere(reader, { per_page: 10, page })))
    expect(pages.flatMap((page) => ids(page.body.data))).toEqual(ids(body.data).slice(0, 20))
  }
})
