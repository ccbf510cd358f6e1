import { readFileSync } from 'node:fs'
import { maxExportRows } from '#domains/leads/export/contract.ts'
import type { BenchServer } from './bench-server.ts'
import { type Database, withClient } from './database.ts'
import { median } from './http-client.ts'

export type Export = {
  rows: number
  /** Medians in seconds, from the first byte out to the last byte in. */
  ours: number
  floor: number
  ratio: number
  megabytes: number
  /** Longest time until the first bytes, in seconds. */
  firstBytes: number
  /** Peak resident memory of the app's process while it writes, and its growth during the export. */
  peakMemory: number
  grownBy: number
}

/** Measures the longest allowed export, with every column, in turns with PostgreSQL's own copy of as many leads. */
export async function measureExport(ours: BenchServer, database: Database, rounds: number): Promise<Export> {
  await save(ours) // warms up: the first export of a fresh process is slow
  const saved: Awaited<ReturnType<typeof save>>[] = []
  const floors: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    saved.push(await save(ours))
    floors.push(await copy(database))
  }
  return {
    rows: saved[0]!.rows,
    ours: median(saved.map(({ seconds }) => seconds)),
    floor: median(floors),
    ratio: median(saved.map(({ seconds }, round) => seconds / floors[round]!)),
    megabytes: saved[0]!.bytes / 1e6,
    firstBytes: Math.max(...saved.map((one) => one.firstBytes)),
    peakMemory: Math.max(...saved.map(({ peak }) => peak)),
    grownBy: Math.max(...saved.map(({ peak, before }) => peak - before)),
  }
}

async function save({ url, token, process }: BenchServer) {
  const before = memoryOf(process.pid)
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, memoryOf(process.pid))
  }, 50)
  const started = performance.now()
  const answer = await fetch(`${url}/api/lead/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
  })
  if (!answer.ok || !answer.body) throw new Error(`the export answered ${answer.status}: ${await answer.text()}`)
  let [bytes, lines, firstBytes] = [0, 0, 0]
  for await (const chunk of answer.body) {
    if (bytes === 0) firstBytes = (performance.now() - started) / 1000
    bytes += chunk.length
    for (const byte of chunk) if (byte === newLine) lines += 1
  }
  clearInterval(watch)
  return { bytes, rows: lines - 1, firstBytes, seconds: (performance.now() - started) / 1000, before, peak }
}

/** Counts rows by lines: seeded messages have a single line. */
const newLine = 10

/** Resident memory in megabytes, from Linux. */
function memoryOf(pid: number | undefined): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

// ——— the floor ———

/** Copies the file's contents, without permissions, labels or a guard against formulas. The driver reads and discards it. */
async function copy({ url }: Database): Promise<number> {
  return withClient(url, async (client) => {
    const started = performance.now()
    await client.query(`
      copy (
        select campaigns.name, occurred_at, lead_type, tracking_phone_number, tracking_source, lead_name, lead_location,
          lead_email, lead_phone, coalesce(message, duration::text), leads.notes, tags, confirmed, changers, client_progress,
          company_name, client_notes, client_value, client_profit, rating, last_url, referrer, source, keywords, gclid, hide
        from leads left join campaigns on campaigns.id = leads.campaign_id
          left join (
            select row_id, string_agg(distinct username, ', ') as changers from audit
            where kind = 'lead' and action = 'changed' group by row_id) changer on changer.row_id = leads.id
        where not leads.archived order by occurred_at desc, leads.id desc limit ${maxExportRows}
      ) to stdout (format csv, header)`)
    return (performance.now() - started) / 1000
  })
}
