import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from '#test/app.ts'
import {
  answeringStatusOf,
  checkTests,
  condition,
  groups,
  isShown,
  passes,
  progressOf,
  ratingOf,
  sourceOf,
  type Test,
  typeOf,
} from './facets.ts'
import { leads } from './table.ts'
import { answeringStatuses, type Check, leadTypes, sources } from './words.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

type Values = Parameters<App['make']['lead']>[0]
/** The column as the table writes it, of a lead that has nothing but these values. */
async function facetsOf(values: Values = {}): Promise<number> {
  const { facets } = await app.make.lead(values)
  return facets ?? Number.NaN
}

test('the table packs where facets.ts reads: type, answering status, progress, source and rating [LEAD-73]', async () => {
  for (const lead_type of leadTypes) expect(typeOf(await facetsOf({ lead_type }))).toBe(lead_type)
  const call = { lead_type: 'Call', answered: false } as const
  const calls: Record<(typeof answeringStatuses)[number], Values> = {
    Abandoned: { ...call, duration: 1 },
    Answered: { ...call, answered: true },
    Unanswered: { ...call, duration: 60 },
    Missed: { ...call, tags: ['Missed Call'] },
  }
  for (const status of answeringStatuses) expect(answeringStatusOf(await facetsOf(calls[status]))).toBe(status)
  expect(answeringStatusOf(await facetsOf({ lead_type: 'Form' }))).toBeUndefined()
  for (const client_progress of [1, 2, 3, 4, 5])
    expect(progressOf(await facetsOf({ client_progress }))).toBe(client_progress)
  for (const rating of [1, 2, 3, 4, 5]) expect(ratingOf(await facetsOf({ rating }))).toBe(rating)
  for (const source of sources) expect(sourceOf(await facetsOf({ source }))).toBe(source)
  expect(sourceOf(await facetsOf({ source: 'Bing' }))).toBeUndefined()
})

test('each checkbox has a bit of its own: what sets it, sets no other [LEAD-73, LEAD-76]', async () => {
  const passed = async (values: Values) => {
    const facets = await facetsOf(values)
    return (Object.keys(checkTests) as Check[]).filter((check) => passes(facets, checkTests[check]))
  }
  const bare: Check[] = ['unmarked', 'no_feedback', 'not_rated']
  expect(await passed({})).toEqual(bare)
  expect(await passed({ confirmed: true })).toEqual(['confirmed', 'no_feedback', 'not_rated'])
  expect(await passed({ tags: ['Other'] })).toEqual(['no_feedback', 'not_rated'])
  expect(await passed({ hide: true })).toEqual(['no_feedback', 'not_rated'])
  expect(await passed({ first_call: true })).toEqual(['unmarked', 'first_call', 'no_feedback', 'not_rated'])
  expect(await passed({ tags: ['Voicemail'] })).toEqual(['voicemail', 'no_feedback', 'not_rated'])
  expect(await passed({ tags: ['Voicemail Issues'] })).toEqual(['voicemail_issues', 'no_feedback', 'not_rated'])
  expect(await passed({ client_value: 0 })).toEqual(['unmarked', 'value', 'not_rated'])
  expect(await passed({ client_profit: 0 })).toEqual(['unmarked', 'profit', 'not_rated'])
  expect(await passed({ client_value: 1, client_progress: 1 })).toEqual(['unmarked', 'value', 'won_value', 'not_rated'])
  expect(await passed({ client_profit: 1, client_progress: 1 })).toEqual([
    'unmarked',
    'profit',
    'won_profit',
    'not_rated',
  ])
  expect(await passed({ client_value: 1, client_progress: 2 })).toEqual(['unmarked', 'value', 'not_rated'])
  expect(await passed({ rating: 1 })).toEqual(['unmarked', 'rating'])
  for (const text of ['company_name', 'client_notes'])
    expect(await passed({ [text]: 'x' })).toEqual(['unmarked', 'not_rated'])
  expect(passes(await facetsOf({ hide: true }), isShown)).toBe(false)
  expect(passes(await facetsOf({ archived: true }), isShown)).toBe(true)
})

test('PostgreSQL and the program answer every test alike', async () => {
  const tests: Test[] = [
    ...Object.values(checkTests),
    ...leadTypes.map(groups.lead_type),
    ...answeringStatuses.map(groups.answering_status),
    ...['1', '5'].map(groups.client_progress),
    ...sources.map(groups.source),
    isShown,
  ]
  const all = await app.house.db.select({ id: leads.id, facets: leads.facets }).from(leads)
  for (const test of tests) {
    const found = await app.house.db.select({ id: leads.id }).from(leads).where(condition(test))
    expect(found.map(({ id }) => id).sort()).toEqual(
      all
        .filter(({ facets }) => passes(facets ?? 0, test))
        .map(({ id }) => id)
        .sort(),
    )
  }
})

test('every filter has the statistics that its plan needs', async () => {
  const { rows } = await app.house.pool.query<{ of: string }>(
    `select pg_get_statisticsobjdef_expressions(oid)::text as of from pg_statistic_ext where stxname like 'leads_facets_%'`,
  )
  const known = rows.map(({ of }) => Number(/& (\d+)/.exec(of)?.[1])).sort()
  const one = [leadTypes[0], answeringStatuses[0], '1', sources[0]] as const
  const radios = [
    groups.lead_type(one[0]),
    groups.answering_status(one[1]),
    groups.client_progress(one[2]),
    groups.source(one[3]),
  ]
  const asked = [...Object.values(checkTests), ...radios, isShown].map(({ mask }) => mask)
  expect([...new Set(asked)].sort()).toEqual(known)
})

test('a change of the lead changes its facets, nothing else does [LEAD-73]', async () => {
  const { id, facets } = await app.make.lead()
  await app.house.db.update(leads).set({ client_notes: 'x', rating: 2 }).where(eq(leads.id, id))
  const [after] = await app.house.db.select().from(leads).where(eq(leads.id, id))
  expect([passes(facets ?? 0, checkTests.no_feedback), ratingOf(after?.facets ?? 0)]).toEqual([true, 2])
  await expect(app.house.pool.query('update leads set facets = 0')).rejects.toThrow(/can only be updated to DEFAULT/)
})
