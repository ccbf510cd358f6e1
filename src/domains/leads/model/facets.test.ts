import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from '#test/app.ts'
import { answeringStatuses, type Check, leadTypes, sources } from '../labels.ts'
import { checkTests, condition, groups, isShown, ratingIn, type Test } from './facets.ts'
import { leads } from './schema.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

type Values = Parameters<App['make']['lead']>[0]
/** Which of these tests a lead passes that has nothing but these values. */
async function passed<Name extends string>(values: Values, tests: Record<Name, Test>): Promise<Name[]> {
  const { id } = await app.make.lead(values)
  const asked = Object.entries<Test>(tests).map(([name, test]) => [name, sql<boolean>`${condition(test)}`] as const)
  const [answers] = await app.house.db.select(Object.fromEntries(asked)).from(leads).where(eq(leads.id, id))
  return (Object.keys(tests) as Name[]).filter((name) => answers?.[name])
}
const byValue = <Value extends string>(values: readonly Value[], test: (value: Value) => Test) =>
  Object.fromEntries(values.map((value) => [value, test(value)])) as Record<Value, Test>

test('the table packs where facets.ts reads: type, answering status, progress, source and rating [LEAD-73]', async () => {
  const types = byValue(leadTypes, groups.lead_type)
  for (const lead_type of leadTypes) expect(await passed({ lead_type }, types)).toEqual([lead_type])
  const statuses = byValue(answeringStatuses, groups.answering_status)
  const call = { lead_type: 'Call', answered: false } as const
  const calls: Record<(typeof answeringStatuses)[number], Values> = {
    Abandoned: { ...call, duration: 1 },
    Answered: { ...call, answered: true },
    Unanswered: { ...call, duration: 60 },
    Missed: { ...call, tags: ['Missed Call'] },
  }
  for (const status of answeringStatuses) expect(await passed(calls[status], statuses)).toEqual([status])
  expect(await passed({ lead_type: 'Form' }, statuses)).toEqual([])
  const progress = byValue(['1', '2', '3', '4', '5'], groups.client_progress)
  for (const value of ['1', '2', '3', '4', '5'])
    expect(await passed({ client_progress: Number(value) }, progress)).toEqual([value])
  expect(await passed({}, progress)).toEqual([])
  const fromSource = byValue(sources, groups.source)
  for (const source of sources) expect(await passed({ source }, fromSource)).toEqual([source])
  expect(await passed({ source: 'Bing' }, fromSource)).toEqual([])
  for (const rating of [1, 2, 3, 4, 5, null]) {
    const { id } = await app.make.lead({ rating, client_progress: 5, first_call: true })
    const [row] = await app.house.db
      .select({ rating: ratingIn(leads.facets) })
      .from(leads)
      .where(eq(leads.id, id))
    expect(row).toEqual({ rating: rating ?? 0 })
  }
})

test('each checkbox has a bit of its own: what sets it, sets no other [LEAD-73, LEAD-76]', async () => {
  const ticked = (values: Values) => passed(values, checkTests)
  const bare: Check[] = ['unmarked', 'no_feedback', 'not_rated']
  expect(await ticked({})).toEqual(bare)
  expect(await ticked({ confirmed: true })).toEqual(['confirmed', 'no_feedback', 'not_rated'])
  expect(await ticked({ tags: ['Other'] })).toEqual(['no_feedback', 'not_rated'])
  expect(await ticked({ hide: true })).toEqual(['no_feedback', 'not_rated'])
  expect(await ticked({ first_call: true })).toEqual(['unmarked', 'first_call', 'no_feedback', 'not_rated'])
  expect(await ticked({ tags: ['Voicemail'] })).toEqual(['voicemail', 'no_feedback', 'not_rated'])
  expect(await ticked({ tags: ['Voicemail Issues'] })).toEqual(['voicemail_issues', 'no_feedback', 'not_rated'])
  expect(await ticked({ client_value: 0 })).toEqual(['unmarked', 'value', 'not_rated'])
  expect(await ticked({ client_profit: 0 })).toEqual(['unmarked', 'profit', 'not_rated'])
  expect(await ticked({ client_value: 1, client_progress: 1 })).toEqual(['unmarked', 'value', 'won_value', 'not_rated'])
  expect(await ticked({ client_profit: 1, client_progress: 1 })).toEqual([
    'unmarked',
    'profit',
    'won_profit',
    'not_rated',
  ])
  expect(await ticked({ client_value: 1, client_progress: 2 })).toEqual(['unmarked', 'value', 'not_rated'])
  expect(await ticked({ rating: 1 })).toEqual(['unmarked', 'rating'])
  for (const text of ['company_name', 'client_notes'])
    expect(await ticked({ [text]: 'x' })).toEqual(['unmarked', 'not_rated'])
  expect(await passed({ hide: true }, { isShown })).toEqual([])
  expect(await passed({ archived: true }, { isShown })).toEqual(['isShown'])
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
  await app.house.db.update(leads).set({ archived: true, notes: 'x' }).where(eq(leads.id, id))
  const read = async () => (await app.house.db.select().from(leads).where(eq(leads.id, id)))[0]?.facets
  expect(await read()).toBe(facets)
  await app.house.db.update(leads).set({ client_notes: 'x' }).where(eq(leads.id, id))
  expect(await read()).not.toBe(facets)
  await expect(app.house.pool.query('update leads set facets = 0')).rejects.toThrow(/can only be updated to DEFAULT/)
})
