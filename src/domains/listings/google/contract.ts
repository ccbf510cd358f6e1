import { z } from 'zod'
import { admin, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id, queryCheck, queryId, queryOneOf, querySearch } from '#contract/fields.ts'
import { paged } from '#contract/paged.ts'
import { labels, standings } from './labels.ts'

const keeps = both(admin, may('googleLocations'))

const category = z.object({ name: z.string(), displayName: z.string() })

/** What can be edited. */
const editable = {
  title: z.string(),
  primary_category: category.nullable(),
  categories: z.array(category),
  phone: z.string().nullable(),
  website: z.string().nullable(),
  address: z.string().nullable(),
  service_area: z.string().nullable(),
  description: z.string().nullable(),
}

export const googleLocation = z.object({
  id,
  ...editable,
  google_maps_url: z.string().nullable(),
  /** Of the linked account that it is reached with. */
  email: z.string(),
  account_id: id,
  /** The Business Profile account that it is in. */
  account_name: z.string(),
  /** Since when that account must be linked again: until then nobody knows how the location stands. */
  needs_relink_since: z.string().nullable(),
  review_link: z.string().nullable(),
  standing: z.enum(standings),
  standing_since: z.string(),
  /** OPEN, CLOSED_TEMPORARILY or CLOSED_PERMANENTLY. */
  open_status: z.string().nullable(),
  /** Fields that Google is still looking at, in words. */
  pending: z.array(z.string()),
  /** Google shows something else than its owner wrote. */
  has_google_updated: z.boolean(),
  /** Since when Google does not list it any more. */
  vanished_since: z.string().nullable(),
  seen_at: z.string(),
  version: z.int(),
  /** Edits of ours that wait their turn, together, or the last one that failed. */
  edit: z
    .object({
      state: z.enum(['waiting', 'failed']),
      fields: z.object(editable).partial(),
      error: z.string().nullable(),
      username: z.string().nullable(),
      created_at: z.string(),
    })
    .nullable(),
})
export type GoogleLocation = z.infer<typeof googleLocation>
/** What a 409 carries besides its message. */
export const newerLocation = z.object({ newer: googleLocation })

/** Google says what it does not take; here is only what can be stored. */
const words = (most: number) =>
  z
    .string('Must be text')
    .trim()
    .max(most, `At most ${most} characters`)
    .refine(
      (value) => !value.includes('\0') && value.isWellFormed(),
      'This text holds a character that cannot be stored',
    )
const maybe = (most: number) =>
  words(most)
    .transform((value) => value || null)
    .nullable()
    .optional()
const chosen = z.object({ name: words(200), displayName: words(200).optional() })

const locationForm = z.object({
  title: words(500)
    .nullable()
    .transform((value) => value ?? '')
    .optional(),
  primary_category: chosen.nullable().optional(),
  categories: z.array(chosen).max(100, 'At most 100 categories').nullable().optional(),
  phone: maybe(100),
  website: maybe(2048),
  address: maybe(1000),
  service_area: maybe(4000),
  description: maybe(5000),
  /** The one the editor saw; without it the last writer wins. */
  version: z.int().min(1).optional(),
})
export type LocationForm = z.output<typeof locationForm>

const change = z.object({
  field: z.enum(Object.keys(labels) as [keyof typeof labels]), // its keys
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type LocationChange = z.infer<typeof change>

const googleAccount = z.object({
  id,
  account_name: z.string(),
  email: z.string(),
  needs_relink_since: z.string().nullable(),
  synced_at: z.string().nullable(),
  syncing: z.boolean(),
  /** Why the last sync ended early. */
  problem: z.string().nullable(),
  locations: z.int(),
  /** Whether the one who asks may unlink it. */
  may_unlink: z.boolean(),
})
export type GoogleAccount = z.infer<typeof googleAccount>

export const locationSorts = [
  'title',
  'standing',
  'address',
  'phone',
  'website',
  'service_area',
  'primary_category',
  'categories',
  'description',
  'email',
  'account_name',
  'seen_at',
] as const

export const googleLocations = {
  list: endpoint('GET /gmb/locations', {
    allow: keeps,
    about: 'The locations of all linked accounts, out of our own table.',
    ...paged({
      row: googleLocation,
      sorts: locationSorts,
      sort: 'title',
      perPage: 200,
      filters: {
        search: querySearch(200),
        account_id: queryId,
        standing: queryOneOf(standings),
        pending: queryCheck,
        needs_relink: queryCheck,
        vanished: queryCheck,
      },
    }),
  }),
  check: endpoint('POST /gmb/locations/:id/check', {
    allow: keeps,
    about: 'Asks Google whether it would take these values, and tells what would change. Nothing does.',
    body: locationForm,
    answers: z.object({ changes: z.array(change) }),
  }),
  update: endpoint('POST /gmb/locations/:id', {
    allow: keeps,
    about:
      'Changes at Google what is sent and differs. Google takes ten edits of a location a minute: the next ones wait, and `edit` of the answer says so. A version older than the stored one answers 409 with the newer location.',
    body: locationForm,
    answers: googleLocation,
    says: 'GMB location was changed successfully',
  }),
  categories: endpoint('GET /gmb/locations/:id/available_categories', {
    allow: keeps,
    about: 'The categories of its region. `search` finds them by any words of their names.',
    query: z.object({ search: querySearch(200) }),
    answers: z.object({ categories: z.array(category) }),
  }),
  accounts: endpoint('GET /gmb/auth/accounts', { allow: keeps, answers: z.array(googleAccount) }),
  authUrl: endpoint('GET /gmb/get_auth_url', {
    allow: keeps,
    about: 'Where Google asks whether an account shall be linked. It works once, for ten minutes, in this session.',
    answers: z.object({ auth_url: z.string() }),
  }),
  link: endpoint('POST /gmb/store_access_token', {
    allow: keeps,
    about: 'Links the account that a code stands for. Its state must be one that was given out to this session.',
    body: z.object({
      code: z.string('There is no code').min(1, 'There is no code').max(2000, 'This is no code'),
      state: z.string().max(500, 'This is no state').nullable().optional(),
    }),
    answers: googleAccount,
    says: 'Account was linked successfully',
  }),
  unlink: endpoint('POST /gmb/auth/:id/unlink', {
    allow: keeps,
    about: 'Ends the access at Google and forgets the account and its locations. For who linked it, and super admins.',
    says: 'Account was unlinked successfully',
  }),
  sync: endpoint('POST /gmb/sync', {
    allow: keeps,
    about: 'Reads the locations of every linked account again, soon.',
    says: 'The locations are being read from Google',
  }),
  connection: endpoint('GET /gmb/connection', {
    allow: keeps,
    about: 'What is still missing before an account can be linked.',
    answers: z.object({ missing: z.array(z.string()), redirect_address: z.string(), scopes: z.array(z.string()) }),
  }),
}
