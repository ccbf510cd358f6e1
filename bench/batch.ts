import { setTimeout as pause } from 'node:timers/promises'
import { type LeadBatch, leadBatchContract } from '#domains/leads/batch/contract.ts'
import { maxBatchLeads } from '#domains/leads/batch/labels.ts'
import type { BenchServer } from './bench-server.ts'
import { day } from './cases.ts'
import { type Database, withClient } from './database.ts'
import { median, type Spread, summarizeTimes, timedGet, timedPost } from './http-client.ts'

/** Seconds for the largest allowed batch and for its undo, and milliseconds for the list that is read at the same time. */
export type Batch = { leads: number; seconds: number; undoSeconds: number; list: Spread; alone: number }

/** Verifies ten thousand leads and undoes that, while one person reads the list. */
export async function measureBatch(ours: BenchServer, { url }: Database): Promise<Batch> {
  const ids = await withClient(url, async (client) => {
    const { rows } = await client.query<{ id: number }>(
      'select id from leads where not confirmed and not archived order by occurred_at desc, id limit $1',
      [maxBatchLeads],
    )
    return rows.map(({ id }) => id)
  })
  const alone: number[] = []
  for (let times = 0; times < 20; times += 1) alone.push(await readList(ours))
  const [started, list] = [performance.now(), [] as number[]]
  const made = await timedPost(ours, `/api${leadBatchContract.create.path}`, { ids, action: 'verify' })
  const done = await follow(ours, JSON.parse(made.body) as LeadBatch, list) // the contract's own answer
  const seconds = (performance.now() - started) / 1000
  if (done.changed !== ids.length) throw new Error(`the batch changed ${done.changed} of ${ids.length} leads`)
  const undoStarted = performance.now()
  const undo = await timedPost(ours, addressOf(leadBatchContract.undo, done), {})
  const undone = await follow(ours, JSON.parse(undo.body) as LeadBatch, list) // as above
  const undoSeconds = (performance.now() - undoStarted) / 1000
  if (undone.changed !== ids.length) throw new Error(`the undo brought back ${undone.changed} of ${ids.length} leads`)
  return { leads: ids.length, seconds, undoSeconds, list: summarizeTimes(list), alone: median(alone) }
}

/** Reads the list until the job is done, without pauses. */
async function follow(ours: BenchServer, batch: LeadBatch, list: number[]): Promise<LeadBatch> {
  const path = addressOf(leadBatchContract.get, batch)
  for (let now = batch; ; now = JSON.parse((await timedGet(ours, path)).body) as LeadBatch) {
    if (now.problem !== null) throw new Error(now.problem)
    if (!isUnderway(now)) return now
    list.push(await readList(ours))
    await pause(100)
  }
}

const addressOf = ({ path }: { path: string }, { id }: LeadBatch) => `/api${path.replace(':id', String(id))}`

const isUnderway = ({ state }: LeadBatch) => state === 'queued' || state === 'running'

const readList = async (ours: BenchServer) =>
  (
    await timedGet(
      ours,
      `/api/leads/list/data?page=1&per_page=50&sort=lead_date&order=desc&date_from=${day(30)}&date_to=${day(0)}`,
    )
  ).ms
