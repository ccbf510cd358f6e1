import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'drizzle-orm'
import { closeContext, createContext } from '#app/server/context.ts'
import { migrateDatabase } from '#app/server/migrate.ts'
import { startPostgres, toConnectionUrl } from '#core/postgres/postgres.ts'
import { parseSettings } from '#domains/app-settings.ts'
import { checkIntervalSeconds } from '#domains/sites/checks/server/record-check.ts'
import { checkDueSites } from '#domains/sites/checks/server/sweep.ts'
import { type CheckBytes, measureCheckBytes } from './check-bytes.ts'
import { keep } from './page.ts'
import { say } from './report.ts'

export type SiteChecks = {
  date: string
  sites: number
  checks: number
  seconds: number
  /** In megabytes, and how much it grew after the first tenth. */
  memory: number
  grownBy: number
  /** What is in use after a garbage collection at the end, more than after one at the first tenth: what checks leave behind. */
  leftBehind: number
  /** What other requests to the process waited, at the 99th percentile. */
  waitedMs: number
  bytes: CheckBytes[]
}

/**
 * npm run bench -- --only checks [--sites 5000]: a round over that many sites, each with its own address on this machine. Most
 * respond at once; one in twenty each is slow, redirects, fails, or accepts the connection and sends nothing. Linux only: all of
 * 127.0.0.0/8 is local there.
 */
export async function measureSiteChecks(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'leadline-checks-'))
  const log = { debug() {}, info() {}, warn: console.warn }
  const server = await startPostgres({ dataDir: folder, log })
  const sites = fork(import.meta.filename, ['sites'], { execArgv: ['--import', 'tsx'] })
  try {
    const url = toConnectionUrl(server.connection)
    await migrateDatabase(url)
    const settings = parseSettings({
      DATABASE_URL: url,
      APP_ENV: 'test',
      SECRET_KEY: '5e'.repeat(32),
      LOG_LEVEL: 'silent',
      ALLOWED_PRIVATE_RANGES: '127.0.0.0/8',
    })
    const context = await createContext(settings, url)
    await enter(context.db, count, await portOf(sites))
    const round = await measureRound(count, () => checkDueSites(context))
    const { rows } = await context.db.execute(sql`select from network_sites where checked_at is null`)
    say(rows.length === 0 ? 'every site was checked' : `${rows.length} SITES WERE NOT CHECKED`)
    await closeContext(context)
    const bytes = await measureCheckBytes()
    for (const { what, ...one } of bytes)
      say(`${what}: ${one.bytes} bytes in ${one.requests} requests, ${(one.bytes / one.before).toFixed(1)} x before`)
    say(`goal: at most 2 x before: ${bytes.every((one) => one.bytes <= 2 * one.before) ? 'met' : 'MISSED'}`)
    keep('checks', { date: new Date().toISOString().slice(0, 10), ...round, bytes } satisfies SiteChecks)
  } finally {
    sites.kill()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function enter(db: { execute(query: ReturnType<typeof sql>): Promise<unknown> }, count: number, port: number) {
  await db.execute(sql`insert into network_categories (name) values ('bench')`)
  await db.execute(sql`
    insert into network_sites (category_id, url)
    select 1, format('http://127.%s.%s.%s:%s/%s', 1 + n / 62500, n / 250 % 250, 1 + n % 250, ${port}::int,
      (array['slow', 'moved', 'broken', 'silent'])[1 + n % 20])
    from generate_series(0, ${count - 1}) n`)
}

async function portOf(sites: ChildProcess): Promise<number> {
  const [port] = (await once(sites, 'message')) as [number]
  return port
}

async function measureRound(count: number, round: () => Promise<number>): Promise<Omit<SiteChecks, 'date' | 'bytes'>> {
  const megabytes = () => process.memoryUsage().rss / 1e6
  const delay = monitorEventLoopDelay({ resolution: 5 })
  const seen: number[] = []
  const watch = setInterval(() => seen.push(megabytes()), 250)
  let settledUse = 0
  const firstUse = setTimeout(() => {
    settledUse = measureUse()
  }, settlingMs)
  delay.enable()
  const [started, processor] = [performance.now(), process.cpuUsage()]
  const visited = await round()
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(processor)
  clearInterval(watch)
  clearTimeout(firstUse)
  const leftBehind = measureUse() - settledUse
  delay.disable()
  // After the first tenth, the process has loaded everything it needs.
  const settled = Math.max(...seen.slice(0, Math.max(1, Math.floor(seen.length / 10))))
  const grown = Math.max(...seen) - settled
  // A site that misses is checked a second time before it counts as offline.
  say(`${visited} checks of ${count} sites in ${seconds.toFixed(0)} s, ${(visited / seconds).toFixed(0)}/s`)
  say(
    `goal: ${count} within one interval of ${checkIntervalSeconds} s: ${visited >= count && seconds < checkIntervalSeconds ? 'met' : 'MISSED'}`,
  )
  say(
    `processor: ${((user + system) / 1e6).toFixed(0)} s; memory: ${settled.toFixed(0)} MB, then up to ${grown.toFixed(0)} MB more`,
  )
  say(`goal: memory is flat, at most 64 MB more: ${grown < 64 ? 'met' : 'MISSED'}`)
  say(`in use after a garbage collection: ${leftBehind.toFixed(1)} MB more than ${settlingMs / 1000} s after the start`)
  const waitedMs = delay.percentile(99) / 1e6
  say(
    `other requests to this process waited ${waitedMs.toFixed(0)} ms at the 99th percentile, ${(delay.max / 1e6).toFixed(0)} ms at most`,
  )
  return { sites: count, checks: visited, seconds, memory: settled, grownBy: grown, leftBehind, waitedMs }
}

/** About a tenth of a round. */
const settlingMs = 20_000

/** Returns the megabytes in use, without garbage. */
function measureUse(): number {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc') // the flag adds it to new contexts
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

if (process.argv[2] === 'sites') {
  const server = createServer((request, response) => {
    if (request.url === '/silent') return
    if (request.url === '/slow') return void setTimeout(() => response.end('hello'), 3000)
    if (request.url === '/moved') return void response.writeHead(301, { location: '/' }).end()
    response.writeHead(request.url === '/broken' ? 500 : 200).end('hello')
  })
  server.listen(0, '0.0.0.0', () => process.send?.((server.address() as AddressInfo).port)) // it listens on TCP
  process.on('disconnect', () => process.exit(0))
}
