import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type ListeningServer, startServer, stopServer } from '#test/server-process.ts'
import { until } from '#test/until.ts'

/** Megabytes and seconds. */
export type Exported = {
  rows: number
  megabytes: number
  seconds: number
  /** Peak growth of the process while it wrote, and while its reader stalled for a second after the first chunk. */
  grownBy: number
  grownForASlowReader: number
  /** Time until PostgreSQL ended an export whose reader had left. */
  diedAfter: number
}

type Signed = ListeningServer & { token: string; client: pg.Client }

/** A process on this database, a signed-in person, and a connection for inspection. */
async function open(settings: Record<string, string>, url: string): Promise<Signed> {
  const serving = await startServer({
    ADMIN_PASSWORD: 'password of the drill',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(collectWhenAsked)}`,
    ...settings,
    DATABASE_URL: url,
  })
  const client = new pg.Client(url)
  await client.connect()
  const answer = await fetch(`${serving.url}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'password of the drill' }),
  })
  const { token } = (await answer.json()) as { token: string } // a fresh database has an admin
  return { ...serving, token, client }
}

/** Collects all garbage on SIGUSR2: the memory in use is only known then. With an argument, `gc` would collect the young objects only. */
const collectWhenAsked = `
  import v8 from 'node:v8'
  import vm from 'node:vm'
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc')
  process.on('SIGUSR2', () => collect())`

async function close(one: Signed) {
  await one.client.end()
  await stopServer(one)
}

/** Exports leads with messages of a given length, then starts again and leaves after the first bytes. */
export async function exported(
  settings: Record<string, string>,
  url: string,
  { leads, letters }: { leads: number; letters: number },
): Promise<Exported> {
  const one = await open(settings, url)
  try {
    await one.client.query(
      `insert into leads (lead_s, lead_id, lead_type, occurred_at, message)
       select 'Formidable', 'memory-' || n, 'Form', now() - n * interval '1 second', repeat('x', $2::int)
       from generate_series(1, $1::int) n`,
      [leads, letters],
    )
    await save(one, 1000) // warms up
    const grownForASlowReader = await stall(one)
    const before = memoryOf(one)
    let peak = before
    const watch = setInterval(() => {
      peak = Math.max(peak, memoryOf(one))
    }, 20)
    const began = performance.now()
    const { rows, bytes } = await save(one)
    clearInterval(watch)
    const seconds = since(began)
    const diedAfter = await goAway(one)
    return { rows, megabytes: bytes / 1e6, seconds, grownBy: peak - before, grownForASlowReader, diedAfter }
  } finally {
    await close(one)
  }
}

const ask = ({ url, token }: Signed, signal?: AbortSignal) =>
  fetch(`${url}/api/lead/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' }, // compressed, the messages would shrink to almost nothing
    ...(signal ? { signal } : {}),
  })

async function save(one: Signed, enough = Number.POSITIVE_INFINITY): Promise<{ rows: number; bytes: number }> {
  const leave = new AbortController()
  const answer = await ask(one, leave.signal)
  if (!answer.ok || !answer.body) throw new Error(`the export answered ${answer.status}: ${await answer.text()}`)
  let [rows, bytes] = [-1, 0] // the header is not a lead
  for await (const chunk of answer.body) {
    bytes += chunk.length
    for (const byte of chunk) if (byte === 10) rows += 1
    if (rows >= enough) break
  }
  leave.abort()
  await until(async () => !(await isExporting(one)))
  return { rows, bytes }
}

async function stall(one: Signed): Promise<number> {
  const leave = new AbortController()
  const before = memoryOf(one)
  const answer = await ask(one, leave.signal)
  await answer.body!.getReader().read()
  await pause(1000)
  const grown = memoryOf(one) - before
  leave.abort()
  await until(async () => !(await isExporting(one)))
  return grown
}

async function goAway(one: Signed): Promise<number> {
  const leave = new AbortController()
  const answer = await ask(one, leave.signal)
  await answer.body!.getReader().read()
  if (!(await isExporting(one))) throw new Error('The export ended before its reader left')
  const left = performance.now()
  leave.abort()
  await until(async () => !(await isExporting(one)))
  return since(left)
}

/** An export holds its person's slot until it ends (csv-stream.ts). */
async function isExporting({ client }: Signed): Promise<boolean> {
  const { rows } = await client.query(`
    select 1 from pg_locks where locktype = 'advisory' and classid = 7318202
      and database = (select oid from pg_database where datname = current_database())`)
  return rows.length > 0
}

const since = (moment: number) => (performance.now() - moment) / 1000

/** Returns the resident memory of the process in megabytes, from Linux. */
function memoryOf({ child }: ListeningServer): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

const [fewestLooks, fewestRequests] = [15, 60]
const screens = [
  '/api/user/me',
  '/api/leads/list/data',
  '/api/leads/list/statistic',
  '/api/lead/table',
  '/api/lead/chart/total',
  '/api/campaigns',
  '/api/signals',
  '/api/activity-log',
  '/readyz',
]

/** Megabytes: heap after garbage collection, and resident memory. Each is the minimum of many samples. */
export type Flat = { minutes: number; requests: number } & Record<'early' | 'late', { heap: number; resident: number }>

/**
 * Opens the screens of a day for that many minutes, longer on a machine that is too slow for enough samples. Returns the memory in
 * use in the second fifth of that time, when everything has been used once, and in the last.
 */
export async function flat(settings: Record<string, string>, url: string, minutes: number): Promise<Flat> {
  const one = await open(settings, url)
  try {
    let requests = 0
    const looks: { heap: number; resident: number }[] = []
    const end = performance.now() + minutes * 60_000
    const isRunning = () => performance.now() < end || looks.length < fewestLooks || requests < fewestRequests
    const headers = { authorization: `Bearer ${one.token}` }
    const load = async () => {
      while (isRunning()) {
        for (const path of screens) {
          const answer = await fetch(one.url + path, { headers })
          await answer.arrayBuffer()
          if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
          requests += 1
        }
        await pause(5)
      }
    }
    const look = async () => {
      while (isRunning()) {
        looks.push({ heap: await heapOf(one), resident: memoryOf(one) })
        await pause(100)
      }
    }
    await Promise.all([load(), load(), look()])
    const fifth = Math.floor(looks.length / 5)
    const least = (some: typeof looks) => ({
      heap: Math.min(...some.map(({ heap }) => heap)),
      resident: Math.min(...some.map(({ resident }) => resident)),
    })
    return { minutes, requests, early: least(looks.slice(fifth, 2 * fifth)), late: least(looks.slice(4 * fifth)) }
  } finally {
    await close(one)
  }
}

/** Returns the used heap in megabytes, from `/metrics`, after a garbage collection. */
async function heapOf({ url, child }: ListeningServer): Promise<number> {
  child.kill('SIGUSR2')
  const text = await (await fetch(`${url}/metrics`)).text()
  const [, bytes = '0'] = /^leadline_nodejs_heap_size_used_bytes (\S+)/m.exec(text) ?? []
  return Number(bytes) / 1e6
}
