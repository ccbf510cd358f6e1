import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type App, setUp, startApp } from '#test/app.ts'
import { checkFilterList, choiceFilterList, type FacetTest, isShownTest, testChoice } from '../filters.ts'
import { answeringStatuses, leadTypes, trafficSources } from '../labels.ts'
import { facetCondition, ratingFromFacets } from './facets.ts'
import { leadsTable } from './schema.ts'

const app = await setUp(startApp())

type Values = Parameters<App['make']['lead']>[0]
/** Returns which of these tests a lead with only these values passes. */
async function passed<Name extends string>(values: Values, tests: Record<Name, FacetTest>): Promise<Name[]> {
  const { id } = await app.make.lead(values)
  const asked = Object.entries<FacetTest>(tests).map(
    ([name, test]) => [name, sql<boolean>`${facetCondition(test)}`] as const,
  )
  const [answers] = await app.context.db.select(Object.fromEntries(asked)).from(leadsTable).where(eq(leadsTable.id, id))
  return (Object.keys(tests) as Name[]).filter((name) => answers?.[name])
}
const byValue = <Value extends string>(values: readonly Value[], name: Parameters<typeof testChoice>[0]) =>
  Object.fromEntries(values.map((value) => [value, testChoice(name, value)])) as Record<Value, FacetTest>
const checkTests = Object.fromEntries(checkFilterList.map(([name, { test }]) => [name, test]))

test('the table packs facets where the filters read them: type, answering status, progress, source and rating [LEAD-73]', async () => {
  const types = byValue(leadTypes, 'lead_type')
  for (const lead_type of leadTypes) expect(await passed({ lead_type }, types)).toEqual([lead_type])
  const statuses = byValue(answeringStatuses, 'answering_status')
  const call = { lead_type: 'Call', answered: false } as const
  const calls: Record<(typeof answeringStatuses)[number], Values> = {
    Abandoned: { ...call, duration: 1 },
    Answered: { ...call, answered: true },
    Unanswered: { ...call, duration: 60 },
    Missed: { ...call, tags: ['Missed Call'] },
  }
  for (const status of answeringStatuses) expect(await passed(calls[status], statuses)).toEqual([status])
  expect(await passed({ lead_type: 'Form' }, statuses)).toEqual([])
  const progress = byValue(['1', '2', '3', '4', '5'], 'client_progress')
  for (const value of ['1', '2', '3', '4', '5'])
    expect(await passed({ client_progress: Number(value) }, progress)).toEqual([value])
  expect(await passed({}, progress)).toEqual([])
  const fromSource = byValue(trafficSources, 'source')
  for (const source of trafficSources) expect(await passed({ source }, fromSource)).toEqual([source])
  expect(await passed({ source: 'Bing' }, fromSource)).toEqual([])
  for (const rating of [1, 2, 3, 4, 5, null]) {
    const { id } = await app.make.lead({ rating, client_progress: 5, first_call: true })
    const [row] = await app.context.db
      .select({ rating: ratingFromFacets(leadsTable.facets) })
      .from(leadsTable)
      .where(eq(leadsTable.id, id))
    expect(row).toEqual({ rating: rating ?? 0 })
  }
})

test('each checkbox has its own bit: a value that sets it sets no other [LEAD-73, LEAD-76]', async () => {
  const ticked = (values: Values) => passed(values, checkTests)
  const bare = ['unmarked', 'no_feedback', 'not_rated']
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
  expect(await passed({ hide: true }, { isShown: isShownTest })).toEqual([])
  expect(await passed({ archived: true }, { isShown: isShownTest })).toEqual(['isShown'])
})

test('every filter has the statistics that its plan needs', async () => {
  const { rows } = await app.context.pool.query<{ of: string }>(
    `select pg_get_statisticsobjdef_expressions(oid)::text as of from pg_statistic_ext where stxname like 'leads_facets_%'`,
  )
  const known = rows.map(({ of }) => Number(/& (\d+)/.exec(of)?.[1])).sort()
  const choices = choiceFilterList.map(([name, { values }]) => testChoice(name, values[0]))
  const asked = [...Object.values(checkTests), ...choices, isShownTest].map(({ mask }) => mask)
  expect([...new Set(asked)].sort()).toEqual(known)
})

test('only a change of the lead changes its facets [LEAD-73]', async () => {
  const { id, facets } = await app.make.lead()
  await app.context.db.update(leadsTable).set({ archived: true, notes: 'x' }).where(eq(leadsTable.id, id))
  const read = async () => (await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, id)))[0]?.facets
  expect(await read()).toBe(facets)
  await app.context.db.update(leadsTable).set({ client_notes: 'x' }).where(eq(leadsTable.id, id))
  expect(await read()).not.toBe(facets)
  await expect(app.context.pool.query('update leads set facets = 0')).rejects.toThrow(/can only be updated to DEFAULT/)
})
