import type { Erasure, ErasureRehearsal } from '#domains/audit/erasures/contract.ts'
import type { BenchServer } from './bench-server.ts'
import { day } from './cases.ts'
import { type Database, withClient } from './database.ts'
import { type Spread, summarizeTimes, timedGet, timedPost } from './http-client.ts'

/** Seconds to rehearse and to erase a person in all leads and their related rows, and milliseconds for a list read at the same time. */
export type Erasing = { rows: number; events: number; rehearsal: number; erasure: number; list: Spread }

const rawEvents = 100_000

/** Erases a person permanently: a different one each time. */
export async function measureErasure(ours: BenchServer, { url }: Database): Promise<Erasing> {
  const person = await withClient(url, async (client) => {
    await client.query(addRawEvents, [rawEvents])
    const { rows } = await client.query<{ phone: string; email: string }>(
      `select phone_key as phone, email_key as email from leads where phone_key is not null and email_key is not null
       order by occurred_at desc, id limit 1`,
    )
    return rows[0]!
  })
  const list: number[] = []
  let isOver = false
  const reading = (async () => {
    while (!isOver) list.push((await timedGet(ours, recentLeads)).ms)
  })()
  try {
    const rehearsed = await timedPost(ours, '/api/erasures/rehearse', person)
    const { total } = JSON.parse(rehearsed.body) as ErasureRehearsal // the contract's own answer
    const erased = await timedPost(ours, '/api/erasures', { ...person, total })
    const { counts } = JSON.parse(erased.body) as Erasure // as above
    const rows = counts.reduce((sum, one) => sum + one.rows, 0)
    if (rows === 0 || rows !== total) throw new Error(`the erasure changed ${rows} of ${total} rows`)
    isOver = true
    await reading
    const [rehearsal, erasure] = [rehearsed.ms / 1000, erased.ms / 1000]
    return { rows, events: rawEvents, rehearsal, erasure, list: summarizeTimes(list) }
  } finally {
    isOver = true
    await withClient(url, (client) => client.query(`delete from inbound_events where reason = 'bench'`))
  }
}

const recentLeads = `/api/leads/list/data?page=1&per_page=50&sort=lead_date&order=desc&date_from=${day(30)}&date_to=${day(0)}`

/** Adds the events of the newest leads, as long as a provider's events are. */
const addRawEvents = `
  insert into inbound_events (provider, headers, body, state, reason, lead_id, processed_at)
  select 'callrail', '{"content-type": "application/json"}',
    convert_to(jsonb_build_object('resource_id', lead_id, 'customer_phone_number', lead_phone, 'customer_name', lead_name, 'message', message,
      'landing_page_url', last_url, 'transcript', (select string_agg(md5(id || '-' || n), ' ') from generate_series(1, 80) n))::text, 'utf8'),
    'done', 'bench', id, now()
  from leads order by id desc limit $1`
