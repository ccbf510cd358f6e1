import { and, eq, inArray, sql } from 'drizzle-orm'
import { msPerDay } from '#contract/days.ts'
import type { DbOrTx, Tx } from '#core/db/db.ts'
import { type AppContext, defineJob } from '#domains/app-context.ts'
import { CallRailError, listCalls, listForms, type ReadList, readPages } from '#integrations/callrail/api.ts'
import { callRailAccountsTable, callRailHistoriesTable } from '../schema.ts'
import { type ConnectedAccount, listCallRailAccounts } from './accounts.ts'
import { holdAccount, isUntracked, readConnectedAt } from './poll-accounts.ts'
import { takeRequest } from './request-budget.ts'
import { storeHistoricCalls, storeHistoricForms } from './store-history.ts'
import type { ListedRow } from './store-listed.ts'

/** CallRail keeps calls and forms for 25 months, and refuses to list older ones; a little less, because time goes on. */
const monthsKept = 25
const marginMs = 3_600_000
/** What is read between two marks: a kill loses no more than that. */
const sliceMs = 7 * msPerDay
/** A job ends after this long and another one goes on. */
const jobMs = 240_000
/** A history whose reader has died goes on after this long. */
const claimMs = 120_000

/** How far the history of a connection has been read, the newest first. */
type HistoryProgress = {
  state: (typeof callRailHistoriesTable.$inferSelect)['state']
  /** Why it waits, in a sentence. */
  says: string | null
  /** Calls and forms that were read, of how many; null before CallRail said. */
  read: number
  of: number | null
  /** Everything later has been read. */
  until: Date
  /** The leads that came of it. */
  made: number
}

/**
 * Starts to read what an account of CallRail had before it was connected. It becomes leads of companies that have a client site with a
 * campaign; no one is mailed or notified. One that was read, or is being read, begins again: companies may have got their sites since.
 */
export async function startHistory(tx: Tx, context: AppContext, connectionId: number): Promise<void> {
  const account = (await listCallRailAccounts(context)).find((one) => one.connectionId === connectionId)
  if (!account) return
  const until = await readConnectedAt(tx, account)
  const fresh = { until, oldest: findOldest(new Date()), read: 0, of: null, done_at: null, ...begun }
  await tx
    .insert(callRailHistoriesTable)
    .values({ connection_id: connectionId, account_id: account.accountId, ...fresh })
    .onConflictDoUpdate({ target: callRailHistoriesTable.connection_id, set: fresh })
  await context.jobs.send(tx, callRailHistoryJob, {}, { key: 'history' })
}

/** Lets a history go on where it was stopped. */
export async function resumeHistory(tx: Tx, context: AppContext, connectionId: number): Promise<void> {
  const { connection_id, state } = callRailHistoriesTable
  await tx
    .update(callRailHistoriesTable)
    .set(begun)
    .where(and(eq(connection_id, connectionId), eq(state, 'stopped')))
  await context.jobs.send(tx, callRailHistoryJob, {}, { key: 'history' })
}

/** What a reader from before still saves no longer counts. */
const begun = { state: 'reading' as const, says: null, started_at: sql`now()`, claimed_until: null }

/** Stops a history where it is. What it brought stays. */
export async function stopHistory(tx: Tx, connectionId: number): Promise<void> {
  const { connection_id, state } = callRailHistoriesTable
  await tx
    .update(callRailHistoriesTable)
    .set({ state: 'stopped', says: null })
    .where(and(eq(connection_id, connectionId), inArray(state, ['reading', 'waiting'])))
}

/** Forgets a history whose leads were taken back: the next one is read from the start. */
export const forgetHistory = (tx: Tx, connectionId: number) =>
  tx.delete(callRailHistoriesTable).where(eq(callRailHistoriesTable.connection_id, connectionId))

/** Reads how far a history is; null if it was never started. */
export async function readHistory(db: DbOrTx, connectionId: number): Promise<HistoryProgress | null> {
  const { connection_id, state, says, read, of, until, made } = callRailHistoriesTable
  const [row] = await db
    .select({ state, says, read, of, until, made })
    .from(callRailHistoriesTable)
    .where(eq(connection_id, connectionId))
  return row ?? null
}

/** Says why a connection cannot be removed while its history is read. */
export async function describeHistory(tx: Tx, connectionId: number): Promise<string | null> {
  const history = await readHistory(tx, connectionId)
  return history && ['reading', 'waiting'].includes(history.state)
    ? 'The history of this account is still being read: wait until it is done, or undo the move'
    : null
}

/** Reads histories for a few minutes, until none is left, or all wait for CallRail. */
export async function readHistories(context: AppContext, now: () => Date = () => new Date()): Promise<void> {
  const end = Date.now() + jobMs
  const accounts = await listCallRailAccounts(context)
  while (Date.now() < end && !context.jobs.stopping.aborted) {
    const work = await Promise.all(accounts.map((account) => readNextSlice(context, account, now())))
    if (!work.includes(true)) return
  }
  await context.db.transaction((tx) => context.jobs.send(tx, callRailHistoryJob, {}, { key: 'history' }))
}

/** Sends itself again while there is more to read; the schedule goes on after a kill, and after a wait. */
export const callRailHistoryJob = defineJob({
  name: 'callrail-history',
  cron: '* * * * *',
  retries: 0,
  concurrency: 1,
  run: (context) => readHistories(context),
})

