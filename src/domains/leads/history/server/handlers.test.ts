import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { hashSha256 } from '#core/secrets/secrets.ts'
import { erasuresContract } from '#domains/audit/erasures/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { inboundEventsTable } from '#domains/leads/intake/schema.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { ratingContract } from '#domains/leads/rating/contract.ts'
import { ratingKeysTable } from '#domains/leads/rating/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { callRailKey, postCall, sendCallRail, waitForIntake } from '#test/provider-hooks.ts'
import { leadHistoryContract } from '../contract.ts'

const app = await setUp(startApp({ work: true, settings: { CALLRAIL_SIGNING_KEY: callRailKey } }))
const superAdmin = await app.as(await app.make.superAdmin({ username: 'sue' }))
const campaign = await app.make.campaign()
await app.make.clientSite({ campaign_id: campaign.id, callrail_campaign_identifier: 'COM1' })

type Changes = { audit_id: number; by: string | null; via: string | null; at: string; fields: Change[] }[]
type Change = { field: string; from: unknown; to: unknown; can_restore: boolean }
const put = (id: number, body: object, caller = superAdmin) =>
  caller.call(leadsContract.update, { params: { id }, body })
const read = (id: number, caller = superAdmin) => caller.call(leadHistoryContract.read, { params: { id } })
const restore = (id: number, body: object, caller = superAdmin) =>
  caller.call(leadHistoryContract.restore, { params: { id }, body })
const changesOf = async (id: number, caller = superAdmin): Promise<Changes> => (await read(id, caller)).body.changes
/** Returns the newest change of a field. */
async function changeOf(id: number, field: string) {
  const changes = await changesOf(id)
  const found = changes.find((entry) => entry.fields.some((one) => one.field === field))!
  return { ...found.fields.find((one) => one.field === field)!, ...found }
}

test('every change says who, when, from what and to what, the newest first [LEAD-80]', async () => {
  const { id } = await app.make.lead({ campaign_id: campaign.id, lead_name: 'Ann', lead_type: 'Call' })
  await put(id, { confirmed: 1, notes: 'call back' })
  await put(id, { tags: [{ name: 'Low Value' }], rating: '4' })
  const changes = await changesOf(id)
  expect(changes).toMatchObject([
    { by: 'sue', via: null, action: 'changed' },
    { by: 'sue', via: null, action: 'changed' },
  ])
  expect(changes[0]!.fields).toEqual([
    { field: 'tags', from: [], to: ['Low Value'], can_restore: true },
    { field: 'rating', from: null, to: '4', can_restore: true },
  ])
  expect(changes[1]!.fields).toEqual([
    { field: 'notes', from: null, to: 'call back', can_restore: true },
    { field: 'confirmed', from: 0, to: 1, can_restore: true },
  ])
  for (const { at } of changes) expect(new Date(at).toISOString()).toBe(at)
})

test('changes by the program are listed without a person, along with their events [LEAD-80, IN-05]', async () => {
  const call = postCall({ customer_name: 'Before' })
  for (const body of [call, { ...call, customer_name: 'After', recording: 'https://a.example/r', changes: ['note'] }]) {
    await sendCallRail(app, body)
    await waitForIntake(app)
  }
  const [event] = await app.context.db.select().from(inboundEventsTable).orderBy(inboundEventsTable.id).limit(1)
  const { body } = await read(event!.lead_id!)
  expect(body.changes).toMatchObject([{ by: null, action: 'changed' }])
  expect(body.changes[0].fields).toEqual(
    expect.arrayContaining([
      { field: 'lead_name', from: 'Before', to: 'After', can_restore: true },
      { field: 'recording', from: false, to: true, can_restore: false },
    ]),
  )
  expect(JSON.stringify(body)).not.toContain('a.example') // a recording's URL never leaves the server
  expect(body.events).toMatchObject([
    { provider: 'callrail', state: 'done', found_by: 'hook', reason: null },
    { provider: 'callrail', state: 'done', found_by: 'hook', reason: null },
  ])
  expect(body.events[0].id).toBeGreaterThan(body.events[1].id)
})

