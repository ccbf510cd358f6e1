import { sql } from 'drizzle-orm'
import type { Db, DbOrTx } from '#core/db/db.ts'
import { leadsTable } from '#domains/leads/model/schema.ts'
import { countedChangesTable, countedWeeksTable, weekStartsTable, weekZoneTable } from '../schema.ts'
import { listWeekStarts } from './week-starts.ts'

const countsLockKey = 7_318_204 // any number of ours

/**
 * Counts the weeks in the agency's zone, unless they are: after the first start, a restored backup, another AGENCY_TIMEZONE. Not
 * where nothing would keep them: leads that are spread over machines have no triggers, and are counted each time.
 */
export async function ensureWeekCounts(db: Db, zone: string): Promise<void> {
  if ((await hasWeekCounts(db, zone)) || !(await hasCountTriggers(db))) return
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${countsLockKey})`)
    if (await hasWeekCounts(tx, zone)) return
    await replaceWeekCalendar(db, zone)
    await recountWeeks(db)
    await tx.insert(weekZoneTable).values({ zone })
  })
}

/** Whether what is kept is right now, and in this zone. */
export const hasWeekCounts = async (db: DbOrTx, zone: string) =>
  (await db.execute(sql`select from ${weekZoneTable} where zone = ${zone}`)).rows.length > 0

const hasCountTriggers = async (db: DbOrTx) =>
  (await db.execute(sql`select from pg_trigger where tgrelid = 'leads'::regclass and tgname = 'leads_changed'`)).rows
    .length > 0

/** Waits for whoever writes by the old calendar, so that everybody who is not done by the end of this writes by the new one. */
async function replaceWeekCalendar(db: Db, zone: string) {
  const starts = listWeekStarts(zone).map((start) => start.toISOString())
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${weekStartsTable} in access exclusive mode`)
    await tx.delete(weekZoneTable)
    await tx.delete(weekStartsTable)
    await tx.execute(sql`insert into ${weekStartsTable} select unnest(${sql.param(starts)}::timestamptz[])`)
  })
}

/**
 * Counts every lead anew, while people go on working: the recount and what it replaces are of one moment, and what others are
 * about to commit adds to it.
 */
export const recountWeeks = (db: Db): Promise<void> =>
  db.transaction(
    async (tx) => {
      await tx.delete(countedWeeksTable)
      await tx.delete(countedChangesTable)
      if (!(await hasCountTriggers(tx))) return // nothing would keep them
      await tx.execute(sql`
        insert into ${countedWeeksTable} (campaign_id, week, hide, confirmed, missed)
        select campaign_id, week_of(occurred_at), hide, sum(confirmed::int), sum((not confirmed)::int) from ${leadsTable}
        where is_counted(campaign_id, archived, confirmed, tags) group by 1, 2, 3`)
    },
    { isolationLevel: 'repeatable read' },
  )

/** Adds the changes to the weeks, in one statement: whoever reads meanwhile sees one or the other. */
export const foldCountChanges = (db: Db): Promise<void> =>
  db.transaction(async (tx) => {
    const mine = await tx.execute(sql`select where pg_try_advisory_xact_lock(${countsLockKey})`)
    if (mine.rows.length === 0) return
    await tx.execute(sql`
      with change as (delete from ${countedChangesTable} returning *)
      insert into ${countedWeeksTable} as kept (campaign_id, week, hide, confirmed, missed)
      select campaign_id, week, hide, sum(confirmed), sum(missed) from change group by 1, 2, 3
      on conflict (campaign_id, week, hide) do update
      set confirmed = kept.confirmed + excluded.confirmed, missed = kept.missed + excluded.missed`)
  })
