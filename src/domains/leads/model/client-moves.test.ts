import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { getToday } from '#contract/days.ts'
import { disputesContract } from '#domains/billing/disputes/contract.ts'
import { statementsContract } from '#domains/billing/statements/contract.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { clientReportsContract } from '#domains/reports/client-reports/contract.ts'
import { setUp, startApp } from '#test/app.ts'
import { makeMailedLead } from '#test/mailed-lead.ts'
import { leadBatchContract } from '../batch/contract.ts'
import { leadsContract } from '../contract.ts'
import { leadFormContract } from '../form/contract.ts'
import { leadHistoryContract } from '../history/contract.ts'
import { mailsTable } from '../mail/schema.ts'
import { ratingKeysTable } from '../rating/schema.ts'
import { foldLeadChanges } from '../sums/server/build-sums.ts'
import { leadsTable } from './schema.ts'

const zone = 'America/New_York'
const app = await setUp(startApp({ settings: { TRUSTED_PROXIES: '127.0.0.1', AGENCY_TIMEZONE: zone } }))
const root = await app.as(await app.make.superAdmin())
const { db } = app.context

const words = {
  client_progress: 1,
  company_name: 'Smith LLC',
  client_notes: 'Signed',
  client_value: 900.5,
  client_profit: 120,
}
const blank = {
  client_progress: null,
  rating: null,
  company_name: null,
  client_notes: null,
  client_value: null,
  client_profit: null,
}
const said = {
  progress: 1,
  rating: '4',
  company_name: 'Smith LLC',
  notes: 'Signed',
  value: 900.5,
  profit: 120,
} as const
const reassigned = { message: 'This lead was reassigned' }

let old: { id: number; client_id: number }
let sister: { id: number; client_id: number }
let next: { id: number; client_id: number }
beforeAll(async () => {
  old = await app.make.campaign({ start_date: getToday(zone) })
  sister = await app.make.campaign({ client_id: old.client_id })
  next = await app.make.campaign({ start_date: getToday(zone) })
})

const makeLead = (values: object = {}) => makeMailedLead(app, { campaign_id: old.id, confirmed: true, ...values })
type MailedLead = Awaited<ReturnType<typeof makeLead>>
const move = (id: number, campaign_id: number, body: object = {}) =>
  root.call(leadsContract.update, { params: { id }, body: { campaign_id, ...body } })
const readHistory = async (id: number) => (await root.call(leadHistoryContract.read, { params: { id } })).body
/** Puts back the campaign that a lead had before its latest move. */
async function putBack(id: number) {
  const { changes } = await readHistory(id)
  const fieldsOf = (change: { fields: { field: string }[] }) => change.fields.map(({ field }) => field)
  const latest = changes.find((change: { fields: { field: string }[] }) => fieldsOf(change).includes('campaign_id'))
  const body = { audit_id: latest.audit_id, field: 'campaign_id' }
  return root.call(leadHistoryContract.restore, { params: { id }, body })
}
const disputesOf = async (lead_id: number) => (await root.call(disputesContract.list, { query: { lead_id } })).body.data
const readRow = async (lead: MailedLead) => {
  const { version: _version, ...row } = await lead.row()
  return row
}
async function readReport(client_id: number) {
  const body = { period: 'month', from: getToday(zone) }
  const { body: made } = await root.call(clientReportsContract.create, { params: { id: client_id }, body })
  return (await app.guest.call(clientReportsContract.read, { params: { key: made.key } })).body
}
async function readSums() {
  await foldLeadChanges(db)
  return (await db.execute(sql`select * from lead_sums where total <> 0 order by 1, 2, 3, 4`)).rows
}
/** Gives the lead another key, as a mail to its client of today has. */
async function mailAgain(lead: MailedLead) {
  const { campaign_id } = await lead.row()
  const [campaign] = await db.select().from(campaignsTable).where(eq(campaignsTable.id, campaign_id))
  const other = await makeMailedLead(app, { campaign_id })
  await db
    .update(ratingKeysTable)
    .set({ lead_id: lead.id, client_id: campaign!.client_id })
    .where(eq(ratingKeysTable.id, other.keyId))
  const query = { auth_key: other.key }
  return { ...other, query }
}

