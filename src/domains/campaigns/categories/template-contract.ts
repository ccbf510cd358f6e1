import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { campaignTemplateSchema } from './template.ts'

/** Apart from the contract of categories, which screens that only pick one load too. */
export const categoryTemplatesContract = {
  read: endpoint('GET /campaigncategory/:id/template', {
    allow: adminsWithPages('campaignCategories', 'campaigns'),
    reads: ['campaign-category'],
    description: 'What new campaigns of the category may start with; what is null is not set.',
    response: campaignTemplateSchema,
  }),
  save: endpoint('PUT /campaigncategory/:id/template', {
    allow: adminsWithPages('campaignCategories'),
    changes: ['campaign-category'],
    description: 'Replaces the template. Campaigns that exist stay as they are.',
    body: campaignTemplateSchema,
    response: campaignTemplateSchema,
    success: 'Template was saved successfully',
  }),
}
