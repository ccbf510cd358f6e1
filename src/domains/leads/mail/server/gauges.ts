import { sql } from 'drizzle-orm'
import type { DatabaseGauge } from '#core/metrics/metrics.ts'

export const mailGauges: readonly DatabaseGauge[] = [
  {
    name: 'leadline_mails_waiting',
    help: 'Emails that have not been sent yet',
    query: sql`select count(*) from mails where state in ('queued', 'handing')`,
  },
  {
    name: 'leadline_mails_oldest_seconds',
    help: 'Age of the oldest waiting email',
    query: sql`select extract(epoch from now() - min(created_at)) from mails where state in ('queued', 'handing')`,
  },
  {
    name: 'leadline_mails_uncertain',
    help: 'Emails among the last 1,000 that may have arrived',
    query: countRecent('uncertain'),
  },
  {
    name: 'leadline_mails_refused',
    help: 'Emails among the last 1,000 that were refused',
    query: countRecent('refused'),
  },
]

function countRecent(state: 'uncertain' | 'refused') {
  return sql`select count(*) from (select state from mails order by id desc limit 1000) recent where state = ${state}`
}
