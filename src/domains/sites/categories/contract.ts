import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField, requiredText, versionField } from '#contract/fields.ts'

const networkCategorySchema = z.object({ id: idField, name: z.string(), sites_count: z.int(), version: z.int() })
export type NetworkCategory = z.infer<typeof networkCategorySchema>

const networkCategoryFormSchema = z.object({ name: requiredText('Please input category name', 100) })
const canManageNetworkCategories = adminsWithPages('networkCategories')

export const networkCategoriesContract = {
  list: endpoint('GET /networkcategory', {
    allow: adminsWithPages('networkCategories', 'networkSites'),
    reads: ['network-category'],
    row: 'network-category',
    query: z.object({ cache: z.unknown().optional() }),
    response: z.array(networkCategorySchema),
  }),
  create: endpoint('POST /networkcategory', {
    allow: canManageNetworkCategories,
    changes: ['network-category'],
    row: 'network-category',
    body: networkCategoryFormSchema,
    response: networkCategorySchema,
    success: 'Network Category was created successfully',
  }),
  update: endpoint('PUT /networkcategory/:id', {
    allow: canManageNetworkCategories,
    changes: ['network-category'],
    row: 'network-category',
    description: 'Returns 409 with the newer category for a version older than the stored one.',
    /** `version` is the one that the editor read; without it the last write wins. */
    body: networkCategoryFormSchema.extend({ version: versionField }),
    response: networkCategorySchema,
    conflict: { newer: networkCategorySchema },
    success: 'Network Category was updated successfully',
  }),
  remove: endpoint('DELETE /networkcategory/:id', {
    allow: canManageNetworkCategories,
    changes: ['network-category'],
    row: 'network-category',
    confirm: 'Are you sure to remove this category?',
    success: 'Network Category was removed successfully',
  }),
}
