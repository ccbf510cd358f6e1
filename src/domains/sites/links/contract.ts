import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField, queryHost, queryId, querySearch } from '#contract/fields.ts'
import { pagedQuery } from '#contract/paged.ts'

const outgoingLinkSchema = z.object({
  id: idField,
  url: z.string(),
  anchor: z.string().nullable(),
  /** The URL of the site that has the link. */
  network_site: z.string(),
  network_site_id: idField,
  rel: z.string().nullable(),
  /** The content type of the page with the link. */
  type: z.string().nullable(),
  page: z.string(),
  first_seen_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime(),
  /** When a crawl no longer found the link. */
  lost_at: z.iso.datetime().nullable(),
})
export type OutgoingLink = z.infer<typeof outgoingLinkSchema>

export const outgoingLinkSorts = ['url', 'anchor', 'network_site', 'rel', 'type'] as const
const outgoingLinkFilters = {
  /** Searches the URL and the anchor. */
  q: querySearch(2048),
  network_site_q: querySearch(2048),
  host: queryHost,
  network_site_id: queryId,
}

const outgoingLinksQuerySchema = z.object({
  ...outgoingLinkFilters,
  sort: z.enum(outgoingLinkSorts).default('url'),
  order: z.enum(['asc', 'desc']).default('asc'),
})
export type OutgoingLinksQuery = z.output<typeof outgoingLinksQuerySchema>

export const outgoingLinksContract = {
  list: endpoint('GET /networksite/outgoing-links', {
    allow: adminsWithPages('outgoingLinks', 'networkSites'),
    ...pagedQuery({
      row: outgoingLinkSchema,
      sorts: outgoingLinkSorts,
      sort: 'url',
      perPage: 200,
      filters: outgoingLinkFilters,
    }),
  }),
  csv: endpoint('POST /networksite/outgoing-links/export', {
    allow: adminsWithPages('outgoingLinks'),
    description: 'The filtered list as outgoing-links.csv, streamed; one export per user at a time.',
    file: 'outgoing-links.csv',
    body: outgoingLinksQuerySchema.optional().transform((given) => given ?? outgoingLinksQuerySchema.parse({})),
    streams: true,
  }),
}
