import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { asc, eq, inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { activityItemsContract } from '#domains/activity/contract.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { leadBatchContract } from '#domains/leads/batch/contract.ts'
import { leadBatchRowsTable } from '#domains/leads/batch/schema.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { moveItemsTable, movesTable } from '#domains/moves/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { causeDeadlocks } from '#test/deadlock.ts'
import { postCall, sendCallRail, waitForIntake } from '#test/provider-hooks.ts'
import { erasuresContract } from '../contract.ts'
import { erasuresTable } from '../schema.ts'

const DATA_DIR = mkdtempSync(join(tmpdir(), 'leadline-erasures-'))
const app = await setUp(startApp({ work: true, settings: { DATA_DIR } }))
await app.make.clientSite({ callrail_campaign_identifier: 'COM1', signingKey: 'our key' })
const root = await app.as(await app.make.superAdmin())

async function erase(person: { phone: string; email: string }) {
  const { total } = (await root.call(erasuresContract.rehearse, { body: person })).body
  expect((await root.call(erasuresContract.erase, { body: { ...person, total } })).status).toBe(200)
}

test('of two people who are erased at once, neither is missing in the list outside the database', async () => {
  const { store } = app.context
  let puts = 0
  app.context.store = {
    ...store,
    put: async (key, data) => {
      puts += 1
      // Another process erases and saves while this one is writing.
      if (puts === 1) await erase({ phone: '', email: 'second@a.example' })
      await store.put(key, data)
    },
  }
  await erase({ phone: '', email: 'first@a.example' })
  app.context.store = store
  const list = JSON.parse(await text((await store.get('erasures.json'))!))
  expect([list.length, await app.context.db.$count(erasuresTable)]).toEqual([2, 2])
})

test('a person is erased although a campaign that mentions them is being changed', async () => {
  const campaign = await app.make.campaign({ notes: 'Call max@deadlock.example' })
  await causeDeadlocks(app, 'update on campaigns')
  await erase({ phone: '', email: 'max@deadlock.example' })
  const [kept] = await app.context.db.select().from(campaignsTable).where(eq(campaignsTable.id, campaign.id))
  expect(kept!.notes).toBe('Call [erased]')
})

test.each([
  ['a phone beside another', { customer_phone_number: '512-555-0147 / 512-555-9999' }],
  ['a phone with a redundant zero', { customer_phone_number: '+1 (0)512 555 0147' }],
  ['a phone as it is dialed from abroad', { customer_phone_number: '0015125550147' }],
  ['an email with its name', { customer_phone_number: '', customer_email: 'Zelda <zelda@a.example>' }],
  ['an email beside another', { customer_phone_number: '', customer_email: 'office@a.example, zelda@a.example' }],
  ['an international domain', { customer_email: 'zoe@müller.example' }, 'zoe@xn--mller-kva.example'],
  ['an international domain in other letters', { customer_email: 'zoe@xn--mller-kva.example' }, 'ZOE@Müller.example'],
  ['an email that mail cannot be sent to', { customer_email: 'josé@sue.example' }, 'josé@sue.example'],
])('a lead is the person’s if its contact has %s', async (_, contact: object, email = 'zelda@a.example') => {
  const call = postCall({ customer_name: 'Zelda Quillfeather', ...contact })
  expect((await sendCallRail(app, call, { key: 'our key' })).status).toBe(200)
  const other = postCall({ customer_name: 'Otto', customer_phone_number: '512-555-01471' })
  await sendCallRail(app, other, { key: 'our key' })
  await waitForIntake(app)
  await erase({ phone: email.startsWith('zelda') ? '(512) 555-0147' : '', email })
  const names = await app.context.db
    .select({ name: leadsTable.lead_name })
    .from(leadsTable)
    .where(inArray(leadsTable.lead_id, [call.resource_id, other.resource_id]))
    .orderBy(asc(leadsTable.id))
  expect(names).toEqual([{ name: '[erased]' }, { name: 'Otto' }])
})

test('a save of a lead that was opened before the erasure of its person is refused with the erased lead, and writes nothing', async () => {
  const site = await app.make.clientSite()
  const { id } = await app.make.lead({
    campaign_id: site.campaign_id,
    clientsite_id: site.id,
    lead_name: 'Ada Rook',
    lead_email: 'ada@rook.example',
    lead_phone: '512-555-0188',
    message: 'My roof leaks',
  })
  const update = (body: object) => root.call(leadsContract.update, { params: { id }, body })
  const opened = (await update({})).body
  await erase({ phone: '', email: 'ada@rook.example' })
  const edited = (await update({ confirmed: 1 })).body // has an entry in the audit log, which the erasure has not
  const before = await app.dump()
  const { lead_name, lead_email, lead_phone, message, version } = opened
  for (const stale of [{ lead_name, lead_email, lead_phone, message }, { message: 'My roof still leaks' }]) {
    const refused = await update({ ...stale, version })
    expect([refused.status, refused.body.lead]).toEqual([409, edited])
    expect(Object.keys(refused.body.errors).sort()).toEqual(Object.keys(stale).sort())
  }
  expect(await app.dump()).toBe(before)
  const kept = await update({ lead_type: 'Call', lead_name: '[erased]', version })
  expect(kept.body).toMatchObject({ lead_type: 'Call', lead_name: '[erased]' })
  const late = await update({ message: 'Called back', version: kept.body.version })
  expect([late.status, late.body.message]).toEqual([200, 'Called back'])
})

test('a save of a lead, note or task that was opened before the erasure of a person whom it mentions is refused', async () => {
  const { id } = await app.make.lead({ message: 'Ask ned@stark.example, too' })
  const update = (body: object) => root.call(leadsContract.update, { params: { id }, body })
  const opened = (await update({})).body
  const item = await app.make.activityItem({ note: 'Called ned@stark.example' })
  await erase({ phone: '', email: 'ned@stark.example' })
  const before = await app.dump()
  const { version } = opened
  const refused = await update({ message: `${opened.message}!`, version })
  expect([refused.status, refused.body.lead.message]).toEqual([409, 'Ask [erased], too'])
  const params = { id: item.id }
  const body = { note: 'Called ned@stark.example twice', version: item.version }
  expect((await root.call(activityItemsContract.update, { params, body })).status).toBe(409)
  expect(await app.dump()).toBe(before)
  expect((await update({ confirmed: 1, version })).status).toBe(200)
})

test('the undo of a batch does not bring back the name of an erased person, with the tag that it was the reason for', async () => {
  const { db } = app.context
  const lead = await app.make.lead({
    lead_email: 'ann@spam.example',
    tags: ['Autospam'],
    tag_causes: [{ tag: 'Autospam', because: 'spammer Ann Smith' }],
  })
  const act = { ids: [lead.id], action: 'untag', value: 'Autospam' }
  const { id } = (await root.call(leadBatchContract.create, { body: act })).body
  await erase({ phone: '', email: 'ann@spam.example' })
  const rows = await db.select().from(leadBatchRowsTable).where(eq(leadBatchRowsTable.batch_id, id))
  expect(JSON.stringify(rows)).not.toContain('Ann Smith')
  expect((await root.call(leadBatchContract.undo, { params: { id } })).body).toMatchObject({ changed: 1 })
  const [{ tag_causes } = {}] = await db.select().from(leadsTable).where(eq(leadsTable.id, lead.id))
  expect(tag_causes).toEqual([{ tag: 'Autospam', because: '[erased]' }])
})

test('moves keep neither the name of an erased person nor a lead of theirs that is still to be written', async () => {
  const { db } = app.context
  const lead = await app.make.lead({ lead_name: 'Ida Moss', lead_email: 'ida@moss.example' })
  const [move] = await db
    .insert(movesTable)
    .values({ user_id: (await app.make.superAdmin()).id, state: 'ready', sources: [] })
    .returning()
  const item = { move_id: move!.id, position: 1, connection_id: 1 }
  const payload = { lead_name: 'Ida Moss', lead_email: 'ida@moss.example', message: 'My roof at 5 Elm St leaks' }
  const note = { note: 'Called ida@moss.example about the roof' }
  await db.insert(moveItemsTable).values([
    { ...item, key: 'a', old_id: '1', kind: 'lead', label: 'Ida Moss', state: 'written', row_id: lead.id },
    {
      ...{ ...item, key: 'b', old_id: '2', kind: 'lead', label: 'Ida Moss', state: 'kept', row_id: lead.id },
      kept: 'Ida Moss: somebody has changed it since',
    },
    { ...item, key: 'c', old_id: '3', kind: 'lead', label: 'Ida Moss', payload },
    { ...item, key: 'd', old_id: '4', kind: 'note', label: 'A note', payload: note },
    { ...item, key: 'e', old_id: '5', kind: 'lead', label: 'Otto', payload: { lead_name: 'Otto' } },
  ])
  await erase({ phone: '', email: 'ida@moss.example' })
  const items = await db
    .select()
    .from(moveItemsTable)
    .where(eq(moveItemsTable.move_id, move!.id))
    .orderBy(asc(moveItemsTable.key))
  expect(items.map(({ label, payload, state, kept }) => ({ label, payload, state, kept }))).toEqual([
    { label: '[erased]', payload: null, state: 'written', kept: null },
    { label: '[erased]', payload: null, state: 'kept', kept: '[erased]: somebody has changed it since' },
    { label: '[erased]', payload: null, state: 'skipped', kept: null },
    { label: 'A note', payload: { note: 'Called [erased] about the roof' }, state: 'open', kept: null },
    { label: 'Otto', payload: { lead_name: 'Otto' }, state: 'open', kept: null },
  ])
})
