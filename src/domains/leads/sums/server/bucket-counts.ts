import { type SQL, sql } from 'drizzle-orm'
import { addDays, type CalendarDay } from '#contract/days.ts'
import type { DbOrTx } from '#core/db/db.ts'
import { createOncePer } from '#core/once-per.ts'
import type { CurrentUser } from '#domains/access/public.ts'
import { missedTagCondition, verifiedLeadCondition } from '../../model/facets.ts'
import { leadsTable } from '../../model/schema.ts'
import { notHiddenCondition } from '../../model/visibility.ts'
import { allCampaignsId, leadChangesTable, leadSumsTable, leadSumsZoneTable } from '../schema.ts'
import { occurredWithin, readSumsZone, toFirstInstant } from './build-sums.ts'
import { addUpChanges, shownChangeCondition } from './counter-sql.ts'
import { coverDays, type OpenDaySpan } from './periods.ts'
import { hasSumsCondition } from './read-sums.ts'

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
type Buckets = { buckets: readonly { from: CalendarDay; to: CalendarDay }[]; zone: string }
export type LeadCounts = { confirmed: number; missed: number }
type BucketCounts = LeadCounts & { bucket: number }

/** What a process keeps of the sums of these buckets: by campaign, the verified leads of each bucket, then the missed ones. */
type KeptSums = { version: string | null; byCampaign: Map<number, Int32Array> }
/** The buckets asked for last are at the end. */
const getKeptSums = createOncePer((_db: DbOrTx) => new Map<string, KeptSums>())
const maxKeptSums = 4

/** Counts the leads of these campaigns in each bucket, by the campaign's id; campaigns without any are left out. */
export async function countLeadsByCampaign(
  db: DbOrTx,
  me: CurrentUser,
  campaignIds: readonly number[],
  bucketQuery: Buckets,
): Promise<Map<number, LeadCounts[]>> {
  const { sums, rest, isSummed } = await buildCountParts(db, me, bucketQuery, true)
  const kept = getKeptSums(db)
  const key = JSON.stringify([bucketQuery, me.isAdmin])
  const known = kept.get(key) ?? { version: null, byCampaign: new Map<number, Int32Array>() }
  const { version, rows } = await readCounts(db, { known, campaignIds, sums, rest, zone: bucketQuery.zone })
  // Sums went or came in between, so they were only found in part, or counted twice.
  if (isSummed !== (version !== null)) return countLeadsByCampaign(db, me, campaignIds, bucketQuery)
  const byCampaign = version === known.version ? known.byCampaign : new Map<number, Int32Array>()
  const length = bucketQuery.buckets.length
  for (const row of rows) if (row.is_sum) byCampaign.set(row.campaign_id, addCounts(new Int32Array(2 * length), row))
  if (isSummed) keepSums(kept, key, { version, byCampaign })
  const ofRest = Map.groupBy(
    rows.filter(({ is_sum }) => !is_sum),
    ({ campaign_id }) => campaign_id,
  )
  const counted = new Map<number, LeadCounts[]>()
  for (const id of campaignIds) {
    const counts = (ofRest.get(id) ?? []).reduce(addCounts, new Int32Array(byCampaign.get(id)!))
    if (counts.some((count) => count !== 0))
      counted.set(
        id,
        bucketQuery.buckets.map((_, bucket) => ({ confirmed: counts[bucket]!, missed: counts[length + bucket]! })),
      )
  }
  return counted
}

type CountRow = { campaign_id: number; is_sum: boolean } & Record<'buckets' | 'confirmed' | 'missed', number[] | null>

/**
 * Reads the counts that are not kept, and the version of the sums, null if there are none in this zone. The statement itself decides
 * whether what is kept is current: sums and rest are of one moment.
 */
async function readCounts(
  db: DbOrTx,
  {
    known,
    campaignIds,
    sums,
    rest,
    zone,
  }: Pick<CountParts, 'sums' | 'rest'> & { known: KeptSums; campaignIds: readonly number[]; zone: string },
): Promise<{ version: string | null; rows: CountRow[] }> {
  const ids = (list: readonly number[]) => sql`${sql.param(list)}::int[]`
  const unknown = campaignIds.filter((id) => !known.byCampaign.has(id))
  // A row holds a campaign's numbers as JSON, added up here: a year of a big agency is 30,000 numbers, which are too many to parse
  // as rows. Sums are read campaign by campaign, because PostgreSQL would sort all of them to group them.
  const asJson = sql`array_to_json(array_agg(bucket)) as buckets, array_to_json(array_agg(confirmed)) as confirmed,
    array_to_json(array_agg(missed)) as missed`
  const { rows } = await db.execute<{ version: string | null } & (CountRow | { campaign_id: null })>(sql`
    with chosen as (select unnest(${ids(campaignIds)}) as id), current as materialized (
      select (select xmin::text from ${leadSumsZoneTable} where zone = ${zone}) as version
    ), unread as materialized (
      select unnest(case when version = ${known.version} then ${ids(unknown)} else ${ids(campaignIds)} end) as id from current
    )
    select current.version, part.* from current left join (
      select unread.id as campaign_id, true as is_sum, counted.* from unread
      cross join lateral (select ${asJson} from (${sums(sql`unread.id`)}) part) counted
      union all select campaign_id, false, ${asJson} from (${rest}) part group by 1
    ) part on true`)
  return { version: rows[0]!.version, rows: rows.filter((row) => row.campaign_id !== null) }
}

