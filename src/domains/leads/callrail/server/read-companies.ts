import { setTimeout as pause } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { countOf } from '#contract/count-of.ts'
import type { AppContext } from '#domains/app-context.ts'
import {
  CallRailError,
  isEnabled,
  listCalls,
  listCompanies,
  listForms,
  listTrackers,
  type ReadList,
  readPages,
} from '#integrations/callrail/api.ts'
import { readText } from '#integrations/callrail/webhook.ts'
import { callRailAccountsTable, callRailCompaniesTable } from '../schema.ts'
import { type ConnectedAccount, listCallRailAccounts } from './accounts.ts'
import { holdAccount, isUntracked } from './poll-accounts.ts'
import { findOldest } from './read-history.ts'
import { takeRequest } from './request-budget.ts'

/** A company of an account, with what tells whose it is. */
export type AccountCompany = {
  /** COM…. */
  id: string
  /** The number of older hooks, if one was learned. */
  number: string | null
  name: string
  isActive: boolean
  /** IANA, as CallRail names it; blank if it does not. */
  timeZone: string
  /** The numbers that its tracking numbers forward to; those of disabled trackers are left out. */
  phones: string[]
  /** The addresses of the pages on which its last calls and forms began, the newest first, with repeats. */
  pages: string[]
}
type AccountReading = {
  companies: AccountCompany[]
  /** How many companies' calls and forms were not read, because the requests of the hour are used up. */
  unread: number
  /** How many rows of the lists of companies and tracking numbers were left out because they have no id. */
  withoutId: number
}
type ReadOptions = {
  progress: (done: number, of: number, problem: string | null) => Promise<void>
  /** Waits so many milliseconds. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

const lastRows = 50
/** How often a list is read until two readings agree on its ids. */
const maxReadings = 8
/** How often in a row CallRail may ask to wait. */
const maxWaits = 8

/** Reads the companies of a connection's account. Throws a `CallRailError` that says why it cannot be read. */
export async function readAccountCompanies(
  context: AppContext,
  connectionId: number,
  { progress, wait = waitFor }: ReadOptions,
): Promise<AccountReading> {
  const account = (await listCallRailAccounts(context)).find((one) => one.connectionId === connectionId)
  if (!account) throw new CallRailError('failed', 'The connection to CallRail was removed')
  const reader = new PatientReader(context, account, wait)
  const listed = await reader.readAll('companies', listCompanies)
  const trackers = await reader.readAll('trackers', listTrackers)
  const numbers = await readOlderNumbers(context, account)
  const companies: AccountCompany[] = []
  let unread = 0
  for (const [index, { id, name, status, time_zone }] of listed.rows.entries()) {
    reader.report = (problem) => progress(index, listed.rows.length, problem)
    await progress(index, listed.rows.length, null)
    const own = trackers.rows.filter((tracker) => tracker.company?.id === id && isEnabled(tracker))
    const pages = await reader.readLastPages(id)
    if (pages === null) unread += 1
    companies.push({
      ...{ id, number: numbers.get(id) ?? null, name: readText(name) || id, isActive: isEnabled({ status }) },
      timeZone: readText(time_zone),
      phones: [
        ...new Set(own.flatMap((tracker) => tracker.destination_number || tracker.call_flow?.destination_number || [])),
      ],
      pages: pages ?? [],
    })
  }
  return { companies, unread, withoutId: listed.withoutId + trackers.withoutId }
}

const waitFor = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  pause(milliseconds, undefined, { signal }).catch(() => undefined)

async function readOlderNumbers({ db }: AppContext, { accountId }: ConnectedAccount): Promise<Map<string, string>> {
  const { company_id, number, account_id } = callRailCompaniesTable
  const rows = await db.select({ company_id, number }).from(callRailCompaniesTable).where(eq(account_id, accountId))
  return new Map(rows.flatMap((row): [string, string][] => (row.number === null ? [] : [[row.company_id, row.number]])))
}

/** Reads an account for a person who waits: it goes on by itself after CallRail has asked to wait. */
class PatientReader {
  readonly #context: AppContext
  readonly #account: ConnectedAccount
  readonly #wait: NonNullable<ReadOptions['wait']>
  #hasForms = true
  #isUsedUp = false
  report: (problem: string) => Promise<void> = async () => undefined

  constructor(context: AppContext, account: ConnectedAccount, wait: NonNullable<ReadOptions['wait']>) {
    this.#context = context
    this.#account = account
    this.#wait = wait
  }

  /** Reads a list until two readings agree on its ids: a row that goes lets another one move to a page that was read before. */
  async readAll<Row extends { id: string } & Record<string, unknown>>(
    what: string,
    read: ReadList<Row>,
  ): Promise<{ rows: Row[]; withoutId: number }> {
    let before: Map<string, Row> | null = null
    for (let reading = 0; reading < maxReadings; reading++) {
      const rows = new Map<string, Row>()
      let withoutId = 0
      for await (const page of readPages((page) => this.#send(() => read(this.#account, { page })))) {
        for (const row of page.rows) rows.set(row.id, row)
        withoutId += page.withoutId
      }
      const earlier: Map<string, Row> | null = before
      if (earlier?.size === rows.size && [...rows.keys()].every((id) => earlier.has(id)))
        return { rows: [...rows.values()], withoutId }
      before = rows
    }
    throw new CallRailError(
      'unexpected',
      `CallRail’s list of ${what} changes faster than it can be read. Try again at a quieter time`,
    )
  }

  /** Returns the pages of a company's last calls and forms; null once the requests of the hour are used up. */
  async readLastPages(company: string): Promise<string[] | null> {
    const query = { page: 1, company, rows: lastRows, from: findOldest(new Date()) }
    try {
      if (this.#isUsedUp) return null
      const calls = (await this.#send(() => listCalls(this.#account, query))).rows
      const forms = await this.#readForms(query)
      return [...calls, ...forms]
        .flatMap((row) => [row.landing_page_url, row.form_url].map(readText))
        .filter((url) => url !== '')
    } catch (error) {
      if (!(error instanceof UsedUpError)) throw error
      this.#isUsedUp = true
      return null
    }
  }

  /** Form Tracking is optional. */
  async #readForms(query: Parameters<typeof listForms>[1]) {
    if (!this.#hasForms) return []
    try {
      return (await this.#send(() => listForms(this.#account, query))).rows
    } catch (error) {
      if (!isUntracked(error)) throw error
      this.#hasForms = false
      return []
    }
  }

  async #send<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    const { db, jobs } = this.#context
    const { accountId } = this.#account
    // The account may not have been looked at yet: then only this reader knows that it has to wait.
    let hold: Date | null = null
    for (let waits = 0; ; waits++) {
      await this.#waitUntil((await this.#readHold()) ?? hold)
      hold = null
      jobs.stopping.throwIfAborted()
      if (!(await takeRequest(db, accountId, 'history', new Date()))) throw new UsedUpError()
      try {
        return await request()
      } catch (error) {
        if (!(error instanceof CallRailError) || error.kind !== 'busy' || waits === maxWaits) throw error
        hold = await holdAccount(db, accountId, error.retryAfter, new Date(), waits)
      }
    }
  }

  async #readHold(): Promise<Date | null> {
    const { account_id, waits_until } = callRailAccountsTable
    const [row] = await this.#context.db
      .select({ waits_until })
      .from(callRailAccountsTable)
      .where(eq(account_id, this.#account.accountId))
    return row?.waits_until ?? null
  }

  async #waitUntil(until: Date | null): Promise<void> {
    const milliseconds = (until?.getTime() ?? 0) - Date.now()
    if (milliseconds <= 0) return
    const seconds = Math.ceil(milliseconds / 1000)
    await this.report(
      `CallRail asked for fewer requests: the reading goes on by itself in ${countOf(seconds, 'second')}`,
    )
    await this.#wait(milliseconds, this.#context.jobs.stopping)
  }
}

class UsedUpError extends CallRailError {
  constructor() {
    super('failed', 'CallRail allows 1,000 requests an hour, and those are used up. Make the plan again in an hour')
  }
}
