import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type SmtpSink, startSmtpSink } from '#integrations/fakes/smtp.ts'
import { type ListeningServer, startServer, stopServer } from '#test/server-process.ts'
import { until } from '#test/until.ts'
import { countJournalFiles, drillSettings, openAgency } from './drill-app.ts'
import { Posts } from './posts.ts'
import { smallDisk } from './small-disk.ts'

export type FilledJournal = {
  /** Hooks that were answered 200. */
  posts: number
  /** The number of outages. */
  rounds: number
  /** Hooks that were answered 200 while no connection to the database was possible. */
  keptWhileAway: number
  /** How often a process, and PostgreSQL, was killed while the journal filled. */
  killedApp: number
  killedPostgres: number
  /** The responses to hooks while the journal's disk was full, or why no disk was filled. */
  disk: { refused: number; accepted: number } | string
  lost: number
  duplicated: number
  lettersTwice: number
  /** Longest time in seconds from the return of the database until the journal was empty. */
  emptied: number
}

const postsPerRound = 300
/** More than a process can take before the last outage is over: the senders never run dry. */
const maxPosts = 100_000

/**
 * Two processes with one journal take signed posts through repeated database outages. In each outage one process, and
 * PostgreSQL before it may return, is killed; in one outage the journal's disk is full.
 */
export async function fillJournal(url: string, rounds: number, say: (line: string) => void): Promise<FilledJournal> {
  const sink = await startSmtpSink()
  const disk = smallDisk(24)
  const folder = typeof disk === 'string' ? mkdtempSync(join(tmpdir(), 'leadline-drill-')) : disk.folder
  const database = new Database(url)
  await database.query((client) => openAgency((text) => client.query(text)))
  const run = () => startServer({ ...drillSettings, DATABASE_URL: url, DATA_DIR: folder, SMTP_URL: sink.url })
  const processes = [await run(), await run()] as [ListeningServer, ListeningServer]
  const sent = processes.map((_, index) => new Posts(maxPosts, `JOURNAL${process.pid}-${index}`, { pauseMs: 20 }))
  const sending = sent.map((some, index) => some.send(() => processes[index]!.url, 1))
  const accepted = () => sent.reduce((sum, some) => sum + some.accepted, 0)
  const found: FilledJournal = {
    ...{ posts: 0, rounds, keptWhileAway: 0, killedApp: 0, killedPostgres: 0 },
    ...{ disk: typeof disk === 'string' ? disk : { refused: 0, accepted: 0 } },
    ...{ lost: 0, duplicated: 0, lettersTwice: 0, emptied: 0 },
  }
  try {
    for (let round = 0; round < rounds; round += 1) {
      const target = accepted() + postsPerRound
      await until(() => accepted() > target - postsPerRound / 2, 120)
      const postmaster = await database.takeAway()
      const before = accepted()
      if (round === 1 && typeof disk !== 'string' && typeof found.disk !== 'string') {
        disk.fill()
        const failures = () => sent.reduce((sum, some) => sum + (some.statuses.get(503) ?? 0), 0)
        const [refused, took] = [failures(), accepted()]
        await until(() => failures() > refused + 20, 60)
        found.disk = { refused: failures() - refused, accepted: accepted() - took }
        disk.free()
      }
      await until(() => accepted() > before + postsPerRound / 2, 120)
      const killed = round % 2
      await stopServer(processes[killed]!, 'SIGKILL')
      found.killedApp += 1
      process.kill(postmaster, 'SIGKILL')
      found.killedPostgres += 1
      await until(() => accepted() > target, 120)
      found.keptWhileAway += accepted() - before
      const waiting = countJournalFiles(folder)
      await database.giveBack()
      const since = performance.now()
      processes[killed] = await run()
      await until(() => countJournalFiles(folder) === 0, 120)
      const seconds = (performance.now() - since) / 1000
      found.emptied = Math.max(found.emptied, seconds)
      say(
        `outage ${round + 1}/${rounds}: ${accepted() - before} accepted in it, ${waiting} files; empty ${seconds.toFixed(1)} s later`,
      )
    }
    for (const some of sent) some.stop()
    await Promise.all(sending)
    found.posts = accepted()
    await until(() => countJournalFiles(folder) === 0, 120)
    await database.until(`select count(*) = 0 as ok from inbound_events where state = 'stored'`)
    await database.until(`select count(*) = 0 as ok from mails where state in ('queued', 'handing')`)
    return { ...found, ...(await count(database, sink, sent)) }
  } finally {
    for (const some of sent) some.stop()
    await Promise.all(processes.map((one) => stopServer(one)))
    await sink.close()
    if (typeof disk === 'string') rmSync(folder, { recursive: true })
    else disk.remove()
  }
}

async function count(database: Database, sink: SmtpSink, sent: Posts[]) {
  const { rows } = await database.query((client) =>
    client.query<{ lead: string; count: number }>(
      'select lead_id as lead, count(*)::int as count from leads group by 1',
    ),
  )
  const there = new Set(rows.map(({ lead }) => lead))
  const letters = Map.groupBy(sink.letters, ({ email }) => email.messageId ?? '')
  return {
    lost: sent.flatMap(({ acceptedLeads }) => [...acceptedLeads]).filter((lead) => !there.has(lead)).length,
    duplicated: rows.filter((row) => row.count > 1).length,
    lettersTwice: [...letters.values()].filter((some) => some.length > 1).length,
  }
}

/** The database of a drill, which can be made unavailable: it refuses all connections until it is let back. */
class Database {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  async query<Answer>(ask: (client: pg.Client) => Promise<Answer>, name?: string): Promise<Answer> {
    const url = new URL(this.#url)
    const client = new pg.Client({
      ...{ host: url.searchParams.get('host') ?? url.hostname, port: Number(url.port || 5432), user: url.username },
      database: name ?? url.pathname.slice(1),
    })
    client.on('error', () => {})
    await client.connect()
    try {
      return await ask(client)
    } finally {
      await client.end()
    }
  }

  /** Ends all connections and allows none, even after a restart. Returns the process of PostgreSQL. */
  async takeAway(): Promise<number> {
    const name = new URL(this.#url).pathname.slice(1)
    return this.query(async (client) => {
      await client.query(`alter database ${name} with allow_connections false`)
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
      const { rows } = await client.query<{ pid: string }>(
        `select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid`,
      )
      return Number(rows[0]!.pid)
    }, 'postgres')
  }

  async giveBack(): Promise<void> {
    const name = new URL(this.#url).pathname.slice(1)
    const allow = () =>
      this.query((client) => client.query(`alter database ${name} with allow_connections true`), 'postgres').then(
        () => true,
        () => false,
      )
    await until(allow, 60)
  }

  async until(sql: string): Promise<void> {
    const ask = () => this.query((client) => client.query<{ ok: boolean }>(sql)).catch(() => null)
    await until(async () => (await ask())?.rows[0]?.ok === true, 600)
  }
}
