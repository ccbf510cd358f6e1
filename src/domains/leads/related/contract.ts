import { z } from 'zod'
import { adminOnly, bothRules, mayUsePages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { queryCheckbox } from '#contract/fields.ts'
import { pagedQuery } from '#contract/paged.ts'
import { leadSchema, leadSorts } from '../contract.ts'

const pagedRelatedLeads = pagedQuery({
  row: leadSchema,
  sorts: leadSorts,
  sort: 'lead_date',
  order: 'desc',
  perPage: 50,
  total: 'meta',
  filters: { global: queryCheckbox },
})

/** Across campaigns: those that the caller sees, never beyond. */
export const canSeeAcrossCampaigns = bothRules(adminOnly, mayUsePages('leadsRelated'))

/** Leads of the same phone or the same email; archived ones too. */
export const relatedLeadsContract = {
  ofLead: endpoint('GET /lead/:id/related', {
    ...pagedRelatedLeads,
    allow: mayUsePages('leads'),
    description:
      'The leads of the same phone or email in the same campaign, and the lead itself as `lead`. `global=1` looks across campaigns, for admins with the page.',
    response: z.object({ lead: leadSchema, data: z.array(leadSchema), meta: z.object({ total: z.int().min(0) }) }),
  }),
  everywhere: endpoint('GET /lead/related', {
    ...pagedRelatedLeads,
    allow: canSeeAcrossCampaigns,
    description:
      'The leads that share their phone or email with another lead, in whatever campaign. `global` may say so.',
  }),
}
