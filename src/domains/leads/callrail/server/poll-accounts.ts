import { and, eq, notInArray, sql } from 'drizzle-orm'
import { countOf } from '#contract/count-of.ts'
import { msPerDay } from '#contract/days.ts'
import type { Db, DbOrTx } from '#core/db/db.ts'
import type { AppContext } from '#domains/app-context.ts'
import { recordConnectionUse } from '#domains/connections/public.ts'
import {
  CallRailError,
  isEnabled,
  listCalls,
  listCompanies,
  listConversations,
  listForms,
  type ReadList,
  readPages,
} from '#integrations/callrail/api.ts'
import { readText } from '#integrations/callrail/webhook.ts'
import { callRailAccountsTable, callRailCompaniesTable, callRailReconciliationTable } from '../schema.ts'
import { type ConnectedAccount, listCallRailAccounts } from './accounts.ts'
import { takeRequest } from './request-budget.ts'
import {
  findChangingCalls,
  findTime,
  type ListedRow,
  type ListReading,
  storeListedCalls,
  storeListedForms,
  storeListedTexts,
} from './store-listed.ts'

/** A little less than two minutes and than an hour: the job that looks runs every minute, and not to the second. */
const lookEveryMs = 110_000
const hookedLookEveryMs = 3_600_000 - 10_000
/** A look reads again what started this long before the last one: clocks differ, and calls change after they began. */
const overlapMs = 3_600_000
/** The longest time that a look catches up. */
const maxGapMs = 90 * msPerDay
const companiesEveryMs = 3_600_000
/** An account whose every active company has sent a hook since is left to its hooks. */
const hookMemoryMs = 7 * msPerDay
/** How often a time is read again because a row went: another one has moved to a page that was read before. */
const maxReadings = 3
/** The wait after a first 429 without a time; each next one in a row is twice as long. */
const [firstWaitSeconds, longestWaitSeconds] = [60, 900]

/** What a look at an account found: rows read, rows left out because they have no id, and events stored in the inbox. */
type AccountLook = LookCounts & { outcome: 'done' | 'busy' | 'failed'; error: string | null }
type LookCounts = { seen: number; withoutId: number; stored: number }

/** Looks for new leads in the lists of every connected account that is due, or of every one that need not wait `atOnce`. An account that cannot be read holds up no other. */
export async function pollAccounts(context: AppContext, now = new Date(), atOnce = false): Promise<AccountLook[]> {
  const accounts = await listCallRailAccounts(context)
  await forgetOtherCompanies(context.db, accounts)
  const looks = await Promise.allSettled(accounts.map((account) => pollAccount(context, account, now, atOnce)))
  return looks.flatMap((look) => {
    if (look.status === 'rejected') throw look.reason
    return look.value ?? []
  })
}

/** A look at one account while it lasts. */
type OngoingLook = LookCounts & {
  context: AppContext
  account: ConnectedAccount
  row: typeof callRailAccountsTable.$inferSelect
  now: Date
}

/** Returns null if it is not due: another process has just looked, or CallRail asked to wait. */
async function pollAccount(
  context: AppContext,
  account: ConnectedAccount,
  now: Date,
  atOnce: boolean,
): Promise<AccountLook | null> {
  const { db } = context
  const row = await claimLook(db, account, now, atOnce)
  if (!row) return null
  const look: OngoingLook = { context, account, row, now, seen: 0, withoutId: 0, stored: 0 }
  const problem = await readLists(look)
  const counts: LookCounts = { seen: look.seen, withoutId: look.withoutId, stored: look.stored }
  if (problem) {
    const { kind, message } = problem
    const outcome = kind === 'busy' ? 'busy' : 'failed'
    if (kind === 'busy') await holdAccount(db, account.accountId, problem.retryAfter, now)
    else
      await recordConnectionUse(db, account.connectionId, {
        state: kind === 'refused' ? kind : 'unreachable',
        says: message,
      })
    await saveAccount(db, account, { looked_at: now, outcome, error: message })
    return { outcome, error: message, ...counts }
  }
  const { active, isHooked } = await countCompanies(db, account.accountId, now)
  await saveAccount(db, account, { looked_at: now, outcome: 'done', error: null })
  await endWait(look, new Date(now.getTime() + (isHooked ? hookedLookEveryMs : lookEveryMs)))
  const says = `${countOf(active, 'company', 'companies')}, read every ${isHooked ? `hour because ${active === 1 ? 'its' : 'their'} webhooks work` : 'two minutes'}`
  const leftOut = look.withoutId > 0 ? `. Left out: ${countOf(look.withoutId, 'item')} without an ID` : ''
  await recordConnectionUse(db, account.connectionId, { state: 'works', says: says + leftOut })
  return { outcome: 'done', error: null, ...counts }
}

