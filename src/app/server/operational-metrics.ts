import { sql } from 'drizzle-orm'
import { canWriteDatabase } from '#core/health/can-write.ts'
import type { MetricGauge } from '#core/metrics/metrics.ts'
import type { AppContext } from '#domains/app-context.ts'
import { declaredGauges } from './parts.ts'

const readyGauge = { name: 'leadline_ready', help: 'Whether writes work, as in /readyz: 1 or 0' }

/** Gauges of waiting work, its age in seconds, and failures. */
export const operationalGauges: readonly MetricGauge[] = [readyGauge, ...declaredGauges]

/** Returns the gauges by name; all but the first are unknown while the database is unavailable. */
export async function readOperationalMetrics(context: AppContext): Promise<Record<string, number>> {
  if (!(await canWriteDatabase(context))) return { [readyGauge.name]: 0 }
  try {
    const columns = declaredGauges.map(
      ({ name, query }) => sql`coalesce((${query}), 0)::float8 as ${sql.identifier(name)}`,
    )
    const { rows } = await context.db.execute<Record<string, number>>(sql`select ${sql.join(columns, sql`, `)}`)
    return { ...rows[0], [readyGauge.name]: 1 }
  } catch (error) {
    context.log.warn({ err: error }, 'operational metrics are unavailable')
    return { [readyGauge.name]: 0 }
  }
}
