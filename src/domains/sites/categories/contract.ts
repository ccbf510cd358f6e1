import { z } from 'zod'
import { admin, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id, required } from '#contract/fields.ts'

export const networkCategory = z.object({ id, name: z.string(), sites_count: z.int() })
export type NetworkCategory = z.infer<typeof networkCategory>

const form = z.object({ name: required('Please input category name', 100) })
const keeps = both(admin, may('networkCategories'))

export const networkCategories = {
  list: endpoint('GET /networkcategory', {
    allow: both(admin, may('networkCategories', 'networkSites')),
    query: z.object({ cache: z.unknown().optional() }),
    answers: z.array(networkCategory),
  }),
  create: endpoint('POST /networkcategory', {
    allow: keeps,
    body: form,
    answers: networkCategory,
    says: 'Network Category was created successfully',
  }),
  update: endpoint('PUT /networkcategory/:id', {
    allow: keeps,
    body: form,
    answers: networkCategory,
    says: 'Network Category was updated successfully',
  }),
  remove: endpoint('DELETE /networkcategory/:id', {
    allow: keeps,
    asks: 'Are you sure to remove this category?',
    says: 'Network Category was removed successfully',
  }),
}
