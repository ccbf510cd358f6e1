import { sql } from 'drizzle-orm'
import type { AppContext } from '../app-context.ts'
import { canWriteDatabase } from '../health/can-write.ts'

/** How things stand: what waits and for how many seconds, and what went wrong. Nothing is known while the database is away. */
const metricQueries = {
  events: sql`select count(*) from inbound_events where state = 'stored'`,
  oldest_event: sql`select extract(epoch from now() - min(received_at)) from inbound_events where state = 'stored'`,
  quarantined: sql`select count(*) from inbound_events where state = 'quarantined'`,
  mails: sql`select count(*) from mails where state in ('queued', 'handing')`,
  oldest_mail: sql`select extract(epoch from now() - min(created_at)) from mails where state in ('queued', 'handing')`,
  uncertain: sql`select count(*) from (select state from mails order by id desc limit 1000) recent where state = 'uncertain'`,
  refused: sql`select count(*) from (select state from mails order by id desc limit 1000) recent where state = 'refused'`,
}
type MetricName = keyof typeof metricQueries
export type OperationalMetrics = Record<MetricName, number> & { ready: number }

const metricNames = Object.keys(metricQueries) as MetricName[] // its own keys
const unknownMetrics = Object.fromEntries(metricNames.map((name) => [name, Number.NaN])) as Record<MetricName, number>
export const noOperationalMetrics: OperationalMetrics = { ...unknownMetrics, ready: 0 }

export async function readOperationalMetrics(context: AppContext): Promise<OperationalMetrics> {
  if (!(await canWriteDatabase(context))) return noOperationalMetrics
  try {
    const columns = metricNames.map(
      (name) => sql`coalesce((${metricQueries[name]}), 0)::float8 as ${sql.identifier(name)}`,
    )
    const { rows } = await context.db.execute<Record<MetricName, number>>(sql`select ${sql.join(columns, sql`, `)}`)
    return { ...rows[0]!, ready: 1 }
  } catch (error) {
    context.log.warn({ err: error }, 'how things stand is not known')
    return noOperationalMetrics
  }
}