// ——— slices ———

type HistoryRow = typeof callRailHistoriesTable.$inferSelect

/** Reads the next week of an account's history, back from where it is. Returns whether there was something to do. */
async function readNextSlice(context: AppContext, account: ConnectedAccount, now: Date): Promise<boolean> {
  const row = await claimHistory(context, account, now)
  if (!row) return false
  try {
    if (row.of === null) await countHistory(context, account, row, now)
    const to = row.until
    const from = new Date(Math.max(to.getTime() - sliceMs, row.oldest.getTime(), findOldest(now).getTime()))
    let read = 0
    if (from < to)
      for (const list of historyLists) read += await readSteadily(context, account, { row, list, from, to, now })
    const isDone = from <= row.oldest || from >= to
    await saveHistory(context.db, row, {
      ...{ until: from, says: null, claimed_until: null, read: sql`${callRailHistoriesTable.read} + ${read}` },
      ...(isDone ? { state: 'done', done_at: now } : { state: 'reading' }),
    })
    return true
  } catch (error) {
    if (!(error instanceof CallRailError)) throw error
    if (error.kind === 'busy') await holdAccount(context.db, account.accountId, error.retryAfter, now)
    await saveHistory(context.db, row, { state: 'waiting', says: error.message, claimed_until: null })
    return false
  }
}

type HistoryList = { read: ReadList<ListedRow>; store: typeof storeHistoricCalls }
const historyLists: HistoryList[] = [
  { read: listCalls, store: storeHistoricCalls },
  { read: listForms, store: storeHistoricForms },
]

type Slice = { row: HistoryRow; list: HistoryList; from: Date; to: Date; now: Date }

/** How often a slice is read again because rows went while it was read. */
const maxReadings = 3

/** Reads the rows of a slice, and again if their number changed: a row that goes lets another one move to a page that was read before. */
async function readSteadily(context: AppContext, account: ConnectedAccount, slice: Slice): Promise<number> {
  const { row, list, from, to, now } = slice
  const readPage = (page: number) => sendCounted(context, account, list, { page, from, to }, now)
  for (let reading = 1; ; reading++) {
    let read = 0
    const totals = new Set<number | null>()
    for await (const page of readPages(readPage)) {
      read += page.rows.length
      totals.add(page.total)
      await saveHistory(context.db, row, { claimed_until: new Date(Date.now() + claimMs) })
      await list.store(context, account, page.rows, now)
    }
    if (totals.size === 1 || reading === maxReadings) return read
  }
}

async function countHistory(context: AppContext, account: ConnectedAccount, row: HistoryRow, now: Date): Promise<void> {
  let of = 0
  // It may have waited for long: CallRail refuses a time before what it keeps now.
  const from = new Date(Math.max(row.oldest.getTime(), findOldest(now).getTime()))
  for (const list of historyLists)
    of += (await sendCounted(context, account, list, { page: 1, from, to: row.until }, now)).total ?? 0
  await saveHistory(context.db, row, { of })
}

async function sendCounted(
  context: AppContext,
  account: ConnectedAccount,
  { read }: HistoryList,
  query: { page: number; from: Date; to: Date },
  now: Date,
) {
  if (!(await takeRequest(context.db, account.accountId, 'history', now)))
    throw new CallRailError('failed', 'The requests of this hour are used up; the reading goes on by itself', {
      status: 0,
    })
  try {
    return await read(account, query)
  } catch (error) {
    if (read === listForms && isUntracked(error)) return { rows: [], withoutId: 0, pages: 0, total: 0 }
    throw error
  }
}

/** Returns the start of the oldest calls that CallRail still lists. */
export function findOldest(now: Date): Date {
  const oldest = new Date(now)
  oldest.setUTCMonth(oldest.getUTCMonth() - monthsKept)
  return new Date(oldest.getTime() + marginMs)
}

/** Claims the next slice, unless another process reads it, or the account has to wait. */
async function claimHistory(context: AppContext, { connectionId, accountId }: ConnectedAccount, now: Date) {
  const { account_id, waits_until } = callRailAccountsTable
  const { connection_id, state, claimed_until } = callRailHistoriesTable
  const waits = sql`exists (select from ${callRailAccountsTable} where ${account_id} = ${accountId} and ${waits_until} > ${now})`
  const [row] = await context.db
    .update(callRailHistoriesTable)
    .set({ claimed_until: new Date(Date.now() + claimMs) })
    .where(
      sql`${connection_id} = ${connectionId} and ${state} in ('reading', 'waiting') and not ${waits}
        and (${claimed_until} is null or ${claimed_until} < ${new Date()})`,
    )
    .returning()
  return row
}

/** Saves how far it is, unless it has been stopped or has begun again. */
const saveHistory = (
  db: DbOrTx,
  { connection_id, started_at }: HistoryRow,
  set: { [Column in keyof typeof callRailHistoriesTable.$inferInsert]?: unknown },
) =>
  db
    .update(callRailHistoriesTable)
    .set(set as Partial<typeof callRailHistoriesTable.$inferInsert>)
    .where(
      and(
        eq(callRailHistoriesTable.connection_id, connection_id),
        eq(callRailHistoriesTable.started_at, started_at),
        inArray(callRailHistoriesTable.state, ['reading', 'waiting']),
      ),
    )
