import { z } from 'zod'
import { superAdminOnly } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import type { FieldRow } from '#contract/field-definitions.ts'
import { pagedFields } from '#contract/paged.ts'
import { auditFields, auditFilters } from './fields.ts'

export type AuditEntry = FieldRow<typeof auditFields>

export const auditLogContract = {
  list: endpoint('GET /admin/audit', {
    allow: superAdminOnly,
    reads: ['audit'],
    description: 'Who changed what, newest first. Days are in the agency’s time zone.',
    ...pagedFields(auditFields, { filters: auditFilters, sort: 'at', order: 'desc', perPage: 50 }),
  }),
  kinds: endpoint('GET /admin/audit/kinds', {
    allow: superAdminOnly,
    reads: ['audit'],
    description: 'The kinds of things in the audit trail.',
    response: z.array(z.string()),
  }),
}
