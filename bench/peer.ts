import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { BenchServer } from './bench-server.ts'
import { day } from './cases.ts'
import { type Database, folder, withClient } from './database.ts'
import { type Answer, median, medianTime, requestsPerSecond, type Target, timedGet } from './http-client.ts'
import { say } from './report.ts'

/**
 * The likely alternative: Directus, a general back office on PostgreSQL, queried through its items API for the same data as our list and
 * our statistics, on the same database and rows. It is installed from npm next to the measured databases, the first time.
 */
export type Compared = {
  name: string
  ours: number
  peer: number
  ratio: number
  oursTogether: number
  peerTogether: number
}
export type Peer = { version: string; rows: Compared[] }

const version = '12.4.0'
/** The newest Node.js that one of its native dependencies can be built for. */
const node = `node-${process.platform}-${process.arch}`
const nodeVersion = '22.23.3'
const home = join(folder, 'data', 'peer')
const token = 'bench-peer-token'
const port = 8055

const fields = '*,campaign_id.id,campaign_id.name'
const items = (query: Record<string, string>) => `/items/leads?${new URLSearchParams(query)}`
const page = { limit: '50', sort: '-occurred_at,-id', fields, meta: 'filter_count' }
const current = { archived: { _eq: false } }
const month = { ...current, occurred_at: { _between: [day(30), day(-1)] } }
const filter = (wanted: object) => JSON.stringify(wanted)
const word = (text: string) => ({ search_text: { _contains: text } })

type Question = { name: string; ours: string; peer: readonly string[] }
const questions: Question[] = [
  {
    name: 'list, a month',
    ours: `/api/leads/list/data?page=1&per_page=50&sort=lead_date&order=desc&date_from=${day(30)}&date_to=${day(0)}`,
    peer: [items({ ...page, filter: filter(month) })],
  },
  {
    name: 'search, two words, all years',
    ours: '/api/leads/list/data?page=1&per_page=50&sort=lead_date&order=desc&lead_search=martinez+leak',
    peer: [items({ ...page, filter: filter({ ...current, _and: [word('martinez'), word('leak')] }) })],
  },
  {
    name: 'list, all years',
    ours: '/api/leads/list/data?page=1&per_page=50&sort=lead_date&order=desc',
    peer: [items({ ...page, filter: filter(current) })],
  },
  {
    name: 'list, all years, page 1001',
    ours: '/api/leads/list/data?page=1001&per_page=50&sort=lead_date&order=desc',
    peer: [items({ ...page, page: '1001', filter: filter(current) })],
  },
  {
    // Sums and averages in one request, each group of counts in another, all at the same time.
    name: 'statistics, a month',
    ours: `/api/leads/list/statistic?date_from=${day(30)}&date_to=${day(0)}`,
    peer: ['lead_type', 'answering_status', 'client_progress', 'source', 'confirmed', 'first_call']
      .map((group) => items({ 'aggregate[count]': '*', 'groupBy[]': group, filter: filter(month) }))
      .concat(
        items({ 'aggregate[sum]': 'client_value,client_profit', 'aggregate[avg]': 'rating', filter: filter(month) }),
      ),
  },
]

export async function measurePeer(ours: BenchServer, database: Database, rounds: number): Promise<Peer> {
  install()
  return withPlainKey(database, async () => {
    const peer = await start(database)
    try {
      const rows: Compared[] = []
      for (const question of questions) rows.push(await compared(question, ours, peer, rounds))
      return { version, rows }
    } finally {
      await peer.stop()
      await forget(database)
    }
  })
}

/**
 * Directus does not support keys of two columns, and finds the campaign only by a foreign key: for its runs, leads have these keys, and
 * nothing refers to them. Our queries read neither.
 */
async function withPlainKey<Answer>({ url }: Database, run: () => Promise<Answer>): Promise<Answer> {
  const found = await withClient(url, (client) =>
    client.query<{ name: string; of: string; definition: string }>(`
      select format('%I', conname) as name, conrelid::regclass::text as of, pg_get_constraintdef(oid) as definition from pg_constraint
      where (conrelid = 'leads'::regclass and contype = 'p') or (confrelid = 'leads'::regclass and contype = 'f')
      order by contype = 'p' desc`),
  )
  const keys = found.rows
  const change = (commands: string[]) => withClient(url, (client) => client.query(commands.join('; ')))
  const plain = [
    'alter table leads add constraint plain_key primary key (id)',
    'alter table leads add constraint plain_campaign foreign key (campaign_id) references campaigns (id)',
  ]
  const drop = ({ name, of }: (typeof keys)[number]) => `alter table ${of} drop constraint ${name}`
  await change([...keys.toReversed().map(drop), ...plain])
  try {
    return await run()
  } finally {
    const back = keys.map(({ name, of, definition }) => `alter table ${of} add constraint ${name} ${definition}`)
    await change(['alter table leads drop constraint plain_key, drop constraint plain_campaign', ...back])
  }
}

