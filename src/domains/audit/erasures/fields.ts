import { z } from 'zod'
import { defineFields } from '#contract/field-definitions.ts'
import { textInstantField } from '#contract/instants.ts'

/** Row counts by label. */
export const countsSchema = z.array(z.object({ label: z.string(), rows: z.int().min(0) }))

export const erasureFields = defineFields({
  id: { kind: 'count', label: 'ID', row: z.int() },
  at: { kind: 'instant', label: 'Time', row: textInstantField, column: { width: 150, pinned: 'start' }, sort: true },
  username: { kind: 'text', label: 'Person', row: z.string().nullable(), column: { width: 170 } },
  counts: { kind: 'custom', label: 'Rows', row: countsSchema, column: true },
})
