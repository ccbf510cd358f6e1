import { z } from 'zod'
import { mayUsePages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { leadFilters, leadSorts } from '../contract.ts'
import { leadColumns } from '../fields.ts'

/** The most rows of an export. */
export const maxExportRows = 200_000

const exportOrder = { sort: z.enum(leadSorts).optional(), order: z.enum(['asc', 'desc']).optional() }

const leadExportSchema = z.object({
  ...leadFilters,
  ...exportOrder,
  /** The columns to write, in the table's order; those that the caller may not read are left out. Default: all. */
  columns: z.array(z.enum(leadColumns)).optional(),
})

export const leadExportContract = {
  csv: endpoint('POST /lead/export', {
    allow: mayUsePages('leads'),
    reauthenticate: true,
    description: `The filtered list as leads.csv, streamed; at most ${maxExportRows.toLocaleString('en-US')} rows, one export per user at a time. Filters and order may be in the query or the body, which wins.`,
    query: z.object({ ...leadFilters, ...exportOrder }),
    body: leadExportSchema.optional().transform((given) => given ?? leadExportSchema.parse({})),
    file: 'leads.csv',
    streams: true,
  }),
}
