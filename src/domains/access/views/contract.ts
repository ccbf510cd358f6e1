import { z } from 'zod'
import { signedIn } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { booleanField, idField, requiredText } from '#contract/fields.ts'
import { sharingRoles } from './labels.ts'

const orderField = z.enum(['asc', 'desc'])
const columnKeyField = z.string().regex(/^[\w.]{1,60}$/, 'Not a column')
const querySchema = z
  .record(z.string().max(60), z.string().max(10_000, 'Too long'))
  .refine((query) => Object.keys(query).length <= 60, 'Too many filters')

const viewSchema = z.object({
  id: idField,
  name: z.string(),
  table: z.string(),
  /** The list's parameters, as text. */
  query: z.record(z.string(), z.string()),
  /** The visible columns in order; empty for the list's defaults. */
  columns: z.array(z.string()),
  sort: z.string(),
  order: orderField,
  shared: z.enum(sharingRoles).nullable(),
  /** Whether this is the reader's default view. */
  default: z.boolean(),
  /** Whether the reader may change and delete the view. */
  may_change: z.boolean(),
})
export type SavedView = z.infer<typeof viewSchema>

const viewFields = {
  name: requiredText('Please input a name', 100),
  query: querySchema,
  columns: z.array(columnKeyField).max(80, 'Too many columns'),
  /** Null for the list's default. */
  sort: z.string().max(60).nullable(),
  order: orderField.nullable(),
  shared: z.enum(sharingRoles).nullable(),
  default: booleanField,
}
const viewFormSchema = z.strictObject({
  ...viewFields,
  table: z.string(),
  query: viewFields.query.default({}),
  columns: viewFields.columns.default([]),
  sort: viewFields.sort.default(null),
  order: viewFields.order.default(null),
  shared: viewFields.shared.default(null),
  default: viewFields.default.default(false),
})
export type ViewForm = z.output<typeof viewFormSchema>
const viewUpdateSchema = z.strictObject({ ...viewFields, table: z.string() }).partial()
export type ViewUpdate = z.output<typeof viewUpdateSchema>

/** `table` is a name that a part declares: the server's contract knows them all, a screen its own. */
export const createViewsContract = (table: z.ZodType<string, string>) => {
  const response = viewSchema.extend({ table })
  return {
    list: endpoint('GET /views', {
      allow: signedIn,
      reads: ['view'],
      description:
        "The caller's own views of a list and those shared with them, the default first, then by name. Filters and columns that the caller may not use are left out.",
      query: z.object({ table }),
      response: z.array(response),
    }),
    create: endpoint('POST /views', {
      allow: signedIn,
      changes: ['view'],
      description: 'Only super admins share views.',
      body: viewFormSchema.extend({ table }),
      response,
      success: 'View was saved',
    }),
    update: endpoint('PUT /views/:id', {
      allow: signedIn,
      changes: ['view'],
      description:
        'Changes only the fields sent. Users who may not change a view can still set or clear it as their default.',
      body: viewUpdateSchema.extend({ table: table.optional() }),
      response,
      success: 'View was saved',
    }),
    remove: endpoint('DELETE /views/:id', {
      allow: signedIn,
      changes: ['view'],
      confirm: 'Are you sure to remove this view?',
      success: 'View was removed',
    }),
  }
}
export const viewsContract = createViewsContract(z.string())
