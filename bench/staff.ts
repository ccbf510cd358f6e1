import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createParser } from 'eventsource-parser'
import type pg from 'pg'
import { handlerFlags, permissionFlags } from '#contract/allow.ts'
import type { SignalWatch } from '#domains/signals/watches/contract.ts'
import type { BenchServer } from './bench-server.ts'
import { day } from './cases.ts'
import { type Database, removeUsers, withClient } from './database.ts'
import { type Target, timedGet } from './http-client.ts'

export type Staff = {
  people: number
  seconds: number
  requests: number
  p50: number
  p99: number
  slowest: string
  /** How long after it was sent a colleague's edit was in an open list, in milliseconds; not in older results. */
  told?: { changes: number; p50: number; p99: number }
}

const seconds = 30
const name = 'bench staff '
type Hired = { role: string; count: number; campaigns: number; permissions: readonly string[] }
/** The people who work at the same time: all of them read, and some write. */
const people: readonly Hired[] = [
  { role: 'super_admin', count: 40, campaigns: 0, permissions: [] },
  { role: 'admin', count: 100, campaigns: 100, permissions: permissionFlags },
  { role: 'leads_handler', count: 160, campaigns: 20, permissions: handlerFlags },
]

/**
 * Simulates three hundred people who read, search, mark and count for half a minute, each about every two seconds, each with a list
 * open that shows what the others change.
 */
export async function measureStaff(ours: BenchServer, { url }: Database): Promise<Staff> {
  return withClient(url, async (client) => {
    await removeStaff(client) // of a run that was interrupted
    const staff = await hire(client, ours.url, people)
    const streams = await Promise.all(staff.map(followChanges))
    try {
      await work(staff, 3) // warms up plans and code
      for (const { delays } of streams) delays.length = 0
      const done = await work(staff, seconds)
      return summary(
        staff.length,
        done,
        streams.flatMap(({ delays }) => delays),
      )
    } finally {
      for (const { leave } of streams) leave()
      await removeStaff(client)
    }
  })
}

export const removeStaff = (client: pg.Client) => removeUsers(client, name)

type Colleague = Target & { isAdmin: boolean; leads: number[] }
type Done = { what: string; ms: number }

const silent: SignalWatch = {
  ...{ kind: '*', campaign_ids: null, channel: 'none', digest: 'daily' },
  ...{ quiet_from: null, quiet_until: null, timezone: 'America/New_York' },
}

/** Creates people with sessions; `removeStaff` deletes them. */
export async function hire(client: pg.Client, url: string, people: readonly Hired[]): Promise<Colleague[]> {
  const staff: Colleague[] = []
  for (const { role, count, campaigns, permissions } of people)
    for (let index = 0; index < count; index += 1) {
      const token = randomBytes(32).toString('base64url')
      const hash = createHash('sha256').update(token).digest()
      const who = `${name}${role} ${index}`
      const { rows } = await client.query<{ id: number }>(
        `insert into users (username, email, role, permissions, password_hash) values ($1, $2, $3, $4, 'none') returning id`,
        [who, `${role}${index}@staff.example`, role, permissions],
      )
      const id = rows[0]!.id
      await client.query(
        `insert into sessions (token_hash, user_id, via, address, expires_at) values ($1, $2, 'password', '127.0.0.1', now() + interval '1 hour')`,
        [hash, id],
      )
      // A new colleague would be told of everything that is open; these were told long ago.
      await client.query('insert into user_watches (user_id, watches) values ($1, $2)', [id, JSON.stringify([silent])])
      await client.query(
        `insert into user_campaigns (user_id, campaign_id)
         select $1, id from campaigns order by hashint4(id + $2) limit $3`,
        [id, index, campaigns],
      )
      const seen = await client.query<{ id: number }>(
        `select id from leads where not archived and not hide and occurred_at > now() - interval '90 days'
           and ($2 = 0 or campaign_id in (select campaign_id from user_campaigns where user_id = $1))
         order by hashint4(id) limit 200`,
        [id, campaigns],
      )
      staff.push({ url, token, isAdmin: role !== 'leads_handler', leads: seen.rows.map((row) => row.id) })
    }
  return staff
}