test('a lead that goes to another client loses what the old one said, which its history keeps [ACCT-09]', async () => {
  const lead = await makeLead()
  await lead.save(said)
  expect((await move(lead.id, next.id)).body).toMatchObject({ campaign_id: next.id, confirmed: 1, ...blank })
  expect(await lead.row()).toMatchObject({ ...blank, rating_via: null, unconfirmed_rating: null })
  const [change] = (await readHistory(lead.id)).changes
  const from = Object.fromEntries(
    change.fields.map((field: { field: string; from: unknown }) => [field.field, field.from]),
  )
  expect(from).toMatchObject({ campaign_id: old.id, rating: '4', rating_via: 'page', ...words })
})

test('its earlier rating keys answer 410 to reads and writes; a key of the new client opens it [ACCT-09]', async () => {
  const lead = await makeLead()
  const before = await readRow(lead)
  await move(lead.id, next.id)
  for (const answer of [await lead.get(), await lead.save({ rating: '1' }), await lead.star('5'), await lead.trap()])
    expect([answer.status, answer.body]).toEqual([410, reassigned])
  expect(await readRow(lead)).toEqual({ ...before, campaign_id: next.id })
  // Also where it is hidden there, or goes on to a third client.
  await root.call(leadsContract.update, { params: { id: lead.id }, body: { hide: 1 } })
  expect((await lead.get()).status).toBe(410)
  await root.call(leadsContract.update, { params: { id: lead.id }, body: { hide: 0 } })
  const fresh = await mailAgain(lead)
  const read = () => app.guest.fetch(`/api/rate/${lead.id}?auth_key=${fresh.key}`)
  expect((await read()).status).toBe(200)
  await move(lead.id, (await app.make.campaign()).id)
  expect([(await read()).status, (await lead.get()).status]).toEqual([410, 410])
  // A wrong key learns nothing.
  expect((await app.guest.fetch(`/api/rate/${lead.id}?auth_key=wrong`)).status).toBe(404)
})

test('moves between campaigns of one client change none of this [ACCT-09]', async () => {
  const lead = await makeLead()
  await lead.save({ ...said, progress: 5 })
  const before = await readRow(lead)
  await move(lead.id, sister.id)
  expect(await readRow(lead)).toEqual({ ...before, campaign_id: sister.id })
  expect((await lead.get()).body).toMatchObject({ progress: 5, rating: '4', dispute: { state: 'open' } })
  const [dispute] = await disputesOf(lead.id)
  expect(dispute).toMatchObject({ state: 'open', campaign: { id: sister.id } })
  // So accepting it takes the verification back there.
  await root.call(disputesContract.decide, { params: { id: dispute.id }, body: { accept: true, answer: 'Right' } })
  expect((await lead.row()).confirmed).toBe(false)
})

test('a dispute that is open again is of the campaign to which its lead came back [ACCT-09]', async () => {
  const lead = await makeLead()
  await lead.save({ ...said, progress: 5 })
  await move(lead.id, sister.id)
  await move(lead.id, next.id)
  const [, first] = (await readHistory(lead.id)).changes
  const body = { audit_id: first.audit_id, field: 'campaign_id' }
  expect((await root.call(leadHistoryContract.restore, { params: { id: lead.id }, body })).status).toBe(200)
  const [dispute] = await disputesOf(lead.id)
  expect(dispute).toMatchObject({ state: 'open', campaign: { id: old.id } })
  await root.call(disputesContract.decide, { params: { id: dispute.id }, body: { accept: true, answer: 'Right' } })
  expect((await lead.row()).confirmed).toBe(false)
})

