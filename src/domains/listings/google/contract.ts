import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField, querySearch, versionField } from '#contract/fields.ts'
import { textInstantField } from '#contract/instants.ts'
import { pagedFields } from '#contract/paged.ts'
import { locationFields, locationFilters } from './fields.ts'
import { locationFieldLabels, verificationStatuses } from './labels.ts'

const canManageLocations = adminsWithPages('googleLocations')

const categorySchema = z.object({ name: z.string(), displayName: z.string() })

/** The editable fields. */
const editableFields = {
  title: z.string(),
  primary_category: categorySchema.nullable(),
  categories: z.array(categorySchema),
  phone: z.string().nullable(),
  website: z.string().nullable(),
  address: z.string().nullable(),
  service_area: z.string().nullable(),
  description: z.string().nullable(),
}

const googleLocationSchema = z.object({
  id: idField,
  ...editableFields,
  google_maps_url: z.string().nullable(),
  /** Of the linked account that reads and edits the location. */
  email: z.string(),
  account_id: idField,
  /** The Business Profile account that holds the location. */
  account_name: z.string(),
  /** Since when the linked account must be linked again; until then the status is unknown. */
  needs_relink_since: textInstantField.nullable(),
  review_link: z.string().nullable(),
  standing: z.enum(verificationStatuses),
  standing_since: textInstantField,
  /** OPEN, CLOSED_TEMPORARILY or CLOSED_PERMANENTLY. */
  open_status: z.string().nullable(),
  /** Labels of the fields under review at Google. */
  pending: z.array(z.string()),
  /** Google shows something else than the owner wrote. */
  has_google_updated: z.boolean(),
  /** Since when Google no longer lists the location. */
  vanished_since: textInstantField.nullable(),
  seen_at: textInstantField,
  version: z.int(),
  /** Our queued edits, merged, or the last one that failed. */
  edit: z
    .object({
      state: z.enum(['waiting', 'failed']),
      fields: z.object(editableFields).partial(),
      error: z.string().nullable(),
      username: z.string().nullable(),
      created_at: textInstantField,
    })
    .nullable(),
})
export type GoogleLocation = z.infer<typeof googleLocationSchema>

/** Google validates the values; this only checks that they can be stored. */
const storableText = (most: number) =>
  z
    .string('Must be text')
    .trim()
    .max(most, `At most ${most} characters`)
    .refine(
      (value) => !value.includes('\0') && value.isWellFormed(),
      'This text holds a character that cannot be stored',
    )
const nullableText = (most: number) =>
  storableText(most)
    .transform((value) => value || null)
    .nullable()
    .optional()
const chosenCategorySchema = z.object({ name: storableText(200), displayName: storableText(200).optional() })

const locationFormSchema = z.object({
  title: storableText(500)
    .nullable()
    .transform((value) => value ?? '')
    .optional(),
  primary_category: chosenCategorySchema.nullable().optional(),
  categories: z.array(chosenCategorySchema).max(100, 'At most 100 categories').nullable().optional(),
  phone: nullableText(100),
  website: nullableText(2048),
  address: nullableText(1000),
  service_area: nullableText(4000),
  description: nullableText(5000),
  version: versionField,
})
export type LocationForm = z.output<typeof locationFormSchema>

const locationChangeSchema = z.object({
  field: z.enum(Object.keys(locationFieldLabels) as [keyof typeof locationFieldLabels]), // its keys
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type LocationChange = z.infer<typeof locationChangeSchema>

const googleAccountSchema = z.object({
  id: idField,
  account_name: z.string(),
  email: z.string(),
  needs_relink_since: textInstantField.nullable(),
  synced_at: textInstantField.nullable(),
  syncing: z.boolean(),
  /** Why the last sync ended early. */
  problem: z.string().nullable(),
  locations: z.int(),
  /** Whether the current user may unlink it. */
  may_unlink: z.boolean(),
})
export type GoogleAccount = z.infer<typeof googleAccountSchema>

export const googleLocationsContract = {
  list: endpoint('GET /gmb/locations', {
    allow: canManageLocations,
    reads: ['google-location'],
    row: 'google-location',
    description: 'The locations of all linked accounts, as last synced.',
    // An edit has its row too, so the row is no field (docs/decisions/025-lists-described-once.md).
    ...pagedFields(locationFields, {
      row: googleLocationSchema,
      filters: locationFilters,
      sort: 'title',
      perPage: 200,
    }),
  }),
  check: endpoint('POST /gmb/locations/:id/check', {
    allow: canManageLocations,
    changes: [],
    description: 'Validates these values in a dry run at Google and returns what would change. Changes nothing.',
    body: locationFormSchema,
    response: z.object({ changes: z.array(locationChangeSchema) }),
    conflict: { newer: googleLocationSchema },
  }),
  update: endpoint('POST /gmb/locations/:id', {
    allow: canManageLocations,
    changes: ['google-location'],
    row: 'google-location',
    description:
      'Changes at Google what is sent and differs. Google takes ten edits of a location a minute: the next ones wait, and `edit` of the answer says so. A version older than the stored one answers 409 with the newer location.',
    body: locationFormSchema,
    response: googleLocationSchema,
    conflict: { newer: googleLocationSchema },
    success: 'GMB location was changed successfully',
  }),
  categories: endpoint('GET /gmb/locations/:id/available_categories', {
    allow: canManageLocations,
    reads: ['google-location'],
    description: 'The categories of its region. `search` finds them by any words of their names.',
    query: z.object({ search: querySearch(200) }),
    response: z.object({ categories: z.array(categorySchema) }),
  }),
  accounts: endpoint('GET /gmb/auth/accounts', {
    allow: canManageLocations,
    reads: ['google-location'],
    response: z.array(googleAccountSchema),
  }),
  authUrl: endpoint('GET /gmb/get_auth_url', {
    secret: true,
    allow: canManageLocations,
    reads: ['google-location'],
    description: 'The URL of Google’s consent page. It works once, for ten minutes, in this session.',
    response: z.object({ auth_url: z.string() }),
  }),
  link: endpoint('POST /gmb/store_access_token', {
    allow: canManageLocations,
    changes: ['google-location'],
    description: 'Links the account of an authorization code. The state must have been issued to this session.',
    body: z.object({
      code: z.string('There is no code').min(1, 'There is no code').max(2000, 'Not a code'),
      state: z.string().max(500, 'Not a state').nullable().optional(),
    }),
    response: googleAccountSchema,
    success: 'Account was linked successfully',
  }),
  unlink: endpoint('POST /gmb/auth/:id/unlink', {
    allow: canManageLocations,
    changes: ['google-location'],
    description:
      'Revokes the access at Google and deletes the account and its locations. For the user who linked it and super admins.',
    success: 'Account was unlinked successfully',
  }),
  sync: endpoint('POST /gmb/sync', {
    allow: canManageLocations,
    changes: ['google-location'],
    description: 'Queues a sync of every linked account.',
    success: 'The locations are being read from Google',
  }),
  connection: endpoint('GET /gmb/connection', {
    allow: canManageLocations,
    reads: ['google-location'],
    description: 'The settings still missing before an account can be linked.',
    response: z.object({ missing: z.array(z.string()), redirect_address: z.string(), scopes: z.array(z.string()) }),
  }),
}
