import { z } from 'zod'
import type { Settings } from '#core/settings/settings.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { OutboundProblem } from '../outbound/outbound-problem.ts'
import { UpstreamAnswer } from '../outbound/upstream.ts'

/** A search API that the operator has a key of. Its address may hold {query} and {key}; else they are added as `q` and `api_key`. */

type Keys = Pick<Settings, 'SEARCH_INDEX_URL' | 'SEARCH_INDEX_KEY'>

export const isConnected = (settings: Keys) => Boolean(settings.SEARCH_INDEX_URL && settings.SEARCH_INDEX_KEY)

/** Whether the index knows a page of this host. */
export async function isIndexed(outbound: Outbound, settings: Keys, host: string): Promise<boolean> {
  const url = addressOf(settings, `site:${host}`)
  const heard = await outbound.request(url.href, {
    configured: url.origin,
    redirects: 0,
    headers: { accept: 'application/json' },
  })
  if (heard.status !== 200) {
    heard.close()
    throw new UpstreamAnswer('The search API', heard.status, heard.headers['retry-after'])
  }
  const { data, success } = answer.safeParse(await heard.json())
  if (!success) throw new OutboundProblem('broken', 'The search API answered something else than results')
  return (data.organic_results ?? data.items ?? data.results ?? data.webPages?.value ?? []).length > 0
}

function addressOf({ SEARCH_INDEX_URL = '', SEARCH_INDEX_KEY = '' }: Keys, query: string): URL {
  if (/\{query\}|%7Bquery%7D/i.test(SEARCH_INDEX_URL))
    return new URL(
      SEARCH_INDEX_URL.replace(/\{query\}|%7Bquery%7D/i, encodeURIComponent(query)).replace(
        /\{key\}|%7Bkey%7D/i,
        encodeURIComponent(SEARCH_INDEX_KEY),
      ),
    )
  const url = new URL(SEARCH_INDEX_URL)
  url.searchParams.set('q', query)
  url.searchParams.set('api_key', SEARCH_INDEX_KEY)
  return url
}

const list = z.array(z.unknown()).optional()
/** As the usual ones call their list; an empty list may be left out, but then something else of theirs is there. */
const answer = z.looseObject({
  organic_results: list,
  items: list,
  results: list,
  webPages: z.looseObject({ value: list }).optional(),
})
