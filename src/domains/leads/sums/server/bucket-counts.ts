import { type SQL, sql } from 'drizzle-orm'
import { addDays, type CalendarDay } from '#contract/days.ts'
import type { DbOrTx } from '#core/db/db.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { missedTagCondition, verifiedLeadCondition } from '../../model/facets.ts'
import { leadsTable } from '../../model/schema.ts'
import { notHiddenCondition } from '../../model/visibility.ts'
import { allCampaignsId, leadChangesTable, leadSumsTable } from '../schema.ts'
import { occurredWithin, readSumsZone, toFirstInstant } from './build-sums.ts'
import { addUpChanges, shownChangeCondition } from './counter-sql.ts'
import { coverDays, type OpenDaySpan } from './periods.ts'

/**
 * What chart and table count: verified and missed leads of the leads list that this person may see. Spelled as in the index
 * `leads_counted`, which holds nothing else; so a counted lead that is not verified is a missed one.
 */
export const countedLeadCondition = (me: Pick<CurrentUser, 'isAdmin'>): SQL =>
  sql`not ${leadsTable.archived} and (${leadsTable.confirmed} or ${missedTagCondition}) and ${notHiddenCondition(me) ?? sql`true`}`

/** Counts over counted leads. They read `facets`, which the index holds. */
export const leadCountColumns = sql`
  (count(*) filter (where ${verifiedLeadCondition}))::int as confirmed,
  (count(*) filter (where not ${verifiedLeadCondition}))::int as missed`

/** Consecutive buckets of whole days in this zone. */
type LeadCountQuery = {
  /** Selects ids; null for all campaigns. */
  campaigns: SQL | null
  buckets: readonly { from: CalendarDay; to: CalendarDay }[]
  zone: string
}
export type LeadCounts = { confirmed: number; missed: number }
type BucketCounts = LeadCounts & { bucket: number }

/** Counts the leads in each bucket, by the campaign's id; campaigns without any are left out. */
export async function countLeadsByCampaign(
  db: DbOrTx,
  me: CurrentUser,
  asked: LeadCountQuery & { campaigns: SQL },
): Promise<Map<number, LeadCounts[]>> {
  const { sums, rest } = await buildCountParts(db, me, asked)
  // A row holds a campaign's numbers as JSON, added up here: a year of a big agency is 30,000 numbers, which are too many to parse
  // as rows. Sums are read campaign by campaign, because PostgreSQL would sort all of them to group them.
  const asJson = sql`array_to_json(array_agg(bucket)) as buckets, array_to_json(array_agg(confirmed)) as confirmed,
    array_to_json(array_agg(missed)) as missed`
  const found = await db.execute<{ campaign_id: number; buckets: number[]; confirmed: number[]; missed: number[] }>(sql`
    with asked as (${asked.campaigns})
    select asked.id as campaign_id, counted.* from asked
    cross join lateral (select ${asJson} from (${sums(sql`asked.id`)}) part) counted where counted.buckets is not null
    union all select campaign_id, ${asJson} from (${rest}) part group by 1`)
  const counted = new Map<number, LeadCounts[]>()
  for (const { campaign_id, buckets, confirmed, missed } of found.rows) {
    const counts = counted.get(campaign_id) ?? asked.buckets.map((): LeadCounts => ({ confirmed: 0, missed: 0 }))
    counted.set(campaign_id, counts)
    for (const [at, bucket] of buckets.entries()) {
      counts[bucket]!.confirmed += confirmed[at]!
      counts[bucket]!.missed += missed[at]!
    }
  }
  for (const [id, counts] of counted)
    if (counts.every((count) => count.confirmed === 0 && count.missed === 0)) counted.delete(id)
  return counted
}