test('mails are listed with recipients and outcome, and the leads list shows the latest [IN-18]', async () => {
  const { id, campaign_id } = await app.make.lead({ campaign_id: campaign.id })
  const of = { lead_id: id, campaign_id }
  expect((await put(id, {})).body.mail).toBeNull()
  const recipients = ['owner@example.com']
  const sue = await app.make.superAdmin({ username: 'asker' })
  const sent_at = new Date('2026-03-02T14:05:00Z')
  await app.context.db.insert(mailsTable).values([
    { ...of, kind: 'notification', recipients, state: 'sent', sent_at },
    { ...of, kind: 'missed_call_warning', recipients, state: 'refused', error: '550 no', requested_by: sue.id },
  ])
  expect((await read(id)).body.mails).toMatchObject([
    { kind: 'missed_call_warning', state: 'refused', recipients, asked_by: 'asker', sent_at: null, error: '550 no' },
    { kind: 'notification', state: 'sent', recipients, asked_by: null, sent_at: sent_at.toISOString(), error: null },
  ])
  const { mail } = (await put(id, {})).body
  expect(mail).toMatchObject({ kind: 'missed_call_warning', state: 'refused', error: '550 no' })
  await app.context.db.delete(mailsTable).where(eq(mailsTable.kind, 'missed_call_warning'))
  expect((await put(id, {})).body.mail).toEqual({ kind: 'notification', state: 'sent', at: '2026-03-02T14:05:00Z' })
})

test('of an email to a client whom the reader does not see, only that there was one is told [PERM-04]', async () => {
  const { id, campaign_id } = await app.make.lead({ campaign_id: campaign.id })
  const other = await app.make.campaign()
  const of = { lead_id: id, campaign_id, kind: 'notification', state: 'sent' } as const
  const told = { error: 'Not delivered to a@a.example: 550 no', relay_answer: '250 queued for a@a.example' }
  await app.context.db.insert(mailsTable).values([
    { ...of, ...told, client_id: other.client_id, recipients: ['old@example.com'] },
    { ...of, ...told, client_id: campaign.client_id, recipients: ['new@example.com'] },
  ])
  const mailsOf = async (campaigns: number[]) =>
    (await read(id, await app.as(await app.make.admin({ campaigns })))).body.mails
  const newest = { recipients: ['new@example.com'], ...told }
  expect(await mailsOf([campaign.id])).toMatchObject([
    newest,
    { state: 'sent', recipients: [], error: null, relay_answer: null },
  ])
  expect(await mailsOf([campaign.id, other.id])).toMatchObject([newest, { recipients: ['old@example.com'], ...told }])
})

test('ratings by link are listed as opened and as saved, a scanner’s burst as one', async () => {
  const { id, campaign_id } = await app.make.lead({ campaign_id: campaign.id })
  const auth_key = 'k'.repeat(22)
  await app.context.db
    .insert(ratingKeysTable)
    .values({ lead_id: id, campaign_id, key_hash: hashSha256(auth_key), expires_at: new Date(Date.now() + 86_400_000) })
  const rate = (body: object) =>
    app.guest.call(ratingContract.save, { params: { leadId: String(id) }, query: { auth_key }, body })
  await rate({ auto: true, rating: '1' })
  await rate({ auto: true, rating: '5' })
  await rate({ auto: true, rating: '2' })
  await rate({ rating: '3' })
  const { body } = await read(id)
  expect(body.ratings).toMatchObject([
    { auto: false, choice: null, outcome: 'counted', scanner: false },
    { auto: true, choice: '2', outcome: 'ignored', scanner: true },
    { auto: true, choice: '5', outcome: 'undone', scanner: true },
    { auto: true, choice: '1', outcome: 'undone', scanner: true },
  ])
  expect(body.changes.map(({ by, via }: Changes[number]) => [by, via])).toEqual([
    [null, 'page'],
    [null, 'scanner, undone'],
    [null, 'link'],
    [null, 'link'],
  ])
})

test('an old value is restored as a change like any other [LEAD-79, LEAD-80]', async () => {
  const { id } = await app.make.lead({ campaign_id: campaign.id, lead_phone: '512-555-0101', tags: ['Spam', 'Other'] })
  await put(id, { lead_phone: '512-555-0199' })
  await put(id, { tags: [{ name: 'Other' }], client_value: 12.5, lead_time: '07:15' })
  for (const field of ['tags', 'client_value', 'lead_phone', 'lead_time']) {
    const { audit_id, from } = await changeOf(id, field)
    const { status, body } = await restore(id, { audit_id, field })
    expect([field, status]).toEqual([field, 200])
    expect(body[field]).toEqual(field === 'tags' ? [{ name: 'Other' }, { name: 'Spam' }] : from)
    expect(await changeOf(id, field)).toMatchObject({ by: 'sue', can_restore: true })
  }
  const { audit_id } = (await changesOf(id)).at(-1)! // the first change of the phone, which is already undone
  expect((await changesOf(id)).at(-1)!.fields).toMatchObject([{ field: 'lead_phone', can_restore: false }])
  const before = await app.dump()
  expect((await restore(id, { audit_id, field: 'lead_phone' })).status).toBe(200)
  expect(await app.dump()).toBe(before)
})

