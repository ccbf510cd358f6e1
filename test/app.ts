import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll } from 'vitest'
import { z } from 'zod'
import { closeContext, createContext, startWorkers } from '#app/server/context.ts'
import { createApp } from '#app/server/server.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { AppLogger } from '#core/log/log.ts'
import { startSession } from '#domains/access/server/session-tokens.ts'
import type { AppContext } from '#domains/app-context.ts'
import { parseSettings } from '#domains/app-settings.ts'
import { startJournalReplay } from '#domains/leads/hook-journal/server/replay-journal.ts'
import { createDatabase } from '#test/database.ts'
import { createFactories, type Factories } from '#test/factories.ts'

export type Sent = {
  params?: Record<string, string | number>
  query?: Record<string, unknown>
  body?: unknown
  headers?: Record<string, string>
}
// The body is what the server sent; tests read any part of it.
// biome-ignore lint/suspicious/noExplicitAny: a test asserts the shape that it reads
export type Answer = { status: number; body: any; headers: Headers }

/** A client of the API: a guest, or a signed-in user. */
export type Caller = {
  token: string | null
  call(endpoint: Endpoint, sent?: Sent): Promise<Answer>
  /** Sends any request to the app. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

export type App = {
  url: string
  context: AppContext
  make: Factories
  guest: Caller
  as(user: { id: number }): Promise<Caller>
  /** Returns a hash of all tables except the audit log, sessions, sign-in failures, heartbeat and built-in ZIP codes: a refused call must not change it. */
  dump(): Promise<string>
  close(): Promise<void>
}

/**
 * Starts the app on its own database, with real HTTP and PostgreSQL. `work` runs its jobs too, but none on schedule; `url` names
 * another database, `log` receives its log.
 */
export async function startApp(
  options: { settings?: Record<string, string>; work?: boolean; url?: string; log?: AppLogger } = {},
): Promise<App> {
  const database = options.url ? { url: options.url, drop: async () => {} } : await createDatabase()
  const settings = parseSettings({
    PORT: '0',
    APP_ENV: 'test',
    LOG_LEVEL: 'silent',
    SECRET_KEY: '5e'.repeat(32),
    DATABASE_URL: database.url,
    HOOK_JOURNAL_MB: '0', // apps of tests share a folder for data
    ...options.settings,
  })
  const context = await createContext(settings, database.url, options.log)
  const app = await createApp(context)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  if (!options.settings?.PUBLIC_URL) settings.PUBLIC_URL = url
  if (options.work) {
    await startWorkers(context)
    // Schedules fire half a minute after the start, on a slow machine in the middle of a test.
    await context.db.execute(sql`delete from pgboss.schedule`)
    context.workers.push(startJournalReplay(context))
  }
  return {
    url,
    context,
    make: createFactories(context),
    guest: caller(url, null),
    as: async (user) => caller(url, await startSession(context.db, user.id, 'password', '127.0.0.1')),
    dump: () => dump(context),
    close: async () => {
      await app.close()
      await closeContext(context)
      await database.drop()
    },
  }
}

/**
 * Returns what all tests of a file share, and closes it after them, last started first. At the top of a test file:
 * `const app = await setUp(startApp())`.
 */
export async function setUp<Shared extends { close(): unknown }>(starting: Promise<Shared>): Promise<Shared> {
  const shared = await starting
  afterAll(async () => {
    await shared.close()
  })
  return shared
}

export function caller(url: string, token: string | null): Caller {
  const fetchIt = (path: string, init: RequestInit = {}) =>
    fetch(url + path, {
      ...init,
      headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...(init.headers as Record<string, string>) },
    })
  return {
    token,
    fetch: fetchIt,
    call: async (endpoint, { params = {}, query = {}, body, headers = {} } = {}) => {
      const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
      const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))
      const response = await fetchIt(`/api${path}${search.size > 0 ? `?${search}` : ''}`, {
        method: endpoint.method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const answer = { status: response.status, body: text === '' ? undefined : parse(text), headers: response.headers }
      if (response.ok && endpoint.response && response.status !== 204) endpoint.response.parse(answer.body) // every test checks the contract
      if (response.status === 409) checkConflict(endpoint, answer.body as Answer['body'])
      return answer
    },
  }
}

/** What a 409 carries besides its sentences is what the contract declares. */
function checkConflict({ address, conflict = {} }: Endpoint, { message, errors, ...rest }: Answer['body']) {
  if (Object.keys(rest).length === 0) return
  if (!z.strictObject(conflict).safeParse(rest).success)
    throw new Error(`${address}: the contract declares another 409 than ${JSON.stringify(rest)}`)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Sums that no order changes, and only of tables that have pages: sorting and planning a hundred of them took most of some tests. */
async function dump({ db }: AppContext): Promise<string> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select format('%I.%I', nspname, relname) as name
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and pg_relation_size(pg_class.oid) > 0
      and (nspname = 'public' or (nspname = 'pgboss' and relname like 'job%'))
      and relname not in ('audit', 'sessions', 'sign_in_failures', 'heartbeat', 'zip_codes')
    order by 1`)
  const parts = rows.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' ' || sum(hashtextextended(row::text, 0)) as sum from ${name} row having count(*) > 0`,
  )
  const sums = await db.execute<{ sum: string }>(
    sql.raw(`select md5(string_agg(name || sum, ',' order by name)) as sum from (${parts.join(' union all ')}) sums`),
  )
  return sums.rows[0]!.sum
}
