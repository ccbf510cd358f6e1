import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { BenchServer } from './bench-server.ts'
import { type Database, removeLeads, withClient } from './database.ts'
import { signedPosts } from './events.ts'

export type SteadyHooks = {
  perSecond: number
  seconds: number
  sent: number
  became: number
  /** Seconds from the first byte of a hook to its lead, as another connection sees it. */
  p50: number
  p99: number
}

const [perSecond, seconds] = [1000, 30]
const ids = 'bench-steady-'
/** How often new leads are polled; measured times are too long by at most this. More often would take the server's processor. */
const lookMs = 100

/** Sends signed CallRail posts at an even rate, regardless of response times, and measures when each becomes a lead. */
export async function measureSteadyHooks({ url }: BenchServer, database: Database): Promise<SteadyHooks> {
  return withClient(database.url, async (client) => {
    await client.query('update clients set disable_notifications = true')
    const run = `${ids}${Date.now()}-`
    const posts = signedPosts(run, perSecond * seconds).toReversed()
    const sentAt = new Map<string, number>()
    const tookMs: number[] = []
    let isOver = false
    const looking = lookForLeads(client, run, {
      onLead: (leadId) => tookMs.push(performance.now() - sentAt.get(leadId)!),
      isDone: () => isOver && tookMs.length === sentAt.size,
    })
    await sendEvenly(url, posts, (nth) => sentAt.set(`CAL${run}${nth}`, performance.now()))
    isOver = true
    await looking
    await removeLeads(client, `CAL${ids}`)
    const at = (part: number) => tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * part)]! / 1000
    return { perSecond, seconds, sent: sentAt.size, became: tookMs.length, p50: at(0.5), p99: at(0.99) }
  })
}

async function sendEvenly(url: string, posts: Buffer[], onSend: (nth: number) => void): Promise<void> {
  const free: Socket[] = []
  let [open, nth] = [0, 0]
  const connection = async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }
  const send = async (post: Buffer) => {
    open += 1
    const socket = free.pop() ?? (await connection())
    socket.write(post)
    const [answer] = (await once(socket, 'data')) as [Buffer] // throws the socket's error
    if (!answer.toString('latin1').startsWith('HTTP/1.1 2')) throw new Error(`the hook answered ${answer}`)
    free.push(socket)
    open -= 1
  }
  const started = performance.now()
  const sending: Promise<void>[] = []
  while (posts.length > 0) {
    const due = Math.floor(((performance.now() - started) * perSecond) / 1000) - nth
    for (let count = 0; count < due && posts.length > 0; count += 1) {
      onSend(nth)
      nth += 1
      sending.push(send(posts.pop()!))
    }
    await pause(1)
  }
  await Promise.all(sending)
  if (open > 0) throw new Error(`${open} hooks have no answer`)
  for (const socket of free) socket.destroy()
}

type Look = { onLead: (leadId: string) => void; isDone: () => boolean }

/** Polls the newest ids until nothing has arrived for a minute. */
async function lookForLeads(client: pg.Client, run: string, { onLead, isDone }: Look): Promise<void> {
  const { rows } = await client.query<{ last: number }>('select coalesce(max(id), 0) as last from leads')
  const seen = new Set<string>()
  let last = rows[0]!.last
  for (let quietMs = 0; quietMs < 60_000 && !isDone(); quietMs += lookMs) {
    // A lead may be committed after others of higher ids.
    const found = await client.query<{ id: number; lead_id: string }>(
      'select id, lead_id from leads where id > $1::int - 500 order by id',
      [last],
    )
    const fresh = found.rows.filter(({ lead_id }) => lead_id.startsWith(`CAL${run}`) && !seen.has(lead_id))
    for (const { id, lead_id } of fresh) {
      seen.add(lead_id)
      last = Math.max(last, id)
      onLead(lead_id)
    }
    if (fresh.length > 0) quietMs = 0
    await pause(lookMs)
  }
}
