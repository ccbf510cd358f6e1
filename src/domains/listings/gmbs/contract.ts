import { z } from 'zod'
import { adminsWithPages, eitherRule } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { defineFields, getFormShape, getRowShape } from '#contract/field-definitions.ts'
import { booleanField, idField, versionField } from '#contract/fields.ts'
import { exportEndpoint, pagedFields } from '#contract/paged.ts'
import { gmbFields, gmbFilters } from './fields.ts'

const gmbSchema = z.object(getRowShape(gmbFields))
export type Gmb = z.infer<typeof gmbSchema>

const gmbFormSchema = z.object(getFormShape(gmbFields))
export type GmbForm = z.output<typeof gmbFormSchema>

export const gmbLogFields = defineFields({
  id: { kind: 'count', label: 'ID', row: idField },
  created_at: {
    kind: 'instant',
    label: 'Created At',
    row: z.string(),
    column: { width: 148, telling: true },
    sort: true,
  },
  /** The field's label in the dialog. */
  changed: { kind: 'text', label: 'Changed', row: z.string(), column: { width: 140, telling: true } },
  old: { kind: 'longText', label: 'Old', row: z.string().nullable(), column: true },
  new: { kind: 'longText', label: 'New', row: z.string().nullable(), column: { telling: true } },
  /** Null for a change found by a check. */
  username: { kind: 'longText', label: 'By', row: z.string().nullable(), column: { width: 120 } },
})

const canManageGmbs = adminsWithPages('campaignGmbs')
const changedMessage = 'Campaign GMB was changed successfully'

const gmbListSpec = pagedFields(gmbFields, { filters: gmbFilters, sort: 'title', perPage: 200 })

export const gmbsContract = {
  list: endpoint('GET /campaign-gmb', {
    allow: canManageGmbs,
    reads: ['gmb'],
    row: 'gmb',
    description:
      'The listings of the campaigns that the user may see. `search` covers every text except the encrypted ones. `state` is the status set by staff, but `not_found` if checks missed a listing that should be on Google Maps (1, 2, 3) twice; `changed` may have any status.',
    ...gmbListSpec,
  }),
  csv: exportEndpoint('GET /campaign-gmb/export', {
    allow: canManageGmbs,
    query: gmbListSpec.query,
    file: 'campaign_gmbs.csv',
  }),
  statuses: endpoint('GET /campaign-gmb/statuses-list', {
    allow: eitherRule(canManageGmbs, adminsWithPages('campaignMap')),
    reads: ['gmb'],
    response: z.array(z.object({ id: idField, name: z.string() })),
  }),
  get: endpoint('GET /campaign-gmb/:id', { allow: canManageGmbs, reads: ['gmb'], response: gmbSchema }),
  create: endpoint('POST /campaign-gmb', {
    allow: canManageGmbs,
    changes: ['gmb', 'campaign'],
    row: 'gmb',
    body: gmbFormSchema,
    response: gmbSchema,
    success: 'Campaign GMB was created successfully',
  }),
  update: endpoint('PUT /campaign-gmb/:id', {
    allow: canManageGmbs,
    changes: ['gmb', 'campaign'],
    row: 'gmb',
    description: 'Changes the fields sent. Returns 409 with the newer listing for a version older than the stored one.',
    body: gmbFormSchema,
    response: gmbSchema,
    conflict: { newer: gmbSchema },
    success: changedMessage,
  }),
  remove: endpoint('DELETE /campaign-gmb/:id', {
    allow: canManageGmbs,
    changes: ['gmb', 'campaign'],
    row: 'gmb',
    confirm: 'Are you sure you want to delete this item?',
    success: 'Campaign GMB was deleted successfully',
  }),
  secret: endpoint('GET /campaign-gmb/:id/secret', {
    secret: true,
    allow: canManageGmbs,
    reads: ['gmb'],
    description: 'The password of one listing, or null. Each view is logged; at most thirty an hour.',
    response: z.object({ password: z.string().nullable() }),
  }),
  toggleClientOwned: endpoint('POST /campaign-gmb/:id/toggle-client-owned', {
    allow: canManageGmbs,
    changes: ['gmb'],
    row: 'gmb',
    description: 'Flips the switch, or sets it to the given value.',
    body: z.object({ client_owned: booleanField.optional() }).nullish(),
    response: gmbSchema,
    success: changedMessage,
  }),
  toggleClientLocation: endpoint('POST /campaign-gmb/:id/toggle-client-location', {
    allow: canManageGmbs,
    changes: ['gmb'],
    row: 'gmb',
    description: 'Flips the switch, or sets it to the given value.',
    body: z.object({ is_client_location: booleanField.optional() }).nullish(),
    response: gmbSchema,
    success: changedMessage,
  }),
  accept: endpoint('POST /campaign-gmb/:id/accept', {
    allow: canManageGmbs,
    changes: ['gmb'],
    row: 'gmb',
    description:
      'Accepts the public listing as it is now, so that it is no longer marked as changed. Returns 409 with the newer listing for a version older than the stored one.',
    body: z.object({ version: versionField }).nullish(),
    response: gmbSchema,
    conflict: { newer: gmbSchema },
    success: 'Listing was accepted as it is now',
  }),
  check: endpoint('POST /campaign-gmb/:id/check', {
    allow: canManageGmbs,
    changes: ['gmb'],
    row: 'gmb',
    description:
      'Checks the public listing now and returns the result. A location of a linked Google account is checked with Google: `check_asked_at` is set until the answer arrives.',
    response: gmbSchema,
    success: 'Listing was checked',
  }),
  checkSome: endpoint('POST /campaign-gmb/check', {
    allow: canManageGmbs,
    changes: ['gmb'],
    description:
      'Requests checks of these listings. They are checked one after the other, before listings that are merely due.',
    body: z.object({
      ids: z.array(idField, 'Please select listings').min(1, 'Please select listings').max(200, 'At most 200 listings'),
    }),
    success: 'Listings are being checked, one after the other',
  }),
  logs: endpoint('GET /campaign-gmb/:id/logs', {
    allow: canManageGmbs,
    reads: ['gmb'],
    description: 'The changes of a listing, newest first. A secret’s entry only says that it changed.',
    ...pagedFields(gmbLogFields, { sort: 'created_at', order: 'desc', perPage: 50 }),
  }),
}
