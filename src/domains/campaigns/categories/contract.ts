import { z } from 'zod'
import { admin, both, either, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { color, id, required } from '#contract/fields.ts'

export const campaignCategory = z.object({
  id,
  name: z.string(),
  color: z.string(),
  /** How many campaigns of those the reader may see; only for those who keep the categories. */
  campaigns_count: z.int().optional(),
})
export type CampaignCategory = z.infer<typeof campaignCategory>

export const campaignCategoryForm = z.object({
  name: required('Please input category name', 100),
  color: color.default('#ffffff'),
})

const keeps = both(admin, may('campaignCategories'))

export const campaignCategories = {
  list: endpoint('GET /campaigncategory', {
    allow: either(
      both(admin, may('campaignCategories', 'campaigns', 'leads', 'leadChart', 'campaignMap')),
      may('leadChart'),
    ),
    query: z.object({ nopag: z.unknown().optional(), cache: z.unknown().optional() }),
    answers: z.array(campaignCategory),
  }),
  get: endpoint('GET /campaigncategory/:id', {
    allow: both(admin, may('campaignCategories', 'campaigns')),
    answers: campaignCategory,
  }),
  create: endpoint('POST /campaigncategory', {
    allow: keeps,
    body: campaignCategoryForm,
    answers: campaignCategory,
    says: 'Campaign Category was created successfully',
  }),
  update: endpoint('PUT /campaigncategory/:id', {
    allow: keeps,
    body: campaignCategoryForm,
    answers: campaignCategory,
    says: 'Campaign Category was updated successfully',
  }),
  remove: endpoint('DELETE /campaigncategory/:id', {
    allow: keeps,
    asks: 'Are you sure to remove this category?',
    says: 'Campaign Category was removed successfully',
  }),
}
