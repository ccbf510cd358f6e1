import { and, eq, isNull, sql } from 'drizzle-orm'
import { addDays, type CalendarDay, daysBetween, getToday } from '#contract/days.ts'
import { notFoundError } from '#core/http/errors.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import { type CurrentUser, inVisibleCampaigns } from '#domains/access/public.ts'
import { activityItemsTable } from '#domains/activity/schema.ts'
import type { AppContext } from '#domains/app-context.ts'
import { requireCampaign } from '#domains/campaigns/public.ts'
import { campaignCategoryLinksTable, campaignsTable } from '#domains/campaigns/schema.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import type { ChangeEffect } from '../../contract.ts'
import { roundTo } from '../../server/rounding.ts'

/** How many days before and after a note are compared. */
const comparedDays = 28
const leastLeads = 15
/** Variance over mean: lead counts vary more than Poisson. */
const dispersion = 1.3

/**
 * Compares the leads before and after a note to those of the category's other campaigns that this person sees in the same days (difference
 * in differences on the logarithm; the interval assumes independent counts). It shows coincidence, not causation.
 */
export async function readChangeEffect(context: AppContext, me: CurrentUser, itemId: number): Promise<ChangeEffect> {
  const { db } = context
  const [item] = await db
    .select({ campaign_id: activityItemsTable.campaign_id, date: activityItemsTable.date })
    .from(activityItemsTable)
    .where(and(eq(activityItemsTable.id, itemId), isNull(activityItemsTable.deleted_at)))
  if (!item?.campaign_id) throw notFoundError()
  return compareLeadsAround(context, me, { campaignId: item.campaign_id, day: item.date })
}

/**
 * Compares a campaign's leads before a day with those from that day on, in the same way. Throws 404 if this person may
 * not see the campaign.
 */
export async function compareLeadsAround(
  context: AppContext,
  me: CurrentUser,
  { campaignId, day }: { campaignId: number; day: CalendarDay },
): Promise<ChangeEffect> {
  const { start_date } = await requireCampaign(context.db, me, campaignId)
  // Whole days on which leads could come: neither today's first hours nor the time before the campaign lower a rate.
  const yesterday = addDays(getToday(context.settings.AGENCY_TIMEZONE), -1)
  const firstDay = addDays(day, -comparedDays)
  const begins = start_date === null || start_date < firstDay ? firstDay : start_date
  const before = { from: begins < day ? begins : day, to: addDays(day, -1) }
  const lastDay = addDays(day, comparedDays - 1)
  const after = { from: day, to: lastDay <= yesterday ? lastDay : yesterday }
  const [own, control] = await Promise.all([
    countLeads(context, sql`= ${campaignId}`, day, { before, after }),
    countLeads(
      context,
      sql`in (select peer.campaign_id from ${campaignCategoryLinksTable} peer
        join ${campaignCategoryLinksTable} mine on mine.category_id = peer.category_id and mine.campaign_id = ${campaignId}
        join ${campaignsTable} on ${campaignsTable.id} = peer.campaign_id and not ${campaignsTable.archived}
        where ${and(sql`peer.campaign_id <> ${campaignId}`, inVisibleCampaigns(me, sql`peer.campaign_id`))})`,
      day,
      { before, after },
    ),
  ])
  const hasControl = control.before >= leastLeads && control.after >= leastLeads
  const answer = {
    before: describePeriod(before, own.before),
    after: describePeriod(after, own.after),
    control: hasControl ? control : null,
  }
  if (own.before < leastLeads || own.after < leastLeads) return { ...answer, effect: null, says: 'too few to say' }
  const effect = compareRates(answer)
  return { ...answer, effect, says: describeEffect(effect, hasControl) }
}

type Days = { from: CalendarDay; to: CalendarDay }

const countDays = ({ from, to }: Days) => Math.max(0, daysBetween(from, to) + 1)

function describePeriod(days: Days, leads: number) {
  const count = countDays(days)
  return { ...days, leads, days: count, per_week: count === 0 ? 0 : roundTo((leads / count) * 7, 2) }
}

async function countLeads(
  { db, settings }: AppContext,
  campaigns: ReturnType<typeof sql>,
  day: CalendarDay,
  { before, after }: { before: Days; after: Days },
) {
  const start = (one: CalendarDay) => startOfZonedDay(one, settings.AGENCY_TIMEZONE)
  const { rows } = await db.execute<{ campaigns: number; before: number; after: number }>(sql`
    select count(distinct ${leadsTable.campaign_id})::int as campaigns,
      count(*) filter (where ${leadsTable.occurred_at} < ${start(day)})::int as before,
      count(*) filter (where ${leadsTable.occurred_at} >= ${start(day)})::int as after
    from ${leadsTable} where ${leadsTable.campaign_id} ${campaigns} and not ${leadsTable.archived} and not ${leadsTable.hide}
      and ${leadsTable.occurred_at} >= ${start(before.from)} and ${leadsTable.occurred_at} < ${start(addDays(after.to, 1))}`)
  return rows[0]!
}

type Compared = Pick<ChangeEffect, 'before' | 'after' | 'control'>

/** Returns the ratio of rates with its 95% range. */
function compareRates({ before, after, control }: Compared) {
  const days = before.days / after.days
  const own = (after.leads / before.leads) * days
  const common = control ? (control.after / control.before) * days : 1
  const counts = [before.leads, after.leads, ...(control ? [control.before, control.after] : [])]
  const deviation = Math.sqrt(dispersion * counts.reduce((sum, count) => sum + 1 / count, 0))
  const mid = own / common
  return {
    low: roundTo(mid * Math.exp(-1.96 * deviation), 2),
    mid: roundTo(mid, 2),
    high: roundTo(mid * Math.exp(1.96 * deviation), 2),
  }
}

function describeEffect({ low, mid, high }: { low: number; mid: number; high: number }, hasControl: boolean): string {
  const against = hasControl ? ', against other campaigns of the category' : ''
  if (low <= 1 && high >= 1) return `No clear change${against}`
  const percent = Math.abs(Math.round((mid - 1) * 100))
  return `Coincides with ${percent}% ${mid > 1 ? 'more' : 'fewer'} leads a week${against}`
}
