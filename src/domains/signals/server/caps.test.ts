import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import type { PermissionFlag } from '#contract/allow.ts'
import { addDays, getToday } from '#contract/days.ts'
import { toInstant } from '#core/time/local-time.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { termsContract } from '#domains/campaigns/terms/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { type Signal, signalsContract } from '../contract.ts'
import { runSignals } from './runner.ts'

const app = await setUp(startApp())
const root = await app.as(await app.make.superAdmin())
const zone = app.context.settings.AGENCY_TIMEZONE
const dueDay = 31
const cycle = computeBillingCycle(dueDay, getToday(zone))
const last = addDays(cycle.next, -1)

let runs = 0
/** Each run is an hour after the one before, on the last day of the cycle or on another day. */
const run = (day = last) => runSignals(app.context, toInstant(day, `${String(runs++ % 24).padStart(2, '0')}:30`, zone))
const saveTerms = async (id: number, terms: object) => {
  const body = { terms: [{ from: addDays(cycle.from, -100), ...terms }] }
  expect((await root.call(termsContract.save, { params: { id }, body })).status).toBe(200)
}
const makeCampaign = async (terms: object) => {
  const campaign = await app.make.campaign({ start_date: addDays(cycle.from, -100), due_date: dueDay })
  await saveTerms(campaign.id, terms)
  return campaign
}
const makeLeads = async (campaign_id: number, count: number, values: object = {}, day = cycle.from) => {
  for (let made = 0; made < count; made++)
    await app.make.lead({
      ...{ campaign_id, confirmed: true, lead_type: 'Form' },
      ...{ occurred_at: toInstant(day, '12:00', zone), ...values },
    })
}
const find = async (id: number, query: object = {}, caller = root): Promise<Signal | undefined> =>
  (
    await caller.call(signalsContract.list, {
      query: { per_page: 200, kind: 'cap_reached', campaign_id: id, ...query },
    })
  ).body.data[0]

const perLead = { kind: 'per_lead', prices: { Form: 10, Call: 20 }, cap: 30 }

test('a cap that is reached opens a signal, and a higher cap closes it [MOVE-15]', async () => {
  const campaign = await makeCampaign(perLead)
  const early = { occurred_at: toInstant(addDays(cycle.from, -1), '12:00', zone) }
  await makeLeads(campaign.id, 9, early)
  await makeLeads(campaign.id, 2)
  await makeLeads(campaign.id, 5, { hide: true })
  await makeLeads(campaign.id, 5, { confirmed: false })
  await run()
  expect(await find(campaign.id), 'neither hidden, nor unverified, nor earlier leads count').toBeUndefined()
  await makeLeads(campaign.id, 1, {}, addDays(cycle.from, 1))
  await run()
  expect(await find(campaign.id)).toMatchObject({
    ...{ severity: 'warning', campaign: { id: campaign.id }, title: `${campaign.name} has reached its cap` },
    subject: { type: 'campaign', id: campaign.id },
    evidence: {
      ...{ cap: 30, from: cycle.from, to: last, reached_on: addDays(cycle.from, 1), unbilled: 0 },
      says: expect.stringMatching(
        /^The cap of \$30 was reached on \w+ \d+\. Raise the cap .* until .* ends on \w+ \d+\.$/,
      ),
    },
  })
  await makeLeads(campaign.id, 1, { lead_type: 'Call' }, addDays(cycle.from, 2))
  await run()
  expect(await find(campaign.id)).toMatchObject({
    evidence: { unbilled: 1, says: expect.stringContaining('1 lead since then is not billed.') },
  })
  await saveTerms(campaign.id, { ...perLead, cap: 50.01 })
  await run()
  expect(await find(campaign.id)).toBeUndefined()
  expect(await find(campaign.id, { state: 'closed' })).toMatchObject({
    evidence: { says: expect.stringContaining('The cycle is over, its charges are below the cap') },
  })
})

test('the signal of a cap closes with the next cycle [MOVE-15]', async () => {
  const campaign = await makeCampaign(perLead)
  await makeLeads(campaign.id, 3)
  await run()
  expect(await find(campaign.id)).toBeDefined()
  await run(cycle.next)
  expect(await find(campaign.id)).toBeUndefined()
})

test('the lead that crosses a cap reaches it, and a lead that is hidden takes that back [MOVE-15]', async () => {
  const campaign = await makeCampaign({ ...perLead, cap: 25 })
  await makeLeads(campaign.id, 3)
  await run()
  expect(await find(campaign.id)).toMatchObject({ evidence: { unbilled: 0 } })
  await app.context.db.update(leadsTable).set({ hide: true }).where(eq(leadsTable.campaign_id, campaign.id))
  await run()
  expect(await find(campaign.id)).toBeUndefined()
})

test('a fee counts, and the leads that it covers do not [MOVE-15]', async () => {
  const plus = { kind: 'flat_plus', fee: 100, included: 2, prices: { Form: 10, Call: 10 }, cap: 120 }
  const [flat, covered, fee] = [
    await makeCampaign({ kind: 'flat', fee: 100, cap: 120 }),
    await makeCampaign(plus),
    await makeCampaign({ ...plus, cap: 100 }),
  ]
  for (const { id } of [flat, covered]) await makeLeads(id, 3)
  await run()
  expect(await find(flat.id)).toBeUndefined()
  expect(await find(covered.id)).toBeUndefined()
  expect(await find(fee.id), 'by the fee alone').toMatchObject({ evidence: { reached_on: cycle.from } })
  await makeLeads(covered.id, 1)
  await run()
  expect(await find(covered.id)).toBeDefined()
})

test('campaigns without a cap and archived ones have none, and terms that are over do not count [MOVE-15]', async () => {
  const { cap: _, ...uncapped } = perLead
  const [free, archived, over] = [
    await makeCampaign(uncapped),
    await makeCampaign(perLead),
    await makeCampaign({ ...perLead, to: addDays(cycle.from, -1) }),
  ]
  for (const { id } of [free, archived, over]) await makeLeads(id, 9)
  await app.context.db.update(campaignsTable).set({ archived: true }).where(eq(campaignsTable.id, archived.id))
  await run()
  for (const { id } of [free, archived, over]) expect(await find(id)).toBeUndefined()
})

test('a cap is for those with Campaigns and that campaign [MOVE-15]', async () => {
  const [campaign, other] = [await makeCampaign(perLead), await makeCampaign(perLead)]
  await makeLeads(campaign.id, 3)
  await run()
  const admin = async (campaigns: number[], permissions: PermissionFlag[]) =>
    app.as(await app.make.admin({ campaigns, permissions: ['dashboard', ...permissions] }))
  expect(await find(campaign.id, {}, await admin([campaign.id], ['campaigns']))).toBeDefined()
  expect(await find(campaign.id, {}, await admin([other.id], ['campaigns']))).toBeUndefined()
  expect(await find(campaign.id, {}, await admin([campaign.id], ['leads', 'leadChart']))).toBeUndefined()
})
