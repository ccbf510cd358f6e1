import { sql } from 'drizzle-orm'
import type { Db, Queries } from '#core/db/db.ts'
import { leads } from '#domains/leads/model/schema.ts'
import { countedChanges, countedWeeks, weekStarts, weekZone } from '../schema.ts'
import { weekStartsIn } from './week-starts.ts'

const oneAtATime = 7_318_204 // any number of ours

/**
 * Counts the weeks in the agency's zone, unless they are: after the first start, a restored backup, another AGENCY_TIMEZONE. Not
 * where nothing would keep them: leads that are spread over machines have no triggers, and are counted each time.
 */
export async function keepWeeks(db: Db, zone: string): Promise<void> {
  if ((await areWeeksKept(db, zone)) || !(await haveTriggers(db))) return
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${oneAtATime})`)
    if (await areWeeksKept(tx, zone)) return
    await newCalendar(db, zone)
    await recount(db)
    await tx.insert(weekZone).values({ zone })
  })
}

/** Whether what is kept is right now, and in this zone. */
export const areWeeksKept = async (db: Queries, zone: string) =>
  (await db.execute(sql`select from ${weekZone} where zone = ${zone}`)).rows.length > 0

const haveTriggers = async (db: Queries) =>
  (await db.execute(sql`select from pg_trigger where tgrelid = 'leads'::regclass and tgname = 'leads_changed'`)).rows
    .length > 0

/** Waits for whoever writes by the old calendar, so that everybody who is not done by the end of this writes by the new one. */
async function newCalendar(db: Db, zone: string) {
  const starts = weekStartsIn(zone).map((start) => start.toISOString())
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${weekStarts} in access exclusive mode`)
    await tx.delete(weekZone)
    await tx.delete(weekStarts)
    await tx.execute(sql`insert into ${weekStarts} select unnest(${sql.param(starts)}::timestamptz[])`)
  })
}

/**
 * Counts every lead anew, while people go on working: the recount and what it replaces are of one moment, and what others are
 * about to commit adds to it.
 */
export const recount = (db: Db): Promise<void> =>
  db.transaction(
    async (tx) => {
      await tx.delete(countedWeeks)
      await tx.delete(countedChanges)
      if (!(await haveTriggers(tx))) return // nothing would keep them
      await tx.execute(sql`
        insert into ${countedWeeks} (campaign_id, week, hide, confirmed, missed)
        select campaign_id, week_of(occurred_at), hide, sum(confirmed::int), sum((not confirmed)::int) from ${leads}
        where is_counted(campaign_id, archived, confirmed, tags) group by 1, 2, 3`)
    },
    { isolationLevel: 'repeatable read' },
  )

/** Adds the changes to the weeks, in one statement: whoever reads meanwhile sees one or the other. */
export const foldChanges = (db: Db): Promise<void> =>
  db.transaction(async (tx) => {
    const mine = await tx.execute(sql`select where pg_try_advisory_xact_lock(${oneAtATime})`)
    if (mine.rows.length === 0) return
    await tx.execute(sql`
      with change as (delete from ${countedChanges} returning *)
      insert into ${countedWeeks} as kept (campaign_id, week, hide, confirmed, missed)
      select campaign_id, week, hide, sum(confirmed), sum(missed) from change group by 1, 2, 3
      on conflict (campaign_id, week, hide) do update
      set confirmed = kept.confirmed + excluded.confirmed, missed = kept.missed + excluded.missed`)
  })
