import { expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { teamsContract } from '#domains/access/teams/contract.ts'
import { toolLinksContract } from '#domains/access/tool-links/contract.ts'
import { campaignCategoriesContract } from '#domains/campaigns/categories/contract.ts'
import { networkCategoriesContract } from '#domains/sites/categories/contract.ts'
import { setUp, startApp } from '#test/app.ts'

/** What all lists of `buildCrudHandlers` have in common. */

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())

const noCategory = 'Please input category name'
/** Kind, calls, field of the name, what is said without one, more of the form, and of the row. */
const lists: [string, Calls, string, string, object, object][] = [
  ['team', teamsContract, 'name', 'Please input team name', {}, {}],
  ['network category', networkCategoriesContract, 'name', noCategory, {}, { sites_count: 0 }],
  ['campaign category', campaignCategoriesContract, 'name', noCategory, { color: '#00ff00' }, { campaigns_count: 0 }],
  ['tool link', toolLinksContract, 'label', 'Please input label', { url: 'https://ranks.example/' }, {}],
]
type Calls = Record<'create' | 'update' | 'remove', Endpoint>

test.each(lists)(
  'a save of an older %s is refused with the newer one and changes nothing; without a version the last one wins [ACT-23, NCAT-12, CCAT-15]',
  async (kind, calls, field, _says, form, counts) => {
    const named = (name: string, values: object = {}) => ({ ...form, [field]: name, ...values })
    const { id, version } = (await root.call(calls.create, { body: named('Blogs') })).body
    const save = (body: object) => root.call(calls.update, { params: { id }, body })
    const newer = { id, ...named('Weblogs'), ...counts, version: 2 }
    expect((await save(named('Weblogs', { version }))).body).toEqual(newer)
    const before = await app.dump()
    const stale = await save(named('Journals', { version }))
    expect([stale.status, stale.body]).toEqual([409, { message: `Someone else has changed this ${kind}`, newer }])
    expect(await app.dump()).toBe(before)
    expect((await save(named('Journals'))).body).toEqual({ ...newer, ...named('Journals'), version: 3 })
  },
)

test.each(lists)(
  'a %s needs a name, and a removed one is not found [ACT-23, CCAT-16]',
  async (_kind, calls, field, says, form) => {
    const { id } = (await root.call(calls.create, { body: { ...form, [field]: 'Gone' } })).body
    expect((await root.call(calls.remove, { params: { id } })).status).toBe(204)
    const before = await app.dump()
    const blank = await root.call(calls.create, { body: { ...form, [field]: ' ' } })
    expect([blank.status, blank.body.errors]).toEqual([422, { [field]: [says] }])
    expect((await root.call(calls.update, { params: { id }, body: { ...form, [field]: 'Back' } })).status).toBe(404)
    expect((await root.call(calls.remove, { params: { id } })).status).toBe(404)
    expect(await app.dump()).toBe(before)
  },
)
