import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { writeAudit } from '#core/audit/write-audit.ts'
import { startOfZonedDay, toInstant } from '#core/time/local-time.ts'
import { leadBatchContract } from '#domains/leads/batch/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { clientSiteLogsTable } from '#domains/sites/client/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { insightsContract } from '../contract.ts'
import { describeScore } from '../labels.ts'
import { forecastOptions } from './forecast-facts.ts'
import { readFactsFor } from './recent-facts.ts'
import { readTargetChances } from './target-chances.ts'

const zone = 'America/New_York'
const today = getToday(zone)
const noon = (daysAgo: number, minute = 0) =>
  new Date(Date.parse(`${addDays(today, -daysAgo)}T16:00:00Z`) + minute * 60_000)

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: zone } }))
const root = await app.as(await app.make.superAdmin())
const category = (await app.make.category()).id

// Nothing takes time: what took long to compute is kept for a while despite changes, which on a busy machine would be everything.
beforeAll(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterAll(() => void vi.useRealTimers())

const makeCampaign = (fields: object = {}) =>
  app.make.campaign({
    start_date: addDays(today, -200),
    due_date: 1,
    initial_target: 20,
    categories: [category],
    ...fields,
  })
/** Two verified leads a day. */
async function makeLeads(campaign_id: number, days: { from: number; to: number }, fields: object = {}) {
  for (let day = days.from; day > days.to; day--)
    for (const minute of [0, 30])
      await app.make.lead({
        campaign_id,
        confirmed: true,
        occurred_at: noon(day, minute),
        created_at: noon(day, minute),
        ...fields,
      })
}
const forecast = (id: number, query: object = {}, who = root) =>
  who.call(insightsContract.forecast, { params: { id }, query: { ...query } })
const why = (id: number, query: object = {}, who = root) =>
  who.call(insightsContract.why, { params: { id }, query: { ...query } })

test('a forecast has its range, cases and basis; without a target there is no chance [PACE-02]', async () => {
  const { id } = await makeCampaign({ due_date: Number(addDays(today, -15).slice(-2)) })
  await makeLeads(id, { from: 60, to: 0 })
  const { body } = await forecast(id)
  expect(body).toMatchObject({ target: 20, basis: 'campaign' })
  expect(body.low).toBeLessThanOrEqual(body.expected)
  expect(body.expected).toBeLessThanOrEqual(body.high)
  expect(body.chance).toBeGreaterThan(0)
  expect(body.cases).toBeGreaterThan(8)
  expect((await forecast(id, { target: 100_000 })).body).toMatchObject({ target: 100_000, chance: 0 })
  expect((await forecast(id, { target: 0 })).body).toMatchObject({
    target: null,
    chance: null,
    needed_per_working_day: null,
  })
})

test('a new campaign’s forecast is based on its category [PACE-02]', async () => {
  const { id } = await makeCampaign({ start_date: today })
  expect((await forecast(id)).body).toMatchObject({ verified: 0, basis: 'category' })
})

test('a campaign that has not begun has no chance to miss [PACE-02]', async () => {
  const { id } = await makeCampaign({ start_date: addDays(today, 1) })
  expect((await forecast(id)).body).toMatchObject({ target: 20, chance: null, needed_per_working_day: null })
  expect((await forecast((await makeCampaign({ start_date: today })).id)).body.chance).toEqual(expect.any(Number))
})

test('a forecast of a past day uses nothing later; the future is refused [PACE-02]', async () => {
  const { id } = await makeCampaign({ due_date: 15 })
  await makeLeads(id, { from: 90, to: 0 })
  const asOf = addDays(today, -40)
  const { body } = await forecast(id, { asOf })
  const cycleDay = Number(asOf.slice(8)) >= 15 ? Number(asOf.slice(8)) - 14 : null
  if (cycleDay) expect(body.verified).toBe(cycleDay * 2)
  expect(body.verified).toBeLessThanOrEqual(62)
  expect((await forecast(id, { asOf: `${asOf}T23:59:00Z` })).status).toBe(200)
  for (const wrong of [addDays(today, 1), new Date(Date.now() + 3_600_000).toISOString()])
    expect(await forecast(id, { asOf: wrong })).toMatchObject({
      status: 422,
      body: { errors: { asOf: ['This is in the future'] } },
    })
  expect((await forecast(id, { asOf: 'soon' })).status).toBe(422)
  expect((await forecast(id, { target: -1 })).status).toBe(422)
})

test('a forecast’s leads to review are those of the list: none that came hidden, or as a missed call [PACE-02] [DESK-02]', async () => {
  const { id } = await makeCampaign({ due_date: Number(today.slice(8)) })
  const toReview = async () => {
    const { body: listed } = await root.call(leadsContract.list, { query: { campaign_ids: id, queue: 'review' } })
    return [(await forecast(id)).body.pending, listed.data.length]
  }
  const occurred_at = new Date()
  await app.make.lead({ campaign_id: id, occurred_at })
  await app.make.lead({ campaign_id: id, occurred_at, tags: ['Voicemail'] })
  expect(await toReview()).toEqual([2, 2])
  await app.make.lead({ campaign_id: id, occurred_at, tags: ['BLSpam'], hide: true })
  await app.make.lead({ campaign_id: id, occurred_at, tags: ['Auto Missed Call'] })
  expect(await toReview()).toEqual([2, 2])
})

test('the signal of a target has the chance that the screens show at that moment [PACE-06]', async () => {
  const evening = toInstant(addDays(today, -1), '20:00', zone)
  // In the middle of its cycle, with a target about as far away as the leads that still come.
  const { id } = await makeCampaign({ due_date: Number(addDays(today, -15).slice(-2)), initial_target: 58 })
  await makeLeads(id, { from: 90, to: 1 })
  const { body } = await forecast(id, { asOf: evening.toISOString() })
  const told = (await readTargetChances(app.context, evening)).find(({ campaign }) => campaign === id)
  expect(body.chance).toBeGreaterThan(0.01)
  expect(body.chance).toBeLessThan(0.99)
  expect(told?.chance).toBeCloseTo(body.chance, 4)
})

test('verdicts of a batch that was undone are none: the forecast is as before', async () => {
  const { id } = await makeCampaign({ due_date: Number(addDays(today, -15).slice(-2)) })
  await makeLeads(id, { from: 60, to: 6 })
  const waiting = { confirmed: false, created_at: new Date() }
  await makeLeads(id, { from: 6, to: 0 }, waiting)
  const read = async () => {
    const { chance, pending, expected, low, high } = (await forecast(id)).body
    return [pending, expected, low, high, Math.round(chance * 20)]
  }
  const before = await read()
  const isWaiting = and(eq(leadsTable.campaign_id, id), eq(leadsTable.confirmed, false))
  const ids = (await app.context.db.select({ id: leadsTable.id }).from(leadsTable).where(isWaiting)).map(
    (lead) => lead.id,
  )
  for (const action of ['verify', 'hide', 'spam', 'archive']) {
    const { body: batch } = await root.call(leadBatchContract.create, { body: { action, ids } })
    expect([action, batch.changed]).toEqual([action, 12])
    expect([action, await read()]).not.toEqual([action, before])
    const undone = await root.call(leadBatchContract.undo, { params: { id: batch.id } })
    expect([action, undone.body.changed]).toEqual([action, 12])
    expect([action, await read()]).toEqual([action, before])
  }
})

test('a verdict changes the forecast immediately [PACE-02]', async () => {
  const { id } = await makeCampaign()
  const before = (await forecast(id)).body.verified
  await app.make.lead({ campaign_id: id, confirmed: true, occurred_at: new Date() })
  expect((await forecast(id)).body.verified).toBe(before + 1)
})

test('a verdict whose transaction ends after a later one changes the forecast when it ends [PACE-02]', async () => {
  const { id } = await makeCampaign()
  const lead = await app.make.lead({ campaign_id: id, confirmed: false, occurred_at: new Date() })
  const verified = async () => (await forecast(id)).body.verified
  await app.context.db.transaction(async (tx) => {
    const [before, after] = [{ confirmed: false }, { confirmed: true }]
    await tx.update(leadsTable).set(after).where(eq(leadsTable.id, lead.id))
    await writeAudit(tx, { me: null }, { kind: 'lead', rowId: lead.id, before, after })
    const later = await app.make.lead({ campaign_id: id, confirmed: false, occurred_at: new Date() })
    await root.call(leadsContract.update, { params: { id: later.id }, body: { confirmed: 1 } })
    expect(await verified()).toBe(1)
  })
  expect(await verified()).toBe(2)
})

test('the score compares forecasts to run rate and base rate, over the caller’s campaigns [PACE-05]', async () => {
  const { id } = await makeCampaign({ initial_target: 55 })
  await makeLeads(id, { from: 120, to: 0 })
  const { body } = await root.call(insightsContract.score)
  expect(body.cases).toBeGreaterThan(0)
  expect(body.bins).toHaveLength(10)
  expect(body.bins.reduce((sum: number, { cases }: { cases: number }) => sum + cases, 0)).toBe(body.cases)
  expect(body.beats_run_rate).toBe(body.brier < body.brier_run_rate || body.brier === 0)
  expect(body.says).toBe(describeScore(body))
  expect(describeScore({ brier: 0.043, brier_run_rate: 0.1, beats_run_rate: true })).toBe(
    'Forecasts have been 57% closer than run rate',
  )
  const stranger = await app.as(await app.make.admin({ permissions: ['leadChart'], campaigns: [] }))
  expect((await stranger.call(insightsContract.score)).body).toMatchObject({
    cases: 0,
    brier: null,
    beats_run_rate: false,
  })
})

test('why: parts add up, and a cause has its range, rank and action [WHY-03]', async () => {
  const { id } = await makeCampaign()
  const site = await app.make.clientSite({ campaign_id: id })
  const fields = { clientsite_id: site.id, lead_s: 'Formidable', lead_type: 'Form', source: 'Google Organic' }
  await makeLeads(id, { from: 120, to: 20 }, fields)
  await app.context.db.insert(clientSiteLogsTable).values([{ site_id: site.id, status: 0, created_at: noon(20, -120) }])
  const { body } = await why(id)
  const lost = body.segments.reduce((sum: number, one: { lost: number }) => sum + one.lost, 0)
  expect(lost).toBeCloseTo(body.shortfall, 2)
  expect(body.found).toBe(true)
  const [first] = body.causes
  expect(first).toMatchObject({
    kind: 'site_offline',
    rank: 1,
    door: { kind: 'probe', subject: site.url, site_id: site.id },
  })
  expect(first.lost.low).toBeGreaterThan(10)
  expect(first.because).not.toMatch(/cause/i)
})

test('a cause in data that the user may not see is neither named nor counted [WHY-03]', async () => {
  const { id } = await makeCampaign({ categories: [(await app.make.category()).id] })
  const site = await app.make.clientSite({ campaign_id: id })
  await makeLeads(id, { from: 100, to: 20 }, { clientsite_id: site.id, lead_type: 'Form' })
  await app.context.db.insert(clientSiteLogsTable).values([{ site_id: site.id, status: 0, created_at: noon(20, -120) }])
  const admin = await app.as(await app.make.admin({ permissions: ['leadChart'], campaigns: [id] }))
  expect((await why(id, {}, admin)).body).toMatchObject({ causes: [], found: false })
  const stranger = await app.as(await app.make.admin({ permissions: ['leadChart'], campaigns: [] }))
  for (const answer of [await why(id, {}, stranger), await forecast(id, {}, stranger)]) expect(answer.status).toBe(404)
})

test('why refuses days in the wrong order [WHY-03]', async () => {
  const { id } = await makeCampaign()
  expect((await why(id, { from: '2026-02-02', to: '2026-02-01' })).status).toBe(422)
  expect((await why(id, { from: addDays(today, 3) })).status).toBe(422)
  expect((await why(id)).body).toMatchObject({ observed: 0, causes: [], found: false })
})

test('why reads the leads of at most 366 days, and of past days none that came later [WHY-03]', async () => {
  const { id } = await makeCampaign()
  await makeLeads(id, { from: 700, to: 698 })
  await makeLeads(id, { from: 3, to: 1 })
  const past = { from: addDays(today, -710), to: addDays(today, -690) }
  expect((await why(id, past)).body).toMatchObject({ observed: 4 })
  const read = await readFactsFor(app.context, past.from, noon(690).getTime())
  expect(read.leads.filter(({ campaign }) => campaign === id)).toHaveLength(4)
  expect((await why(id, { from: addDays(today, -365) })).status).toBe(200)
  const { status, body } = await why(id, { from: addDays(today, -366) })
  expect([status, body.errors]).toEqual([422, { from: ['At most 366 days'] }])
})

test('a note’s effect is a ratio to the category with its range; with too few leads there is none [WHY-05]', async () => {
  const [campaign, peer] = [await makeCampaign(), await makeCampaign()]
  await makeLeads(peer.id, { from: 60, to: 0 })
  await makeLeads(campaign.id, { from: 60, to: 0 })
  await makeLeads(campaign.id, { from: 20, to: 0 })
  const note = async (campaign_id: number, daysAgo: number) =>
    (await app.make.activityItem({ campaign_id, date: addDays(today, -daysAgo), note: 'New landing page' })).id
  const effectOf = async (id: number, who = root) => who.call(insightsContract.effect, { params: { id } })
  const { body } = await effectOf(await note(campaign.id, 19))
  expect(body.effect.mid).toBeGreaterThan(1.6)
  expect(body.effect.low).toBeGreaterThan(1)
  expect(body.control.campaigns).toBeGreaterThanOrEqual(1)
  expect(body.says).toMatch(/^Coincides with/)
  const limited = await app.as(await app.make.admin({ permissions: ['changelog'], campaigns: [campaign.id] }))
  expect((await effectOf(await note(campaign.id, 19), limited)).body, 'no counts of unseen campaigns').toMatchObject({
    control: null,
    before: body.before,
  })
  const empty = await makeCampaign()
  expect((await effectOf(await note(empty.id, 10))).body).toMatchObject({ effect: null, says: 'too few to say' })
  const stranger = await app.as(await app.make.admin({ permissions: ['changelog'], campaigns: [] }))
  expect((await effectOf(await note(empty.id, 9), stranger)).status).toBe(404)
  expect((await effectOf(999_999)).status).toBe(404)
})

test('before and after a note are whole days, and none from before the campaign began [WHY-05]', async () => {
  const { id } = await makeCampaign({ categories: [], start_date: addDays(today, -30) })
  await makeLeads(id, { from: 30, to: 0 })
  const note = await app.make.activityItem({ campaign_id: id, date: addDays(today, -20), note: 'New number' })
  const { body } = await root.call(insightsContract.effect, { params: { id: note.id } })
  expect(body).toMatchObject({
    before: { from: addDays(today, -30), days: 10, leads: 20, per_week: 14 },
    after: { to: addDays(today, -1), days: 20, leads: 40, per_week: 14 },
    effect: { mid: 1 },
    says: 'No clear change',
  })
})

test('facts that models need start at midnight of the agency', async () => {
  const { id } = await makeCampaign()
  const firstDay = addDays(today, -400)
  const midnight = startOfZonedDay(addDays(firstDay, -forecastOptions.historyDays), zone).getTime()
  await app.make.lead({ campaign_id: id, occurred_at: new Date(midnight - 60_000) })
  const first = await app.make.lead({ campaign_id: id, occurred_at: new Date(midnight) })
  const { leads } = await readFactsFor(app.context, firstDay)
  expect(leads.filter(({ campaign }) => campaign === id).map((lead) => lead.id)).toEqual([first.id])
})
