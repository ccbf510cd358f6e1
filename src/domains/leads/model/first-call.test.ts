import { asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type App, setUp, startApp } from '#test/app.ts'
import { leadsContract } from '../contract.ts'
import { refreshFirstCalls } from './first-call.ts'
import { toPhoneKey } from './phone-key.ts'
import { leadsTable } from './schema.ts'

const app = await setUp(startApp())
const superAdmin = await app.as(await app.make.superAdmin())

const [one, two] = ['+12125550101', '+12125550102']
const day = (number: number) => new Date(Date.UTC(2026, 0, number, 12))
const call = (values: Parameters<App['make']['lead']>[0]) =>
  app.make.lead({ lead_type: 'Call', ...values, phone_key: toPhoneKey(values?.lead_phone ?? null) })
const refresh = (campaignId: number, phone: string) =>
  app.context.db.transaction((tx) => refreshFirstCalls(tx, [{ campaign_id: campaignId, phone_key: phone }]))
const put = (id: number, body: object) => superAdmin.call(leadsContract.update, { params: { id }, body })

/** Returns the ids of the first calls of these campaigns. */
async function firstCalls(...campaigns: number[]): Promise<number[]> {
  const rows = await app.context.db
    .select()
    .from(leadsTable)
    .where(eq(leadsTable.first_call, true))
    .orderBy(asc(leadsTable.id))
  return rows.filter(({ campaign_id }) => campaigns.includes(campaign_id)).map(({ id }) => id)
}

test('the first call is the earliest from a number to a campaign, in whatever order the calls came in [LEAD-75]', async () => {
  const [here, there] = [(await app.make.campaign()).id, (await app.make.campaign()).id]
  await app.make.lead({ campaign_id: here, lead_phone: one, phone_key: one, occurred_at: day(1), first_call: true }) // a form
  const second = await call({ campaign_id: here, lead_phone: one, occurred_at: day(3) })
  await refresh(here, one)
  expect(await firstCalls(here, there)).toEqual([second.id])
  const first = await call({ campaign_id: here, lead_phone: one, occurred_at: day(2) })
  const twin = await call({ campaign_id: here, lead_phone: one, occurred_at: day(2) })
  const other = await call({ campaign_id: here, lead_phone: two, occurred_at: day(4) })
  const elsewhere = await call({ campaign_id: there, lead_phone: one, occurred_at: day(5) })
  for (const campaign of [here, there]) for (const phone of [one, two]) await refresh(campaign, phone)
  expect(await firstCalls(here, there)).toEqual([first.id, other.id, elsewhere.id])
  expect(twin.id).toBeGreaterThan(first.id) // the id decides between calls of one instant
})

test('concurrent calls leave one first call [LEAD-75]', async () => {
  const campaign_id = (await app.make.campaign()).id
  let here = 0
  let allAreHere = () => {}
  const meeting = new Promise<void>((resolve) => {
    allAreHere = resolve
  })
  const arrive = (number: number) =>
    app.context.db.transaction(async (tx) => {
      await tx.insert(leadsTable).values({
        campaign_id,
        lead_s: 'Callrail',
        lead_id: `together-${number}`,
        lead_type: 'Call',
        occurred_at: day(1),
        phone_key: one,
      })
      here += 1
      if (here === 12) allAreHere()
      await meeting // no transaction has committed, so none sees another's call
      await refreshFirstCalls(tx, [{ campaign_id, phone_key: one }])
    })
  await Promise.all(Array.from({ length: 12 }, (_, number) => arrive(number)))
  expect(await firstCalls(campaign_id)).toHaveLength(1)
})

test('a change of phone, type, day or campaign passes the first call on [LEAD-75]', async () => {
  const [here, there] = [(await app.make.campaign()).id, (await app.make.campaign()).id]
  const a = await call({ campaign_id: here, lead_phone: one, occurred_at: day(1), first_call: true })
  const b = await call({ campaign_id: here, lead_phone: one, occurred_at: day(2) })
  const now = () => firstCalls(here, there)
  expect((await put(a.id, { lead_phone: '(212) 555-0102' })).body.first_call).toBe(true)
  expect(await now()).toEqual([a.id, b.id])
  expect((await put(a.id, { lead_phone: '212.555.0101' })).body.first_call).toBe(true)
  expect(await now()).toEqual([a.id])
  expect((await put(a.id, { lead_date: '2026-01-09' })).body.first_call).toBe(false)
  expect(await now()).toEqual([b.id])
  expect((await put(b.id, { lead_type: 'Form' })).body.first_call).toBe(false)
  expect(await now()).toEqual([a.id])
  await put(b.id, { lead_type: 'Call' })
  await put(b.id, { campaign_id: there })
  expect(await now()).toEqual([a.id, b.id])
  expect((await put(b.id, { lead_phone: null })).body.first_call).toBe(false)
  expect(await now()).toEqual([a.id])
})

test('concurrent changes and arrivals of one number neither deadlock nor leave two first calls [LEAD-75]', async () => {
  const campaign_id = (await app.make.campaign()).id
  const rows = []
  for (let number = 0; number < 6; number++)
    rows.push(await call({ campaign_id, lead_phone: number % 2 ? one : two, occurred_at: day(10 + number) }))
  const phones = [one, two, '+12125550103']
  const answers = await Promise.all([
    ...rows.flatMap(({ id }, number) => [
      put(id, { lead_phone: phones[number % 3] }),
      put(id, { lead_date: `2026-01-0${1 + number}` }),
      put(id, { lead_phone: phones[(number + 1) % 3] }),
    ]),
    ...phones.map((phone) => refresh(campaign_id, phone)),
  ])
  expect(answers.filter((answer) => 'status' in answer && answer.status !== 200)).toEqual([])
  const after = await app.context.db.select().from(leadsTable).where(eq(leadsTable.campaign_id, campaign_id))
  const expected = phones.flatMap((phone) => {
    const mine = after.filter(({ phone_key }) => phone_key === phone)
    return mine.sort((a, b) => a.occurred_at.getTime() - b.occurred_at.getTime() || a.id - b.id).slice(0, 1)
  })
  expect(await firstCalls(campaign_id)).toEqual(expected.map(({ id }) => id).sort((a, b) => a - b))
})
