import { and, asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditTable } from '#core/db/schema.ts'
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
