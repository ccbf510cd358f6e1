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
export type LeadCountQuery = {
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
  // One row a campaign with its numbers as JSON, added up here: a year of a big agency is 30,000 numbers, which PostgreSQL
  // would sort first, and which are too many to parse as rows.
  const found = await db.execute<{ campaign_id: number; buckets: number[]; confirmed: number[]; missed: number[] }>(sql`
    select campaign_id, array_to_json(array_agg(bucket)) as buckets, array_to_json(array_agg(confirmed)) as confirmed,
      array_to_json(array_agg(missed)) as missed
    from ${await countPartsQuery(db, me, asked)} group by 1`)
  const counted = new Map<number, LeadCounts[]>()
  for (const { campaign_id, buckets, confirmed, missed } of found.rows) {
    const counts = asked.buckets.map((): LeadCounts => ({ confirmed: 0, missed: 0 }))
    for (const [at, bucket] of buckets.entries()) {
      counts[bucket]!.confirmed += confirmed[at]!
      counts[bucket]!.missed += missed[at]!
    }
    if (counts.some((count) => count.confirmed !== 0 || count.missed !== 0)) counted.set(campaign_id, counts)
  }
  return counted
}

/** Counts the same for all of these campaigns together; empty buckets are left out. Buckets are numbered from 0. */
export async function countLeadsCombined(db: DbOrTx, me: CurrentUser, asked: LeadCountQuery): Promise<BucketCounts[]> {
  const found = await db.execute<BucketCounts>(
    sql`
      select part.bucket, sum(part.confirmed)::int as confirmed, sum(part.missed)::int as missed
      from ${await countPartsQuery(db, me, asked)} group by 1 having sum(part.confirmed) <> 0 or sum(part.missed) <> 0`,
  )
  return found.rows
}

/** Reads each bucket from as few sums as possible; the remaining days, or all days without sums, from the leads. */
async function countPartsQuery(
  db: DbOrTx,
  me: CurrentUser,
  { campaigns, buckets, zone }: LeadCountQuery,
): Promise<SQL> {
  const days = { from: buckets[0]!.from, end: addDays(buckets.at(-1)!.to, 1) }
  const isSummed = (await readSumsZone(db)) === zone
  const pieces = isSummed
    ? buckets.flatMap(({ from, to }, bucket) =>
        coverDays({ from, end: addDays(to, 1) }, campaigns ? 'week' : 'day').map((piece) => ({ ...piece, bucket })),
      )
    : [{ ...days, period: null }]
  const starts = sql.param(buckets.map(({ from }) => toFirstInstant(from, zone)))
  const bucketOf = (moment: SQL) => sql`width_bucket(${moment}, ${starts}::timestamptz[]) - 1`
  const [join, joinSums, joinChanges] = campaigns
    ? [
        sql`asked join ${leadsTable} on ${leadsTable.campaign_id} = asked.id`,
        sql`asked join ${leadSumsTable} kept on kept.campaign_id = asked.id`,
        sql`asked join ${leadChangesTable} change on change.campaign_id = asked.id`,
      ]
    : [sql`${leadsTable}`, sql`${leadSumsTable} kept`, sql`${leadChangesTable} change`]
  const parts: SQL[] = joinSpans(pieces.filter(({ period }) => period === null)).map(
    (span) => sql`
      select ${leadsTable.campaign_id}, ${bucketOf(sql`${leadsTable.occurred_at}`)} as bucket, ${leadCountColumns}
      from ${join} where ${countedLeadCondition(me)} and ${leadsTable.campaign_id} <> 0 and ${occurredWithin(span, zone)} group by 1, 2`,
  )
  const summed = pieces.flatMap((piece) => (piece.period === null || !('bucket' in piece) ? [] : [piece]))
  if (summed.length > 0) {
    const numbers = (values: number[]) => sql`${sql.param(values)}::int[]`
    const periods = numbers(summed.map(({ period }) => period!))
    parts.push(
      sql`
        select kept.campaign_id, piece.bucket, kept.confirmed, kept.missed
        from (
          select kept.campaign_id, kept.period, kept.confirmed, kept.missed from ${joinSums}
          where kept.period = any(${periods}) and not kept.archived and ${me.isAdmin ? sql`true` : sql`not kept.hide`}
            and ${campaigns ? sql`true` : sql`kept.campaign_id = ${sql.raw(String(allCampaignsId))}`}
        ) kept join unnest(${periods}, ${numbers(summed.map(({ bucket }) => bucket))}) as piece (period, bucket) on piece.period = kept.period`,
      ...joinSpans(summed).map(
        (span) => sql`
          select change.campaign_id, ${bucketOf(sql`change.occurred_at`)}, (${addUpChanges('confirmed')})::int, (${addUpChanges('missed')})::int
          from ${joinChanges} where not change.archived and ${me.isAdmin ? sql`true` : shownChangeCondition}
            and change.campaign_id <> 0 and ${occurredWithin(span, zone)} group by 1, 2`,
      ),
    )
  }
  const union = sql.join(parts, sql` union all `)
  return campaigns ? sql`(with asked as (${campaigns}) ${union}) part` : sql`(${union}) part`
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
