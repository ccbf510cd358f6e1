import { z } from 'zod'
import { superAdmin } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { httpUrl, id, required } from '#contract/fields.ts'

export const toolLink = z.object({ id, label: z.string(), url: z.string() })
export type ToolLink = z.infer<typeof toolLink>

export const toolLinkForm = z.object({
  label: required('Please input label', 100),
  url: httpUrl('Please input URL'),
})

/** The links to the agency's other tools. They are read with GET user/me. */
export const toolLinks = {
  create: endpoint('POST /tool-link', {
    allow: superAdmin,
    body: toolLinkForm,
    answers: toolLink,
    says: 'Tool link was created successfully',
  }),
  update: endpoint('PUT /tool-link/:id', {
    allow: superAdmin,
    body: toolLinkForm,
    answers: toolLink,
    says: 'Tool link was updated successfully',
  }),
  remove: endpoint('DELETE /tool-link/:id', {
    allow: superAdmin,
    asks: 'Are you sure to remove this link?',
    says: 'Tool link was removed successfully',
  }),
}
