import { sql } from 'drizzle-orm'
import { canWriteDatabase } from '#core/health/can-write.ts'
import type { ProductGauge } from '#core/metrics/metrics.ts'
import type { AppContext } from '#domains/app-context.ts'

/** Gauges of waiting work, its age in seconds, and failures. They are unknown while the database is unavailable. */
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
type OperationalMetrics = Record<MetricName, number> & { ready: number }

const metricNames = Object.keys(metricQueries) as MetricName[] // its own keys
const unknownMetrics = Object.fromEntries(metricNames.map((name) => [name, Number.NaN])) as Record<MetricName, number>
const noOperationalMetrics: OperationalMetrics = { ...unknownMetrics, ready: 0 }

export async function readOperationalMetrics(context: AppContext): Promise<OperationalMetrics> {
  if (!(await canWriteDatabase(context))) return noOperationalMetrics
  try {
    const columns = metricNames.map(
      (name) => sql`coalesce((${metricQueries[name]}), 0)::float8 as ${sql.identifier(name)}`,
    )
    const { rows } = await context.db.execute<Record<MetricName, number>>(sql`select ${sql.join(columns, sql`, `)}`)
    return { ...rows[0]!, ready: 1 }
  } catch (error) {
    context.log.warn({ err: error }, 'operational metrics are unavailable')
    return noOperationalMetrics
  }
}

export const operationalGauges: ProductGauge<keyof OperationalMetrics>[] = [
  { name: 'leadline_ready', help: 'Whether writes work, as in /readyz: 1 or 0', key: 'ready' },
  { name: 'leadline_events_waiting', help: 'Webhook events that no worker has processed yet', key: 'events' },
  { name: 'leadline_events_oldest_seconds', help: 'Age of the oldest waiting event', key: 'oldest_event' },
  { name: 'leadline_events_quarantined', help: 'Unusable events that were put aside', key: 'quarantined' },
  { name: 'leadline_mails_waiting', help: 'Mails that have not been sent yet', key: 'mails' },
  { name: 'leadline_mails_oldest_seconds', help: 'Age of the oldest waiting mail', key: 'oldest_mail' },
  { name: 'leadline_mails_uncertain', help: 'Mails among the last 1,000 that may have arrived', key: 'uncertain' },
  { name: 'leadline_mails_refused', help: 'Mails among the last 1,000 that were refused', key: 'refused' },
]
