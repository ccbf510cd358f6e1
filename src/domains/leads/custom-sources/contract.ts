import { z } from 'zod'
import { adminsWithPages, allowEveryone } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { type FieldRow, getRowShape } from '#contract/field-definitions.ts'
import { flagField, idField, requiredId, requiredText, versionField } from '#contract/fields.ts'
import { instantField } from '#contract/instants.ts'
import { pagedFields } from '#contract/paged.ts'
import { customSourceFields, mappingSchema, sampleSchema, sourceEventFields } from './fields.ts'
import { sourcePresets } from './labels.ts'

const canManageSources = adminsWithPages('clientSites')

export type FieldMapping = z.infer<typeof mappingSchema>

const problemSchema = z.object({ field: z.string().nullable(), says: z.string() })
export type MappingProblem = z.infer<typeof problemSchema>

const customSourceSchema = z.object(getRowShape(customSourceFields))
export type CustomSource = z.infer<typeof customSourceSchema>

const customSourceForm = z.object({
  name: requiredText('Please insert name'),
  clientsite_id: requiredId('Please select client site'),
  preset: z.enum(sourcePresets).nullable().default(null),
  mapping: mappingSchema.default({}),
})
export type CustomSourceForm = z.output<typeof customSourceForm>

/** A lead as a mapping reads it; times are in the agency's time zone. */
const mappedLeadSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable())
const mappedSchema = z.object({ lead: mappedLeadSchema, problems: z.array(problemSchema) })
export type MappedSample = z.infer<typeof mappedSchema>

export type SourceEvent = FieldRow<typeof sourceEventFields>

export const customSourcesContract = {
  receive: endpoint('POST /hooks/in/:key', {
    allow: allowEveryone,
    changes: ['lead', 'custom-source'],
    raw: true,
    params: { key: z.string() },
    description:
      'Receives the leads of a lead source: JSON, a URL-encoded or a multipart form, at most 1 MB. The body is stored before the response.',
    response: z.object({ success: z.literal(true) }),
  }),
  list: endpoint('GET /intakes', {
    allow: canManageSources,
    reads: ['custom-source'],
    row: 'custom-source',
    description: 'The lead sources of the client sites that the caller may see.',
    ...pagedFields(customSourceFields, { sort: 'name', perPage: 50 }),
  }),
  create: endpoint('POST /intakes', {
    allow: canManageSources,
    changes: ['custom-source'],
    newSecret: true,
    row: 'custom-source',
    description: 'Creates a lead source with its own address. Its leads belong to the client site.',
    body: customSourceForm,
    response: customSourceSchema,
    success: 'Lead source was created successfully',
  }),
  get: endpoint('GET /intakes/:id', {
    allow: canManageSources,
    reads: ['custom-source'],
    description: 'A lead source, with the newest event that it received as its sample.',
    response: customSourceSchema,
  }),
  update: endpoint('PUT /intakes/:id', {
    allow: canManageSources,
    changes: ['custom-source'],
    row: 'custom-source',
    description:
      'Changes the given fields of a lead source; its address stays. Events keep their leads until they are replayed. Returns 422 with the `problems` of the preview if the newest event cannot be read with a new mapping or service, unless `confirmed` is 1; 409 with the newer lead source for a version older than the stored one.',
    body: customSourceForm.extend({
      name: customSourceForm.shape.name.optional(),
      clientsite_id: customSourceForm.shape.clientsite_id.optional(),
      preset: z.enum(sourcePresets).nullable().optional(),
      mapping: mappingSchema.optional(),
      version: versionField,
      /** Saves a mapping although the newest event cannot be read with it. */
      confirmed: flagField.optional(),
    }),
    response: customSourceSchema,
    conflict: { newer: customSourceSchema },
    success: 'Lead source was changed successfully',
  }),
  remove: endpoint('DELETE /intakes/:id', {
    allow: canManageSources,
    changes: ['custom-source'],
    row: 'custom-source',
    description: 'Closes the address of a lead source. Its leads stay.',
    confirm: 'Are you sure you want to delete this lead source? Its address will refuse new leads.',
    success: 'Lead source was deleted successfully',
  }),
  preview: endpoint('POST /intakes/:id/preview', {
    allow: canManageSources,
    reads: ['custom-source'],
    description:
      'The lead that a mapping makes from a sample, or from the newest event, and which of the last 20 events it cannot read. Writes nothing.',
    body: z.object({ mapping: mappingSchema, sample: sampleSchema.optional() }),
    response: mappedSchema.extend({
      recent: z.array(z.object({ id: idField, received_at: instantField, problems: z.array(problemSchema) })),
    }),
  }),
  test: endpoint('POST /intakes/:id/test', {
    allow: canManageSources,
    changes: [],
    description: 'The lead that the saved mapping makes from a sample, or from the newest event. Writes nothing.',
    body: z.object({ sample: sampleSchema.optional() }).default({}),
    response: mappedSchema,
  }),
  replay: endpoint('POST /intakes/:id/replay', {
    allow: canManageSources,
    changes: ['custom-source'],
    description:
      'Makes the worker process events again: those in `ids`, or else all without a lead. An event that has a lead updates it and never creates a second one.',
    body: z.object({ ids: z.array(idField).max(1000).optional() }).default({}),
    response: z.object({ replayed: z.int().min(0) }),
    success: 'The events are being replayed',
  }),
  events: endpoint('GET /intakes/:id/events', {
    allow: canManageSources,
    reads: ['custom-source'],
    description: 'The events of a lead source, the newest first.',
    ...pagedFields(sourceEventFields, { sort: 'received_at', order: 'desc', perPage: 50 }),
  }),
}
