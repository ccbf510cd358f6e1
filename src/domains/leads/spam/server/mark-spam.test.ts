import { and, asc, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
import { leadBatchContract } from '#domains/leads/batch/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import type { LeadTag } from '#domains/leads/labels.ts'
import { mailsTable } from '#domains/leads/mail/schema.ts'
import { mailOutbox } from '#domains/leads/mail/server/outbox.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { type App, setUp, startApp } from '#test/app.ts'
import { earlier } from '#test/earlier-time.ts'
import { leadSpamContract, spamContract } from '../contract.ts'

const app = await setUp(startApp())
const campaign = await app.make.campaign()
const admin = await app.as(
  await app.make.admin({ permissions: ['leads', 'show_lead_http_columns'], campaigns: [campaign.id] }),
)

const client = await app.as(await app.make.customer({ client_id: campaign.client_id }))

const makeLead = (values: Parameters<App['make']['lead']>[0] = {}) =>
  app.make.lead({ campaign_id: campaign.id, ...values })
async function makeMail(lead: { id: number }, state: 'queued' | 'sent') {
  const mail = { lead_id: lead.id, campaign_id: campaign.id, recipients: ['a@a.example'], state }
  return (
    await app.context.db
      .insert(mailsTable)
      .values({ ...mail, kind: 'notification' })
      .returning()
  )[0]!.id
}
const stateOf = async (id: number) =>
  (await app.context.db.select().from(mailsTable).where(eq(mailsTable.id, id)))[0]!.state
const find = async (id: number) => (await app.context.db.select().from(leadsTable).where(eq(leadsTable.id, id)))[0]!
const mark = (id: number, body: object = { spammer: false }) =>
  admin.call(leadSpamContract.mark, { params: { id }, body })
const unmark = (id: number) => admin.call(leadSpamContract.unmark, { params: { id } })
const spammers = async () => (await admin.call(spamContract.spammers)).body

test('marking a lead as spam tags and hides it and cancels its waiting mail; the undo restores everything [WORK-06]', async () => {
  const lead = await makeLead({ tags: ['Other'] })
  const [sent, waiting] = [await makeMail(lead, 'sent'), await makeMail(lead, 'queued')]
  const { version: _, ...before } = await find(lead.id)
  const listed = await spammers()
  const { body } = await mark(lead.id)
  expect(body).toMatchObject({ hide: 1, tags: [{ name: 'Other' }, { name: 'Spam' }], mail: { state: 'cancelled' } })
  expect([await stateOf(sent), await stateOf(waiting)]).toEqual(['sent', 'cancelled'])
  expect(await mailOutbox.send(app.context, waiting)).toBe('nothing')
  expect(await spammers()).toEqual(listed)

  const back = await unmark(lead.id)
  expect(back.body).toMatchObject({ hide: 0, tags: [{ name: 'Other' }], mail: { state: 'queued' } })
  expect([await stateOf(sent), await stateOf(waiting)]).toEqual(['sent', 'queued'])
  const { version, ...after } = await find(lead.id)
  expect(after).toEqual(before)
  const { rows } = await app.context.pool.query(`select data from pgboss.job where name = 'send-mail'`)
  expect(rows).toContainEqual({ data: { mailId: waiting } })
  expect(version).toBe(3)
})

test('a mail that was cancelled for longer than mails are tried waits again after the undo [WORK-06]', async () => {
  const lead = await makeLead()
  const waiting = await makeMail(lead, 'queued')
  await mark(lead.id)
  await app.context.pool.query(
    `update mails set created_at = ${earlier('created_at', 80 * 3600)} where id = ${waiting}`,
  )
  await unmark(lead.id)
  await mailOutbox.expire(app.context)
  expect(await stateOf(waiting)).toBe('queued')
})

test('only those who may add spammers block a sender, one by one or many at once; the archive alone is not enough [WORK-06, WORK-07]', async () => {
  const { id } = await makeLead({ lead_email: 'sender@block.example' })
  const listed = await spammers()
  const params = { id }
  const spam = (spammer: boolean) => ({ ids: [id], action: 'spam', value: { spammer } })
  const who = await app.as(await app.make.admin({ permissions: ['archivedleads'], campaigns: [campaign.id] }))
  const before = await app.dump()
  expect((await who.call(leadSpamContract.mark, { params, body: { spammer: true } })).status).toBe(403)
  expect((await who.call(leadBatchContract.create, { body: spam(true) })).status).toBe(403)
  expect(await app.dump()).toBe(before)
  expect((await who.call(leadSpamContract.mark, { params, body: { spammer: false } })).status).toBe(200)
  expect((await who.call(leadSpamContract.unmark, { params })).status).toBe(200)
  expect((await who.call(leadBatchContract.create, { body: spam(false) })).body).toMatchObject({ changed: 1 })
  expect(await spammers()).toEqual(listed)
})

test('with `spammer`, phone and email are added to the spammers, once, and removed by the undo [WORK-06]', async () => {
  const known = { name: 'Known', phone: '+1 512-555-0101' }
  await admin.call(spamContract.addSpammer, { body: known })
  const lead = await makeLead({
    lead_name: 'Robo',
    lead_phone: '(512) 555-0101',
    phone_key: '+15125550101',
    lead_email: 'Robo@A.example',
  })
  await mark(lead.id)
  await mark(lead.id, { spammer: true })
  await mark(lead.id, { spammer: true })
  expect(await spammers()).toMatchObject([known, { name: 'Robo', phone: null, email: 'Robo@A.example' }])
  await unmark(lead.id)
  expect(await spammers()).toMatchObject([known])
  expect(await find(lead.id)).toMatchObject({ hide: false, tags: [], spam_mark: null })
})

test('the undo changes nothing that marking did not do [WORK-06]', async () => {
  const untouched = await makeLead({ tags: ['Spam'], hide: true })
  const before = await app.dump()
  expect((await unmark(untouched.id)).body).toMatchObject({ hide: 1, tags: [{ name: 'Spam' }] })
  expect(await app.dump()).toBe(before)
  await mark(untouched.id)
  await unmark(untouched.id)
  expect(await find(untouched.id)).toMatchObject({ hide: true, tags: ['Spam'] })
})

test.each<Parameters<typeof makeLead>>([[{}], [{ hide: true }], [{ tags: ['Spam'] }], [{ tags: ['Missed Call'] }]])(
  'a lead with %j is the same after marking and its undo [WORK-06]',
  async (values) => {
    const lead = await makeLead(values)
    const before = await find(lead.id)
    await mark(lead.id)
    expect(await find(lead.id)).toMatchObject({ hide: true, tags: expect.arrayContaining(['Spam']) })
    await unmark(lead.id)
    expect(await find(lead.id)).toEqual({ ...before, version: before.version + 2 })
  },
)

test('marking a lead that is spam already changes nothing [WORK-06]', async () => {
  const [marked, tagged] = [await makeLead(), await makeLead({ tags: ['Spam'], hide: true })]
  await mark(marked.id)
  const before = await app.dump()
  for (const { id } of [marked, tagged]) expect((await mark(id)).body).toMatchObject({ id, hide: 1 })
  expect(await app.dump()).toBe(before)
})

test('marking and its undo are in the lead’s audit log, with who did it [WORK-06]', async () => {
  const lead = await makeLead()
  await mark(lead.id)
  const trail = await app.context.db
    .select()
    .from(auditTable)
    .where(and(eq(auditTable.kind, 'lead'), eq(auditTable.row_id, lead.id)))
    .orderBy(asc(auditTable.id))
  expect(trail).toMatchObject([{ before: { tags: [], hide: 0 }, after: { tags: ['Spam'], hide: 1 } }])
  expect(trail[0]!.username).not.toBeNull()
})

test('only admins mark leads, and only leads that they see [WORK-06]', async () => {
  const elsewhere = await app.make.lead()
  const lead = await makeLead()
  const handler = await app.as(await app.make.handler({ campaigns: [campaign.id] }))
  const before = await app.dump()
  expect((await mark(elsewhere.id)).status).toBe(404)
  expect((await handler.call(leadSpamContract.mark, { params: { id: lead.id }, body: {} })).status).toBe(403)
  expect((await handler.call(leadSpamContract.unmark, { params: { id: lead.id } })).status).toBe(403)
  expect(await app.dump()).toBe(before)
})

// ——— the tags ———

const tag = (id: number, names: LeadTag[], more: object = {}) =>
  admin.call(leadsContract.update, { params: { id }, body: { ...more, tags: names.map((name) => ({ name })) } })
const batch = (body: object) => admin.call(leadBatchContract.create, { body })
const isInClientList = async (id: number) => {
  const { body } = await client.call(leadsContract.list)
  return body.data.some((lead: { id: number }) => lead.id === id)
}

/** Each way to set a tag, and to take it off. */
const ways = {
  'the tags of a lead': {
    set: (id: number, name: LeadTag) => tag(id, ['Other', name]),
    takeOff: (id: number) => tag(id, ['Other']),
  },
  'the whole form': {
    set: (id: number, name: LeadTag) => tag(id, ['Other', name], { hide: 0, notes: 'Looked at' }),
    takeOff: (id: number) => tag(id, ['Other'], { hide: 1, notes: null }),
  },
  'a batch': {
    set: (id: number, name: LeadTag) => batch({ ids: [id], action: 'tag', value: name }),
    takeOff: (id: number, name: LeadTag) => batch({ ids: [id], action: 'untag', value: name }),
  },
}

describe.each(Object.entries(ways))('a spam tag that is set by %s', (_way, { set, takeOff }) => {
  test.each<LeadTag>(['Spam', 'Autospam', 'BLSpam'])(
    '%s does what the Spam button does, until it is taken off',
    async (name) => {
      const lead = await makeLead({ tags: ['Other'] })
      const waiting = await makeMail(lead, 'queued')
      const { version: _, ...before } = await find(lead.id)
      expect(await isInClientList(lead.id)).toBe(true)
      await set(lead.id, name)
      expect(await find(lead.id)).toMatchObject({ hide: true, tags: ['Other', name] })
      expect(await stateOf(waiting)).toBe('cancelled')
      expect(await isInClientList(lead.id)).toBe(false)
      await takeOff(lead.id, name)
      const { version: __, ...after } = await find(lead.id)
      expect(after).toEqual(before)
      expect([await stateOf(waiting), await isInClientList(lead.id)]).toEqual(['queued', true])
    },
  )

  test('the undo of spam takes it off too', async () => {
    const lead = await makeLead({ tags: ['Other'] })
    const { version: _, ...before } = await find(lead.id)
    await set(lead.id, 'BLSpam')
    await unmark(lead.id)
    expect(await find(lead.id)).toMatchObject({ tags: before.tags, hide: false, spam_mark: null })
  })
})

test('the undo of a batch that set a spam tag, or took it off, restores the lead and its mail', async () => {
  const lead = await makeLead({ tags: ['Other'] })
  const waiting = await makeMail(lead, 'queued')
  const undo = (id: number) => admin.call(leadBatchContract.undo, { params: { id } })
  const read = async () => {
    const { version: _, ...row } = await find(lead.id)
    return [row, await stateOf(waiting)]
  }
  const before = await read()
  const set = await batch({ ids: [lead.id], action: 'tag', value: 'Spam' })
  await undo(set.body.id)
  expect(await read()).toEqual(before)
  await mark(lead.id)
  const marked = await read()
  const takenOff = await batch({ ids: [lead.id], action: 'untag', value: 'Spam' })
  expect(await read()).toEqual(before)
  await undo(takenOff.body.id)
  expect(await read()).toEqual(marked)
})

test('a lead stays hidden while another spam tag is left, or if a person had hidden it', async () => {
  const twice = await makeLead()
  await tag(twice.id, ['Spam', 'BLSpam'])
  await tag(twice.id, ['BLSpam'])
  expect(await find(twice.id)).toMatchObject({ hide: true })
  await tag(twice.id, [])
  expect(await find(twice.id)).toMatchObject({ hide: false, spam_mark: null })
  const hidden = await makeLead({ hide: true })
  await tag(hidden.id, ['Spam'])
  await tag(hidden.id, [])
  expect(await find(hidden.id)).toMatchObject({ hide: true, tags: [] })
  // One that came in as spam is shown by hand.
  const incoming = await makeLead({ hide: true, tags: ['Autospam'] })
  await tag(incoming.id, [])
  expect(await find(incoming.id)).toMatchObject({ hide: true, tags: [] })
})
