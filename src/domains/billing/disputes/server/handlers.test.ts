import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { auditTable } from '#core/db/schema.ts'
import { toInstant } from '#core/time/local-time.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { termsContract } from '#domains/campaigns/terms/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { makeMailedLead } from '#test/mailed-lead.ts'
import { until } from '#test/until.ts'
import { readDecidedDisputes } from '../../public.ts'
import { disputesContract } from '../contract.ts'

const app = await setUp(startApp({ settings: { TRUSTED_PROXIES: '127.0.0.1' } }))
const root = await app.as(await app.make.superAdmin())

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
const makeLead = (values: object = {}) => makeMailedLead(app, { confirmed: true, ...values })
const list = (query: object = {}, who = root) => who.call(disputesContract.list, { query: { ...query } })
const findDisputes = async (lead_id: number) => (await list({ lead_id })).body.data
const decide = (id: number, body: object, who = root) => who.call(disputesContract.decide, { params: { id }, body })
const openDispute = async (values: object = {}) => {
  const lead = await makeLead(values)
  await lead.notLead()
  const [dispute] = await findDisputes(lead.id)
  return { lead, dispute }
}

test('a client’s Not Lead on a verified lead opens a dispute: by the mail’s link, on the page, in the portal [RPT-06]', async () => {
  const byMail = await makeLead({ message: 'Call me' })
  await byMail.notLead()
  expect(await findDisputes(byMail.id)).toMatchObject([
    { lead_id: byMail.id, via: 'mail', state: 'open', answer: null, lead: { message: 'Call me', confirmed: true } },
  ])
  const onPage = await makeLead()
  await onPage.save({ progress: 5 })
  expect(await findDisputes(onPage.id)).toMatchObject([{ via: 'page', state: 'open' }])

  const { id: campaign_id, client_id } = await app.make.campaign()
  const inPortal = await makeLead({ campaign_id })
  const customer = await app.as(await app.make.customer({ client_id, campaigns: [campaign_id] }))
  const saved = await customer.call(leadsContract.update, { params: { id: inPortal.id }, body: { client_progress: 5 } })
  expect(saved.status).toBe(200)
  expect(await findDisputes(inPortal.id)).toMatchObject([{ via: 'portal', state: 'open' }])
  // Undecided, so the lead stays verified.
  expect((await inPortal.row()).confirmed).toBe(true)
})

test('unverified leads, staff and scanners do not open one [RPT-06]', async () => {
  const waiting = await makeLead({ confirmed: false })
  await waiting.notLead()
  expect(await findDisputes(waiting.id)).toEqual([])

  const staffs = await makeLead()
  await root.call(leadsContract.update, { params: { id: staffs.id }, body: { client_progress: 5 } })
  expect(await findDisputes(staffs.id)).toEqual([])

  const scanned = await makeLead()
  await scanned.trap()
  await scanned.notLead()
  expect(await findDisputes(scanned.id)).toEqual([])
})

test('undoing a burst of links closes the dispute that it opened [RPT-06]', async () => {
  const { lead, dispute } = await openDispute()
  await lead.star('5')
  expect(await findDisputes(lead.id)).toEqual([])
  expect((await lead.row()).client_progress).toBeNull()
  const trail = await app.context.db.select().from(auditTable).where(eq(auditTable.kind, 'dispute'))
  expect(trail.filter(({ row_id }) => row_id === dispute.id).map(({ action }) => action)).toEqual([
    'created',
    'removed',
  ])

  // What a person set before stays.
  const said = await makeLead()
  await said.save({ progress: 5 })
  await said.wait(60)
  await said.notLead()
  await said.star('1')
  expect(await findDisputes(said.id)).toMatchObject([{ via: 'page', state: 'open' }])
})

test('a lead has one open dispute at a time, which another progress by the client withdraws [RPT-06]', async () => {
  const { lead } = await openDispute()
  await lead.wait(60)
  await lead.notLead()
  await lead.save({ progress: 5 })
  expect(await findDisputes(lead.id)).toHaveLength(1)
  await lead.save({ progress: 2 })
  expect(await findDisputes(lead.id)).toEqual([])
})

