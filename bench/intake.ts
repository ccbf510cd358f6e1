import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { BenchServer } from './bench-server.ts'
import { type Database, removeLeads, withClient } from './database.ts'
import { postCall, signedPosts } from './events.ts'
import { median } from './http-client.ts'

export type Intake = {
  /** Events per second that were answered 2xx, which is after they are on disk. */
  ours: number
  /** Inserts per second of the same bytes, one transaction each. */
  floor: number
  ratio: number
  floorBy: 'pgbench' | 'a loop over pg'
  senders: number
  answered: number
  /** How many of them became leads; the others were lost. */
  became: number
  /** Seconds from the last answer to the last lead. */
  drained: number
  bytes: number
}

const senders = 64
const seconds = 6
const ids = 'bench-'

/** Measures signed CallRail posts over keep-alive connections, in turns with bare inserts of the same bytes. */
export async function measureIntake(ours: BenchServer, database: Database, rounds: number): Promise<Intake> {
  const rates: [number, number][] = []
  let [answered, drained] = [0, 0]
  const hasPgbench = existsSync('/usr/bin/pgbench')
  // Mails are measured elsewhere: no client gets them here.
  await withClient(database.url, (client) => client.query('update clients set disable_notifications = true'))
  // The first thousands of requests are slow in a fresh process: they are not measured on either side.
  answered += (await sendAll(ours, signedPosts(`${ids}warm-${Date.now()}-`, 5000))).answered
  await drain(database)
  for (let round = 0; round < rounds; round += 1) {
    const posts = signedPosts(`${ids}${Date.now()}-`, 60_000)
    const sent = await sendAll(ours, posts)
    const ended = performance.now()
    answered += sent.answered
    await drain(database)
    drained = Math.max(drained, (performance.now() - ended) / 1000)
    rates.push([sent.answered / sent.seconds, await (hasPgbench ? pgbench(database) : insertLoop(database))])
  }
  const became = await countAndRemove(database)
  return {
    ours: median(rates.map(([one]) => one)),
    floor: median(rates.map(([, floor]) => floor)),
    ratio: median(rates.map(([one, floor]) => one / floor)),
    floorBy: hasPgbench ? 'pgbench' : 'a loop over pg',
    senders,
    answered,
    became,
    drained,
    bytes: body.length,
  }
}

async function sendAll({ url }: BenchServer, posts: Buffer[]): Promise<{ answered: number; seconds: number }> {
  const started = performance.now()
  const isTime = () => performance.now() - started < seconds * 1000
  const next = () => (isTime() ? posts.pop() : undefined)
  const counts = await Promise.all(Array.from({ length: senders }, () => sender(url, next)))
  return { answered: counts.reduce((sum, count) => sum + count, 0), seconds: (performance.now() - started) / 1000 }
}

/** Sends events over one connection, each after the last response. Written by hand, to leave the machine to the server. */
function sender(url: string, next: () => Buffer | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    let answered = 0
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const send = () => {
      const post = next()
      if (post) socket.write(post)
      else socket.end(() => resolve(answered))
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('data', (data) => {
      const text = data.toString('latin1')
      if (!text.startsWith('HTTP/1.1 2')) return reject(new Error(`the hook answered ${text.slice(0, 200)}`))
      answered += 1
      send()
    })
  })
}

/** Waits until the worker has processed every event. */
async function drain({ url }: Database) {
  await withClient(url, async (client) => {
    for (;;) {
      const { rows } = await client.query(`select 1 from inbound_events where state = 'stored' limit 1`)
      if (rows.length === 0) return
      await pause(50)
    }
  })
}

async function countAndRemove({ url }: Database): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from leads where lead_id like 'CAL${ids}%'`,
    )
    await removeLeads(client, `CAL${ids}`)
    return rows[0]!.count
  })
}

// ——— the floor ———

const body = postCall(`CAL${ids}floor-1234567890`, 1, new Date(0))
const headers = JSON.stringify({
  'content-type': 'application/json',
  'user-agent': 'CallRail',
  signature: 'x'.repeat(28),
})
const insert = (one: string, two: string) =>
  `insert into bench_events (provider, headers, body) values ('callrail', ${one}::jsonb, convert_to(${two}, 'UTF8'))`

const emptyTable = 'drop table if exists bench_events; create table bench_events (like inbound_events including all)'

async function pgbench({ url, socket }: Database): Promise<number> {
  await withClient(url, (client) => client.query(emptyTable))
  const script = join(tmpdir(), `leadline-bench-${process.pid}.sql`)
  writeFileSync(script, `${insert(':headers', ':body')};\n`)
  const options = ['-n', '-M', 'prepared', '-c', String(senders), '-j', '2', '-T', String(seconds), '-f', script]
  const variables = ['-D', `headers=${headers}`, '-D', `body=${body}`]
  const { stdout } = await promisify(execFile)('/usr/bin/pgbench', [
    ...options,
    ...variables,
    '-h',
    socket,
    '-U',
    'leadline',
    'leadline',
  ])
  return Number(stdout.match(/tps = ([\d.]+)/)?.[1])
}

async function insertLoop({ url }: Database): Promise<number> {
  await withClient(url, (client) => client.query(emptyTable))
  const pool = new pg.Pool({ connectionString: url, max: senders })
  const started = performance.now()
  let done = 0
  const worker = async () => {
    for (; performance.now() - started < seconds * 1000; done += 1)
      await pool.query(insert('$1', '$2'), [headers, body])
  }
  await Promise.all(Array.from({ length: senders }, worker))
  await pool.end()
  return (done * 1000) / (performance.now() - started)
}