test('Restore brings back words, keys and the dispute; what the client in between said goes to the history [ACCT-09, WORK-16]', async () => {
  const lead = await makeLead()
  await lead.save({ ...said, progress: 5 })
  await db.update(leadsTable).set({ unconfirmed_rating: 2 }).where(eq(leadsTable.id, lead.id))
  const before = await readRow(lead)
  await move(lead.id, next.id)
  expect(await disputesOf(lead.id)).toMatchObject([{ state: 'settled', answer: null }])
  const fresh = await mailAgain(lead)
  const save = (body: object) =>
    app.guest.fetch(`/api/rate/${lead.id}?auth_key=${fresh.key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect((await save({ progress: 5, rating: '4', notes: 'Not ours either' })).status).toBe(200)
  expect(await disputesOf(lead.id)).toMatchObject([{ state: 'open' }, { state: 'settled' }])

  expect((await putBack(lead.id)).status).toBe(200)
  expect(await readRow(lead)).toEqual(before)
  expect((await lead.get()).body).toMatchObject({ progress: 5, rating: '2', dispute: { state: 'open' } })
  expect((await save({ rating: '1' })).status).toBe(410)
  const states = (await disputesOf(lead.id)).map(({ state, campaign }: { state: string; campaign: { id: number } }) => [
    state,
    campaign.id,
  ])
  expect(states).toEqual([
    ['open', old.id],
    ['settled', next.id],
  ])
  const [change] = (await readHistory(lead.id)).changes
  expect(change.fields).toContainEqual(
    expect.objectContaining({ field: 'client_notes', from: 'Not ours either', to: 'Signed' }),
  )
  // And once more, to the client in between.
  await putBack(lead.id)
  expect(await lead.row()).toMatchObject({
    campaign_id: next.id,
    client_progress: 5,
    rating: 4,
    client_notes: 'Not ours either',
  })
})

test('new words in the same change stay; old words sent along with it are the old client’s [ACCT-09]', async () => {
  const lead = await makeLead(words)
  const body = { ...words, client_progress: 2 } // the whole form, with one field changed
  expect((await move(lead.id, next.id, body)).body).toMatchObject({ ...blank, client_progress: 2 })
})

test('a batch moves leads as one by one, and its undo restores everything, counts included [ACCT-09]', async () => {
  const leads = [
    await makeLead(),
    await makeLead(),
    await makeLead({ campaign_id: sister.id }),
    await makeLead({ campaign_id: next.id }),
  ]
  for (const lead of leads) await lead.save({ ...said, progress: 5 })
  const readAll = async () => [await Promise.all(leads.map(readRow)), await readSums()]
  const before = await readAll()
  const ids = leads.map(({ id }) => id)
  const value = { campaign_id: next.id, clientsite_id: null }
  const { body: batch } = await root.call(leadBatchContract.create, { body: { ids, action: 'move', value } })
  expect(batch).toMatchObject({ state: 'done', changed: 3 })
  for (const lead of leads.slice(0, 3)) {
    expect(await lead.row()).toMatchObject({ ...blank, campaign_id: next.id })
    expect((await lead.get()).status).toBe(410)
    expect(await disputesOf(lead.id)).toMatchObject([{ state: 'settled' }])
  }
  expect((await leads[3]!.get()).body).toMatchObject({ progress: 5, rating: '4', dispute: { state: 'open' } })
  const undone = await root.call(leadBatchContract.undo, { params: { id: batch.id } })
  expect(undone.body).toMatchObject({ state: 'undone', changed: 3, skipped: [] })
  expect(await readAll()).toEqual(before)
  for (const lead of leads) expect((await lead.get()).body).toMatchObject({ rating: '4', dispute: { state: 'open' } })
})

test('no one puts a lead into an archived campaign, by edit, form or batch; what was there goes back there', async () => {
  const ended = await app.make.campaign({ name: 'Old roofs', client_id: old.client_id })
  const lead = await makeLead({ campaign_id: ended.id })
  const batched = await makeLead({ campaign_id: ended.id })
  expect((await move(lead.id, old.id)).status).toBe(200)
  const value = { campaign_id: old.id, clientsite_id: null }
  const { body: batch } = await root.call(leadBatchContract.create, {
    body: { ids: [batched.id], action: 'move', value },
  })
  const stays = await makeLead({ campaign_id: ended.id })
  const params = { id: ended.id }
  expect((await root.call(campaignsContract.archive, { params })).status).toBe(200)

  const errors = { campaign_id: ['Old roofs is archived: restore it first, or choose another campaign'] }
  const there = { campaign_id: ended.id, clientsite_id: null }
  const site = await app.make.clientSite({ campaign_id: ended.id })
  const form = {
    ...there,
    clientsite_id: site.id,
    lead_date: getToday(zone),
    lead_time: '09:05',
    lead_type: 'Form',
    lead_id: 'to-old-roofs',
  }
  for (const answer of [
    await move(lead.id, ended.id),
    await root.call(leadFormContract.create, { body: form }),
    await root.call(leadBatchContract.create, { body: { ids: [lead.id], action: 'move', value: there } }),
  ])
    expect(answer).toMatchObject({ status: 422, body: { errors } })
  expect((await move(stays.id, ended.id, { notes: 'Called back' })).status).toBe(200)
  expect((await putBack(lead.id)).status).toBe(200)
  await root.call(leadBatchContract.undo, { params: { id: batch.id } })
  for (const one of [lead, batched, stays]) expect((await one.row()).campaign_id).toBe(ended.id)
})

test('the old client reads the answer to a dispute that was decided; the new one never sees it [ACCT-09]', async () => {
  const lead = await makeLead()
  await lead.save({ progress: 5 })
  const [dispute] = await disputesOf(lead.id)
  const body = { accept: false, answer: 'They asked for a roof' }
  await root.call(disputesContract.decide, { params: { id: dispute.id }, body })
  await move(lead.id, next.id)
  const answer = { ...reassigned, dispute: { state: 'refused', answer: 'They asked for a roof' } }
  expect((await lead.get()).body).toEqual(answer)
  expect((await lead.save({ progress: 1 })).body).toEqual(answer)
  const fresh = await mailAgain(lead)
  expect(await (await app.guest.fetch(`/api/rate/${lead.id}?auth_key=${fresh.key}`)).json()).not.toHaveProperty(
    'dispute',
  )
  // One that no one decided is settled, and cannot be decided any more.
  const undecided = await makeLead()
  await undecided.save({ progress: 5 })
  await move(undecided.id, next.id)
  expect((await undecided.get()).body).toEqual(reassigned)
  const [settled] = await disputesOf(undecided.id)
  expect(settled).toMatchObject({ state: 'settled', answer: null })
  const late = await root.call(disputesContract.decide, { params: { id: settled.id }, body })
  expect([late.status, late.body.message]).toEqual([409, 'The lead went to another client, so this dispute is settled'])
})

test('reports of the old client leave the lead out of rows and numbers, also those that were sent [ACCT-09]', async () => {
  const [from, to] = [await app.make.campaign(), await app.make.campaign()]
  const lead = await makeLead({ campaign_id: from.id, lead_name: 'Wanderer' })
  await lead.save(said)
  const before = await readReport(from.client_id)
  expect(before).toMatchObject({ verified: 1, won: 1, won_value: 900.5 })
  await move(lead.id, to.id)
  const after = await readReport(from.client_id)
  expect(after).toMatchObject({ verified: 0, won: 0, won_value: 0, leads: [], sources: [] })
  expect(JSON.stringify(after)).not.toContain('Wanderer')
  expect(await readReport(to.client_id)).toMatchObject({
    verified: 1,
    won: 0,
    won_value: 0,
    leads: [{ name: 'Wanderer', value: null }],
  })
})

test('a campaign that is given to another client takes its leads along as if each were moved [ACCT-09]', async () => {
  const client = await app.make.client()
  const campaign = await app.make.campaign({ start_date: getToday(zone) })
  const [worded, silent, archived] = [
    await makeLead({ campaign_id: campaign.id, lead_name: 'Wanderer' }),
    await makeLead({ campaign_id: campaign.id }),
    await makeLead({ campaign_id: campaign.id, archived: true }),
  ]
  await worded.save({ ...said, progress: 5 })
  await archived.save({ rating: '2' })
  const refused = await makeLead({ campaign_id: campaign.id })
  await refused.save({ progress: 5 })
  const [decided] = await disputesOf(refused.id)
  await root.call(disputesContract.decide, { params: { id: decided.id }, body: { accept: false, answer: 'It is one' } })
  const give = async (client_id: number) => expect((await giveCampaign(campaign.id, client_id)).status).toBe(200)
  await give(client.id)
  for (const lead of [worded, silent, archived]) expect((await lead.get()).body).toEqual(reassigned)
  expect((await worded.save({ rating: '1' })).status).toBe(410)
  expect((await refused.get()).body).toEqual({ ...reassigned, dispute: { state: 'refused', answer: 'It is one' } })
  for (const lead of [worded, archived, refused]) expect(await lead.row()).toMatchObject(blank)
  expect((await silent.row()).version).toBe(1)
  const [change] = (await readHistory(worded.id)).changes
  expect(change.fields).toContainEqual({ field: 'rating', from: '4', to: null, can_restore: true })
  expect(await disputesOf(worded.id)).toMatchObject([{ state: 'settled' }])
  expect(await readReport(campaign.client_id)).toMatchObject({ verified: 0, campaigns: [], disputes: [] })
  expect(await readReport(client.id)).toMatchObject({ verified: 3, won: 0, disputes: [] })
  // A form that is saved again changes nothing more.
  await give(client.id)
  expect((await worded.row()).version).toBe(3)
  await give(campaign.client_id)
  expect((await silent.get()).status).toBe(200)
})

test('a campaign that is given back brings back what its client said and their disputes [ACCT-09]', async () => {
  const campaign = await app.make.campaign({ start_date: getToday(zone) })
  const client = await app.make.client()
  const [lead, silent] = [await makeLead({ campaign_id: campaign.id }), await makeLead({ campaign_id: campaign.id })]
  await lead.save({ ...said, progress: 5 })
  const before = await readRow(lead)
  const give = async (client_id: number) => expect((await giveCampaign(campaign.id, client_id)).status).toBe(200)
  await give(client.id)
  await db.update(leadsTable).set({ client_notes: 'Not ours either' }).where(eq(leadsTable.id, lead.id))
  await give(campaign.client_id)
  expect(await readRow(lead)).toEqual(before)
  expect((await lead.get()).body).toMatchObject({ progress: 5, rating: '4', dispute: { state: 'open' } })
  expect((await silent.row()).version).toBe(1)
  // The client in between has theirs back in turn, and the first one not what they have taken back since.
  const blanked = { progress: null, company_name: null, notes: null, value: null, profit: null } as const
  await lead.save(blanked)
  await db.update(leadsTable).set({ rating: null, rating_via: null }).where(eq(leadsTable.id, lead.id))
  await give(client.id)
  expect(await lead.row()).toMatchObject({ ...blank, client_notes: 'Not ours either' })
  await give(campaign.client_id)
  expect(await lead.row()).toMatchObject(blank)
})

test('the undo of a batch gives no client the words of another, though the campaign was given away since [ACCT-09]', async () => {
  const campaign = await app.make.campaign({ start_date: getToday(zone) })
  const beside = await app.make.campaign({ client_id: campaign.client_id })
  const [away, within] = [await makeLead({ campaign_id: campaign.id }), await makeLead({ campaign_id: campaign.id })]
  const undos: number[] = []
  for (const [lead, to] of [
    [away, next],
    [within, beside],
  ] as const) {
    await lead.save(said)
    const value = { campaign_id: to.id, clientsite_id: null }
    const body = { ids: [lead.id], action: 'move', value } as const
    undos.push((await root.call(leadBatchContract.create, { body })).body.id)
  }
  expect(await within.row()).toMatchObject({ ...words, rating: 4 })
  const client = await app.make.client()
  expect((await giveCampaign(campaign.id, client.id)).status).toBe(200)
  for (const id of undos)
    expect((await root.call(leadBatchContract.undo, { params: { id } })).body).toMatchObject({ changed: 1 })
  for (const lead of [away, within]) {
    expect(await lead.row()).toMatchObject({ ...blank, campaign_id: campaign.id })
    expect((await lead.get()).body).toEqual(reassigned)
  }
})

test('the statement that billed the lead is credited, as before [ACCT-09]', async () => {
  const lead = await makeLead({ lead_name: 'Billed' })
  const statementOf = async (id: number) =>
    (await root.call(statementsContract.list, { query: { campaign_ids: id, order: 'desc' } })).body.data[0]
  const has = (statement: { lines: { lead_id: number | null }[] }) =>
    statement.lines.some(({ lead_id }) => lead_id === lead.id)
  expect([has(await statementOf(old.id)), has(await statementOf(next.id))]).toEqual([true, false])
  await move(lead.id, next.id)
  expect([has(await statementOf(old.id)), has(await statementOf(next.id))]).toEqual([false, true])
})

test('a key from before names its client by its mail, also of a lead that had moved before [ACCT-09]', async () => {
  const lead = await makeLead()
  const { campaign_id } = await lead.row()
  const mail = {
    lead_id: lead.id,
    campaign_id,
    client_id: next.client_id,
    kind: 'notification',
    recipients: ['a@client.example'],
    state: 'sent',
  } satisfies typeof mailsTable.$inferInsert
  const [sent] = await db.insert(mailsTable).values(mail).returning()
  await db.update(ratingKeysTable).set({ mail_id: sent!.id }).where(eq(ratingKeysTable.id, lead.keyId))
  expect((await lead.get()).status).toBe(410)
  await move(lead.id, (await app.make.campaign()).id)
  await move(lead.id, next.id)
  expect((await lead.get()).status).toBe(200)
})

test('a recording’s address that the old client was given plays no longer [ACCT-09]', async () => {
  const lead = await makeLead({
    lead_type: 'Call',
    lead_s: 'Callrail',
    recording_url: 'https://recordings.example/1.mp3',
  })
  const { recording } = (await lead.get()).body
  await move(lead.id, next.id)
  expect((await app.guest.fetch(recording)).status).toBe(404)
})

test('of a move beside ratings every word is the old client’s and in the history, or refused [ACCT-09]', async () => {
  for (let round = 0; round < 12; round += 1) {
    const campaign = await app.make.campaign()
    const lead = await makeLead({ campaign_id: campaign.id })
    const leave = round % 2 === 0 ? move(lead.id, next.id) : giveCampaign(campaign.id, next.client_id)
    const answers = await Promise.all([
      lead.save({ notes: 'one' }),
      lead.save({ notes: 'two' }),
      leave,
      lead.save({ notes: 'three' }),
    ])
    const statuses = answers.map(({ status }) => status)
    expect(statuses.every((status) => status === 200 || status === 410)).toBe(true)
    expect(await lead.row()).toMatchObject(blank)
    const saved = statuses.filter((status, index) => status === 200 && index !== 2).length
    const { changes } = await readHistory(lead.id)
    const notes = changes.flatMap(({ fields }: { fields: { field: string }[] }) =>
      fields.filter(({ field }) => field === 'client_notes'),
    )
    expect(notes).toHaveLength(saved === 0 ? 0 : saved + 1)
  }
})

/** Gives a campaign to another client. */
async function giveCampaign(id: number, client_id: number) {
  const body = {
    name: `Given ${id}`,
    categories: [(await app.make.category()).id],
    client_id,
    client_sites: [],
    manager: 'Morgan',
    start_date: getToday(zone),
    due_date: 31,
    initial_target: 20,
    month_3_target: null,
    month_6_target: null,
    month_9_target: null,
    month_12_target: null,
    service_fee: 1500,
    approved_ppc: 300,
    fixed_to_top: 0,
  }
  return root.call(campaignsContract.update, { params: { id }, body })
}
