import { type SQL, sql } from 'drizzle-orm'
import type { Db, DbOrTx } from '#core/db/db.ts'
import { noCampaignId } from '../../labels.ts'
import { allCampaignsId, leadChangesTable, leadSumsTable, leadSumsZoneTable } from '../schema.ts'
import { occurredWithin, toFirstInstant } from './build-sums.ts'
import { addUpChanges, addUpCounters, leadsAsChanges, shownChangeCondition } from './counter-sql.ts'
import { coverDays, type OpenDaySpan, type SumsPiece, splitPiece } from './periods.ts'

/** A selection of leads that sums can answer. */
export type SumsSelection = {
  archived: boolean
  /** Whether hidden leads are included. */
  seesHidden: boolean
  /** All leads, all but those without a campaign, or those of the campaigns that meet a condition. */
  campaigns: 'all' | 'withCampaign' | ((campaignId: SQL) => SQL)
  span: OpenDaySpan
}

/** A selection with the fewest pieces of its days, of which some have sums, and the counter of the leads that are counted. */
export type CountedSelection = { selection: SumsSelection; pieces: readonly SumsPiece[]; counter: string }

/** Sums per day exist only for all campaigns together. */
const finestLevel = ({ campaigns }: SumsSelection) => (typeof campaigns === 'string' ? 'day' : 'week')

/** Returns the fewest pieces of the selection's days; null if none of them has a sum. */
export function coverSelection(selection: SumsSelection): SumsPiece[] | null {
  const pieces = coverDays(selection.span, finestLevel(selection))
  return pieces.some(({ period }) => period !== null) ? pieces : null
}

export const splitSelectionPiece = (selection: SumsSelection, piece: SumsPiece): SumsPiece[] =>
  splitPiece(piece, finestLevel(selection))

/**
 * Whether sums exist in this zone. Part of the statement that reads sums, because a new zone rebuilds them. It selects a column, because
 * where leads are sharded its row is sent to other machines.
 */
export const hasSumsCondition = (zone: string): SQL =>
  sql`exists (select 1 from ${leadSumsZoneTable} where ${leadSumsZoneTable.zone} = ${zone})`

const sumsCondition = ({ archived, seesHidden, campaigns }: SumsSelection): SQL => {
  const all = sql.raw(String(allCampaignsId))
  const none = sql.raw(String(noCampaignId))
  const scope =
    campaigns === 'all'
      ? sql`campaign_id in (${all}, ${none})`
      : campaigns === 'withCampaign'
        ? sql`campaign_id = ${all}`
        : sql`campaign_id >= ${none} and ${campaigns(sql`campaign_id`)}`
  return sql`${scope} and archived = ${sql.raw(String(archived))} ${seesHidden ? sql`` : sql`and not hide`}`
}

/** A condition on changes, or on leads in their shape. */
const changesCondition = ({ archived, seesHidden, campaigns }: SumsSelection): SQL => {
  const none = sql.raw(String(noCampaignId))
  const scope =
    campaigns === 'all'
      ? sql`true`
      : campaigns === 'withCampaign'
        ? sql`campaign_id <> ${none}`
        : campaigns(sql`campaign_id`)
  return sql`${scope} and ${archived ? sql`archived` : sql`not archived`} ${seesHidden ? sql`` : sql`and ${shownChangeCondition}`}`
}

/** Returns a union of the sums of the pieces, the changes that are not folded in yet, and the leads of pieces without a sum. */
export const sumsQuery = (
  selection: SumsSelection,
  pieces: readonly SumsPiece[],
  counters: readonly string[],
  zone: string,
): SQL =>
  unionAll([
    ...storedSumsQueries(selection, pieces, counters, zone),
    ...unsummedLeadsQueries(selection, pieces, counters, zone),
  ])

const unionAll = (queries: SQL[]) => sql.join(queries, sql` union all `)

