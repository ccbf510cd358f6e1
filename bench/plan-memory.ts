import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readLegacySystem } from '#domains/moves/server/read-legacy.ts'
import { LegacyServer } from '#integrations/legacy/legacy-server.ts'
import { OutboundClient } from '#integrations/outbound/outbound.ts'
import { say } from './report.ts'

const leads = 100_000
/** Of pages and parts: to collect what is unused takes a while. */
const looksApart = 50

/** Reads an old system with 100,000 leads that have every field, and prints how much memory that holds at most. */
export async function measurePlanMemory(): Promise<void> {
  setFlagsFromString('--expose_gc')
  const collect = runInNewContext('gc') as () => void // what the flag exposes
  const readUsed = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return (heapUsed + external) / 1e6
  }
  let [most, steps] = [0, 0]
  const step = () => {
    steps += 1
    if (steps % looksApart === 0) most = Math.max(most, readUsed())
  }
  const server = createServer((request, response) => {
    step()
    const { pathname, searchParams } = new URL(request.url!, 'http://old')
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answerCall(pathname, searchParams)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const outbound = new OutboundClient({ ALLOWED_PRIVATE_RANGES: ['127.0.0.0/8'] })
  const before = readUsed()
  const { leads: found } = await readLegacySystem(
    new LegacyServer(outbound, { address, token: 'a-token' }),
    async () => {},
  )
  let count = 0
  for (const part of found) {
    count += part.length
    step()
  }
  server.close()
  say(`${count} leads: at most ${Math.round(most - before)} MB above the ${Math.round(before)} MB before`)
}

function answerCall(path: string, query: URLSearchParams): unknown {
  if (path === '/api/user/me') return { id: 1, username: 'boss' }
  if (path === '/api/admin/admins') return { admins: [] }
  if (path === '/api/leads-handlers') return { users: [] }
  if (path !== '/api/leads/list/data') return { data: [], meta: { total: 0 } }
  const [page, size] = [Number(query.get('page')), Number(query.get('per_page'))]
  const rows = Math.max(0, Math.min(size, leads - (page - 1) * size))
  return { data: Array.from({ length: rows }, (_, at) => makeLead((page - 1) * size + at)), meta: { total: leads } }
}

/** Each value differs from lead to lead, as they would. */
const makeLead = (id: number) => ({
  ...{ id, lead_id: `CAL${id}`, lead_s: 'Callrail', lead_type: 'Call', lead_date: '2026-10-05', lead_time: '10:30' },
  ...{ campaign_id: 1 + (id % 60), campaign_name: `Campaign ${id % 60}`, clientsite_id: 1 + (id % 60) },
  ...{ lead_name: `Visitor ${id}`, lead_email: `visitor-${id}@example.com`, lead_phone: `+1512${5_550_000 + id}` },
  ...{
    lead_location: `Town ${id}, TX`,
    message: `The roof of house ${id} leaks. Please call back.`,
    notes: `Note ${id}`,
  },
  ...{ duration: id % 900, answered: 1, recording: 1, tags: [{ name: 'Other' }], confirmed: 1, hide: 0, archived: 0 },
  ...{
    client_progress: 1,
    company_name: `Company ${id}`,
    client_notes: `Said ${id}`,
    client_value: id,
    client_profit: 1,
  },
  ...{ rating: 5, last_url: `https://site.example/page-${id}`, referrer: `https://search.example/?q=${id}` },
  ...{ source: 'Google Ads', source_stated: null, keywords: `roof ${id}`, gclid: `gclid-${id}-${'x'.repeat(60)}` },
  ...{ gbraid: null, wbraid: null, msclkid: null, fbclid: null, tracking_phone_number: `+1737${5_550_000 + id}` },
  ...{ tracking_source: 'Google Ads', created_at: '2026-10-05T15:30:00Z', changers: [{ username: `ann-${id % 9}` }] },
})
