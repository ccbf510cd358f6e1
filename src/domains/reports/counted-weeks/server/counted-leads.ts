import { type SQL, sql } from 'drizzle-orm'
import { addDays, type CalendarDay } from '#contract/days.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { missedTagCondition, notHiddenCondition, verifiedLeadCondition } from '#domains/leads/public.ts'
import type { DaySpan } from '#domains/reports/weekly-report/weeks.ts'
import { countedChangesTable, countedWeeksTable } from '../schema.ts'
import { hasWeekCounts } from './recount.ts'
import { findWholeWeeks } from './week-starts.ts'

/**
 * What chart and table count: verified and missed leads of the Leads list, as far as this person may see them. Spelt as the
 * index `leads_counted` spells it, which holds nothing else; so among these a lead that is not verified is a missed one.
 */
export const countedLeadCondition = (me: Pick<CurrentUser, 'isAdmin'>): SQL =>
  sql`not ${leadsTable.archived} and (${leadsTable.confirmed} or ${missedTagCondition}) and ${notHiddenCondition(me) ?? sql`true`}`

/** Over counted leads: asked of `facets`, which the index holds. */
export const leadCountColumns = sql`
  (count(*) filter (where ${verifiedLeadCondition}))::int as confirmed,
  (count(*) filter (where not ${verifiedLeadCondition}))::int as missed`

/** Buckets of whole days, one after the other, in this zone; `campaigns` selects ids. */
type LeadCountQuery = { campaigns: SQL; buckets: readonly DaySpan[]; zone: string }
export type LeadCount = { campaign_id: number; bucket: number; confirmed: number; missed: number }

/** How many leads fall into each bucket, by campaign; those without any are left out. Buckets count from 0. */
export async function countLeadsByCampaign(db: DbOrTx, me: CurrentUser, asked: LeadCountQuery): Promise<LeadCount[]> {
  const found = await db.execute<LeadCount>(
    sql`select part.campaign_id, ${summedCounts} from ${await countPartsQuery(db, me, asked)} group by 1, 2 ${havingAnyCount}`,
  )
  return found.rows
}

/** The same for all of these campaigns together. */
export async function countLeadsCombined(
  db: DbOrTx,
  me: CurrentUser,
  asked: LeadCountQuery,
): Promise<Omit<LeadCount, 'campaign_id'>[]> {
  const found = await db.execute<LeadCount>(
    sql`select ${summedCounts} from ${await countPartsQuery(db, me, asked)} group by 1 ${havingAnyCount}`,
  )
  return found.rows
}

const summedCounts = sql`part.bucket, sum(part.confirmed)::int as confirmed, sum(part.missed)::int as missed`
const havingAnyCount = sql`having sum(part.confirmed) <> 0 or sum(part.missed) <> 0`

/** Whole weeks as they are kept; the days before and after them, or all where no weeks are kept, from the leads. */
async function countPartsQuery(
  db: DbOrTx,
  me: CurrentUser,
  { campaigns, buckets, zone }: LeadCountQuery,
): Promise<SQL> {
  const [from, end] = [buckets[0]!.from, addDays(buckets.at(-1)!.to, 1)]
  const whole = (await hasWeekCounts(db, zone)) ? findWholeWeeks(from, end) : null
  /** A search among the days' first instants, which the program reckons: PostgreSQL's own idea of time zones stays out of it. */
  const starts = sql.param(buckets.map((bucket) => startOfZonedDay(bucket.from, zone).toISOString()))
  const bucketOf = (moment: SQL) => sql`width_bucket(${moment}, ${starts}::timestamptz[]) - 1`
  const ofLeads = (first: CalendarDay, last: CalendarDay) => sql`
    select ${leadsTable.campaign_id}, ${bucketOf(sql`${leadsTable.occurred_at}`)} as bucket, ${leadCountColumns}
    from asked join ${leadsTable} on ${leadsTable.campaign_id} = asked.id
    where ${countedLeadCondition(me)} and ${within(sql`${leadsTable.occurred_at}`, first, last)} group by 1, 2`
  const within = (moment: SQL, first: CalendarDay, last: CalendarDay) =>
    sql`${moment} >= ${startOfZonedDay(first, zone)} and ${moment} < ${startOfZonedDay(last, zone)}`
  const ofWeeks = ({ from: first, end: last }: { from: CalendarDay; end: CalendarDay }) => sql`
    select week.campaign_id, ${bucketOf(sql`week.week`)} as bucket, week.confirmed, week.missed
    from asked join (select * from ${countedWeeksTable} union all select * from ${countedChangesTable}) week on week.campaign_id = asked.id
    where ${within(sql`week.week`, first, last)} and ${me.isAdmin ? sql`true` : sql`not week.hide`}`
  const all = whole
    ? [
        ofWeeks(whole),
        ...(from < whole.from ? [ofLeads(from, whole.from)] : []),
        ...(whole.end < end ? [ofLeads(whole.end, end)] : []),
      ]
    : [ofLeads(from, end)]
  return sql`(with asked as (${campaigns}) ${sql.join(all, sql` union all `)}) part`
}
