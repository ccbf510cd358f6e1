import { z } from 'zod'
import { superAdminOnly } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { queryDate, queryInt, queryOneOf, querySearch } from '#contract/fields.ts'
import { pagedQuery } from '#contract/paged.ts'

export const auditActions = ['created', 'changed', 'removed'] as const

/** One entry of the audit log. */
const auditEntrySchema = z.object({
  id: z.int(),
  /** ISO 8601 in UTC. */
  at: z.string(),
  /** Who did it, with their name at the time; null for the program itself. */
  user_id: z.int().nullable(),
  username: z.string().nullable(),
  /** The API key they used; null for a session. */
  key_id: z.int().nullable(),
  key_name: z.string().nullable(),
  /** The kind and id of the changed row. */
  kind: z.string(),
  row_id: z.int(),
  action: z.enum(auditActions),
  /** Only the fields that changed. */
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  version: z.int().nullable(),
  /** The request's id, as in the server log. */
  request_id: z.string().nullable(),
  address: z.string().nullable(),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

export const auditLogContract = {
  list: endpoint('GET /admin/audit', {
    allow: superAdminOnly,
    reads: ['audit'],
    description: 'Who changed what, newest first. Days are in the agency’s time zone.',
    ...pagedQuery({
      row: auditEntrySchema,
      sorts: ['at'],
      sort: 'at',
      order: 'desc',
      perPage: 50,
      filters: {
        /** A username or a part of one. */
        user: querySearch(100),
        kind: querySearch(100),
        row_id: z.preprocess((value) => (value === '' ? undefined : value), queryInt(0).optional()),
        action: queryOneOf(auditActions),
        from: queryDate,
        to: queryDate,
      },
    }),
  }),
  kinds: endpoint('GET /admin/audit/kinds', {
    allow: superAdminOnly,
    reads: ['audit'],
    description: 'The kinds of things in the audit log.',
    response: z.array(z.string()),
  }),
}
