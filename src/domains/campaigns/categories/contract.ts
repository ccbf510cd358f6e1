import { z } from 'zod'
import { adminsWithPages, eitherRule, mayUsePages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { colorField, idField, requiredText, versionField } from '#contract/fields.ts'

const campaignCategorySchema = z.object({
  id: idField,
  name: z.string(),
  color: z.string(),
  /** Campaigns that the reader may see; only for those who manage categories. */
  campaigns_count: z.int().optional(),
  /** Only for those who manage categories. */
  version: z.int().optional(),
})
export type CampaignCategory = z.infer<typeof campaignCategorySchema>

const campaignCategoryFormSchema = z.object({
  name: requiredText('Please input category name', 100),
  color: colorField.default('#ffffff'),
})

const canManageCampaignCategories = adminsWithPages('campaignCategories')

export const campaignCategoriesContract = {
  list: endpoint('GET /campaigncategory', {
    allow: eitherRule(
      adminsWithPages('campaignCategories', 'campaigns', 'leads', 'leadChart', 'campaignMap'),
      mayUsePages('leadChart'),
    ),
    reads: ['campaign-category'],
    row: 'campaign-category',
    query: z.object({ nopag: z.unknown().optional(), cache: z.unknown().optional() }),
    response: z.array(campaignCategorySchema),
  }),
  get: endpoint('GET /campaigncategory/:id', {
    allow: adminsWithPages('campaignCategories', 'campaigns'),
    reads: ['campaign-category'],
    response: campaignCategorySchema,
  }),
  create: endpoint('POST /campaigncategory', {
    allow: canManageCampaignCategories,
    changes: ['campaign-category'],
    row: 'campaign-category',
    body: campaignCategoryFormSchema,
    response: campaignCategorySchema,
    success: 'Campaign Category was created successfully',
  }),
  update: endpoint('PUT /campaigncategory/:id', {
    allow: canManageCampaignCategories,
    changes: ['campaign-category'],
    row: 'campaign-category',
    description: 'Returns 409 with the newer category for a version older than the stored one.',
    /** `version` is the one that the editor read; without it the last write wins. */
    body: campaignCategoryFormSchema.extend({ version: versionField }),
    response: campaignCategorySchema,
    conflict: { newer: campaignCategorySchema },
    success: 'Campaign Category was updated successfully',
  }),
  remove: endpoint('DELETE /campaigncategory/:id', {
    allow: canManageCampaignCategories,
    changes: ['campaign-category'],
    row: 'campaign-category',
    confirm: 'Are you sure to remove this category?',
    success: 'Campaign Category was removed successfully',
  }),
}
