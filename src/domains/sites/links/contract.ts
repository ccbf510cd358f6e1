import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { type FieldRow, listSorts } from '#contract/field-definitions.ts'
import { getFilterShape } from '#contract/filter-definitions.ts'
import { pagedFields } from '#contract/paged.ts'
import { outgoingLinkFields, outgoingLinkFilters } from './fields.ts'

export type OutgoingLink = FieldRow<typeof outgoingLinkFields>

const outgoingLinksQuerySchema = z.object({
  ...getFilterShape(outgoingLinkFilters),
  sort: z.enum(listSorts(outgoingLinkFields)).default('url'),
  order: z.enum(['asc', 'desc']).default('asc'),
})
export type OutgoingLinksQuery = z.output<typeof outgoingLinksQuerySchema>

export const outgoingLinksContract = {
  list: endpoint('GET /networksite/outgoing-links', {
    allow: adminsWithPages('outgoingLinks', 'networkSites'),
    reads: ['network-site'],
    ...pagedFields(outgoingLinkFields, { filters: outgoingLinkFilters, sort: 'url', perPage: 200 }),
  }),
  csv: endpoint('POST /networksite/outgoing-links/export', {
    allow: adminsWithPages('outgoingLinks'),
    description: 'The filtered list as outgoing-links.csv, streamed; one export per user at a time.',
    file: 'outgoing-links.csv',
    body: outgoingLinksQuerySchema.optional().transform((given) => given ?? outgoingLinksQuerySchema.parse({})),
    streams: true,
  }),
}