// ——— lists ———

type AccountList = {
  /** The column that says how far it was read. */
  mark: 'calls_until' | 'forms_until' | 'texts_until'
  read: ReadList<ListedRow>
  time: string
  /** Stores what is missing, and returns how much. */
  store: (db: Db, rows: ListedRow[], reading: ListReading) => Promise<number>
}

const accountLists: AccountList[] = [
  { mark: 'calls_until', read: listCalls, time: 'start_time', store: storeListedCalls },
  { mark: 'forms_until', read: listForms, time: 'submitted_at', store: storeListedForms },
  { mark: 'texts_until', read: listConversations, time: 'last_message_at', store: storeListedTexts },
]

/** Forms and texts are optional: without them the mark stays, and what came is read once there is a list. */
const skipUntracked = (list: AccountList, reading: Promise<void>): Promise<void> =>
  list.read === listCalls
    ? reading
    : reading.catch((error) => {
        if (!isUntracked(error)) throw error
      })

/** Reads the companies and the lists, and returns the first problem; one that concerns the whole account ends the look. */
async function readLists(look: OngoingLook): Promise<CallRailError | null> {
  let first: CallRailError | null = null
  const steps = [
    () => readCompanies(look),
    ...accountLists.map((list) => () => skipUntracked(list, readNewRows(look, list))),
  ]
  for (const step of steps) {
    const problem = await catchProblem(step())
    first ??= problem
    if (problem && (['busy', 'refused'].includes(problem.kind) || problem.status === null)) return problem
  }
  return first
}

const catchProblem = (reading: Promise<unknown>): Promise<CallRailError | null> =>
  reading.then(
    () => null,
    (error) => {
      if (error instanceof CallRailError) return error
      throw error
    },
  )

/** Reads the account's companies once an hour. */
async function readCompanies(look: OngoingLook): Promise<void> {
  const { account, row, now, context } = look
  if (row.companies_read_at && now.getTime() - row.companies_read_at.getTime() < companiesEveryMs) return
  const listed: ListedRow[] = []
  for await (const { rows, withoutId } of readPages(sendCounted(look, listCompanies, {}))) {
    listed.push(...rows)
    look.withoutId += withoutId
  }
  await saveCompanies(context.db, account.accountId, listed)
  await saveAccount(context.db, account, { companies_read_at: now })
}