/** Returns the sums of the pieces, and the changes that are not folded in yet. */
function storedSumsQueries(
  selection: SumsSelection,
  pieces: readonly SumsPiece[],
  counters: readonly string[],
  zone: string,
): SQL[] {
  const summed = pieces.filter(({ period }) => period !== null)
  const periods = summed.map(({ period }) => period)
  const whole = { from: summed[0]!.from, end: summed.at(-1)!.end }
  const columns = counters.map((name) => sql`${sql.identifier(name)}`)
  return [
    sql`select ${sql.join(columns, sql`, `)} from ${leadSumsTable}
        where ${sumsCondition(selection)} and period = any(${sql.param(periods)}::int[])`,
    sql`select ${addUpCounters(counters)} from ${leadChangesTable}
        where ${changesCondition(selection)} and ${occurredWithin(whole, zone)}`,
  ]
}

/** Returns the leads of each piece without a sum, added up. */
const unsummedLeadsQueries = (
  selection: SumsSelection,
  pieces: readonly SumsPiece[],
  counters: readonly string[],
  zone: string,
): SQL[] =>
  pieces
    .filter(({ period }) => period === null)
    .map((piece) => sql`select ${addUpCounters(counters)} from (${leadsWithin(selection, piece, zone)}) lead`)

const leadsWithin = (selection: SumsSelection, piece: OpenDaySpan, zone: string) => sql`
  ${leadsAsChanges} where ${changesCondition(selection)} and ${occurredWithin(piece, zone)}`

/**
 * Returns a counter's total; null without sums. Leads without a sum are counted by a statement of their own: where they are sharded, it
 * is the only one that asks other machines.
 */
export async function countBySums(
  db: Db,
  { selection, pieces, counter }: CountedSelection,
  zone: string,
): Promise<number | null> {
  const leads = unsummedLeadsQueries(selection, pieces, [counter], zone)
  const total = (parts: SQL[]) =>
    sql`select coalesce(sum(${sql.identifier(counter)}), 0) from (${unionAll(parts)}) part`
  const read = async (query: SQL) =>
    (await db.execute<{ total: string | null }>(sql`select ${query} as total`)).rows[0]!.total
  const [stored, counted] = await Promise.all([
    read(
      sql`case when ${hasSumsCondition(zone)} then (${total(storedSumsQueries(selection, pieces, [counter], zone))}) end`,
    ),
    leads.length === 0 ? 0 : read(sql`(${total(leads)})`),
  ])
  return stored === null ? null : Number(stored) + Number(counted)
}

/** Returns a counter's number for each piece; null without sums. */
export async function readPieceCounts(
  db: DbOrTx,
  { selection, pieces, counter }: CountedSelection,
  zone: string,
): Promise<number[] | null> {
  const each = pieces.flatMap((piece, nth) =>
    piece.period === null
      ? [
          sql`select ${nth}::int as nth, ${addUpChanges(counter)} as number from (${leadsWithin(selection, piece, zone)}) lead`,
        ]
      : [],
  )
  const summed = pieces.flatMap((piece, nth) => (piece.period === null ? [] : [{ ...piece, nth }]))
  if (summed.length > 0) {
    const whole = { from: summed[0]!.from, end: summed.at(-1)!.end }
    const numbers = (values: readonly (number | null)[]) => sql`${sql.param(values)}::int[]`
    const nths = summed.map(({ nth }) => nth)
    const starts = summed.map(({ from }) => toFirstInstant(from, zone))
    each.push(
      sql`select piece.nth, sum(kept.number) as number from (
          select period, ${sql.identifier(counter)} as number from ${leadSumsTable}
          where ${sumsCondition(selection)} and period = any(${numbers(summed.map(({ period }) => period))})
        ) kept join unnest(${numbers(nths)}, ${numbers(summed.map(({ period }) => period))}) as piece (nth, period) on piece.period = kept.period
        group by 1`,
      sql`select (${numbers(nths)})[width_bucket(occurred_at, ${sql.param(starts)}::timestamptz[])], ${addUpChanges(counter)} from ${leadChangesTable}
        where ${changesCondition(selection)} and ${occurredWithin(whole, zone)} group by 1`,
    )
  }
  const { rows } = await db.execute<{ counts: [nth: number, count: number][] | null }>(sql`
    select case when ${hasSumsCondition(zone)} then (
      select coalesce(json_agg(json_build_array(nth, number)), '[]') from (
        select nth, sum(number) as number from (${sql.join(each, sql` union all `)}) part group by 1) piece
    ) end as counts`)
  const found = rows[0]!.counts && new Map(rows[0]!.counts)
  return found && pieces.map((_, nth) => found.get(nth) ?? 0)
}
