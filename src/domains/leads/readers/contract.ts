import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField } from '#contract/fields.ts'
import { pagedQuery } from '#contract/paged.ts'
import { userRoles } from '#domains/access/labels.ts'

const leadReaderSchema = z.object({ id: idField, username: z.string(), role: z.enum(userRoles), because: z.string() })

export const leadReadersContract = {
  list: endpoint('GET /lead/:id/readers', {
    allow: adminsWithPages('admin_pages'),
    reads: ['lead'],
    description: 'Everyone who may read this lead, by name, and why.',
    // Drawn as a plain list, so it has no columns (docs/decisions/025-lists-described-once.md).
    ...pagedQuery({ row: leadReaderSchema, sort: 'username', perPage: 50, filters: {} }),
  }),
}
