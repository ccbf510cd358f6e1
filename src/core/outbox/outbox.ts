import { and, asc, eq, getTableName, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { CoreContext } from '../core-context.ts'
import type { DbOrTx, Tx } from '../db/db.ts'

/**
 * How sending a row ended. `failed`: refused for good, nothing arrived. `gone`: the same, because the address no longer exists.
 * `unknown`: it may have arrived. `deferred`: not taken now; `unreachable`: not offered; in both cases nothing arrived, and a later try
 * may work. `withdrawn`: another sender was faster, or the row has changed.
 */
export type SendResult = EndedSend | { outcome: 'withdrawn' }
type EndedSend =
  | { outcome: 'sent'; answer?: string; refused?: string; deferred?: DeferredRecipients }
  | { outcome: 'failed' | 'gone' | 'unknown' | 'deferred' | 'unreachable'; error: string }

/** The recipients that the server deferred while it took the row for the others. */
export type DeferredRecipients = { recipients: string[]; error: string }

/** How to send a row, or why it waits, or why it is never sent. */
export type SendPlan =
  | {
      /** Calls `claim` before the first byte, and sends nothing if that returns false. */
      send: (claim: () => Promise<boolean>) => Promise<SendResult>
      /** Runs in the transaction of the claim. */
      claimed?: (tx: Tx) => Promise<unknown>
    }
  | { waits: string }
  | { fails: string }

type OutboxContext = Pick<CoreContext, 'db' | 'jobs' | 'log'>
type OutboxTable = PgTable & Record<'id' | 'state' | 'error' | 'created_at' | 'sending_at' | 'sent_at', PgColumn>

type OutboxDefinition<Table extends OutboxTable, Context extends OutboxContext> = {
  table: Table
  /** What the table stores for each state. */
  states: Record<'queued' | 'sending' | 'sent' | 'unknown' | 'failed' | 'gone', string>
  plan: (context: Context, row: Table['$inferSelect']) => Promise<SendPlan>
  /** A condition on a row that is still as it was read, besides its state. */
  isUnchanged?: (row: Table['$inferSelect']) => SQL
  /** Further columns to set when a row is sent, has failed or is unknown. */
  ended?: (result: EndedSend) => Record<string, unknown>
  /** Queues another row for them, in the transaction that ends this one. */
  split?: (tx: Tx, id: number, deferred: DeferredRecipients) => Promise<unknown>
  /** When a queued row is no longer worth sending, and what is stored as its error then. */
  expiry: { condition: SQL; error: string }
  /** Rows of the same route are sent through one server. */
  route: SQL<string>
}

/** Sending never takes longer: the sender of a row that is still `sending` has died. */
const sendingDeadline = sql`now() - interval '2 minutes'`
/** Until then a row's own job sends it. */
const retryDelay = sql`now() - interval '30 seconds'`
const retriesAtOnce = 500

/**
 * Creates the sender of a table whose rows are sent at most once each. A row is inserted in the transaction of what causes it, as
 * `queued`. Everything up to the receiver's "go ahead" can be repeated; then `sending` is committed, and only the sender that commits it
 * goes on. From then on only the receiver's answer tells whether the row arrived; without an answer it is `unknown`, and never sent again
 * automatically.
 */
export function createOutbox<Table extends OutboxTable, Context extends OutboxContext>({
  table,
  states,
  plan,
  isUnchanged,
  ended,
  split,
  expiry,
  route,
}: OutboxDefinition<Table, Context>) {
  type Row = Table['$inferSelect']
  const isQueued = eq(table.state, states.queued)
  /** The last row of a retry that left others for the next one. */
  let reached = 0
  const isQueuedRow = (row: Row) => and(eq(table.id, row.id), isQueued, isUnchanged?.(row))
  const update = (db: DbOrTx, where: SQL | undefined, columns: Record<string, unknown>) =>
    db.update<PgTable>(table).set(columns).where(where).returning({ id: table.id })

  function toColumns(result: EndedSend): Record<string, unknown> {
    if (result.outcome === 'sent') return { state: states.sent, sent_at: sql`now()`, error: null, ...ended?.(result) }
    const error = result.error.slice(0, 500)
    return result.outcome === 'deferred' || result.outcome === 'unreachable'
      ? { state: states.queued, sending_at: null, error }
      : { state: states[result.outcome], error, ...ended?.(result) }
  }

  /** Sends a row if it is queued. */
  async function send(context: Context, id: number): Promise<SendResult['outcome'] | 'waiting' | 'nothing'> {
    const { db } = context
    const [row] = await db
      .select()
      .from<PgTable>(table)
      .where(and(eq(table.id, id), isQueued))
    if (!row) return 'nothing'
    const planned = await plan(context, row)
    if ('waits' in planned) {
      await update(db, isQueuedRow(row), { error: planned.waits })
      return 'waiting'
    }
    if ('fails' in planned) {
      await update(db, isQueuedRow(row), toColumns({ outcome: 'failed', error: planned.fails }))
      return 'failed'
    }
    let isOurs = false
    const result = await planned.send(async () => {
      isOurs = await claim(db, row, planned.claimed)
      return isOurs
    })
    if (result.outcome === 'withdrawn') return 'withdrawn'
    // A row that another sender has claimed is left alone. Our own may have been marked as unknown since; the answer is more exact.
    const held = isOurs
      ? and(eq(table.id, id), inArray(table.state, [states.sending, states.unknown]))
      : isQueuedRow(row)
    const end = () =>
      db.transaction(async (tx) => {
        const [ended] = await update(tx, held, toColumns(result))
        if (ended && result.outcome === 'sent' && result.deferred) await split?.(tx, id, result.deferred)
        return ended
      })
    if (!(await end())) await end() // the row was deleted and inserted again at this moment, as the email of a moved lead is
    return result.outcome
  }

  /** Returns true for exactly one of several senders. */
  async function claim(db: Context['db'], row: Row, claimed?: (tx: Tx) => Promise<unknown>): Promise<boolean> {
    const begin = async (on: DbOrTx) =>
      (await update(on, isQueuedRow(row), { state: states.sending, sending_at: sql`now()`, error: null })).length === 1
    if (!claimed) return begin(db)
    return db.transaction(async (tx) => {
      const isOurs = await begin(tx)
      if (isOurs) await claimed(tx)
      return isOurs
    })
  }

  /** For a row's own job: throws if the row must be sent later, so that the job is repeated. */
  async function sendOrThrow(context: Context, id: number): Promise<void> {
    const outcome = await send(context, id)
    if (outcome === 'unreachable' || outcome === 'deferred')
      throw new Error(`Row ${id} of ${getTableName(table)} could not be sent; it stays queued`)
  }

  /** Ends rows whose sender died, and rows that are too old to send. */
  async function expire({ db }: Pick<Context, 'db'>): Promise<void> {
    const unknown = toColumns({ outcome: 'unknown', error: 'Interrupted while sending; it may have arrived' })
    await update(db, and(eq(table.state, states.sending), lt(table.sending_at, sendingDeadline)), unknown)
    const error = sql`${expiry.error}::text || coalesce(': ' || error, '')`
    await update(db, and(isQueued, expiry.condition), {
      ...toColumns({ outcome: 'failed', error: expiry.error }),
      error,
    })
  }

  /**
   * Expires rows and sends those that are still queued, until the process stops; of a route whose server cannot be reached only one. Each
   * retry begins after the rows of the one before, so that many that cannot be sent do not hold up the others.
   */
  async function retry(context: Context): Promise<void> {
    await expire(context)
    const queued = await context.db
      .select({ id: sql<number>`${table.id}`, route })
      .from<PgTable>(table)
      .where(and(isQueued, lt(table.created_at, retryDelay)))
      .orderBy(sql`${table.id} <= ${reached}`, asc(table.id))
      .limit(retriesAtOnce)
    reached = queued.length < retriesAtOnce ? 0 : Number(queued.at(-1)!.id)
    const closed = new Set<string>()
    for (const row of queued) {
      if (context.jobs.stopping.aborted) return
      if (closed.has(row.route)) continue
      const outcome = await trySend(context, row.id)
      if (outcome === 'unreachable' || outcome === 'waiting') closed.add(row.route)
    }
  }

  /** A row that cannot be sent, such as one encrypted with another key, does not hold up the others. */
  async function trySend(context: Context, id: number) {
    try {
      return await send(context, id)
    } catch (error) {
      context.log.error({ err: error, table: getTableName(table), id }, 'a queued row could not be sent')
      return 'nothing'
    }
  }

  return { send, sendOrThrow, expire, retry }
}
