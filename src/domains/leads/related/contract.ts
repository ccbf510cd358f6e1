import { z } from 'zod'
import { adminsWithPages, mayUsePages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { queryCheckbox } from '#contract/fields.ts'
import { pagedQuery } from '#contract/paged.ts'
import { leadSchema, leadSorts } from '../contract.ts'

/** Its rows are those of the list of leads (docs/decisions/025-lists-described-once.md). */
const pagedRelatedLeads = pagedQuery({
  row: leadSchema,
  sorts: leadSorts,
  sort: 'lead_date',
  order: 'desc',
  perPage: 50,
  total: 'meta',
  filters: { global: queryCheckbox },
})

/** Who may see related leads across campaigns, always within the caller's own. */
export const canSeeAcrossCampaigns = adminsWithPages('leadsRelated')

/** Leads with the same phone or email, archived ones included. */
export const relatedLeadsContract = {
  ofLead: endpoint('GET /lead/:id/related', {
    ...pagedRelatedLeads,
    allow: mayUsePages('leads'),
    reads: ['lead'],
    row: 'lead',
    description:
      'The leads with the same phone or email in the same campaign, and the lead itself as `lead`. `global=1` searches across campaigns, for admins with the page.',
    response: z.object({ lead: leadSchema, data: z.array(leadSchema), meta: z.object({ total: z.int().min(0) }) }),
  }),
  everywhere: endpoint('GET /lead/related', {
    ...pagedRelatedLeads,
    allow: canSeeAcrossCampaigns,
    reads: ['lead'],
    row: 'lead',
    description:
      'The leads that share their phone or email with another lead, in any campaign. `global` is accepted and has no effect.',
  }),
}
