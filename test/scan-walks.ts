import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Caller } from '#test/app.ts'

/** Each walk calls every endpoint of a server, looking for one kind of hole, and returns the addresses that have it. */

/** A marker in rows that the scoped person may not read; it would run if not escaped. */
export const foreignMarker = 'foreign-marker-7f3a'
export const scriptMarker = '<script>alert("scan-7f3a")</script>'

const fill = ({ path }: Endpoint, id: number) => `/api${path.replace(/:\w+/g, String(id))}`
const isRead = ({ method, address }: Endpoint) => method === 'GET' && address !== 'GET /leads/events'

/** Returns endpoints that wrongly answer a guest with anything but 401. */
export async function findOpenCalls(
  guest: Caller,
  endpoints: Endpoint[],
  meant: ReadonlySet<string>,
): Promise<string[]> {
  const found: string[] = []
  for (const endpoint of endpoints) {
    if (meant.has(endpoint.address)) continue
    const { status } = await guest.fetch(fill(endpoint, 999_999), { method: endpoint.method })
    if (status !== 401) found.push(endpoint.address)
  }
  return found
}

/** The queries of reads that need one. */
const neededQueries: Record<string, string> = {
  'GET /access/why': 'user=1&call=GET%20lead/{id}',
  'GET /campaign-gmb/map': 'upper-latitude=90&down-latitude=-90&left-longitude=-180&right-longitude=180',
  'GET /imports/:id/names': 'field=campaign',
  'GET /views': 'table=leads',
}

/** Returns the queries to try on a read: as it is, and a search for the marker if it takes one. */
function queriesOf({ address, query }: Endpoint): string[] {
  const plain = neededQueries[address] ?? ''
  const searches = query instanceof z.ZodObject ? Object.keys(query.shape).filter((name) => /search$/.test(name)) : []
  return [plain, ...searches.map((name) => [plain, `${name}=${foreignMarker}`].filter(Boolean).join('&'))]
}

/** Returns reads that show a person a row outside of their scope, in a list, by id or in a search. */
export async function findUnscopedReads(
  scoped: Caller,
  endpoints: Endpoint[],
  foreignIds: number[],
): Promise<string[]> {
  const found = new Set<string>()
  for (const endpoint of endpoints.filter(isRead))
    for (const id of foreignIds)
      for (const query of queriesOf(endpoint)) {
        const answer = await scoped.fetch(`${fill(endpoint, id)}?${query}`)
        if ((await answer.text()).includes(foreignMarker)) found.add(endpoint.address)
      }
  return [...found]
}

/** Returns reads that refuse the queries of these walks, so that the walks learn nothing about them. */
export async function findRefusedQueries(root: Caller, endpoints: Endpoint[]): Promise<string[]> {
  const found = new Set<string>()
  for (const endpoint of endpoints.filter(isRead))
    for (const query of queriesOf(endpoint)) {
      const { status } = await root.fetch(`${fill(endpoint, 1)}?${query}`)
      if (status === 400 || status === 422) found.add(endpoint.address)
    }
  return [...found]
}

const takesSort = ({ query }: Endpoint) => query instanceof z.ZodObject && 'sort' in query.shape
const hostileSorts = ['id; select 1', "id' or '1'='1", '(select 1/0)', 'id desc, (select 1/0)']

/** Returns lists that accept an order that they do not name: it must be refused, never sent to the database. */
export async function findInjectableSorts(root: Caller, endpoints: Endpoint[]): Promise<string[]> {
  const found = new Set<string>()
  for (const endpoint of endpoints.filter((one) => isRead(one) && takesSort(one)))
    for (const sort of hostileSorts) {
      const { status } = await root.fetch(`${fill(endpoint, 1)}?sort=${encodeURIComponent(sort)}`)
      if (status !== 422 && status !== 404) found.add(endpoint.address)
    }
  return [...found]
}

/** Returns responses that a browser would render, with an unescaped stored script. */
export async function findStoredScripts(root: Caller, endpoints: Endpoint[], ids: number[]): Promise<string[]> {
  const found = new Set<string>()
  for (const endpoint of endpoints.filter(isRead))
    for (const id of ids) {
      const answer = await root.fetch(fill(endpoint, id))
      const drawn = /html|svg|xml/.test(answer.headers.get('content-type') ?? '')
      if ((await answer.text()).includes(scriptMarker) && drawn) found.add(endpoint.address)
    }
  return [...found]
}