async function compared(question: Question, ours: Target, peer: Target, rounds: number): Promise<Compared> {
  const sides = [() => timedGet(ours, question.ours), () => askAll(peer, question.peer)] as const
  await comparable(question, ours, peer)
  const [times, rates]: [number[][], number[][]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    times.push([await medianTime(sides[0]), await medianTime(sides[1])])
    rates.push([await requestsPerSecond(sides[0]), await requestsPerSecond(sides[1])])
  }
  const middle = (pairs: number[][], side: number) => median(pairs.map((pair) => pair[side]!))
  return {
    name: question.name,
    ours: middle(times, 0),
    peer: middle(times, 1),
    ratio: median(times.map(([one, other]) => other! / one!)),
    oursTogether: middle(rates, 0),
    peerTogether: middle(rates, 1),
  }
}

/** Both must have found the same leads, or the comparison would prove nothing. */
async function comparable({ name, ours, peer: [first = ''] }: Question, us: Target, peer: Target) {
  if (!ours.includes('/list/data')) return
  type Rows = { data: { id: number }[] }
  const [one, other] = [await timedGet(us, ours), await timedGet(peer, first)].map(
    ({ body }) => JSON.parse(body) as Rows,
  )
  const ids = (rows: Rows) => rows.data.map(({ id }) => id).join()
  // Our days are the agency's, theirs are UTC: a page of a month may start a few leads apart.
  if (name !== 'list, a month' && ids(one!) !== ids(other!)) throw new Error(`${name}: the peer answers other leads`)
}

async function askAll(peer: Target, paths: readonly string[]): Promise<Answer> {
  const started = performance.now()
  const answers = await Promise.all(paths.map((path) => timedGet(peer, path)))
  return { body: answers.map(({ body }) => body).join('\n'), ms: performance.now() - started }
}

function install() {
  if (existsSync(join(home, 'node_modules/directus'))) return
  say(`installing directus ${version}, once`)
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{ "private": true }')
  const npm = (args: string[], env = {}) =>
    execFileSync('npm', args, { cwd: home, stdio: 'inherit', env: { ...process.env, ...env } })
  const options = ['--no-audit', '--no-fund', '--legacy-peer-deps', '--ignore-scripts']
  npm(['install', ...options, `directus@${version}`, `${node}@${nodeVersion}`])
  const itsNode = join(home, 'node_modules', node)
  const path = `${join(itsNode, 'bin')}${delimiter}${process.env.PATH}`
  npm(['rebuild', 'isolated-vm', 'argon2'], { PATH: path, npm_config_nodedir: itsNode })
}

async function start(database: Database): Promise<Target & { stop(): Promise<void> }> {
  await forget(database)
  const env = {
    ...process.env,
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: database.url,
    SECRET: 'bench',
    ADMIN_EMAIL: 'bench@example.com',
    ADMIN_PASSWORD: 'bench-password',
    ADMIN_TOKEN: token,
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'silent',
    TELEMETRY: 'false',
    CACHE_ENABLED: 'false',
    NODE_ENV: 'production',
  }
  const cli = join(home, 'node_modules/directus/cli.js')
  const itsNode = join(home, 'node_modules', node, 'bin/node')
  execFileSync(itsNode, [cli, 'bootstrap'], { cwd: home, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const child = spawn(itsNode, [cli, 'start'], { cwd: home, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const peer = { url: `http://127.0.0.1:${port}`, token }
  for (let tries = 0; ; tries += 1) {
    const up = await timedGet(peer, items({ limit: '1' })).catch(() => null)
    if (up) break
    if (tries > 120) {
      child.kill() // or it would respond to the next benchmark
      throw new Error('Directus does not answer')
    }
    await pause(500)
  }
  return {
    ...peer,
    stop: async () => {
      child.kill()
      if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve))
    },
  }
}

/** Drops Directus' own tables. */
const forget = ({ url }: Database) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select format('%I', tablename) as name from pg_tables where schemaname = 'public' and tablename like 'directus\\_%'`,
    )
    for (const { name } of rows) await client.query(`drop table if exists ${name} cascade`)
  })
