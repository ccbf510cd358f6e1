import { z } from 'zod'
import { defineFields } from '#contract/field-definitions.ts'
import { exactText, idField, textField } from '#contract/fields.ts'
import { instantField } from '#contract/instants.ts'
import { secretField } from '#contract/secret-fields.ts'
import { mappedFields, sourceEventStates, sourcePresets, sourcePresetTitles } from './labels.ts'

/** Where a field of the lead comes from: a path in the body, optionally with translated values, or one fixed value. */
const fieldSourceSchema = z.union(
  [
    z.strictObject({
      from: textField(300).min(1),
      values: z.record(exactText(200), exactText(200)).optional(),
    }),
    z.strictObject({ value: z.union([exactText(1000), z.number(), z.boolean()]) }),
  ],
  'Must be { from } or { value }',
)
export const mappingSchema = z.partialRecord(z.enum(mappedFields), fieldSourceSchema)
export type FieldSource = z.infer<typeof fieldSourceSchema>
export const sampleSchema = z.unknown()

export const customSourceFields = defineFields({
  id: { kind: 'count', label: 'ID', row: idField },
  name: { kind: 'text', label: 'Name', row: z.string(), column: { width: 192, pinned: 'start' }, sort: true },
  /** The URL that receives its leads, and the key in it. */
  url: { kind: 'text', label: 'Address', row: secretField() },
  key: { kind: 'text', label: 'Key', row: secretField() },
  mapping: { kind: 'custom', label: 'Mapping', row: mappingSchema },
  preset: {
    kind: 'choice',
    label: 'Service',
    row: z.enum(sourcePresets).nullable(),
    choices: sourcePresetTitles,
    column: { width: 160 },
  },
  /** The newest event; null if none was received yet. */
  sample: { kind: 'custom', label: 'Sample', row: sampleSchema },
  /** The mapping that the sample suggests; empty without a sample. */
  suggested: { kind: 'custom', label: 'Suggested mapping', row: mappingSchema },
  clientsite_id: { kind: 'count', label: 'Client Site', row: idField },
  /** Null once the site was deleted: until the source has another one, what it receives is put aside. */
  clientsite_url: {
    kind: 'custom',
    label: 'Client Site',
    row: z.string().nullable(),
    column: { width: 216, telling: true },
  },
  campaign_name: { kind: 'longText', label: 'Campaign', row: z.string().nullable(), column: true },
  last_event_at: {
    kind: 'instant',
    label: 'Last event',
    row: instantField.nullable(),
    column: { width: 160, telling: true },
  },
  version: { kind: 'count', label: 'Version', row: z.int() },
  created_at: { kind: 'instant', label: 'Created', sort: true },
})

export const sourceEventFields = defineFields({
  id: { kind: 'count', label: 'ID', row: idField },
  received_at: {
    kind: 'instant',
    label: 'Received',
    row: instantField,
    column: { width: 160, pinned: 'start' },
    sort: true,
  },
  state: { kind: 'custom', label: 'State', row: z.enum(sourceEventStates), column: { width: 110, telling: true } },
  reason: { kind: 'custom', label: 'Why', row: z.string().nullable(), column: { width: 280 } },
  lead_id: { kind: 'custom', label: 'Lead', row: idField.nullable(), column: { width: 90 } },
  /** The first 20,000 characters of the body. */
  body: { kind: 'custom', label: 'What was sent', row: z.string(), column: { telling: true } },
})
