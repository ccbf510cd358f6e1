import { sql } from 'drizzle-orm'
import type { DatabaseGauge } from '#core/metrics/metrics.ts'

export const intakeGauges: readonly DatabaseGauge[] = [
  {
    name: 'leadline_events_waiting',
    help: 'Webhook events that no worker has processed yet',
    query: sql`select count(*) from inbound_events where state = 'stored'`,
  },
  {
    name: 'leadline_events_oldest_seconds',
    help: 'Age of the oldest waiting event',
    query: sql`select extract(epoch from now() - min(received_at)) from inbound_events where state = 'stored'`,
  },
  {
    name: 'leadline_events_quarantined',
    help: 'Unusable events that were put aside',
    query: sql`select count(*) from inbound_events where state = 'quarantined'`,
  },
]
