import { type SQL, sql } from 'drizzle-orm'
import type { Db, DbOrTx, Tx } from '#core/db/db.ts'
import { startOfZonedDay } from '#core/time/local-time.ts'
import { noCampaignId } from '../../labels.ts'
import { leadsTable } from '../../model/schema.ts'
import { allCampaignsId, leadChangesTable, leadSumsTable, leadSumsZoneTable } from '../schema.ts'
import { addUpChanges, allCounters, hiddenChangeColumn, leadsAsChanges } from './counter-sql.ts'
import { allPeriod, buildCalendarChunk, type CalendarChunk, chunkStarts, type OpenDaySpan } from './periods.ts'

const sumsLockKey = 7_318_205 // an arbitrary number

/** Returns the time zone of the sums; null while there are none. */
export async function readSumsZone(db: DbOrTx): Promise<string | null> {
  const [row] = await db.select().from(leadSumsZoneTable)
  return row?.zone ?? null
}

/** Builds the sums unless they exist in this zone: after an upgrade, a restored backup, or a new AGENCY_TIMEZONE. */
export async function ensureLeadSums(db: Db, zone: string): Promise<void> {
  if ((await readSumsZone(db)) === zone) return
  await withSumsLock(db, async () => {
    if ((await readSumsZone(db)) !== zone) await buildSums(db, zone)
  })
}

/** Rebuilds all sums. */
export const rebuildLeadSums = (db: Db, zone: string): Promise<void> => withSumsLock(db, () => buildSums(db, zone))

/** Lets one process build or fold at a time. Locks before the protected transactions start, so that they see earlier commits. */
const withSumsLock = (db: Db, run: () => Promise<void>): Promise<void> =>
  db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${sumsLockKey})`)
    await run()
  })

/**
 * Builds the sums a year at a time, while people keep working: readers count the leads until all years are done. A year's leads and
 * the changes that they replace come from one snapshot; later commits add to it.
 */
async function buildSums(db: Db, zone: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.delete(leadSumsZoneTable)
    await tx.execute(sql`truncate ${leadSumsTable}`)
  })
  const changed = [...(await findChunks(db, leadsTable, zone)), ...(await findChunks(db, leadChangesTable, zone))]
  for (const start of new Set(changed.map(({ start: found }) => found)))
    await db.transaction(
      async (tx) => {
        const chunk = buildCalendarChunk(start)
        const within = occurredWithin(chunk.span, zone)
        await tx.delete(leadChangesTable).where(within)
        await addUp(tx, sql`${leadsAsChanges} where ${within}`, chunk, zone)
      },
      { isolationLevel: 'repeatable read' },
    )
  await db.insert(leadSumsZoneTable).values({ zone })
}

/** Moves the changes into the sums, one statement per year, so that readers see them exactly once. Returns their number. */
export const foldLeadChanges = (db: Db): Promise<number> =>
  db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${sumsLockKey}) as mine`)
    const zone = rows[0]!.mine ? await readSumsZone(tx) : null
    if (zone === null) return 0
    let folded = 0
    for (const { start, count } of await findChunks(tx, leadChangesTable, zone)) {
      const chunk = buildCalendarChunk(start)
      const taken = sql`delete from ${leadChangesTable} where ${occurredWithin(chunk.span, zone)} returning *`
      await addUp(tx, taken, chunk, zone)
      folded += count
    }
    return folded
  })

/** Returns the chunks of the calendar that a table has rows in, with their number. */
async function findChunks(db: DbOrTx, table: typeof leadsTable | typeof leadChangesTable, zone: string) {
  const { rows } = await db.execute<{ nth: number; count: number }>(sql`
    select width_bucket(occurred_at, ${toInstants(chunkStarts, zone)}) as nth, count(*)::int as count from ${table} group by 1`)
  return rows.map(({ nth, count }) => ({ start: chunkStarts[nth - 1]!, count }))
}

/** Returns the first instants of days, computed here so that PostgreSQL's own time zone data does not matter. */
const toInstants = (days: readonly string[], zone: string) =>
  sql`${sql.param(days.map((day) => toFirstInstant(day, zone)))}::timestamptz[]`

/** Returns the first instant of a day in this zone; `-infinity` without a day. */
export const toFirstInstant = (day: string | undefined, zone: string): string =>
  day === undefined || day === '-infinity' ? '-infinity' : startOfZonedDay(day, zone).toISOString()

/** Returns a condition on leads or changes. */
export function occurredWithin({ from, end }: OpenDaySpan, zone: string): SQL {
  const after = from === undefined ? sql`true` : sql`occurred_at >= ${toFirstInstant(from, zone)}::timestamptz`
  const before = end === undefined ? sql`true` : sql`occurred_at < ${toFirstInstant(end, zone)}::timestamptz`
  return sql`${after} and ${before}`
}

/** Adds the rows that `changes` selects, all within the chunk, to every sum that they belong to. */
async function addUp(tx: Tx, changes: SQL, { days }: CalendarChunk, zone: string): Promise<void> {
  const numbers = (of: (day: CalendarChunk['days'][number], index: number) => number | null) =>
    sql`${sql.param(days.map(of))}::int[]`
  const summed = allCounters((_, column) => sql`sum(${column}) as ${column}`)
  const columns = allCounters((_, column) => column)
  await tx.execute(sql`
    with changed as (${changes}), daily as materialized (
      select campaign_id, width_bucket(occurred_at, ${toInstants(
        days.map(({ day }) => day),
        zone,
      )}) as day,
        archived, ${hiddenChangeColumn} as hide, ${allCounters((name, column) => sql`${addUpChanges(name)} as ${column}`)}
      from changed group by 1, 2, 3, 4
    ), calendar as materialized (
      select * from unnest(${numbers((_, index) => index + 1)}, ${numbers(({ periods }) => periods.year)},
        ${numbers(({ periods }) => periods.month)}, ${numbers(({ periods }) => periods.week)}, ${numbers(({ periods }) => periods.day)}
      ) as calendar (nth, year_period, month_period, week_period, day_period)
    ), combined as materialized (
      select ${sql.raw(String(allCampaignsId))} as campaign_id, day, archived, hide, ${summed} from daily
      where campaign_id <> ${sql.raw(String(noCampaignId))} group by 2, 3, 4
      union all select campaign_id, day, archived, hide, ${columns} from daily where campaign_id = ${sql.raw(String(noCampaignId))}
    ), part as (
      select daily.*, false as by_day from daily where campaign_id <> ${sql.raw(String(noCampaignId))}
      union all select combined.*, true from combined
    )
    insert into ${leadSumsTable} as kept (campaign_id, period, archived, hide, ${columns})
    select campaign_id, level.period, archived, hide, ${summed}
    from part join calendar on calendar.nth = part.day
      cross join lateral (values (${sql.raw(String(allPeriod))}), (year_period), (month_period), (week_period), (case when by_day then day_period end)) level (period)
    where level.period is not null
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (campaign_id, period, archived, hide) do update
    set ${allCounters((_, column) => sql`${column} = kept.${column} + excluded.${column}`)}`)
}
