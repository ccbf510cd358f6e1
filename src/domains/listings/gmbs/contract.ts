import { z } from 'zod'
import { adminOnly, both, either, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import {
  booleanField,
  emailField,
  httpUrlField,
  idField,
  optionalText,
  querySearch,
  requiredId,
  requiredText,
} from '#contract/fields.ts'
import { exportEndpoint, paged } from '#contract/paged.ts'
import { verificationStatuses } from '../google/labels.ts'
import { gmbStatuses } from './labels.ts'
import { isMapsLink } from './maps-link.ts'

export const gmbSchema = z.object({
  id: idField,
  title: z.string(),
  address: z.string().nullable(),
  website: z.string().nullable(),
  phone: z.string().nullable(),
  /** Never here: `GET campaign-gmb/:id/secret` has it. */
  password: z.null(),
  has_password: z.boolean(),
  email: z.string().nullable(),
  recovery_email: z.string().nullable(),
  link: z.string(),
  review_link: z.string().nullable(),
  campaign_id: idField,
  campaign_name: z.string(),
  status: z.int(),
  /** Since when its status is Suspended; null where it is not, or nobody knows. */
  suspended_at: z.string().nullable(),
  /** How Google says that it stands, where it is a location of a linked account. */
  standing: z.enum(verificationStatuses).nullable(),
  client_owned: z.boolean(),
  is_client_location: z.boolean(),
  notes: z.string().nullable(),
  /** What the public listing says is not what it said, since `changed_at`. */
  changed: z.boolean(),
  changed_at: z.string().nullable(),
  /** What was different, as the log calls it. */
  changed_fields: z.array(z.string()),
  /** Since when a check has missed it once, and since when it is not to be found: missed twice in a row. */
  missed_at: z.string().nullable(),
  gone_at: z.string().nullable(),
  /** When it was last looked at, and why that came to nothing, if it did. */
  checked_at: z.string().nullable(),
  check_problem: z.string().nullable(),
  /** Since when somebody waits for a check of it. */
  check_asked_at: z.string().nullable(),
  updated_at: z.string(),
  reviews_count: z.int().nullable(),
  version: z.int(),
})
export type Gmb = z.infer<typeof gmbSchema>
/** What a 409 carries besides its message. */

/** Blank means none. What is not sent at all stays as it is. */
const blankAsNull = <T extends z.ZodType>(value: T) =>
  z.preprocess((sent) => (typeof sent === 'string' && sent.trim() === '' ? null : sent), value.nullable().optional())
const optionalTextUpTo = (most: number) => optionalText(most).optional()

const wrongLinkMessage = 'Wrong link format'
/** The sentences are the specification's, category and all. */
export const gmbFormSchema = z.object({
  title: requiredText('Please input category name'),
  address: optionalTextUpTo(500),
  website: blankAsNull(httpUrlField('Not a web address')),
  phone: optionalTextUpTo(50),
  /** Empty keeps the old one. */
  password: z
    .string('Must be text')
    .max(200, 'At most 200 characters')
    .refine((value) => value.isWellFormed(), 'This text holds a character that cannot be stored')
    .nullable()
    .optional(),
  email: blankAsNull(emailField()),
  recovery_email: blankAsNull(emailField()),
  link: requiredText('Please input GMB link', 2048).refine(
    (value) => value === '' || isMapsLink(value),
    wrongLinkMessage,
  ),
  review_link: blankAsNull(httpUrlField('Not a web address')),
  campaign_id: requiredId('Please select category'),
  status: z.literal(
    gmbStatuses.map(({ id }) => id),
    'Please select status',
  ),
  client_owned: booleanField.optional(),
  is_client_location: booleanField.optional(),
  notes: optionalTextUpTo(5000),
  /** The one the editor saw; without it the last writer wins. */
  version: z.int().min(1).optional(),
})
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

const canManageGmbs = both(adminOnly, may('campaignGmbs'))
const changedMessage = 'Campaign GMB was changed successfully'

const gmbListSpec = paged({
  row: gmbSchema,
  sorts: [
    'id',
    'title',
    'address',
    'website',
    'phone',
    'email',
    'link',
    'review_link',
    'campaign_name',
    'status',
    'client_owned',
    'is_client_location',
    'notes',
    'changed',
    'checked_at',
    'updated_at',
    'reviews_count',
  ],
  sort: 'title',
  perPage: 200,
  filters: { search: querySearch(200) },
})
export type GmbQuery = z.output<typeof gmbListSpec.query>

export const gmbsContract = {
  list: endpoint('GET /campaign-gmb', {
    allow: canManageGmbs,
    description: 'The listings of the campaigns one may see. `search` looks into every text but the encrypted ones.',
    ...gmbListSpec,
  }),
  csv: exportEndpoint('GET /campaign-gmb/export', {
    allow: canManageGmbs,
    query: gmbListSpec.query,
    file: 'campaign_gmbs.csv',
  }),
  statuses: endpoint('GET /campaign-gmb/statuses-list', {
    allow: either(canManageGmbs, both(adminOnly, may('campaignMap'))),
    response: z.array(z.object({ id: idField, name: z.string() })),
  }),
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
    ...paged({ row: gmbLogSchema, sorts: ['created_at'], sort: 'created_at', order: 'desc', perPage: 50, filters: {} }),
  }),
}
