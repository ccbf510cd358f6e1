import { sql } from 'drizzle-orm'
import type { DatabaseGauge } from '../metrics/metrics.ts'

export const jobGauges: readonly DatabaseGauge[] = [
  {
    name: 'leadline_jobs_failed',
    help: 'Jobs of all processes that failed after their last retry, until the queue deletes them',
    query: sql`select sum(failed_count) from pgboss.queue`, // the queue counts every few seconds
  },
]
