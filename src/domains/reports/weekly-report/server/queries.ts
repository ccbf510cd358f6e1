import { type SQL, sql } from 'drizzle-orm'
import type { Queries } from '#core/db/db.ts'
import { invalid } from '#core/http/errors.ts'
import { troubleStates } from '#domains/campaigns/labels.ts'
import { campaigns } from '#domains/campaigns/schema.ts'
import { type Counted, countedByCampaign } from '#domains/reports/counted-weeks/server/counted-leads.ts'
import type { CountedByWeek, CountedCampaign, TableQuery, TableSort } from '../contract.ts'
import { totalCalc } from '../total-calc.ts'
import { type Month, monthsOf } from '../weeks.ts'
import { type Asking, inScope, type Standing, seenBy, standings } from './campaign-progress.ts'

/** The whole table: every campaign with its weeks, and what they add up to. */
export async function countedByWeek(db: Queries, asking: Asking, query: TableQuery): Promise<CountedByWeek> {
  const { me, zone, today } = asking
  const months = monthsOf(query.year, today)
  const weeks = months.flatMap((month) => month.weeks)
  const found = await db.execute<Standing>(sql`
    select * from (${standings(asking, query)}) standing order by ${ordered(asking, query)}`)
  const counted = await countedByCampaign(db, me, {
    campaigns: sql`select ${campaigns.id} from ${campaigns} where ${inScope(me, query.category_ids)}`,
    buckets: weeks,
    zone,
  })
  const ofCampaign = Map.groupBy(counted, ({ campaign_id }) => campaign_id)
  const shown = found.rows
    .filter(({ id, archived }) => archived === 0 || ofCampaign.has(id))
    .map((row) => ({ ...seenBy(me, row), leads: byMonth(months, ofCampaign.get(row.id) ?? []) }))
  return {
    campaigns: shown,
    weeks: months.map(({ month, year, weeks: { length } }) => ({ month, year, count: length })),
    totals: months.map((month, index) => totalOf(month, index, shown)),
    total_calc: totalCalc(shown, me.isAdmin),
  }
}

type Cell = { confirmed: number; missed: number }

/** Every week is there, those without leads with zeros. */
function byMonth(months: Month[], counted: Counted[]): CountedCampaign['leads'] {
  const ofWeek = new Map(counted.map(({ bucket, confirmed, missed }) => [bucket, { confirmed, missed }]))
  let bucket = 0
  return months.map(({ month, year, weeks }) => {
    const cells = weeks.map(() => ofWeek.get(bucket++) ?? { confirmed: 0, missed: 0 })
    return { month, year, ...added(cells), weeks: cells }
  })
}

function totalOf({ month, year, weeks }: Month, index: number, shown: CountedCampaign[]) {
  const months = shown.map(({ leads }) => leads[index]!)
  return {
    month,
    year,
    ...withAverage(added(months), shown.length),
    weeks: weeks.map((_, week) => withAverage(added(months.map((one) => one.weeks[week]!)), shown.length)),
  }
}

function added(cells: readonly Cell[]): Cell {
  let confirmed = 0
  let missed = 0
  for (const cell of cells) {
    confirmed += cell.confirmed
    missed += cell.missed
  }
  return { confirmed, missed }
}

const withAverage = (cell: Cell, campaigns: number) => ({
  ...cell,
  avg_confirmed_for_campaign: campaigns === 0 ? null : Math.round((cell.confirmed * 100) / campaigns) / 100,
})

/** Nulls are last either way; the name, then the id, decide between equals. */
function ordered({ me }: Asking, { sort, order }: TableQuery): SQL {
  if (!me.isAdmin && onlyForAdmins.has(sort)) throw invalid({ sort: ['Not available to you'] })
  return sql`${sortable[sort]} ${sql.raw(order)} nulls last, lower(name), id`
}

const onlyForAdmins = new Set<TableSort>(['client', 'target', 'run_date'])
/** A status sorts as the select lists it, the most troubled first. */
const sortable: Record<TableSort, SQL> = {
  campaign: sql`lower(name)`,
  client: sql`lower(client_name)`,
  ppc: sql`is_ppc`,
  trouble_state: sql`array_position(${sql.param(troubleStates.map(({ value }) => value))}::int[], trouble_state::int)`,
  target: sql`leads_target`,
  verified: sql`current_leads`,
  missed: sql`missed_leads`,
  days_left: sql`days_left`,
  run_date: sql`run_rate`,
}
