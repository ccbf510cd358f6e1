import { type SQL, sql } from 'drizzle-orm'

/** Next times with jitter, so that rows added together drift apart. */

export const aboutTomorrowSql: SQL = sql`now() + make_interval(hours => 22) + random() * interval '4 hours'`

/** Returns a time some hours from now, plus up to one hour. */
export const inSomeHoursSql = (hours: number): SQL => sql`now() + (${hours} + random()) * interval '1 hour'`
