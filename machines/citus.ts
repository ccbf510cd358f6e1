import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { migrateDatabase } from '#app/server/migrate.ts'
import { backupPlan } from '#app/server/parts.ts'
import { listTablesByDependency, quoteIdentifier } from '#core/backup/tables.ts'
import { toConnectionUrl } from '#core/postgres/postgres.ts'
import { projectRoot } from '#core/settings/settings.ts'
import { parseSettings } from '#domains/app-settings.ts'
import { ensureLeadSums } from '#domains/leads/sums/server/build-sums.ts'
import {
  addWorkers,
  type CitusCluster,
  distributeDatabase,
  dropDatabase,
  findCitusCluster,
} from '#test/citus/cluster.ts'
import { distribution } from '#test/citus/distribution.ts'
import { startBenchServer } from '../bench/bench-server.ts'
import { cases } from '../bench/cases.ts'
import { withClient } from '../bench/database.ts'
import { closeConnections, median, timedGet } from '../bench/http-client.ts'
import { seed } from '../bench/seed.ts'
import { checkStatements, runCitusTests } from './citus-tests.ts'
import { keepShown, must, say, show } from './shown-checks.ts'

/**
 * npm run machines -- --citus [path …]: runs server tests, all or those of these paths, on plain PostgreSQL, and fails those that send a
 * statement which Citus would refuse.
 *
 * CITUS_URL=… npm run machines -- --citus [--leads 100000] [--requests 200]: distributes a seeded agency over a Citus cluster that is there already,
 * compares its lists with those of plain PostgreSQL on the coordinator, brings backups there and back, and runs the server tests of
 * four domains on it. Ends at the first check that fails, and otherwise prints which goals and tests passed.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { leads: { type: 'string', default: '100000' }, requests: { type: 'string', default: '200' } },
})
const [leads, requests] = [Number(values.leads), Number(values.requests)]
const { CITUS_URL: address } = process.env
if (!address) {
  say(`Checks only which statements the server tests send. To check a cluster, set CITUS_URL to the address of a database on its
coordinator, such as postgres://postgres@127.0.0.1:5432/postgres, with the extension citus and two workers added to it. All must let this
user in as a superuser, without a password or with PGPASSWORD. Databases whose names begin with leadline_machines_ or leadline_test_ are
made there and removed again. psql must be here.`)
  process.exit(checkStatements(positionals.length > 0 ? positionals : ['src/']) ? 0 : 1)
}

const pathOf = (name: string) => cases.find((one) => one.name === name)!.path
/** How many times as long as on plain PostgreSQL a request may take, where there is a goal. */
const compared: { name: string; path: string; most?: number }[] = [
  { name: 'list, a month', path: pathOf('list, a month'), most: 2 },
  { name: 'list, a month of one campaign', path: `${pathOf('list, a month')}&campaign_ids=8`, most: 1.2 },
  {
    name: 'list, one campaign',
    path: '/api/leads/list/data?page=1&per_page=50&sort=lead_date&order=desc&campaign_ids=8',
    most: 1.2,
  },
  ...['list, all years, page 1001', 'search, two words, all years', 'statistics, a month'].map((name) => ({
    name,
    path: pathOf(name),
  })),
]

/** A restore changes what waits to be sent in these; the seeded agency has no emails that wait. */
const waitingRows = new Set(backupPlan.afterRows.map(({ table }) => table).filter((table) => table !== 'mails'))

const cluster = await findCitusCluster(address)
/** The seeded agency, the same distributed, the latter's backup restored, and the former's backup restored and distributed. */
const names = ['plain', 'spread', 'returned', 'distributed'].map((name) => `leadline_machines_${name}`)
const [plain, spread, returned, distributed] = names as [string, string, string, string]
const urlOf = (name: string) => toConnectionUrl(cluster.coordinator, name)
const missed: string[] = []
const folder = mkdtempSync(join(tmpdir(), 'leadline-citus-'))
try {
  for (const name of names) await dropDatabase(cluster, name)
  await show('the cluster', async () => {
    const { rows } = await withClient(address, (client) => client.query('select version(), citus_version() as citus'))
    return `${rows[0].citus.split(' on ')[0]}, ${rows[0].version.split(' on ')[0]}, ${cluster.workers.length} workers`
  })
  await show('a seeded agency', async () => `${leads} leads, ${await timed(() => seedPlain())} s`)
  await show('ops/citus.sql by psql', async () => `${await timed(() => distributeByScript(cluster, spread))} s`)
  await show('its counters are those of before', async () => {
    must((await countersOf(spread)) === (await countersOf(plain)), 'counters differ')
    return true
  })
  await compareLists()
  await show('a backup of the distributed database is restored on plain PostgreSQL', async () => {
    await createDatabase(returned)
    const seconds = await timed(async () => moveByBackup(spread, returned))
    return `the same rows: ${await compareRows(spread, returned)}; ${seconds} s`
  })
  await show('a backup of plain PostgreSQL is restored and distributed', async () => {
    await createDatabase(distributed)
    const seconds = await timed(async () => {
      moveByBackup(plain, distributed)
      await distributeDatabase(cluster, distributed)
    })
    return `the same rows: ${await compareRows(plain, distributed)}; ${seconds} s`
  })
  const tests = runCitusTests(folder)
  await show('server tests that passed', async () => tests.passed)
  await show('server tests that failed', async () => tests.failed)
  await show('server tests left out', async () => tests.leftOut)
  keepShown('citus-latest.json')
  say(`
Checks: all passed. ${missed.length === 0 ? 'Goals: all met.' : `Goals missed: ${missed.join('; ')}.`}
Tests: ${tests.passed} passed, ${tests.failed.length} failed, ${Object.keys(tests.leftOut).length} left out.`)
  if (tests.failed.length > 0) process.exitCode = 1
} finally {
  closeConnections()
  for (const name of names) await dropDatabase(cluster, name)
  rmSync(folder, { recursive: true, force: true })
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await run()
  return Math.round((performance.now() - started) / 1000)
}

