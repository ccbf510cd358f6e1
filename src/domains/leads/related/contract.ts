import { z } from 'zod'
import { admin, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { queryCheck } from '#contract/fields.ts'
import { paged } from '#contract/paged.ts'
import { lead, leadSorts } from '../contract.ts'

const list = paged({
  row: lead,
  sorts: leadSorts,
  sort: 'lead_date',
  order: 'desc',
  perPage: 50,
  total: 'meta',
  filters: { global: queryCheck },
})

/** Across campaigns: those that the caller sees, never beyond. */
export const seesAcrossCampaigns = both(admin, may('leadsRelated'))

/** Leads of the same phone or the same email; archived ones too. */
export const related = {
  ofLead: endpoint('GET /lead/:id/related', {
    ...list,
    allow: may('leads'),
    about:
      'The leads of the same phone or email in the same campaign, and the lead itself as `lead`. `global=1` looks across campaigns, for admins with the page.',
    answers: z.object({ lead, data: z.array(lead), meta: z.object({ total: z.int().min(0) }) }),
  }),
  everywhere: endpoint('GET /lead/related', {
    ...list,
    allow: seesAcrossCampaigns,
    about: 'The leads that share their phone or email with another lead, in whatever campaign. `global` may say so.',
  }),
}
