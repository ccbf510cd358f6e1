import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { campaignNotesContract } from '../contract.ts'

const app = await setUp(startApp())
const theirs = (await app.make.campaign({ name: 'Alpha', notes: 'old' })).id
const admin = await app.as(await app.make.admin({ permissions: ['changelog'], campaigns: [theirs] }))

const save = (id: number, note: unknown, who = admin) =>
  who.call(campaignNotesContract.update, { params: { id }, body: { note } })

test('pickers and the changelog get the note of a campaign; the old one is in the audit log [CHG-13]', async () => {
  expect(await save(theirs, ' Two crews\nand a dog ')).toMatchObject({
    status: 200,
    body: { id: theirs, name: 'Alpha', note: 'Two crews\nand a dog' },
  })
  expect((await admin.call(campaignsContract.all)).body[0].notes).toBe('Two crews\nand a dog')
  const trail = await app.context.db.execute(
    sql`select before, after from audit where kind = 'campaign' and row_id = ${theirs}`,
  )
  expect(trail.rows).toEqual([{ before: { notes: 'old' }, after: { notes: 'Two crews\nand a dog' } }])
  expect((await save(theirs, '')).body.note).toBe('')
})

test('a note that another person has changed since is not overwritten; the newer one is in the refusal [CHG-13]', async () => {
  const { id } = await app.make.campaign({ name: 'Shared', notes: 'As read' })
  const root = await app.as(await app.make.superAdmin())
  const saveSeen = (note: string, seen: string) =>
    root.call(campaignNotesContract.update, { params: { id }, body: { note, seen } })
  expect((await saveSeen('Theirs', 'As read')).status).toBe(200)
  const before = await app.dump()
  expect(await saveSeen('Mine', 'As read')).toMatchObject({
    status: 409,
    body: { message: 'Someone else has changed this note', newer: { id, name: 'Shared', note: 'Theirs' } },
  })
  expect(await app.dump()).toBe(before)
  expect((await saveSeen('Mine', 'Theirs')).body.note).toBe('Mine')
})

test('another user’s campaign is not found, and a note must be text', async () => {
  const foreign = await app.make.campaign()
  const other = await app.as(await app.make.admin({ permissions: ['activityLog'], campaigns: [theirs] }))
  const before = await app.dump()
  expect((await save(foreign.id, 'x')).status).toBe(404)
  for (const note of [null, 7, undefined, 'x'.repeat(10_001), '\0']) expect((await save(theirs, note)).status).toBe(422)
  expect((await save(theirs, 'x', other)).status).toBe(403)
  expect(await app.dump()).toBe(before)
})
