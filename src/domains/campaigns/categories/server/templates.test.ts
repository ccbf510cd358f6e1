import { expect, test } from 'vitest'
import { defaultSchedule } from '#domains/campaigns/schedule.ts'
import { setUp, startApp } from '#test/app.ts'
import { categoryTemplatesContract } from '../template-contract.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())

const read = (id: number, who = root) => who.call(categoryTemplatesContract.read, { params: { id } })
const save = (id: number, body: unknown, who = root) =>
  who.call(categoryTemplatesContract.save, { params: { id }, body })

const empty = { hours: null, targets: null, terms: null, manager: null, version: 1 }
const whole = {
  hours: { timezone: 'America/Chicago', schedule: defaultSchedule },
  targets: { initial_target: 20, month_3_target: 25, month_6_target: null, month_9_target: null, month_12_target: 40 },
  terms: [{ kind: 'flat_plus', fee: 500, prices: { Form: 10, Call: 20 }, included: 5, cap: null, dispute_days: 14 }],
  manager: 'Olivia',
}

test('a category keeps what its new campaigns may start with; null is not set [MOVE-10]', async () => {
  const { id } = await app.make.category()
  expect((await read(id)).body).toEqual(empty)
  expect((await save(id, whole)).body).toEqual({ ...whole, version: 2 })
  expect((await read(id)).body).toEqual({ ...whole, version: 2 })
  expect((await save(id, { ...whole, terms: whole.terms[0], manager: ' ' })).body).toEqual({
    ...{ ...whole, manager: null },
    version: 3,
  })
  expect((await save(id, { manager: 'Noah' })).body).toEqual({ ...empty, manager: 'Noah', version: 4 })
  const { rows } = await app.context.db.execute(
    `select after from audit where kind = 'campaign category' and row_id = ${id} and after ? 'template'`,
  )
  expect(rows).toHaveLength(3)
})

test('a template refuses what its campaign would refuse, and dates [MOVE-10]', async () => {
  const { id } = await app.make.category()
  const before = await app.dump()
  const [terms] = whole.terms
  for (const [body, field] of [
    [{ hours: { ...whole.hours, timezone: 'Mars' } }, 'hours.timezone'],
    [{ hours: { ...whole.hours, schedule: [] } }, 'hours.schedule'],
    [{ targets: { ...whole.targets, initial_target: -1 } }, 'targets.initial_target'],
    [{ terms: [{ ...terms, from: '2026-01-01' }] }, 'terms.0'],
    [{ terms: [terms, terms] }, 'terms'],
    [{ terms: [] }, 'terms'],
    [{ note: 'x' }, ''],
  ] as const) {
    const { status, body: refusal } = await save(id, body)
    expect([status, Object.keys(refusal.errors).some((name) => name.startsWith(field))], field).toEqual([422, true])
  }
  expect((await save(9_999_999, whole)).status).toBe(404)
  expect((await read(9_999_999)).status).toBe(404)
  expect(await app.dump()).toBe(before)
})

test('who creates campaigns reads templates, who manages categories saves them [MOVE-10]', async () => {
  const { id } = await app.make.category()
  const creator = await app.as(await app.make.admin({ permissions: ['campaigns'] }))
  const keeper = await app.as(await app.make.admin({ permissions: ['campaignCategories'] }))
  expect((await read(id, creator)).status).toBe(200)
  expect((await save(id, whole, creator)).status).toBe(403)
  expect((await save(id, whole, keeper)).status).toBe(200)
  expect((await read(id, await app.as(await app.make.handler()))).status).toBe(403)
})
