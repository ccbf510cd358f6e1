import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, getToday } from '#contract/days.ts'
import type { Db } from '#core/db/db.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { noCampaignId } from '#domains/leads/labels.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { leadChartContract } from '#domains/reports/chart/contract.ts'
import { type WeeklyReport, weeklyReportContract } from '#domains/reports/weekly-report/contract.ts'
import { buildReportMonth } from '#domains/reports/weekly-report/weeks.ts'
import { type Caller, setUp, startApp } from '#test/app.ts'
import { until } from '#test/until.ts'
import { leadSumsZoneTable } from '../schema.ts'
import { ensureLeadSums, foldLeadChanges, rebuildLeadSums } from './build-sums.ts'

/**
 * Eight hundred leads where numbers tend to go wrong: around midnight, when the clocks change, at the ends of weeks, months and
 * years. Table, chart and list get the same query, which is also counted by hand from the rows.
 */
type Row = typeof leadsTable.$inferSelect
const zone = 'America/New_York'
const now = getToday(zone)

const callers: { who: Caller; campaigns: number[]; seesHidden: boolean; isRoot: boolean }[] = []
const categories: number[] = []
const ofCategory = new Map<number, number[]>()

const app = await setUp(startApp({ settings: { AGENCY_TIMEZONE: zone } }))
await ensureLeadSums(app.context.db, zone)
const { make } = app
const [roofs, drains] = [(await make.category()).id, (await make.category()).id]
categories.push(roofs, drains)
const [a, b, c, d] = [
  (await make.campaign({ categories: [roofs] })).id,
  (await make.campaign({ categories: [roofs, drains] })).id,
  (await make.campaign({ categories: [drains], archived: true })).id,
  (await make.campaign()).id,
]
ofCategory.set(roofs, [a, b]).set(drains, [b, c])
const all = [a, b, c, d]
callers.push(
  { who: await app.as(await make.superAdmin()), campaigns: all, seesHidden: true, isRoot: true },
  {
    who: await app.as(await make.admin({ campaigns: [a, b, c] })),
    campaigns: [a, b, c],
    seesHidden: true,
    isRoot: false,
  },
  {
    who: await app.as(await make.handler({ campaigns: [a, c] })),
    campaigns: [a, c],
    seesHidden: false,
    isRoot: false,
  },
)
const made = fc.sample(anyLead([...all, noCampaignId]), { numRuns: 800, seed: 20_261_101 })
await make.leads(made.map((lead, number) => ({ ...lead, lead_s: 'Callrail', lead_id: `counted-${number}` })))
let rows: Row[] = await app.context.db.select().from(leadsTable)
await foldLeadChanges(app.context.db)

test('table, chart, list and a count by hand agree, for everyone and at every edge of the calendar [LTAB-06, LTAB-20, LTAB-23, LCH-04, LCH-07]', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...callers),
      fc.constantFrom('last_12_months', '2024', '2025', now.slice(0, 4)),
      fc.subarray(categories),
      fc.nat(),
      fc.nat(),
      fc.constantFrom('confirmed', 'missed'),
      async (caller, year, category_ids, anyRow, anyMonth, series) => {
        const { who } = caller
        const { body: table } = await who.call(weeklyReportContract.read, { query: { year, category_ids } })
        const narrowed =
          category_ids.length === 0
            ? caller.campaigns
            : caller.campaigns.filter((id) => category_ids.some((one) => ofCategory.get(one)!.includes(id)))
        addsUp(table)

        // One cell of the table, and the list it opens.
        const month = anyMonth % table.totals.length
        const total = table.totals[month]!
        const { from, to, weeks } = buildReportMonth(`${total.year}-${String(total.month).padStart(2, '0')}-01`)
        const row = table.campaigns[anyRow % Math.max(1, table.campaigns.length)]
        if (row) {
          const week = anyRow % weeks.length
          const cell = row.leads[month].weeks[week][series]
          expect(cell).toBe(byHand(caller, [row.id], weeks[week]!, series))
          expect(cell).toBe(await listed(who, { ...weeks[week]!, series, campaign_ids: String(row.id) }))
        }

        // The month's total, the chart's bucket, and the list that opens.
        expect(total[series]).toBe(byHand(caller, narrowed, { from, to }, series))
        const { body: chart } = await who.call(leadChartContract.read, {
          body: { group: 'month', date_from: from, date_to: to, category_ids },
        })
        expect(chart.statistic.dates).toEqual([from])
        expect(chart.statistic[series]).toEqual([total[series]])
        const where: Record<string, string> = chart.campaign_ids
          ? { campaign_ids: chart.campaign_ids.join() }
          : caller.isRoot
            ? { has_campaign: '1' }
            : {}
        if (where.campaign_ids !== '') expect(await listed(who, { from, to, series, ...where })).toBe(total[series])

        // The same days by week.
        const { body: weekly } = await who.call(leadChartContract.read, {
          body: { group: 'week', date_from: from, date_to: to, category_ids },
        })
        expect(weekly.statistic[series]).toEqual(total.weeks.map((week: Record<string, number>) => week[series]))
      },
    ),
    { numRuns: 40, seed: 7, endOnFailure: true },
  )
})

