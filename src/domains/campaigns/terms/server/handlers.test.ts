import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { termsContract } from '../contract.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())

const read = (id: number, who = root) => who.call(termsContract.read, { params: { id } })
const save = (id: number, body: object, who = root) => who.call(termsContract.save, { params: { id }, body })
const perLead = { from: '2026-01-01', to: null, kind: 'per_lead', prices: { Form: 25, Call: 40.5 }, dispute_days: 14 }

test('without terms a campaign has a flat fee, its service fee [RPT-07]', async () => {
  const { id } = await app.make.campaign({ service_fee: 1250.5, start_date: '2025-03-10' })
  expect((await read(id)).body).toMatchObject({
    version: 1,
    terms: [{ from: '2025-03-10', to: null, kind: 'flat', fee: 1250.5, cap: null }],
  })
})

test('terms are replaced as a whole, oldest first, with the old ones in the audit log [RPT-07]', async () => {
  const { id } = await app.make.campaign()
  const older = { from: '2025-01-01', to: '2025-12-31', kind: 'flat', fee: 900 }
  const { status, body } = await save(id, { terms: [perLead, older], version: 1 })
  expect(status).toBe(200)
  expect(body.version).toBe(2)
  expect(body.terms).toMatchObject([older, perLead])
  expect((await read(id)).body).toEqual(body)
  const [entry] = await app.context.db
    .select()
    .from(auditTable)
    .where(and(eq(auditTable.kind, 'campaign terms'), eq(auditTable.row_id, id)))
  expect(entry).toMatchObject({ before: { terms: [] } })
  expect((await save(id, { terms: body.terms, version: 1 })).body.version).toBe(2) // nothing to save
})

test('overlapping terms, negative prices and reversed days are refused and change nothing [RPT-07]', async () => {
  const { id } = await app.make.campaign()
  const before = await app.dump()
  const refused: [object[], string][] = [
    [[perLead, { ...perLead, from: '2026-05-01' }], 'terms.1.from'],
    [
      [
        { ...perLead, to: '2026-02-01' },
        { ...perLead, from: '2026-02-01' },
      ],
      'terms.1.from',
    ],
    [[{ ...perLead, prices: { Form: -1, Call: 2 } }], 'terms.0.prices.Form'],
    [[{ ...perLead, fee: -0.01 }], 'terms.0.fee'],
    [[{ ...perLead, cap: -5 }], 'terms.0.cap'],
    [[{ ...perLead, fee: 1.005 }], 'terms.0.fee'],
    [[{ ...perLead, to: '2025-12-31' }], 'terms.0.to'],
    [[{ ...perLead, from: null }], 'terms.0.from'],
    [[{ ...perLead, kind: 'barter' }], 'terms.0.kind'],
    [[{ ...perLead, included: -1 }], 'terms.0.included'],
  ]
  for (const [terms, field] of refused) {
    const { status, body } = await save(id, { terms })
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  }
  expect(await app.dump()).toBe(before)
  expect(
    (
      await save(id, {
        terms: [
          { ...perLead, to: '2026-02-01' },
          { ...perLead, from: '2026-02-02' },
        ],
      })
    ).status,
  ).toBe(200)
})

test('terms that another person has saved in the meantime get 409 with the newer ones [RPT-07]', async () => {
  const { id } = await app.make.campaign()
  await save(id, { terms: [perLead], version: 1 })
  const stale = await save(id, { terms: [{ ...perLead, fee: 3 }], version: 1 })
  expect(stale.status).toBe(409)
  expect(stale.body.terms).toMatchObject({ version: 2, terms: [perLead] })
})

test('the terms of a campaign that the user may not see are not found [RPT-07]', async () => {
  const { id } = await app.make.campaign()
  const admin = await app.as(await app.make.admin())
  expect((await read(id, admin)).status).toBe(404)
  expect((await save(id, { terms: [perLead] }, admin)).status).toBe(404)
  const theirs = await app.as(await app.make.admin({ campaigns: [id] }))
  expect((await save(id, { terms: [perLead] }, theirs)).status).toBe(200)
})
