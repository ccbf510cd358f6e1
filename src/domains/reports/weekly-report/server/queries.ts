import { type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { validationError } from '#core/http/errors.ts'
import { troubleStates } from '#domains/campaigns/labels.ts'
import { campaignsTable } from '#domains/campaigns/schema.ts'
import { countLeadsByCampaign, type LeadCount } from '#domains/reports/counted-weeks/server/counted-leads.ts'
import type { WeeklyReport, WeeklyReportCampaign, WeeklyReportQuery, WeeklyReportSort } from '../contract.ts'
import { narrowToStates, sumCounts } from '../total-calc.ts'
import { listReportMonths, type ReportMonth } from '../weeks.ts'
import {
  type CampaignProgress,
  campaignProgressQuery,
  campaignScopeCondition,
  type ReportContext,
  redactCampaignProgress,
} from './campaign-progress.ts'

/** The whole table: every campaign with its weeks, and what they add up to. */
export async function readWeeklyReport(
  db: DbOrTx,
  asking: ReportContext,
  query: WeeklyReportQuery,
): Promise<WeeklyReport> {
  const { me, zone, today } = asking
  const months = listReportMonths(query.year, today)
  const weeks = months.flatMap((month) => month.weeks)
  const found = await db.execute<CampaignProgress>(sql`
    select * from (${campaignProgressQuery(asking, query)}) progress order by ${orderByClause(asking, query)}`)
  const counted = await countLeadsByCampaign(db, me, {
    campaigns: sql`select ${campaignsTable.id} from ${campaignsTable} where ${campaignScopeCondition(me, query.category_ids)}`,
    buckets: weeks,
    zone,
  })
  const ofCampaign = Map.groupBy(counted, ({ campaign_id }) => campaign_id)
  const shown = found.rows
    .filter(({ id, archived }) => archived === 0 || (query.archived !== '0' && ofCampaign.has(id)))
    .map((row) => ({ ...redactCampaignProgress(me, row), leads: groupByMonth(months, ofCampaign.get(row.id) ?? []) }))
  const weekCounts = months.map(({ month, year, weeks: { length } }) => ({ month, year, count: length }))
  return narrowToStates({ campaigns: shown, weeks: weekCounts }, query.states, me.isAdmin)
}

/** Every week is there, those without leads with zeros. */
function groupByMonth(months: ReportMonth[], counted: LeadCount[]): WeeklyReportCampaign['leads'] {
  const ofWeek = new Map(counted.map(({ bucket, confirmed, missed }) => [bucket, { confirmed, missed }]))
  let bucket = 0
  return months.map(({ month, year, weeks }) => {
    const cells = weeks.map(() => ofWeek.get(bucket++) ?? { confirmed: 0, missed: 0 })
    return { month, year, ...sumCounts(cells), weeks: cells }
  })
}

/** Nulls are last either way; the name, then the id, decide between equals. */
function orderByClause({ me }: ReportContext, { sort, order }: WeeklyReportQuery): SQL {
  if (!me.isAdmin && adminSorts.has(sort)) throw validationError({ sort: ['Not available to you'] })
  return sql`${sortExpressions[sort]} ${sql.raw(order)} nulls last, lower(name), id`
}

const adminSorts = new Set<WeeklyReportSort>(['client', 'target', 'run_date'])
/** A status sorts as the select lists it, the most troubled first. */
const sortExpressions: Record<WeeklyReportSort, SQL> = {
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