test('without sums, as after an upgrade, counting the leads gives the same numbers', async () => {
  const { db } = app.context
  const asked = { body: { group: 'month', date_from: '2024-01-01', date_to: now } } as const
  const before = await callers[0]!.who.call(leadChartContract.read, asked)
  await db.delete(leadSumsZoneTable)
  expect((await callers[0]!.who.call(leadChartContract.read, asked)).body).toEqual(before.body)
  await ensureLeadSums(db, zone)
  expect((await callers[0]!.who.call(leadChartContract.read, asked)).body).toEqual(before.body)
})

test('a chart that is read while a new time zone rebuilds the sums counts the leads, not what is left of the sums', async () => {
  const { db } = app.context
  const asked = { body: { group: 'month', date_from: '2024-01-01', date_to: now } } as const
  for (const { who } of callers) {
    const before = await who.call(leadChartContract.read, asked)
    const during = await db.transaction(async (tx) => {
      await tx.execute(sql`lock table lead_sums in access exclusive mode`)
      const reading = who.call(leadChartContract.read, asked)
      await until(() => isAnyoneWaiting(db))
      await tx.delete(leadSumsZoneTable)
      await tx.execute(sql`truncate lead_sums`)
      return { reading }
    })
    expect((await during.reading).body).toEqual(before.body)
    await ensureLeadSums(db, zone)
  }
})

test('sums that a process keeps are read again as soon as they change, no matter who changes them', async () => {
  const { db } = app.context
  const [{ who, campaigns } = callers[0]!] = callers
  const countThisMonth = async () => {
    const { body } = await who.call(weeklyReportContract.read, { query: {} })
    const row = (body as WeeklyReport).campaigns.find(({ id }) => id === campaigns[0])
    return row!.leads.at(-1)!.confirmed
  }
  const before = await countThisMonth()
  const lead = { campaign_id: campaigns[0]!, occurred_at: new Date(), confirmed: true }
  await app.make.lead(lead)
  expect(await countThisMonth()).toBe(before + 1)
  await foldLeadChanges(db)
  expect(await countThisMonth()).toBe(before + 1)
  await db.execute(sql`update lead_sums set confirmed = confirmed + 1 where campaign_id = ${campaigns[0]}`)
  expect(await countThisMonth()).toBeGreaterThan(before + 1)
  await rebuildLeadSums(db, zone)
  expect(await countThisMonth()).toBe(before + 1)
  await db.delete(leadSumsZoneTable)
  await app.make.lead(lead)
  expect(await countThisMonth()).toBe(before + 2)
  await ensureLeadSums(db, zone)
  expect(await countThisMonth()).toBe(before + 2)
  rows = await db.select().from(leadsTable)
})