/** Reads a list from an hour before the last look. A gap is read a day at a time, and each day moves the mark, so that nothing is lost. */
async function readNewRows(look: OngoingLook, list: AccountList): Promise<void> {
  const { account, row, now, context } = look
  const last = row[list.mark] ?? row.connected_at
  const isCalls = list.mark === 'calls_until'
  const unread = isCalls && row.unfinished_from && row.unfinished_from < last ? row.unfinished_from : last
  const { isHooked } = await countCompanies(context.db, account.accountId, now)
  const changing: Date[] = []
  for (let from = Math.max(unread.getTime() - overlapMs, now.getTime() - maxGapMs); ; ) {
    const isLast = now.getTime() - from < 1.5 * msPerDay
    const to = isLast ? null : new Date(from + msPerDay)
    const reading: ListReading = { now, liveFrom: row.connected_at, waitsForHooks: isHooked }
    // Without an end it is read until now by CallRail's clock, which may be ahead.
    const query = { from: new Date(from), ...(to && { to }) }
    let leftOut = 0
    for (let times = 1, isShifted = true; isShifted && times <= maxReadings; times++) {
      const totals: number[] = []
      leftOut = 0
      for await (const { rows, withoutId, total } of readPages(sendCounted(look, list.read, query))) {
        look.seen += rows.length
        leftOut += withoutId
        look.stored += await list.store(context.db, rows, reading)
        if (isCalls) changing.push(...findChangingCalls(rows, reading))
        if (total !== null) totals.push(total)
        if (isLast && isBeyond(rows, list.time, unread)) break
      }
      isShifted = totals.some((total, page) => page > 0 && total < totals[page - 1]!)
    }
    look.withoutId += leftOut
    const unfinished_from = changing.length > 0 ? new Date(Math.min(...changing.map(Number))) : null
    await saveAccount(context.db, account, { [list.mark]: to ?? now, ...(isCalls && { unfinished_from }) })
    if (to === null) return
    from = to.getTime()
  }
}

/** Whether a page has the newest first and goes back beyond what is unread: the next pages were read before. */
function isBeyond(rows: ListedRow[], field: string, unread: Date): boolean {
  const times = rows.map((row) => findTime({ ...row, start_time: row[field] }))
  const oldest = times.at(-1)
  return (
    oldest !== undefined &&
    oldest < unread.getTime() &&
    times.every((time, index) => index === 0 || time <= times[index - 1]!)
  )
}

/** Returns the reader of a page, which counts its requests. */
function sendCounted(
  { context, account, now }: OngoingLook,
  read: ReadList<ListedRow>,
  query: { from?: Date; to?: Date },
) {
  const isFirst = (page: number) => page === 1 && (read === listCalls || read === listForms)
  return async (page: number) => {
    if (!(await takeRequest(context.db, account.accountId, isFirst(page) ? 'look' : 'more', now)))
      throw new CallRailError('failed', 'The requests of this hour are used up', { status: 0 })
    return read(account, { ...query, page })
  }
}

/** Whether an account does not have a list: Form Tracking and texts are optional. */
export const isUntracked = (error: unknown): boolean =>
  error instanceof CallRailError && [403, 404].includes(error.status ?? 0)

// ——— state ———

/** Claims the look at an account that is due, by moving the time of the next one. */
async function claimLook(db: Db, { accountId, source, since }: ConnectedAccount, now: Date, atOnce: boolean) {
  const connected_at = source === 'environment' ? await findEarlierMark(db, since) : since
  const { account_id, next_look_at, waits_until } = callRailAccountsTable
  const isDue = atOnce ? sql`coalesce(${waits_until} <= ${now}, true)` : sql`${next_look_at} <= ${now}`
  await db
    .insert(callRailAccountsTable)
    .values({ account_id: accountId, connected_at, next_look_at: now })
    .onConflictDoUpdate({
      target: account_id,
      // It was disconnected and connected again: what came in between is history.
      set: {
        connected_at,
        next_look_at: now,
        calls_until: null,
        forms_until: null,
        texts_until: null,
        unfinished_from: null,
      },
      setWhere: sql`${callRailAccountsTable.connected_at} < excluded.connected_at`,
    })
  const [row] = await db
    .update(callRailAccountsTable)
    .set({ next_look_at: new Date(now.getTime() + lookEveryMs) })
    .where(and(eq(account_id, accountId), isDue))
    .returning()
  return row
}

/** Returns since when what an account brings is live. */
export async function readConnectedAt(db: DbOrTx, { accountId, since }: ConnectedAccount): Promise<Date> {
  const { account_id, connected_at } = callRailAccountsTable
  const [row] = await db.select({ connected_at }).from(callRailAccountsTable).where(eq(account_id, accountId))
  return row?.connected_at ?? since
}