test('a value that was erased cannot be restored [LEAD-80]', async () => {
  const person = { phone: '', email: 'rita@moss.example' }
  const { id } = await app.make.lead({ campaign_id: campaign.id, lead_email: person.email, message: 'I am Rita' })
  await put(id, { message: 'She is Rita', confirmed: 1 })
  const { total } = (await superAdmin.call(erasuresContract.rehearse, { body: person })).body
  expect((await superAdmin.call(erasuresContract.erase, { body: { ...person, total } })).status).toBe(200)
  const change = await changeOf(id, 'message')
  expect(change).toMatchObject({ from: '[erased]', can_restore: false })
  expect(await changeOf(id, 'confirmed')).toMatchObject({ from: 0, can_restore: true })
  const before = await app.dump()
  const { version } = (await put(id, {})).body
  const refused = await restore(id, { audit_id: change.audit_id, field: 'message', version })
  expect([refused.status, refused.body.errors]).toEqual([422, { field: ['The old value was erased'] }])
  expect(await app.dump()).toBe(before)
})

test('restoring over a newer change by someone else gets 409 with the newer lead [LEAD-79]', async () => {
  const { id } = await app.make.lead({ campaign_id: campaign.id })
  const { body: seen } = await put(id, { notes: 'one' })
  const { audit_id } = await changeOf(id, 'notes')
  await put(id, { notes: 'two' })
  const { status, body } = await restore(id, { audit_id, field: 'notes', version: seen.version })
  expect([status, body.lead.notes]).toEqual([409, 'two'])
})

describe('permissions', () => {
  let id: number
  let audit_id: number
  beforeEach(async () => {
    id = (await app.make.lead({ campaign_id: campaign.id, lead_name: 'Ann', source: 'Facebook' })).id
    await put(id, { lead_name: 'Bea', source: 'Instagram', tags: [{ name: 'Spam' }], notes: 'x', hide: 1 })
    audit_id = (await changesOf(id))[0]!.audit_id
  })
  const at = () => ({ campaigns: [campaign.id] })

  test('only admins read a history, and only of the leads of their campaigns [PERM-01, PERM-04]', async () => {
    const refused = [
      await app.as(await app.make.handler(at())),
      await app.as(await app.make.customer({ client_id: campaign.client_id })),
      await app.as(await app.make.admin({ ...at(), permissions: ['campaigns'] })),
    ]
    const before = await app.dump()
    for (const person of refused) {
      expect((await read(id, person)).status).toBe(403)
      expect((await restore(id, { audit_id, field: 'notes' }, person)).status).toBe(403)
    }
    const elsewhere = await app.as(await app.make.admin({ campaigns: [(await app.make.campaign()).id] }))
    const after = await app.dump()
    expect((await read(id, elsewhere)).status).toBe(404)
    expect((await restore(id, { audit_id, field: 'nonsense' }, elsewhere)).status).toBe(404)
    expect((await read(2_000_000_000)).status).toBe(404)
    expect(await app.dump()).toBe(after)
    expect(before).not.toBe(after) // the admin above was created in between
  })

  test('fields that the reader may not read are left out and cannot be restored [PERM-02, PERM-10]', async () => {
    const plain = await app.as(await app.make.admin({ ...at(), permissions: ['leads', 'archivedleads'] }))
    const [change] = await changesOf(id, plain)
    expect(change!.fields.map(({ field }) => field).toSorted()).toEqual(['hide', 'lead_name', 'notes'])
    const before = await app.dump()
    for (const field of ['source', 'tags']) expect((await restore(id, { audit_id, field }, plain)).status).toBe(403)
    expect(await app.dump()).toBe(before)
  })

  test('a person restores only fields that they may change [PERM-10]', async () => {
    const archivist = await app.as(await app.make.admin({ ...at(), permissions: ['archivedleads'] }))
    const [change] = await changesOf(id, archivist)
    const can = change!.fields.filter(({ can_restore }) => can_restore).map(({ field }) => field)
    expect(can.toSorted()).toEqual(['hide', 'notes'])
    const before = await app.dump()
    const { status, body } = await restore(id, { audit_id, field: 'lead_name' }, archivist)
    expect([status, body.errors]).toEqual([403, { lead_name: ['You are not allowed to change this'] }])
    expect(await app.dump()).toBe(before)
    expect((await restore(id, { audit_id, field: 'notes' }, archivist)).body.notes).toBeNull()
  })

  test('only fields that the change of that lead touched can be restored', async () => {
    const other = await app.make.lead({ campaign_id: campaign.id })
    const before = await app.dump()
    expect((await restore(other.id, { audit_id, field: 'notes' })).status).toBe(404)
    expect((await restore(id, { audit_id: 2 ** 40, field: 'notes' })).status).toBe(404)
    expect((await restore(id, { audit_id, field: 'company_name' })).status).toBe(422)
    for (const field of ['version', 'id', 'archived', 'recording_url', '__proto__', ''])
      expect((await restore(id, { audit_id, field })).status, field).toBe(403)
    expect(await app.dump()).toBe(before)
  })
})