test('archived and unmarked leads, leads without a campaign and, for handlers, hidden ones are not counted', async () => {
  for (const caller of callers) {
    const { body } = await caller.who.call(leadChartContract.read, { body: { date_from: '2024-01-01', date_to: now } })
    const counted = sum(body.statistic.confirmed) + sum(body.statistic.missed)
    const span = { from: '2024-01-01', to: now }
    expect(counted).toBe(
      byHand(caller, caller.campaigns, span, 'confirmed') + byHand(caller, caller.campaigns, span, 'missed'),
    )
    expect(counted).toBeLessThan(rows.length)
  }
})

// ——— queried and counted ———

async function isAnyoneWaiting(db: Db): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select 1 from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and relation = 'lead_sums'::regclass and not granted`)
  return rows.length > 0
}

async function listed(who: Caller, { from, to, series, ...where }: Record<string, string>): Promise<number> {
  const query = { ...where, date_from: from, date_to: to, [series!]: 1 }
  const { status, body } = await who.call(leadsContract.list, { query })
  expect(status).toBe(200)
  return body.meta.total
}

const clock = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })

function byHand(
  caller: (typeof callers)[number],
  campaigns: number[],
  { from, to }: { from: string; to: string },
  series: 'confirmed' | 'missed',
): number {
  return rows.filter((row) => {
    const day = clock.format(row.occurred_at)
    const isMissed = !row.confirmed && row.tags.some((tag) => tag === 'Missed Call' || tag === 'Auto Missed Call')
    return (
      !row.archived &&
      (caller.seesHidden || !row.hide) &&
      campaigns.includes(row.campaign_id) &&
      day >= from &&
      day <= to &&
      (series === 'confirmed' ? row.confirmed : isMissed)
    )
  }).length
}

/** Weeks add up to their month, campaigns to the totals. */
function addsUp({ campaigns, totals, weeks }: WeeklyReport) {
  for (const [index, total] of totals.entries()) {
    expect(weeks[index]).toEqual({ month: total.month, year: total.year, count: total.weeks.length })
    for (const series of ['confirmed', 'missed'] as const) {
      expect(sum(total.weeks.map((week) => week[series]))).toBe(total[series])
      expect(sum(campaigns.map(({ leads: months }) => months[index]![series]))).toBe(total[series])
      for (const { leads: months } of campaigns)
        expect(sum(months[index]!.weeks.map((week) => week[series]))).toBe(months[index]![series])
    }
  }
}
const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

// ——— leads at the edges ———

function anyLead(campaigns: number[]) {
  const edges = ['2024-02-28', '2024-02-29', '2024-03-01', '2024-03-10', '2024-11-03', '2024-12-31', '2025-01-01']
  const more = ['2025-03-09', '2025-03-31', '2025-06-01', '2025-11-02', '2025-11-03', '2025-12-31', '2026-01-01']
  const recent = Array.from({ length: 12 }, (_, index) => addDays(now, -index * 31))
  return fc
    .record({
      campaign_id: fc.constantFrom(...campaigns),
      day: fc.constantFrom(...edges, ...more, ...recent, addDays(now, -1)),
      // Midnight in New York is 04:00 or 05:00 UTC, before, at and after the clocks change.
      time: fc.constantFrom(
        '03:59:59.999',
        '04:00:00.000',
        '04:59:59.999',
        '05:00:00.000',
        '06:30:00.000',
        '12:00:00.000',
      ),
      lead_type: fc.constantFrom('Call' as const, 'Form' as const),
      confirmed: fc.boolean(),
      hide: fc.integer({ min: 0, max: 3 }).map((dice) => dice === 0),
      archived: fc.integer({ min: 0, max: 3 }).map((dice) => dice === 0),
      tags: fc.uniqueArray(fc.constantFrom('Missed Call' as const, 'Auto Missed Call' as const, 'Voicemail' as const)),
    })
    .map(({ day, time, ...lead }) => ({ ...lead, occurred_at: new Date(`${day}T${time}Z`) }))
}
