import { and, eq, inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import { toInstant, toWallClock } from '#core/time/local-time.ts'
import { computeBillingCycle } from '#domains/campaigns/public.ts'
import { termsContract } from '#domains/campaigns/terms/contract.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { setUp, startApp } from '#test/app.ts'
import { disputesContract } from '../../disputes/contract.ts'
import { disputesTable } from '../../disputes/schema.ts'
import { parseStatementId, statementsContract } from '../contract.ts'
import type { ListedStatement } from '../list/contract.ts'

const zone = 'America/New_York'
const today = getToday(zone)
const dueDay = 31
const current = computeBillingCycle(dueDay, today)
const last = computeBillingCycle(dueDay, addDays(current.from, -1))
const before = computeBillingCycle(dueDay, addDays(last.from, -1))

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: zone } }))
const root = await app.as(await app.make.superAdmin())
/** Cents of a form in each of the campaigns: the first two are one client's. */
const prices = [1010, 1333, 2005]

/** Two clients with three campaigns, and eight leads on days of all three cycles. */
async function openAgency() {
  const [a, b] = [await app.make.client(), await app.make.client()]
  const campaigns: number[] = []
  for (const [place, client] of [a, a, b].entries()) {
    const { id } = await app.make.campaign({ client_id: client.id, start_date: before.from, due_date: dueDay })
    const terms = [
      { from: before.from, kind: 'per_lead', prices: { Form: prices[place]! / 100, Call: 0 }, dispute_days: 90 },
    ]
    expect((await root.call(termsContract.save, { params: { id }, body: { terms } })).status).toBe(200)
    campaigns.push(id)
  }
  const logins = [await app.make.customer({ client_id: a.id }), await app.make.customer({ client_id: b.id })]
  const clients = await Promise.all(logins.map((login) => app.as(login)))
  const days = [before, before, before, last, last, current, current, last].map(({ from }, place) =>
    addDays(from, place),
  )
  const leads = await Promise.all(
    days.map((day, place) =>
      app.make.lead({
        campaign_id: campaigns[place % 3]!,
        confirmed: place % 4 !== 3,
        lead_type: 'Form',
        occurred_at: toInstant(day < today ? day : today, '00:30', zone),
      }),
    ),
  )
  return { campaigns, clients, leads: leads.map(({ id }) => id) }
}
type OpenAgency = Awaited<ReturnType<typeof openAgency>>

const readLeads = (ids: number[]) => app.context.db.select().from(leadsTable).where(inArray(leadsTable.id, ids))
const readOpenDisputes = (ids: number[]) =>
  app.context.db
    .select()
    .from(disputesTable)
    .where(and(inArray(disputesTable.lead_id, ids), eq(disputesTable.state, 'open')))
const readStatements = async (campaign_ids: number[]): Promise<ListedStatement[]> =>
  (await root.call(statementsContract.list, { query: { campaign_ids, order: 'asc', per_page: 200 } })).body.data

/** What people do, each by a call; what a call refuses changes nothing. */
const acts = {
  verify: (_: OpenAgency, lead: number) =>
    root.call(leadsContract.update, { params: { id: lead }, body: { confirmed: 1 } }),
  unverify: (_: OpenAgency, lead: number) =>
    root.call(leadsContract.update, { params: { id: lead }, body: { confirmed: 0 } }),
  hide: (_: OpenAgency, lead: number) => root.call(leadsContract.update, { params: { id: lead }, body: { hide: 1 } }),
  show: (_: OpenAgency, lead: number) => root.call(leadsContract.update, { params: { id: lead }, body: { hide: 0 } }),
  move: ({ campaigns }: OpenAgency, lead: number, choice: number) =>
    root.call(leadsContract.update, { params: { id: lead }, body: { campaign_id: campaigns[choice % 3]! } }),
  async dispute({ clients, campaigns }: OpenAgency, lead: number) {
    const [{ campaign_id } = { campaign_id: 0 }] = await readLeads([lead])
    const client = clients[campaign_id === campaigns[2] ? 1 : 0]!
    await client.call(leadsContract.update, { params: { id: lead }, body: { client_progress: 5 } })
  },
  async decide({ leads, campaigns }: OpenAgency, _: number, choice: number) {
    const [dispute] = await readOpenDisputes(leads)
    if (!dispute) return
    const verdict = [{ accept: true }, { accept: false }, { move_to: campaigns[choice % 3]! }][choice % 3]!
    await root.call(disputesContract.decide, { params: { id: dispute.id }, body: { ...verdict, answer: 'We looked.' } })
  },
  async send({ campaigns }: OpenAgency, _: number, choice: number) {
    const due = (await readStatements([campaigns[choice % 3]!])).find(({ state }) => state === 'ended')
    if (due) expect((await root.call(statementsContract.send, { params: { id: due.id } })).status).toBe(200)
  },
}
const actNames = Object.keys(acts) as (keyof typeof acts)[]

/** Returns the cents that each cycle of each campaign takes for each lead, with all that corrects it, where that is not nothing. */
function sumByCycle(statements: readonly ListedStatement[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { id, lines } of statements)
    for (const { lead_id, amount, refers_to } of lines) {
      const { campaignId, from } = parseStatementId(refers_to ?? id)
      const key = `lead ${lead_id}, campaign ${campaignId}, cycle of ${from}`
      sums.set(key, (sums.get(key) ?? 0) + Math.round(amount * 100))
    }
  return new Map([...sums].filter(([, cents]) => cents !== 0))
}

test('whatever people do, each verified lead stands on exactly one statement with its price, to the cent [ACCT-02, RPT-06, RPT-07]', {
  timeout: 120_000,
}, async () => {
  const step = fc.tuple(fc.constantFrom(...actNames), fc.nat(7), fc.nat(11))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), async (steps) => {
      const agency = await openAgency()
      for (const [name, lead, choice] of steps) await acts[name](agency, agency.leads[lead]!, choice)
      const billed = (await readLeads(agency.leads)).filter(({ confirmed, hide }) => confirmed && !hide)
      const statements = await readStatements(agency.campaigns)
      const expected = billed.map(({ id, campaign_id, occurred_at }) => {
        const { from } = computeBillingCycle(dueDay, toWallClock(occurred_at, zone).day)
        const key = `lead ${id}, campaign ${campaign_id}, cycle of ${from < before.from ? before.from : from}`
        return [key, prices[agency.campaigns.indexOf(campaign_id)]] as const
      })
      expect(Object.fromEntries(sumByCycle(statements))).toEqual(Object.fromEntries(expected))
      for (const { total, lines } of statements)
        expect(Math.round(total * 100)).toBe(lines.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0))
    }),
    { numRuns: 20 },
  )
})
