import { z } from 'zod'
import { adminOnly, bothRules, eitherRule, mayUsePages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { getFormShape, getRowShape, listSorts } from '#contract/field-definitions.ts'
import { booleanField, idField, queryId, queryOneOf, querySearch } from '#contract/fields.ts'
import { exportEndpoint, pagedQuery } from '#contract/paged.ts'
import { gmbFields } from './fields.ts'
import { listingStates } from './labels.ts'

export const gmbSchema = z.object(getRowShape(gmbFields))
export type Gmb = z.infer<typeof gmbSchema>
/** What a 409 carries besides its message. */

export const gmbFormSchema = z.object(getFormShape(gmbFields))
export type GmbForm = z.output<typeof gmbFormSchema>

const gmbLogSchema = z.object({
  id: idField,
  created_at: z.string(),
  /** The field, as the dialog calls it. */
  changed: z.string(),
  old: z.string().nullable(),
  new: z.string().nullable(),
  /** Who did it; null is a check. */
  username: z.string().nullable(),
})
export type GmbLog = z.infer<typeof gmbLogSchema>

const canManageGmbs = bothRules(adminOnly, mayUsePages('campaignGmbs'))
const changedMessage = 'Campaign GMB was changed successfully'

const gmbListSpec = pagedQuery({
  row: gmbSchema,
  sorts: listSorts(gmbFields),
  sort: 'title',
  perPage: 200,
  filters: { search: querySearch(200), state: queryOneOf(listingStates), campaign_id: queryId },
})
export type GmbQuery = z.output<typeof gmbListSpec.query>

export const gmbsContract = {
  list: endpoint('GET /campaign-gmb', {
    allow: canManageGmbs,
    description:
      'The listings of the campaigns one may see. `search` looks into every text but the encrypted ones. `state` is what people set, but `not_found` where checks have missed the listing twice; `changed` may be any of them.',
    ...gmbListSpec,
  }),
  csv: exportEndpoint('GET /campaign-gmb/export', {
    allow: canManageGmbs,
    query: gmbListSpec.query,
    file: 'campaign_gmbs.csv',
  }),
  statuses: endpoint('GET /campaign-gmb/statuses-list', {
    allow: eitherRule(canManageGmbs, bothRules(adminOnly, mayUsePages('campaignMap'))),
    response: z.array(z.object({ id: idField, name: z.string() })),
  }),
  get: endpoint('GET /campaign-gmb/:id', { allow: canManageGmbs, response: gmbSchema }),
  create: endpoint('POST /campaign-gmb', {
    allow: canManageGmbs,
    body: gmbFormSchema,
    response: gmbSchema,
    success: 'Campaign GMB was created successfully',
  }),
  update: endpoint('PUT /campaign-gmb/:id', {
    allow: canManageGmbs,
    description: 'Changes what is sent. A version older than the stored one answers 409 with the newer listing.',
    body: gmbFormSchema,
    response: gmbSchema,
    conflict: { newer: gmbSchema },
    success: changedMessage,
  }),
  remove: endpoint('DELETE /campaign-gmb/:id', {
    allow: canManageGmbs,
    confirm: 'Are you sure you want to delete this item?',
    success: 'Campaign GMB was deleted successfully',
  }),
  secret: endpoint('GET /campaign-gmb/:id/secret', {
    secret: true,
    allow: canManageGmbs,
    description: 'The password of one listing, null where it has none. Each look is noted; at most thirty in an hour.',
    response: z.object({ password: z.string().nullable() }),
  }),
  toggleClientOwned: endpoint('POST /campaign-gmb/:id/toggle-client-owned', {
    allow: canManageGmbs,
    description: 'Flips it, or sets the wanted value.',
    body: z.object({ client_owned: booleanField.optional() }).nullish(),
    response: gmbSchema,
    success: changedMessage,
  }),
  toggleClientLocation: endpoint('POST /campaign-gmb/:id/toggle-client-location', {
    allow: canManageGmbs,
    description: 'Flips it, or sets the wanted value.',
    body: z.object({ is_client_location: booleanField.optional() }).nullish(),
    response: gmbSchema,
    success: changedMessage,
  }),
  accept: endpoint('POST /campaign-gmb/:id/accept', {
    allow: canManageGmbs,
    description:
      'Takes the public listing, as it is now, for the new state: it is not marked as changed any more. A version older than the stored one answers 409 with the newer listing.',
    body: z.object({ version: z.int().min(1).optional() }).nullish(),
    response: gmbSchema,
    conflict: { newer: gmbSchema },
    success: 'Listing was accepted as it is now',
  }),
  check: endpoint('POST /campaign-gmb/:id/check', {
    allow: canManageGmbs,
    description:
      'Looks at the public listing now, and answers what was found. Where it is a location of a linked Google account, Google is asked: `check_asked_at` is set until its answer is there.',
    response: gmbSchema,
    success: 'Listing was checked',
  }),
  checkSome: endpoint('POST /campaign-gmb/check', {
    allow: canManageGmbs,
    description:
      'Asks for checks of these listings. They are looked at one after the other, before all that are merely due.',
    body: z.object({
      ids: z.array(idField, 'Please select listings').min(1, 'Please select listings').max(200, 'At most 200 listings'),
    }),
    success: 'Listings are being checked, one after the other',
  }),
  logs: endpoint('GET /campaign-gmb/:id/logs', {
    allow: canManageGmbs,
    description: 'What became different about a listing, the newest first. Of a secret it says only that it changed.',
    ...pagedQuery({
      row: gmbLogSchema,
      sorts: ['created_at'],
      sort: 'created_at',
      order: 'desc',
      perPage: 50,
      filters: {},
    }),
  }),
}