async function work(staff: Colleague[], forSeconds: number): Promise<Done[]> {
  const until = performance.now() + forSeconds * 1000
  const done: Done[] = []
  const oneOf = async (colleague: Colleague) => {
    await pause(Math.random() * 2000) // people do not start at the same instant
    while (performance.now() < until) {
      const what = acts[Math.floor(Math.random() * acts.length)]!
      if (what.forAdmins && !colleague.isAdmin) continue
      const started = performance.now()
      await what.act(colleague)
      done.push({ what: what.name, ms: performance.now() - started })
      await pause(1000 + Math.random() * 2000)
    }
  }
  await Promise.all(staff.map(oneOf))
  return done
}

const month = `date_from=${day(30)}&date_to=${day(0)}`
const list = `/api/leads/list/data?per_page=50&sort=lead_date&order=desc&${month}`
const lead = ({ leads }: Colleague) => leads[Math.floor(Math.random() * leads.length)] ?? 0
const page = () => 1 + Math.floor(Math.random() * 5)

type Act = { name: string; act: (by: Colleague) => Promise<unknown>; forAdmins?: true }
const often = (times: number, act: Act): Act[] => Array.from({ length: times }, () => act)
const acts: Act[] = [
  ...often(6, { name: 'list', act: (by) => timedGet(by, `${list}&page=${page()}`) }),
  ...often(4, { name: 'statistics', act: (by) => timedGet(by, `/api/leads/list/statistic?${month}`) }),
  ...often(3, { name: 'mark', act: (by) => mark(by, lead(by)) }),
  ...often(2, { name: 'search', act: (by) => timedGet(by, `${list}&page=1&lead_search=martinez+leak`) }),
  { name: 'chart', act: (by) => timedGet(by, '/api/lead/chart/total') },
  { name: 'table', act: (by) => timedGet(by, '/api/lead/table') },
  { name: 'me', act: (by) => timedGet(by, '/api/user/me') },
  { name: 'related', act: (by) => timedGet(by, `/api/lead/${lead(by)}/related?page=1&per_page=50`), forAdmins: true },
  { name: 'campaigns', act: (by) => timedGet(by, '/api/campaigns?page=1&per_page=50'), forAdmins: true },
]

/** When each lead was last marked. */
const markedAt = new Map<number, number>()

/** Follows changes as an open list does; `delays` has how long after its edit each one came. */
async function followChanges({ url, token }: Colleague) {
  const leaving = new AbortController()
  const delays: number[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event !== 'change') return
      for (const { id } of (JSON.parse(data) as { leads: { id: number }[] }).leads) {
        const at = markedAt.get(id)
        if (at !== undefined) delays.push(performance.now() - at)
      }
    },
  })
  const answer = await fetch(`${url}/api/leads/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leaving.signal,
  })
  const decoder = new TextDecoder()
  const read = async () => {
    for await (const chunk of answer.body!) parser.feed(decoder.decode(chunk, { stream: true }))
  }
  read().catch(() => {}) // left
  return { delays, leave: () => leaving.abort() }
}

/** An edit that handlers and admins may make. */
async function mark({ url, token }: Colleague, id: number) {
  markedAt.set(id, performance.now())
  const answer = await fetch(`${url}/api/lead/${id}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ client_progress: 1 + Math.floor(Math.random() * 5) }),
  })
  if (!answer.ok) throw new Error(`marking lead ${id} answered ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}

function summary(count: number, done: Done[], delays: number[]): Staff {
  const at = (times: number[], part: number) => times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? 0
  const all = done.map(({ ms }) => ms)
  const each = Map.groupBy(done, ({ what }) => what)
  const [slowest] = [...each].toSorted(
    ([, a], [, b]) =>
      at(
        b.map(({ ms }) => ms),
        0.5,
      ) -
      at(
        a.map(({ ms }) => ms),
        0.5,
      ),
  )
  return {
    people: count,
    seconds,
    requests: done.length,
    p50: at(all, 0.5),
    p99: at(all, 0.99),
    slowest: slowest?.[0] ?? '',
    told: { changes: delays.length, p50: at(delays, 0.5), p99: at(delays, 0.99) },
  }
}
