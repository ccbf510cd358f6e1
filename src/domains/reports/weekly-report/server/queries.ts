import { type SQL, sql } from 'drizzle-orm'
import type { DbOrTx } from '#core/db/db.ts'
import { validationError } from '#core/http/errors.ts'
import { troubleStates } from '#domains/campaigns/labels.ts'
import type { BriefForecast } from '#domains/insights/contract.ts'
import { campaignHealths, getCampaignHealth, isStatusContradicted } from '#domains/insights/labels.ts'
import { countLeadsByCampaign, type LeadCounts } from '#domains/leads/public.ts'
import {
  type WeeklyReport,
  type WeeklyReportCampaign,
  type WeeklyReportQuery,
  type WeeklyReportSort,
  weeklyReportAdminFilters,
  weeklyReportAdminSorts,
} from '../contract.ts'
import { narrowReport, sumCounts } from '../total-calc.ts'
import { listReportMonths, type ReportMonth } from '../weeks.ts'
import {
  type CampaignProgress,
  campaignProgressQuery,
  type ReportContext,
  redactCampaignProgress,
} from './campaign-progress.ts'

type ForecastedCampaign = { id: number; due_date: number; target: number | null }
type ReadForecasts = (campaigns: readonly ForecastedCampaign[]) => Promise<Map<number, BriefForecast>>

/** Reads the whole table: every campaign with its weeks, for admins with its forecast, and the totals. */
export async function readWeeklyReport(
  db: DbOrTx,
  context: ReportContext,
  query: WeeklyReportQuery,
  readForecasts: ReadForecasts,
): Promise<WeeklyReport> {
  const { me, zone, today } = context
  refuseAdminFilters(me, query)
  const months = listReportMonths(query.year, today)
  const weeks = months.flatMap((month) => month.weeks)
  const found = await db.execute<CampaignProgress>(sql`
    select * from (${campaignProgressQuery(context, query)}) progress order by ${orderByClause(context, query)}`)
  const ids = found.rows.map(({ id }) => id)
  const ofCampaign = await countLeadsByCampaign(db, me, ids, { buckets: weeks, zone })
  const rows = found.rows.filter(({ id, archived }) => archived === 0 || (query.archived !== '0' && ofCampaign.has(id)))
  const forecasts = me.isAdmin ? await readForecasts(toForecastedCampaigns(rows)) : null
  const shown = rows.map((row) => ({
    ...redactCampaignProgress(me, row),
    ...(forecasts && describeForecast(row, forecasts)),
    leads: groupByMonth(months, ofCampaign.get(row.id)),
  }))
  const weekCounts = months.map(({ month, year, weeks: { length } }) => ({ month, year, count: length }))
  return narrowReport({ campaigns: sortByForecast(shown, query), weeks: weekCounts }, query, me.isAdmin)
}

/** Archived campaigns are not forecast. */
const toForecastedCampaigns = (rows: readonly CampaignProgress[]) =>
  rows.flatMap(({ id, due_date, leads_target, archived }) =>
    archived === 1 ? [] : [{ id, due_date, target: leads_target ?? null }],
  )

function describeForecast({ id, manager }: CampaignProgress, forecasts: Map<number, BriefForecast>) {
  const forecast = forecasts.get(id) ?? null
  return { manager, forecast, health: getCampaignHealth(forecast?.chance ?? null) }
}

/** Includes every week; without counts they have zeros. */
function groupByMonth(months: ReportMonth[], counted: LeadCounts[] | undefined): WeeklyReportCampaign['leads'] {
  let week = 0
  return months.map(({ month, year, weeks }) => {
    const cells = weeks.map(() => counted?.[week++] ?? { confirmed: 0, missed: 0 })
    return { month, year, ...sumCounts(cells), weeks: cells }
  })
}

/** Sorts by values computed here; ties keep the order by name. */
function sortByForecast(campaigns: WeeklyReportCampaign[], { sort, order }: WeeklyReportQuery): WeeklyReportCampaign[] {
  if (sort !== 'chance' && sort !== 'health') return campaigns
  const rank = sort === 'chance' ? ({ forecast }: WeeklyReportCampaign) => forecast?.chance ?? null : rankHealth
  const sign = order === 'asc' ? 1 : -1
  return campaigns.toSorted((a, b) => {
    const [one, other] = [rank(a), rank(b)]
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    return (one - other) * sign
  })
}

/** Ranks campaigns whose status contradicts their health before all others. */
function rankHealth({ health = 'unknown', trouble_state }: WeeklyReportCampaign): number | null {
  if (health === 'unknown') return null
  const place = campaignHealths.findIndex(({ value }) => value === health)
  return isStatusContradicted(trouble_state, health) ? place - campaignHealths.length : place
}

/** Throws 422 if a user filters by values that they may not read. */
function refuseAdminFilters(me: ReportContext['me'], query: WeeklyReportQuery) {
  const refused = me.isAdmin ? [] : weeklyReportAdminFilters.filter((name) => query[name] !== undefined)
  if (refused.length > 0)
    throw validationError(Object.fromEntries(refused.map((name) => [name, ['Not available to you']])))
}

/** Nulls are last either way; ties are ordered by name, then id. */
function orderByClause({ me }: ReportContext, { sort, order }: WeeklyReportQuery): SQL {
  if (!me.isAdmin && weeklyReportAdminSorts.has(sort)) throw validationError({ sort: ['Not available to you'] })
  if (sort === 'chance' || sort === 'health') return sql`fold_text(name), id`
  return sql`${sortExpressions[sort]} ${sql.raw(order)} nulls last, fold_text(name), id`
}

/** A status sorts in the order of the select, the most troubled first. */
const sortExpressions: Record<Exclude<WeeklyReportSort, 'chance' | 'health'>, SQL> = {
  campaign: sql`fold_text(name)`,
  client: sql`fold_text(client_name)`,
  ppc: sql`is_ppc`,
  trouble_state: sql`array_position(${sql.param(troubleStates.map(({ value }) => value))}::int[], trouble_state::int)`,
  target: sql`leads_target`,
  verified: sql`current_leads`,
  missed: sql`missed_leads`,
  days_left: sql`days_left`,
  run_date: sql`run_rate`,
}
