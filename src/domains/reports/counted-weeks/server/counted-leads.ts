import { type SQL, sql } from 'drizzle-orm'
import { addDays, type Day } from '#contract/days.ts'
import type { Queries } from '#core/db/db.ts'
import { startOf } from '#core/time/local-time.ts'
import type { Me } from '#domains/access/server/current-user.ts'
import { checkTests, condition } from '#domains/leads/model/facets.ts'
import { leads } from '#domains/leads/model/schema.ts'
import { notHiddenFrom } from '#domains/leads/model/visibility.ts'
import type { Span } from '#domains/reports/weekly-report/weeks.ts'
import { countedChanges, countedWeeks } from '../schema.ts'
import { areWeeksKept } from './recount.ts'
import { wholeWeeks } from './week-starts.ts'

const isTaggedMissed = sql`${leads.tags} && array['Missed Call', 'Auto Missed Call']`

/** A missed lead: tagged as a missed call, and not verified. */
export const isMissed = sql`(not ${leads.confirmed} and ${isTaggedMissed})`

/**
 * What chart and table count: verified and missed leads of the Leads list, as far as this person may see them. Spelt as the
 * index `leads_counted` spells it, which holds nothing else; so among these a lead that is not verified is a missed one.
 */
export const isCountedFor = (me: Me): SQL =>
  sql`not ${leads.archived} and (${leads.confirmed} or ${isTaggedMissed}) and ${notHiddenFrom(me) ?? sql`true`}`

/** Over counted leads: asked of `facets`, which the index holds. */
export const counts = sql`
  (count(*) filter (where ${condition(checkTests.confirmed)}))::int as confirmed,
  (count(*) filter (where not ${condition(checkTests.confirmed)}))::int as missed`

/** Buckets of whole days, one after the other, in this zone; `campaigns` selects ids. */
type Asked = { campaigns: SQL; buckets: readonly Span[]; zone: string }
export type Counted = { campaign_id: number; bucket: number; confirmed: number; missed: number }

/** How many leads fall into each bucket, by campaign; those without any are left out. Buckets count from 0. */
export async function countedByCampaign(db: Queries, me: Me, asked: Asked): Promise<Counted[]> {
  const found = await db.execute<Counted>(
    sql`select part.campaign_id, ${added} from ${await parts(db, me, asked)} group by 1, 2 ${unlessNone}`,
  )
  return found.rows
}

/** The same for all of these campaigns together. */
export async function countedTogether(db: Queries, me: Me, asked: Asked): Promise<Omit<Counted, 'campaign_id'>[]> {
  const found = await db.execute<Counted>(
    sql`select ${added} from ${await parts(db, me, asked)} group by 1 ${unlessNone}`,
  )
  return found.rows
}

const added = sql`part.bucket, sum(part.confirmed)::int as confirmed, sum(part.missed)::int as missed`
const unlessNone = sql`having sum(part.confirmed) <> 0 or sum(part.missed) <> 0`

/** Whole weeks as they are kept; the days before and after them, or all where no weeks are kept, from the leads. */
async function parts(db: Queries, me: Me, { campaigns, buckets, zone }: Asked): Promise<SQL> {
  const [from, end] = [buckets[0]!.from, addDays(buckets.at(-1)!.to, 1)]
  const whole = (await areWeeksKept(db, zone)) ? wholeWeeks(from, end) : null
  /** A search among the days' first instants, which the program reckons: PostgreSQL's own idea of time zones stays out of it. */
  const starts = sql.param(buckets.map((bucket) => startOf(bucket.from, zone).toISOString()))
  const bucketOf = (moment: SQL) => sql`width_bucket(${moment}, ${starts}::timestamptz[]) - 1`
  const ofLeads = (first: Day, last: Day) => sql`
    select ${leads.campaign_id}, ${bucketOf(sql`${leads.occurred_at}`)} as bucket, ${counts}
    from asked join ${leads} on ${leads.campaign_id} = asked.id
    where ${isCountedFor(me)} and ${within(sql`${leads.occurred_at}`, first, last)} group by 1, 2`
  const within = (moment: SQL, first: Day, last: Day) =>
    sql`${moment} >= ${startOf(first, zone)} and ${moment} < ${startOf(last, zone)}`
  const ofWeeks = ({ from: first, end: last }: { from: Day; end: Day }) => sql`
    select week.campaign_id, ${bucketOf(sql`week.week`)} as bucket, week.confirmed, week.missed
    from asked join (select * from ${countedWeeks} union all select * from ${countedChanges}) week on week.campaign_id = asked.id
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
