import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { troubleStates } from '#domains/campaigns/labels.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { campaignStatesContract } from '../contract.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())

const setState = (id: number, trouble_state: unknown, who = root) =>
  who.call(campaignStatesContract.updateTroubleState, { params: { id }, body: { trouble_state } })
const flip = (id: number, body?: object, who = root) =>
  who.call(campaignStatesContract.togglePpc, { params: { id }, body })
const trail = async (id: number) =>
  (
    await app.context.db.execute(
      sql`select before, after from audit where kind = 'campaign' and row_id = ${id} order by audit.id`,
    )
  ).rows

test('each of the six states is stored and audited; any other value is refused [LTAB-13] [LTAB-16]', async () => {
  const { id, name } = await app.make.campaign({ trouble_state: 2 })
  expect(troubleStates.map(({ value, label }) => `${label}=${value}`).join(', ')).toBe(
    'Troubled=10, Monitor=3, No issues=2, Pre-Launch=4, Other=1, Cancelled=5',
  )
  for (const { value } of troubleStates)
    expect((await setState(id, value)).body).toEqual({ id, name, is_ppc: 0, trouble_state: value })
  expect(await trail(id)).toHaveLength(troubleStates.length)
  expect((await trail(id))[0]).toEqual({ before: { trouble_state: 2 }, after: { trouble_state: 10 } })
  const before = await app.dump()
  for (const wrong of [0, 6, 9, 11, '10', null, undefined, 2.5]) {
    const { status, body } = await setState(id, wrong)
    expect([status, Object.keys(body.errors)]).toEqual([422, ['trouble_state']])
  }
  expect(await app.dump()).toBe(before)
})

test('without a body it toggles; with a wanted value, repeating it does not toggle back [LTAB-17]', async () => {
  const { id } = await app.make.campaign({ is_ppc: false })
  const answers = [await flip(id), await flip(id), await flip(id, { is_ppc: 1 }), await flip(id, { is_ppc: 1 })]
  expect(answers.map(({ body }) => body.is_ppc)).toEqual([1, 0, 1, 1])
  expect((await flip(id, { is_ppc: 'yes' })).status).toBe(422)
  expect(await trail(id)).toHaveLength(3)
})

test('concurrent toggles all count [LTAB-17]', async () => {
  const { id } = await app.make.campaign({ is_ppc: false })
  await Promise.all(Array.from({ length: 7 }, () => flip(id)))
  expect((await flip(id, {})).body.is_ppc).toBe(0)
})

test('only admins with the chart or the campaigns page may, for their campaigns; otherwise nothing changes', async () => {
  const { id } = await app.make.campaign()
  const who = async (values: Parameters<typeof app.make.admin>[0]) => app.as(await app.make.admin(values))
  for (const permissions of [['leadChart'], ['campaigns']] as const) {
    const admin = await who({ permissions: [...permissions], campaigns: [id] })
    expect((await setState(id, 3, admin)).status).toBe(200)
    expect((await flip(id, { is_ppc: 1 }, admin)).status).toBe(200)
  }
  const refused: [Caller, number][] = [
    [await who({ permissions: ['leads'], campaigns: [id] }), 403],
    [await app.as(await app.make.handler({ campaigns: [id] })), 403],
    [await app.as(await app.make.customer()), 403],
    [await who({ permissions: ['leadChart'] }), 404],
  ]
  const before = await app.dump()
  for (const [caller, status] of refused) {
    expect((await setState(id, 5, caller)).status).toBe(status)
    expect((await flip(id, undefined, caller)).status).toBe(status)
  }
  expect(await app.dump()).toBe(before)
})