function addCounts(counts: Int32Array, { buckets, confirmed, missed }: CountRow): Int32Array {
  const length = counts.length / 2
  for (const [at, bucket] of (buckets ?? []).entries()) {
    counts[bucket]! += confirmed![at]!
    counts[length + bucket]! += missed![at]!
  }
  return counts
}

function keepSums(kept: Map<string, KeptSums>, key: string, sums: KeptSums) {
  kept.delete(key)
  kept.set(key, sums)
  const [oldest] = kept.keys()
  if (kept.size > maxKeptSums) kept.delete(oldest!)
}

/** Counts the same for all of these campaigns together; empty buckets are left out. Buckets are numbered from 0. */
export async function countLeadsCombined(
  db: DbOrTx,
  me: CurrentUser,
  /** `campaigns` selects ids; null for all campaigns. */
  bucketQuery: Buckets & { campaigns: SQL | null },
): Promise<BucketCounts[]> {
  const { sums, rest, isSummed } = await buildCountParts(db, me, bucketQuery, bucketQuery.campaigns !== null)
  const [chosen, summed] = bucketQuery.campaigns
    ? [
        sql`with chosen as (${bucketQuery.campaigns})`,
        sql`select kept.* from chosen cross join lateral (${sums(sql`chosen.id`)}) kept`,
      ]
    : [sql``, sums(sql.raw(String(allCampaignsId)))]
  const { rows } = await db.execute<{ has_sums: boolean } & (BucketCounts | { bucket: null })>(sql`
    ${chosen} select ${hasSumsCondition(bucketQuery.zone)} as has_sums, counted.* from (values (true)) one left join (
      select bucket, sum(confirmed)::int as confirmed, sum(missed)::int as missed
      from (${summed} union all select bucket, confirmed, missed from (${rest}) rest) part
      group by 1 having sum(confirmed) <> 0 or sum(missed) <> 0
    ) counted on true`)
  // The sums went in between, so they were only found in part.
  if (isSummed && !rows[0]!.has_sums) return countLeadsCombined(db, me, bucketQuery)
  return rows.filter((row) => row.bucket !== null)
}

type CountParts = {
  /** Selects bucket, confirmed and missed of one campaign from its sums. */
  sums(campaignId: SQL): SQL
  /** Selects campaign_id, bucket, confirmed and missed of what the sums do not hold, for the campaigns in `chosen` if any. */
  rest: SQL
  /** Whether there are sums in this zone. */
  isSummed: boolean
}

/** Reads each bucket from as few sums as possible; the remaining days, or all days without sums, from the leads. */
async function buildCountParts(
  db: DbOrTx,
  me: CurrentUser,
  { buckets, zone }: Buckets,
  byCampaign: boolean,
): Promise<CountParts> {
  const days = { from: buckets[0]!.from, end: addDays(buckets.at(-1)!.to, 1) }
  const isSummed = (await readSumsZone(db)) === zone
  const pieces = isSummed
    ? buckets.flatMap(({ from, to }, bucket) =>
        coverDays({ from, end: addDays(to, 1) }, byCampaign ? 'week' : 'day').map((piece) => ({ ...piece, bucket })),
      )
    : [{ ...days, period: null, bucket: 0 }]
  const summed = pieces.flatMap(({ period, ...piece }) => (period === null ? [] : [{ ...piece, period }]))
  const starts = sql.param(buckets.map(({ from }) => toFirstInstant(from, zone)))
  const bucketOf = (moment: SQL) => sql`width_bucket(${moment}, ${starts}::timestamptz[]) - 1`
  const ofChosen = (table: SQL) => (byCampaign ? sql`chosen join ${table} on campaign_id = chosen.id` : table)
  const ofLeads = joinSpans(pieces.filter(({ period }) => period === null)).map(
    (span) => sql`
      select campaign_id, ${bucketOf(sql`occurred_at`)} as bucket, ${leadCountColumns} from ${ofChosen(sql`${leadsTable}`)}
      where ${countedLeadCondition(me)} and campaign_id <> 0 and ${occurredWithin(span, zone)} group by 1, 2`,
  )
  const ofChanges = joinSpans(summed).map(
    (span) => sql`
      select campaign_id, ${bucketOf(sql`occurred_at`)} as bucket, (${addUpChanges('confirmed')})::int as confirmed,
        (${addUpChanges('missed')})::int as missed
      from ${ofChosen(sql`${leadChangesTable}`)} where not archived and ${me.isAdmin ? sql`true` : shownChangeCondition}
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
    isSummed,
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
