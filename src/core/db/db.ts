import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fillPlaceholders, type SQL, sql } from 'drizzle-orm'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { PgDialect, type PgTransactionConfig } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { type CopyToStreamQuery, to as copyTo } from 'pg-copy-streams'
import { isSerializationFailure } from '../http/errors.ts'
import type { AppLogger } from '../log/log.ts'

export type Db = NodePgDatabase<Record<string, never>> & { $client: Pick<pg.Pool, 'query'> }
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0]
/** For queries that run either alone or inside a transaction. */
export type DbOrTx = Db | Tx

/**
 * Runs a transaction and retries it after a deadlock or a lock timeout: for writes that lock several rows which others lock in another
 * order. Transactions only talk to the database, so a retry has no side effects.
 */
export async function runTransaction<T>(db: Db, run: (tx: Tx) => Promise<T>, tries = 5): Promise<T> {
  try {
    return await db.transaction(run)
  } catch (error) {
    if (tries <= 1 || !isSerializationFailure(error)) throw error
    await pause(Math.random() * 50) // so that two deadlocked transactions do not collide again
    return runTransaction(db, run, tries - 1)
  }
}

const pgDialect = new PgDialect()

/**
 * Runs a prepared statement, which each connection plans only once. For the few frequent queries whose best plan does not
 * depend on their values and whose planning would cost as much as their execution. A query that is kept, with `sql.placeholder` for its
 * `values`, is also turned into text only once.
 */
export async function runPrepared<Row extends pg.QueryResultRow>(
  db: Db,
  query: SQL,
  values: Record<string, unknown> = {},
): Promise<Row[]> {
  const { name, text, params } = toStatement(query)
  return (await db.$client.query<Row>({ name, text, values: fillPlaceholders(params, values) })).rows
}

const statements = new WeakMap<SQL, { name: string; text: string; params: unknown[] }>()

function toStatement(query: SQL) {
  const kept = statements.get(query)
  if (kept) return kept
  const { sql: text, params } = pgDialect.sqlToQuery(query)
  const statement = { name: createHash('sha1').update(text).digest('base64url'), text, params }
  statements.set(query, statement)
  return statement
}

/**
 * Runs statements as one transaction in one message to the server, and returns the rows of the last. Each sees what was committed before
 * it started, also while the one before it waited for a lock. A message takes no parameters: text, numbers and booleans become literals
 * in it, other values throw.
 */
export async function runInOneMessage<Row extends pg.QueryResultRow>(db: Db, statements: SQL[]): Promise<Row[]> {
  const { sql: text } = pgDialect.sqlToQuery(sql.join(statements, sql`; `).inlineParams())
  const results = (await db.$client.query<Row>(text)) as unknown as pg.QueryResult<Row>[] // one a statement, by no type of pg
  return results.at(-1)!.rows
}

/** The connection of each open transaction. */
const clientsByTx = new WeakMap<Tx, pg.PoolClient>()

/**
 * Streams the rows of a query as CSV lines that PostgreSQL writes. The transaction can do nothing else until the stream is read to its
 * end. `copy` takes no parameters: text, numbers and booleans become literals in the statement, other values throw.
 */
export function copyAsCsv(tx: Tx, query: SQL): CopyToStreamQuery {
  const client = clientsByTx.get(tx)
  if (!client) throw new Error('rows are copied in a transaction of connectDatabase')
  const { sql: text } = pgDialect.sqlToQuery(query.inlineParams())
  return client.query(copyTo(`copy (${text}) to stdout (format csv)`))
}

/**
 * Creates a connection pool that survives a restart of its server: a lost connection is logged and never ends the process. `pooler`
 * says that there is an external pooler in transaction mode in between.
 */
export function connectDatabase(connectionString: string, log: AppLogger, { pooler = false } = {}) {
  const options = { connectionString, max: 20, connectionTimeoutMillis: 5000, application_name: 'leadline' }
  const pool = new pg.Pool(pooler ? { ...options, Client: UnpreparedClient } : options)
  // Logs the message only: the error object includes the whole client.
  pool.on('error', ({ message }) => log.warn({ reason: message }, 'database connection lost'))
  pool.on('connect', (client) => client.on('error', () => {})) // the pool reports it; unhandled, it would end the process
  const db: Db = drizzle(pool)
  db.transaction = (run, config) => transactOnPool(pool, run, config)
  return { pool, db }
}

/** Removes the names of statements: the next one may run on a connection without it. PgBouncer supports names only from 1.21 on. */
class UnpreparedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    const query = this.query.bind(this) as (...args: unknown[]) => unknown // one of its many overloads
    const unnamed = (first: unknown, ...rest: unknown[]) =>
      query(isPlainObject(first) ? { ...first, name: undefined } : first, ...rest)
    this.query = unnamed as typeof this.query
  }
}

/** Returns false for pg's own query objects, which run on their own. */
const isPlainObject = (query: unknown): query is object =>
  typeof query === 'object' && query !== null && Object.getPrototypeOf(query) === Object.prototype

/**
 * Runs a transaction like Drizzle's own, which leaks a connection that breaks before `begin` and reports the error of `rollback`
 * instead of the first one: here the connection always goes back to the pool, and the first error is thrown.
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
    client.release() // the pool drops a broken connection
  }
}
