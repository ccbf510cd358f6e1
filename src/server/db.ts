import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import type { Log } from './log.ts'

export type Db = NodePgDatabase<Record<string, never>>
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
/** Either: for queries that a handler runs alone or inside its transaction. */
export type Queries = Db | Tx

/** A pool that outlives its server: a lost connection is logged, never thrown at the process. */
export function connect(connectionString: string, log: Log, max = 20) {
  const pool = new pg.Pool({ connectionString, max, connectionTimeoutMillis: 5000, application_name: 'leadline' })
  pool.on('error', (error) => log.warn({ err: error }, 'database connection lost'))
  pool.on('connect', (client) => client.on('error', () => {})) // the pool reports it; unheard, it would end the process
  const db: Db = drizzle(pool)
  return { pool, db }
}