/** The environment's account may have been read before connections had rows. */
async function findEarlierMark(db: Db, since: Date): Promise<Date> {
  const [before] = await db.select({ until: callRailReconciliationTable.until }).from(callRailReconciliationTable)
  return before?.until && before.until < since ? before.until : since
}

const saveAccount = (
  db: Db,
  { accountId }: ConnectedAccount,
  set: Partial<typeof callRailAccountsTable.$inferInsert>,
) => db.update(callRailAccountsTable).set(set).where(eq(callRailAccountsTable.account_id, accountId))

/**
 * Lets everything that reads an account wait: as long as CallRail said, or longer each time in a row; `waits` is how often it has, for an
 * account that was not looked at yet. Returns until when.
 */
export async function holdAccount(
  db: Db,
  accountId: string,
  retryAfter: number | null,
  now: Date,
  waits = 0,
): Promise<Date> {
  const { account_id } = callRailAccountsTable
  const isAccount = eq(account_id, accountId)
  const [row] = await db.select({ waits: callRailAccountsTable.waits }).from(callRailAccountsTable).where(isAccount)
  const doublings = Math.min(row?.waits ?? waits, 10)
  const seconds = retryAfter ?? Math.min(firstWaitSeconds * 2 ** doublings, longestWaitSeconds)
  const until = new Date(now.getTime() + Math.max(seconds, 1) * 1000)
  await db
    .update(callRailAccountsTable)
    .set({ waits: sql`${callRailAccountsTable.waits} + 1`, waits_until: until, next_look_at: until })
    .where(isAccount)
  return until
}

/** Ends what the account waited for before this look; not what CallRail asked another reader to wait for since. */
const endWait = ({ context, row }: OngoingLook, next_look_at: Date) =>
  context.db
    .update(callRailAccountsTable)
    .set({ waits: 0, waits_until: null, next_look_at })
    .where(
      and(
        eq(callRailAccountsTable.account_id, row.account_id),
        sql`${callRailAccountsTable.waits_until} is not distinct from ${row.waits_until}`,
      ),
    )

// ——— companies ———

async function saveCompanies(db: Db, account_id: string, listed: ListedRow[]): Promise<void> {
  const rows = listed.map(({ id, name, status }) => ({
    ...{ company_id: id, account_id, name: readText(name) || null },
    is_active: isEnabled({ status }),
  }))
  const { company_id } = callRailCompaniesTable
  await db.transaction(async (tx) => {
    // A company that is no longer listed is not waited for.
    await tx
      .update(callRailCompaniesTable)
      .set({ is_active: false })
      .where(
        and(
          eq(callRailCompaniesTable.account_id, account_id),
          notInArray(
            company_id,
            rows.map((row) => row.company_id),
          ),
        ),
      )
    if (rows.length === 0) return
    await tx
      .insert(callRailCompaniesTable)
      .values(rows)
      .onConflictDoUpdate({
        target: company_id,
        set: {
          account_id,
          name: sql`excluded.name`,
          is_active: sql`excluded.is_active`,
        },
      })
  })
}

/** What is said of companies whose account is no longer connected is not known any more. */
async function forgetOtherCompanies(db: Db, accounts: ConnectedAccount[]): Promise<void> {
  const ids = accounts.map(({ accountId }) => accountId)
  await db.delete(callRailCompaniesTable).where(notInArray(callRailCompaniesTable.account_id, ids))
}

/** Returns how many active companies an account has, and whether each has sent a hook lately. */
async function countCompanies(db: Db, accountId: string, now: Date) {
  const { account_id, is_active, hooked_at } = callRailCompaniesTable
  const active = await db
    .select({ hooked_at })
    .from(callRailCompaniesTable)
    .where(and(eq(account_id, accountId), is_active))
  const since = now.getTime() - hookMemoryMs
  const isHooked = active.length > 0 && active.every((one) => (one.hooked_at?.getTime() ?? 0) > since)
  return { active: active.length, isHooked }
}