function createDatabase(name: string, template = 'template1') {
  return withClient(urlOf('postgres'), (client) => client.query(`create database ${name} template ${template}`))
}

async function seedPlain() {
  await createDatabase(plain)
  await migrateDatabase(urlOf(plain))
  await withClient(urlOf(plain), (client) => seed(client, leads))
  const pool = new pg.Pool({ connectionString: urlOf(plain) })
  await ensureLeadSums(drizzle(pool), parseSettings({}).AGENCY_TIMEZONE)
  await pool.query('vacuum analyze')
  await pool.end()
}

async function distributeByScript(target: CitusCluster, name: string) {
  await createDatabase(name, plain)
  await addWorkers(target, name)
  const script = join(projectRoot, 'ops/citus.sql')
  execFileSync('psql', ['-q', '-v', 'ON_ERROR_STOP=1', urlOf(name), '-f', script], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

function countersOf(name: string) {
  return withClient(urlOf(name), async (client) => {
    const { rows } = await client.query(
      `select sequencename, last_value from pg_sequences where schemaname <> 'pg_catalog' order by schemaname, sequencename`,
    )
    return JSON.stringify(rows)
  })
}

/** Both answer the same bytes; they are asked in turns, so that other work on the machine affects both. */
async function compareLists() {
  const sides = await Promise.all([startBenchServer('ours', urlOf(spread)), startBenchServer('ours', urlOf(plain))])
  try {
    for (const { name, path, most } of compared)
      await show(name, async () => {
        const answers = await Promise.all(sides.map((side) => timedGet(side, path)))
        must(
          answers[0]!.body === answers[1]!.body,
          `the two answer differently:\n${answers.map(({ body }) => body).join('\n')}`,
        )
        const times = sides.map((): number[] => [])
        for (let request = 0; request < requests; request += 1)
          for (const [nth, side] of sides.entries()) times[nth]!.push((await timedGet(side, path)).ms)
        const [ours, theirs] = times.map(median) as [number, number] // two sides
        const ratio = ours / theirs
        if (most !== undefined && ratio > most) missed.push(`${name}, ${ratio.toFixed(2)} x instead of ${most}`)
        const goal = most === undefined ? '' : `, goal ${most}: ${ratio <= most ? 'met' : 'missed'}`
        return `${ours.toFixed(1)} ms, ${theirs.toFixed(1)} ms on plain PostgreSQL, ${ratio.toFixed(2)} x${goal}`
      })
  } finally {
    await Promise.all(sides.map((side) => side.stop()))
  }
}

function moveByBackup(from: string, to: string) {
  const kept = join(folder, to)
  leadline(urlOf(from), 'backup', kept)
  leadline(urlOf(to), 'restore', kept)
}

function leadline(url: string, ...args: string[]) {
  const env = { ...process.env, DATABASE_URL: url, DATA_DIR: join(folder, 'files'), SECRET_KEY: '5e'.repeat(32) }
  const { status, stderr } = spawnSync(process.execPath, [join(projectRoot, 'bin/leadline.mjs'), ...args], {
    env,
    encoding: 'utf8',
  })
  must(status === 0, `leadline ${args[0]} ended with ${status}: ${stderr}`)
}

/** Returns how many rows each distributed table has, and all others together; throws if their rows differ. */
async function compareRows(one: string, other: string): Promise<string> {
  const [here, there] = [await readRows(one), await readRows(other)]
  const differing = [...here].filter(
    ([table, { rows, hash }]) =>
      there.get(table)?.rows !== rows || (!waitingRows.has(table) && there.get(table)?.hash !== hash),
  )
  must(
    differing.length === 0 && here.size === there.size,
    `${one} and ${other} differ in ${differing.map(([table]) => table).join(', ')}`,
  )
  const others = [...here].filter(([table]) => !distribution.distributed.has(table))
  const count = (tables: typeof others) => tables.reduce((sum, [, { rows }]) => sum + rows, 0)
  return [
    ...[...distribution.distributed].map((table) => `${here.get(table)!.rows} ${table}`),
    `${count(others)} in ${others.length} other tables`,
  ].join(', ')
}

/** Returns the number of rows of each table that backups have, and a hash of them. */
function readRows(name: string) {
  return withClient(urlOf(name), async (client) => {
    const found = new Map<string, { rows: number; hash: string | null }>()
    for (const table of await listTablesByDependency(client, backupPlan.derivedTables)) {
      const { rows } = await client.query<{ rows: number; hash: string | null }>(
        `select count(*)::int as rows, sum(hashtextextended(it::text, 0)::numeric) as hash from ${quoteIdentifier(table.name)} it`,
      )
      found.set(table.name, rows[0]!)
    }
    return found
  })
}
