import { z } from 'zod'
import { superAdminOnly } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { requiredText, versionField } from '#contract/fields.ts'
import { httpUrlField } from '#contract/web-address.ts'
import { toolLinkSchema } from './tool-link.ts'

export type ToolLink = z.infer<typeof toolLinkSchema>

const toolLinkFormSchema = z.object({
  label: requiredText('Please input label', 100),
  url: httpUrlField('Please input URL'),
})

/** The links to the agency's other tools. They are read with GET user/me. */
export const toolLinksContract = {
  create: endpoint('POST /tool-link', {
    allow: superAdminOnly,
    changes: ['user'],
    body: toolLinkFormSchema,
    response: toolLinkSchema,
    success: 'Tool link was created successfully',
  }),
  update: endpoint('PUT /tool-link/:id', {
    allow: superAdminOnly,
    changes: ['user'],
    description: 'Returns 409 with the newer link for a version older than the stored one.',
    /** `version` is the one that the editor read; without it the last write wins. */
    body: toolLinkFormSchema.extend({ version: versionField }),
    response: toolLinkSchema,
    conflict: { newer: toolLinkSchema },
    success: 'Tool link was updated successfully',
  }),
  remove: endpoint('DELETE /tool-link/:id', {
    allow: superAdminOnly,
    changes: ['user'],
    confirm: 'Are you sure to remove this link?',
    success: 'Tool link was removed successfully',
  }),
}
