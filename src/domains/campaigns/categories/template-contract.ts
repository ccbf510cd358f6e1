import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { versionField } from '#contract/fields.ts'
import { campaignTemplateSchema, storedTemplateSchema } from './template.ts'

/** Apart from the contract of categories, which screens that only pick one load too. */
export const categoryTemplatesContract = {
  read: endpoint('GET /campaigncategory/:id/template', {
    allow: adminsWithPages('campaignCategories', 'campaigns'),
    reads: ['campaign-category'],
    description: 'What new campaigns of the category may start with; what is null is not set.',
    response: storedTemplateSchema,
  }),
  save: endpoint('PUT /campaigncategory/:id/template', {
    allow: adminsWithPages('campaignCategories'),
    changes: ['campaign-category'],
    description:
      'Replaces the template. Campaigns that exist stay as they are. Returns 409 with the newer one for a version older than the stored one.',
    /** `version` is the one that the editor read; without it the last write wins. */
    body: campaignTemplateSchema.extend({ version: versionField }),
    response: storedTemplateSchema,
    conflict: { newer: storedTemplateSchema },
    success: 'Template was saved successfully',
  }),
}
