import { z } from 'zod'
import { admin, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id, queryHost, queryId, querySearch } from '#contract/fields.ts'
import { paged } from '#contract/paged.ts'

const outgoingLink = z.object({
  id,
  url: z.string(),
  anchor: z.string().nullable(),
  /** The address of the site it is on. */
  network_site: z.string(),
  network_site_id: id,
  rel: z.string().nullable(),
  /** Content type of the page it was found on. */
  type: z.string().nullable(),
  page: z.string(),
  first_seen_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime(),
  /** When a crawl did not find it any more. */
  lost_at: z.iso.datetime().nullable(),
})
export type OutgoingLink = z.infer<typeof outgoingLink>

export const outgoingLinkSorts = ['url', 'anchor', 'network_site', 'rel', 'type'] as const
const filters = {
  /** In the address or the words of the link. */
  q: querySearch(2048),
  network_site_q: querySearch(2048),
  host: queryHost,
  network_site_id: queryId,
}

const form = z.object({
  ...filters,
  sort: z.enum(outgoingLinkSorts).default('url'),
  order: z.enum(['asc', 'desc']).default('asc'),
})
export type OutgoingLinksQuery = z.output<typeof form>

export const outgoingLinks = {
  list: endpoint('GET /networksite/outgoing-links', {
    allow: both(admin, may('outgoingLinks', 'networkSites')),
    ...paged({ row: outgoingLink, sorts: outgoingLinkSorts, sort: 'url', perPage: 200, filters }),
  }),
  csv: endpoint('POST /networksite/outgoing-links/export', {
    allow: both(admin, may('outgoingLinks')),
    about: 'The filtered list as outgoing-links.csv, streamed; one export a person at a time.',
    file: 'outgoing-links.csv',
    body: form.optional().transform((given) => given ?? form.parse({})),
    streams: true,
  }),
}