test('the terms limit how many days after its own a lead may be disputed [RPT-06]', async () => {
  const zone = app.context.settings.AGENCY_TIMEZONE
  const noon = (daysBack: number) => toInstant(addDays(getToday(zone), -daysBack), '12:00', zone)
  const campaign = await app.make.campaign({ start_date: '2025-01-01' })
  const body = { terms: [{ from: '2025-01-01', kind: 'flat', fee: 1, dispute_days: 7 }] }
  await root.call(termsContract.save, { params: { id: campaign.id }, body })
  const [within, past] = [
    await openDispute({ campaign_id: campaign.id, occurred_at: noon(7) }),
    await openDispute({ campaign_id: campaign.id, occurred_at: noon(8) }),
  ]
  expect(within.dispute).toMatchObject({ state: 'open' })
  expect(past.dispute).toBeUndefined()
})

test('a lead from before the campaign’s first cycle may be disputed before that begins, under its terms [RPT-06]', async () => {
  const zone = app.context.settings.AGENCY_TIMEZONE
  const today = getToday(zone)
  const noon = (daysBack: number) => toInstant(addDays(today, -daysBack), '12:00', zone)
  const from = addDays(today, 60)
  const due_date = Number(from.slice(8))
  const [own, fromFee] = [
    await app.make.campaign({ start_date: from, due_date }),
    await app.make.campaign({ start_date: from, due_date }),
  ]
  const body = { terms: [{ from: addDays(from, -5), kind: 'flat', fee: 1, dispute_days: 7 }] }
  await root.call(termsContract.save, { params: { id: own.id }, body })
  const dispute = async (campaign_id: number, daysBack: number) =>
    (await openDispute({ campaign_id, occurred_at: noon(daysBack) })).dispute
  expect(await dispute(own.id, 7)).toMatchObject({ state: 'open' })
  expect(await dispute(own.id, 8)).toBeUndefined()
  expect(await dispute(fromFee.id, 30)).toMatchObject({ state: 'open' })
  expect(await dispute(fromFee.id, 31)).toBeUndefined()
})

test('accepting unverifies the lead, refusing does not, and the client sees the answer [RPT-06]', async () => {
  const [accepted, refused] = [await openDispute(), await openDispute()]
  expect((await accepted.lead.get()).body.dispute).toMatchObject({ state: 'open', answer: null })
  const decided = await decide(accepted.dispute.id, { accept: true, answer: 'You are right' })
  expect(decided.body).toMatchObject({ state: 'accepted', answer: 'You are right', lead: { confirmed: false } })
  expect((await accepted.lead.row()).confirmed).toBe(false)
  expect((await accepted.lead.get()).body.dispute).toMatchObject({ state: 'accepted', answer: 'You are right' })

  await decide(refused.dispute.id, { accept: false, answer: 'They asked for a roof' })
  expect((await refused.lead.row()).confirmed).toBe(true)
  expect((await refused.lead.get()).body.dispute).toMatchObject({ state: 'refused', answer: 'They asked for a roof' })
  // Saving the page again, still with Not Lead, does not open another one.
  await refused.lead.save({ progress: 5, notes: 'Hm' })
  expect(await findDisputes(refused.lead.id)).toHaveLength(1)

  const campaignId = (await accepted.lead.row()).campaign_id
  const client = (await app.context.db.select().from(campaignsTable).where(eq(campaignsTable.id, campaignId)))[0]!
    .client_id
  const told = await readDecidedDisputes(app.context.db, client, [campaignId], daysAgo(1), new Date(Date.now() + 1000))
  expect(told).toMatchObject([{ lead_id: accepted.lead.id, state: 'accepted', answer: 'You are right' }])
})

test('a client who disputes a lead again sees the answer to that [RPT-06]', async () => {
  const { lead, dispute } = await openDispute()
  await decide(dispute.id, { accept: false, answer: 'They asked for a roof' })
  for (const progress of [2, 5]) await lead.save({ progress })
  expect((await lead.get()).body.dispute).toMatchObject({ state: 'open', answer: null })
  const again = (await findDisputes(lead.id)).find(({ state }: { state: string }) => state === 'open')
  await decide(again.id, { accept: false, answer: 'They asked twice' })
  expect((await lead.get()).body.dispute).toMatchObject({ state: 'refused', answer: 'They asked twice' })
})

