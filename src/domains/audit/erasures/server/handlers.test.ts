import { asc, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { type App, type Caller, startApp } from '#test/app.ts'
import { postCall, sendCallRail, waitForIntake } from '#test/provider-hooks.ts'
import { erasuresContract } from '../contract.ts'

let app: App
let root: Caller
beforeAll(async () => {
  app = await startApp({ work: true })
  await app.make.clientSite({ callrail_campaign_identifier: 'COM1', signingKey: 'our key' })
  root = await app.as(await app.make.superAdmin())
})
afterAll(() => app.close())

async function erase(person: { phone: string; email: string }) {
  const { total } = (await root.call(erasuresContract.rehearse, { body: person })).body
  expect((await root.call(erasuresContract.erase, { body: { ...person, total } })).status).toBe(200)
}

test.each([
  ['a phone beside another', { customer_phone_number: '512-555-0147 / 512-555-9999' }],
  ['a phone with a redundant zero', { customer_phone_number: '+1 (0)512 555 0147' }],
  ['a phone as it is dialed from abroad', { customer_phone_number: '0015125550147' }],
  ['an email with its name', { customer_phone_number: '', customer_email: 'Zelda <zelda@a.example>' }],
  ['an email beside another', { customer_phone_number: '', customer_email: 'office@a.example, zelda@a.example' }],
])('a lead is the person’s if its contact has %s', async (_, contact) => {
  const call = postCall({ customer_name: 'Zelda Quillfeather', ...contact })
  expect((await sendCallRail(app, call, { key: 'our key' })).status).toBe(200)
  const other = postCall({ customer_name: 'Otto', customer_phone_number: '512-555-01471' })
  await sendCallRail(app, other, { key: 'our key' })
  await waitForIntake(app)
  await erase({ phone: '(512) 555-0147', email: 'zelda@a.example' })
  const names = await app.context.db
    .select({ name: leadsTable.lead_name })
    .from(leadsTable)
    .where(inArray(leadsTable.lead_id, [call.resource_id, other.resource_id]))
    .orderBy(asc(leadsTable.id))
  expect(names).toEqual([{ name: '[erased]' }, { name: 'Otto' }])
})
