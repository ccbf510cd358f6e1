import { z } from 'zod'
import { defineFields } from '#contract/field-definitions.ts'
import { queryDate, queryInt, querySearch } from '#contract/fields.ts'
import { byChoice, byExact, byQuery, bySearch } from '#contract/filter-definitions.ts'
import { textInstantField } from '#contract/instants.ts'

export const auditActionLabels = { created: 'Created', changed: 'Changed', removed: 'Removed' } as const
const auditActions = ['created', 'changed', 'removed'] as const

const nullableText = { row: z.string().nullable() } as const
const nullableCount = { row: z.int().nullable() } as const
const changes = { kind: 'custom', row: z.record(z.string(), z.unknown()).nullable() } as const

/** One entry of the audit log. */
export const auditFields = defineFields({
  id: { kind: 'count', label: 'ID', row: z.int() },
  at: { kind: 'instant', label: 'Time', row: textInstantField, column: { width: 150, pinned: 'start' }, sort: true },
  /** Who did it, with their name at the time; null for the program itself. */
  user_id: { kind: 'count', label: 'Person', ...nullableCount },
  username: { kind: 'text', label: 'Person', ...nullableText, column: { width: 150, telling: true } },
  /** The API key they used; null for a session. */
  key_id: { kind: 'count', label: 'Key', ...nullableCount },
  key_name: { kind: 'text', label: 'Key', ...nullableText },
  /** The kind and id of the changed row. */
  kind: { kind: 'text', label: 'Kind', row: z.string(), column: { width: 150, telling: true } },
  row_id: { kind: 'count', label: 'Number', row: z.int(), column: { width: 90 } },
  action: {
    kind: 'choice',
    label: 'Action',
    row: z.enum(auditActions),
    choices: auditActionLabels,
    column: { width: 110, telling: true },
  },
  /** The names of the fields that changed. */
  fields: { kind: 'custom', label: 'Fields', column: true },
  /** Only the fields that changed. */
  before: { label: 'Before', ...changes },
  after: { label: 'After', ...changes },
  version: { kind: 'count', label: 'Version', ...nullableCount },
  /** The request's id, as in the server log. */
  request_id: { kind: 'text', label: 'Request', ...nullableText },
  address: { kind: 'text', label: 'Address', ...nullableText, column: { width: 130 } },
})

export const auditFilters = {
  /** A username or a part of one. */
  user: bySearch({ label: 'Person', max: 100, columns: ['username'] }),
  kind: byExact(querySearch(100), { label: 'Kind' }),
  row_id: byExact(
    z.preprocess((value) => (value === '' ? undefined : value), queryInt(0).optional()),
    { label: 'Number' },
  ),
  action: byChoice(auditActions, auditActionLabels, { label: 'Action' }),
  from: byQuery(queryDate),
  to: byQuery(queryDate),
}
