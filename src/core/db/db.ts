import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { SQL } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { PgDialect, type PgTransactionConfig } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { type CopyToStreamQuery, to as copyTo } from 'pg-copy-streams'
import { isSerializationFailure } from '../http/errors.ts'
import type { AppLogger } from '../log/log.ts'

export type Db = NodePgDatabase<Record<string, never>> & { $client: Pick<pg.Pool, 'query'> }
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
/** Either: for queries that a handler runs alone or inside its transaction. */
export type DbOrTx = Db | Tx

/**
 * A transaction that is begun anew when it had to give way to another: for what locks several things that others lock in another
 * order. It speaks to the database alone, as every transaction does, so beginning anew repeats nothing.
 */
export async function runTransaction<T>(db: Db, run: (tx: Tx) => Promise<T>, tries = 5): Promise<T> {
  try {
    return await db.transaction(run)
  } catch (error) {
    if (tries <= 1 || !isSerializationFailure(error)) throw error
    await pause(Math.random() * 50) // two that gave way to each other must not meet again
    return runTransaction(db, run, tries - 1)
  }
}

const pgDialect = new PgDialect()

/**
 * Runs a statement that each connection plans once and then only carries out. For the few that are asked all the time, whose best
 * plan does not depend on their values, and whose planning would cost as much as their work.
 */
export async function runPrepared<Row extends pg.QueryResultRow>(db: Db, query: SQL): Promise<Row[]> {
  const { sql: text, params } = pgDialect.sqlToQuery(query)
  const name = createHash('sha1').update(text).digest('base64url')
  return (await db.$client.query<Row>({ name, text, values: params })).rows
}

/** The connection of each transaction that is open. */
const clientsByTx = new WeakMap<Tx, pg.PoolClient>()

/**
 * Has PostgreSQL write the rows of a query as lines of a CSV file, within the transaction, which can do nothing else until they are
 * read to their end. `copy` takes no parameters: texts, numbers and booleans stand in the statement as literals, anything else is refused.
 */
export function copyAsCsv(tx: Tx, query: SQL): CopyToStreamQuery {
  const client = clientsByTx.get(tx)
  if (!client) throw new Error('rows are copied in a transaction of connectDatabase')
  const { sql: text } = pgDialect.sqlToQuery(query.inlineParams())
  return client.query(copyTo(`copy (${text}) to stdout (format csv)`))
}

/**
 * A pool that outlives its server: a lost connection is logged, never thrown at the process. `pooler` says that another one stands
 * between this and PostgreSQL, and gives each transaction a connection of its own.
 */
export function connectDatabase(connectionString: string, log: AppLogger, { pooler = false } = {}) {
  const options = { connectionString, max: 20, connectionTimeoutMillis: 5000, application_name: 'leadline' }
  const pool = new pg.Pool(pooler ? { ...options, Client: UnpreparedClient } : options)
  // The error carries the whole client; its words are enough.
  pool.on('error', ({ message }) => log.warn({ reason: message }, 'database connection lost'))
  pool.on('connect', (client) => client.on('error', () => {})) // the pool reports it; unheard, it would end the process
  const db: Db = drizzle(pool)
  db.transaction = (run, config) => transactOnPool(pool, run, config)
  return { pool, db }
}

/** Forgets the names of statements: the next one may run elsewhere, where nobody has heard of them. PgBouncer keeps them from 1.21 on only. */
class UnpreparedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    const query = this.query.bind(this) as (...args: unknown[]) => unknown // one of its many overloads
    const unnamed = (first: unknown, ...rest: unknown[]) =>
      query(isPlainObject(first) ? { ...first, name: undefined } : first, ...rest)
    this.query = unnamed as typeof this.query
  }
}

/** Not one of pg's own objects, which carry a query through by themselves. */
const isPlainObject = (query: unknown): query is object =>
  typeof query === 'object' && query !== null && Object.getPrototypeOf(query) === Object.prototype

/**
 * Drizzle's own takes a connection from the pool for good when it breaks before `begin`, and says what went wrong with `rollback`
 * instead of what went wrong: here the connection always goes back, and the first error is the one that is told.
 */
async function transactOnPool<T>(pool: pg.Pool, run: (tx: Tx) => Promise<T>, config?: PgTransactionConfig): Promise<T> {
  const client = await pool.connect()
  let reason: unknown
  try {
    const own: Db = drizzle(client)
    return await own.transaction(async (tx) => {
      clientsByTx.set(tx, client)
      try {
        return await run(tx)
      } catch (error) {
        reason = error
        throw error
      }
    }, config)
  } catch (error) {
    throw reason ?? error
  } finally {
    client.release() // the pool drops one that is broken
  }
}
