import { z } from 'zod'
import type { OutboundClient } from '../outbound/outbound.ts'
import { parseAnswer } from '../outbound/parse-answer.ts'
import { UpstreamStatusError } from '../outbound/upstream.ts'

/** A search API that the operator configures. Its address may contain {query} and {key}; else they are added as `q` and `api_key`. */

type SearchIndexSettings = { SEARCH_INDEX_URL?: string | undefined; SEARCH_INDEX_KEY?: string | undefined }

export const isSearchIndexConfigured = (settings: SearchIndexSettings) =>
  Boolean(settings.SEARCH_INDEX_URL && settings.SEARCH_INDEX_KEY)

/** Returns whether the search index has a page of this host. */
export async function isHostIndexed(
  outbound: OutboundClient,
  settings: SearchIndexSettings,
  host: string,
): Promise<boolean> {
  const url = buildSearchUrl(settings, `site:${host}`)
  const response = await outbound.request(url.href, {
    configured: url.origin,
    redirects: 0,
    headers: { accept: 'application/json' },
  })
  if (response.status !== 200) {
    response.close()
    throw new UpstreamStatusError('The search API', response.status, response.headers['retry-after'])
  }
  const data = parseAnswer('The search API', searchResponseSchema, await response.json())
  return (data.organic_results ?? data.items ?? data.results ?? data.webPages?.value ?? []).length > 0
}

function buildSearchUrl({ SEARCH_INDEX_URL = '', SEARCH_INDEX_KEY = '' }: SearchIndexSettings, query: string): URL {
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

const resultListSchema = z.array(z.unknown()).optional()
/** The names of the result list in common search APIs; an empty list may be left out. */
const searchResponseSchema = z.looseObject({
  organic_results: resultListSchema,
  items: resultListSchema,
  results: resultListSchema,
  webPages: z.looseObject({ value: resultListSchema }).optional(),
})