test('accept and answer are both required, and nothing is decided twice [RPT-06]', async () => {
  const { lead, dispute } = await openDispute()
  const before = await app.dump()
  for (const body of [{ accept: true }, { answer: 'Yes' }, { accept: true, answer: '  ' }, {}])
    expect((await decide(dispute.id, body)).status).toBe(422)
  expect(await app.dump()).toBe(before)
  await decide(dispute.id, { accept: false, answer: 'No' })
  const after = await app.dump()
  expect((await decide(dispute.id, { accept: true, answer: 'Yes' })).status).toBe(409)
  expect(await app.dump()).toBe(after)
  expect((await lead.row()).confirmed).toBe(true)
})

test('of two concurrent decisions, only one counts [RPT-06]', async () => {
  const { lead, dispute } = await openDispute()
  const answers = await Promise.all([
    decide(dispute.id, { accept: true, answer: 'Yes' }),
    decide(dispute.id, { accept: false, answer: 'No' }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const [now] = await findDisputes(lead.id)
  expect((await lead.row()).confirmed).toBe(now.state === 'refused')
})

test('a dispute is not accepted while its lead goes to another campaign of the client, which would leave it billed [RPT-06]', async () => {
  const { db } = app.context
  const { id: from, client_id } = await app.make.campaign()
  const { id: campaign_id } = await app.make.campaign({ client_id })
  const { lead, dispute } = await openDispute({ campaign_id: from })
  const countWaiting = async () => {
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await app.context.pool.query(waiting)).rowCount
  }
  const answers = await db.transaction(async (tx) => {
    await tx.execute(sql`select from leads where id = ${lead.id} for update`)
    const move = root.call(leadsContract.update, { params: { id: lead.id }, body: { campaign_id } })
    await until(async () => (await countWaiting()) === 1)
    const acceptance = decide(dispute.id, { accept: true, answer: 'It was not yours' })
    await until(async () => (await countWaiting()) === 2)
    return { move, acceptance }
  })
  expect([(await answers.move).status, (await answers.acceptance).status]).toEqual([200, 409])
  expect(await lead.row()).toMatchObject({ campaign_id, confirmed: true })
  expect(await findDisputes(lead.id)).toMatchObject([{ state: 'open', campaign: { id: campaign_id } }])
  expect((await decide(dispute.id, { accept: true, answer: 'It was not yours' })).status).toBe(200)
  expect((await lead.row()).confirmed).toBe(false)
})

test('a lead moved to another client keeps its verification there; its dispute is settled and cannot be decided [RPT-06, ACCT-09]', async () => {
  const { lead, dispute } = await openDispute()
  const { id } = await app.make.campaign()
  await root.call(leadsContract.update, { params: { id: lead.id }, body: { campaign_id: id } })
  expect((await decide(dispute.id, { accept: true, answer: 'It was not yours' })).status).toBe(409)
  expect(await findDisputes(lead.id)).toMatchObject([{ state: 'settled', answer: null, decided_by: null }])
  expect(await lead.row()).toMatchObject({ campaign_id: id, confirmed: true })
  expect((await lead.get()).body.dispute).toBeUndefined()
})

test('a user sees the disputes of their campaigns, open ones first [RPT-06]', async () => {
  const campaign = await app.make.campaign()
  const [first, second] = [
    await openDispute({ campaign_id: campaign.id }),
    await openDispute({ campaign_id: campaign.id }),
  ]
  await decide(second.dispute.id, { accept: false, answer: 'No' })
  const admin = await app.as(await app.make.admin({ campaigns: [campaign.id] }))
  const { body } = await list({}, admin)
  expect(body.data.map(({ id }: { id: number }) => id)).toEqual([first.dispute.id, second.dispute.id])
  expect(body.total).toBe(2)
  expect((await list({ state: 'refused' }, admin)).body.total).toBe(1)
  expect((await list({ campaign_ids: campaign.id + 1 }, admin)).body.total).toBe(0)

  const stranger = await app.as(await app.make.admin())
  expect((await list({}, stranger)).body).toEqual({ data: [], total: 0 })
  expect((await decide(first.dispute.id, { accept: true, answer: 'Yes' }, stranger)).status).toBe(404)
})

test('a dispute shows the stars, the progress and the way of its own client [RPT-06]', async () => {
  const { lead } = await openDispute({ rating: 2, client_notes: 'A wrong number' })
  expect(await findDisputes(lead.id)).toMatchObject([
    { via: 'mail', state: 'open', lead: { rating: 2, progress: 5, client_notes: 'A wrong number' } },
  ])
})

test('what the next client says about a moved lead does not stand in the dispute of the one before [RPT-06]', async () => {
  const { id: campaign_id, client_id } = await app.make.campaign()
  const { lead } = await openDispute({ campaign_id, rating: 2 })
  const moveTo = (id: number) => root.call(leadsContract.update, { params: { id: lead.id }, body: { campaign_id: id } })
  await moveTo((await app.make.campaign({ client_id })).id)
  expect(await findDisputes(lead.id)).toMatchObject([{ lead: { rating: 2, progress: 5 } }])

  const next = await app.make.campaign()
  await moveTo(next.id)
  const customer = await app.as(await app.make.customer({ client_id: next.client_id, campaigns: [next.id] }))
  const said = { client_progress: 4, rating: '5', client_notes: 'Paid in cash' }
  const saved = await customer.call(leadsContract.update, { params: { id: lead.id }, body: said })
  expect([saved.status, saved.body.errors]).toEqual([200, undefined])
  const nothing = { rating: null, progress: null, client_notes: null }
  expect(await findDisputes(lead.id)).toMatchObject([{ state: 'settled', lead: { id: lead.id, ...nothing } }])
})

test('a lead that has moved to a campaign of others is not shown with its dispute [RPT-06]', async () => {
  const campaign = await app.make.campaign()
  const { lead } = await openDispute({ campaign_id: campaign.id })
  const admin = await app.as(await app.make.admin({ campaigns: [campaign.id] }))
  const { id } = await app.make.campaign()
  await root.call(leadsContract.update, { params: { id: lead.id }, body: { campaign_id: id } })
  expect((await list({ lead_id: lead.id }, admin)).body.data).toMatchObject([{ lead_id: lead.id, lead: null }])
  expect((await list({ lead_id: lead.id })).body.data).toMatchObject([{ lead: { id: lead.id } }])
})

test('a lead that belongs to another client goes there verified, the answer is kept, and that client is mailed on request [ACCT-08]', async () => {
  const first = await openDispute({ lead_name: 'Robin' })
  const target = await app.make.campaign()
  await app.make.customer({ client_id: target.client_id, email: 'new-owner@right.example' })
  const { id: archived } = await app.make.campaign({ name: 'Old roofs', archived: true })
  const { campaign_id: from } = await first.lead.row()
  const stranger = await app.as(await app.make.admin({ permissions: ['campaigns', 'leads'], campaigns: [from!] }))
  const dump = await app.dump()
  const refuse = async (body: object, who = root) => {
    const { status, body: answer } = await decide(first.dispute.id, body, who)
    return [status, ...Object.keys(answer.errors ?? {})]
  }
  const answer = 'Sorry, this was for your neighbor'
  expect(await refuse({ move_to: 999_999_999, answer })).toEqual([422, 'move_to'])
  expect(await refuse({ move_to: 'x', answer })).toEqual([422, 'move_to'])
  expect(await refuse({ move_to: from, answer })).toEqual([422, 'move_to'])
  const { body: refusal } = await decide(first.dispute.id, { move_to: archived, answer })
  expect(refusal.errors).toEqual({
    move_to: ['Old roofs is archived: restore it first, or choose another campaign'],
  })
  expect(await refuse({ move_to: target.id, answer: '' })).toEqual([422, 'answer'])
  expect(await refuse({ move_to: target.id, answer, accept: false })).toEqual([422, 'accept'])
  expect(await refuse({ accept: true, answer, notify: 1 })).toEqual([422, 'notify'])
  expect(await refuse({ move_to: target.id, answer }, stranger)).toEqual([404])
  expect(await app.dump()).toBe(dump)

  const decided = await decide(first.dispute.id, { move_to: target.id, answer, notify: 0 })
  expect([decided.status, decided.body]).toMatchObject([200, { state: 'accepted', answer }])
  expect(await first.lead.row()).toMatchObject({ campaign_id: target.id, confirmed: true, client_progress: null })
  expect((await decide(first.dispute.id, { move_to: target.id, answer })).status).toBe(409)
  const { status, body } = await first.lead.get()
  expect([status, body.dispute]).toEqual([410, { state: 'accepted', answer }])
})