/** Counts the same for all of these campaigns together; empty buckets are left out. Buckets are numbered from 0. */
export async function countLeadsCombined(db: DbOrTx, me: CurrentUser, asked: LeadCountQuery): Promise<BucketCounts[]> {
  const { sums, rest } = await buildCountParts(db, me, asked)
  const [asking, summed] = asked.campaigns
    ? [
        sql`with asked as (${asked.campaigns})`,
        sql`select kept.* from asked cross join lateral (${sums(sql`asked.id`)}) kept`,
      ]
    : [sql``, sums(sql.raw(String(allCampaignsId)))]
  const found = await db.execute<BucketCounts>(sql`
    ${asking} select bucket, sum(confirmed)::int as confirmed, sum(missed)::int as missed
    from (${summed} union all select bucket, confirmed, missed from (${rest}) rest) part
    group by 1 having sum(confirmed) <> 0 or sum(missed) <> 0`)
  return found.rows
}

type CountParts = {
  /** Selects bucket, confirmed and missed of one campaign from its sums. */
  sums(campaignId: SQL): SQL
  /** Selects campaign_id, bucket, confirmed and missed of what the sums do not hold, for the campaigns in `asked` if any. */
  rest: SQL
}

/** Reads each bucket from as few sums as possible; the remaining days, or all days without sums, from the leads. */
async function buildCountParts(
  db: DbOrTx,
  me: CurrentUser,
  { campaigns, buckets, zone }: LeadCountQuery,
): Promise<CountParts> {
  const days = { from: buckets[0]!.from, end: addDays(buckets.at(-1)!.to, 1) }
  const isSummed = (await readSumsZone(db)) === zone
  const pieces = isSummed
    ? buckets.flatMap(({ from, to }, bucket) =>
        coverDays({ from, end: addDays(to, 1) }, campaigns ? 'week' : 'day').map((piece) => ({ ...piece, bucket })),
      )
    : [{ ...days, period: null, bucket: 0 }]
  const summed = pieces.flatMap(({ period, ...piece }) => (period === null ? [] : [{ ...piece, period }]))
  const starts = sql.param(buckets.map(({ from }) => toFirstInstant(from, zone)))
  const bucketOf = (moment: SQL) => sql`width_bucket(${moment}, ${starts}::timestamptz[]) - 1`
  const ofAsked = (table: SQL) => (campaigns ? sql`asked join ${table} on campaign_id = asked.id` : table)
  const ofLeads = joinSpans(pieces.filter(({ period }) => period === null)).map(
    (span) => sql`
      select campaign_id, ${bucketOf(sql`occurred_at`)} as bucket, ${leadCountColumns} from ${ofAsked(sql`${leadsTable}`)}
      where ${countedLeadCondition(me)} and campaign_id <> 0 and ${occurredWithin(span, zone)} group by 1, 2`,
  )
  const ofChanges = joinSpans(summed).map(
    (span) => sql`
      select campaign_id, ${bucketOf(sql`occurred_at`)} as bucket, (${addUpChanges('confirmed')})::int as confirmed,
        (${addUpChanges('missed')})::int as missed
      from ${ofAsked(sql`${leadChangesTable}`)} where not archived and ${me.isAdmin ? sql`true` : shownChangeCondition}
        and campaign_id <> 0 and ${occurredWithin(span, zone)} group by 1, 2`,
  )
  const sorted = summed.toSorted((a, b) => a.period - b.period)
  const periods = sql`${sql.param(sorted.map(({ period }) => period))}::int[]`
  const bucketsOfPeriods = sql`${sql.param(sorted.map(({ bucket }) => bucket))}::int[]`
  return {
    sums: (campaignId) => sql`
      select (${bucketsOfPeriods})[width_bucket(period, ${periods})] as bucket, confirmed, missed from ${leadSumsTable}
      where campaign_id = ${campaignId} and period = any(${periods}) and not archived
        and ${me.isAdmin ? sql`true` : sql`not hide`}`,
    rest: sql.join([...ofLeads, ...ofChanges], sql` union all `),
  }
}

/** Joins adjacent spans. */
function joinSpans(pieces: readonly OpenDaySpan[]): OpenDaySpan[] {
  const spans: OpenDaySpan[] = []
  for (const { from, end } of pieces) {
    const previous = spans.at(-1)
    if (previous && previous.end === from) previous.end = end
    else spans.push({ from, end })
  }
  return spans
}
