import { z } from 'zod'
import { admin, both, either, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { email, httpUrl, idOr, optionalText, querySearch, required, id as rowId, yesNo } from '#contract/fields.ts'
import { listFile, paged } from '#contract/paged.ts'
import { standings } from '../google/labels.ts'
import { statuses } from './labels.ts'
import { isMapsLink } from './maps-link.ts'

export const gmb = z.object({
  id: rowId,
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
  campaign_id: rowId,
  campaign_name: z.string(),
  status: z.int(),
  /** Since when its status is Suspended; null where it is not, or nobody knows. */
  suspended_at: z.string().nullable(),
  /** How Google says that it stands, where it is a location of a linked account. */
  standing: z.enum(standings).nullable(),
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
export type Gmb = z.infer<typeof gmb>
/** What a 409 carries besides its message. */
export const newerGmb = z.object({ newer: gmb })

/** Blank means none. What is not sent at all stays as it is. */
const maybe = <T extends z.ZodType>(value: T) =>
  z.preprocess((sent) => (typeof sent === 'string' && sent.trim() === '' ? null : sent), value.nullable().optional())
const words = (most: number) => optionalText(most).optional()

const wrongLink = 'Wrong link format'
/** The sentences are the specification's, category and all. */
export const gmbForm = z.object({
  title: required('Please input category name'),
  address: words(500),
  website: maybe(httpUrl('Not a web address')),
  phone: words(50),
  /** Empty keeps the old one. */
  password: z
    .string('Must be text')
    .max(200, 'At most 200 characters')
    .refine((value) => value.isWellFormed(), 'This text holds a character that cannot be stored')
    .nullable()
    .optional(),
  email: maybe(email()),
  recovery_email: maybe(email()),
  link: required('Please input GMB link', 2048).refine((value) => value === '' || isMapsLink(value), wrongLink),
  review_link: maybe(httpUrl('Not a web address')),
  campaign_id: idOr('Please select category'),
  status: z.literal(
    statuses.map(({ id }) => id),
    'Please select status',
  ),
  client_owned: yesNo.optional(),
  is_client_location: yesNo.optional(),
  notes: words(5000),
  /** The one the editor saw; without it the last writer wins. */
  version: z.int().min(1).optional(),
})
export type GmbForm = z.output<typeof gmbForm>

const gmbLog = z.object({
  id: rowId,
  created_at: z.string(),
  /** The field, as the dialog calls it. */
  changed: z.string(),
  old: z.string().nullable(),
  new: z.string().nullable(),
  /** Who did it; null is a check. */
  username: z.string().nullable(),
})
export type GmbLog = z.infer<typeof gmbLog>

const keeps = both(admin, may('campaignGmbs'))
const changed = 'Campaign GMB was changed successfully'

const list = paged({
  row: gmb,
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
export type GmbQuery = z.output<typeof list.query>

export const gmbs = {
  list: endpoint('GET /campaign-gmb', {
    allow: keeps,
    about: 'The listings of the campaigns one may see. `search` looks into every text but the encrypted ones.',
    ...list,
  }),
  csv: listFile('GET /campaign-gmb/export', { allow: keeps, query: list.query, file: 'campaign_gmbs.csv' }),
  statuses: endpoint('GET /campaign-gmb/statuses-list', {
    allow: either(keeps, both(admin, may('campaignMap'))),
    answers: z.array(z.object({ id: rowId, name: z.string() })),
  }),
  create: endpoint('POST /campaign-gmb', {
    allow: keeps,
    body: gmbForm,
    answers: gmb,
    says: 'Campaign GMB was created successfully',
  }),
  update: endpoint('PUT /campaign-gmb/:id', {
    allow: keeps,
    about: 'Changes what is sent. A version older than the stored one answers 409 with the newer listing.',
    body: gmbForm,
    answers: gmb,
    says: changed,
  }),
  remove: endpoint('DELETE /campaign-gmb/:id', {
    allow: keeps,
    asks: 'Are you sure you want to delete this item?',
    says: 'Campaign GMB was deleted successfully',
  }),
  secret: endpoint('GET /campaign-gmb/:id/secret', {
    allow: keeps,
    about: 'The password of one listing, null where it has none. Each look is noted; at most thirty in an hour.',
    answers: z.object({ password: z.string().nullable() }),
  }),
  toggleClientOwned: endpoint('POST /campaign-gmb/:id/toggle-client-owned', {
    allow: keeps,
    about: 'Flips it, or sets the wanted value.',
    body: z.object({ client_owned: yesNo.optional() }).nullish(),
    answers: gmb,
    says: changed,
  }),
  toggleClientLocation: endpoint('POST /campaign-gmb/:id/toggle-client-location', {
    allow: keeps,
    about: 'Flips it, or sets the wanted value.',
    body: z.object({ is_client_location: yesNo.optional() }).nullish(),
    answers: gmb,
    says: changed,
  }),
  accept: endpoint('POST /campaign-gmb/:id/accept', {
    allow: keeps,
    about:
      'Takes the public listing, as it is now, for the new state: it is not marked as changed any more. A version older than the stored one answers 409 with the newer listing.',
    body: z.object({ version: z.int().min(1).optional() }).nullish(),
    answers: gmb,
    says: 'Listing was accepted as it is now',
  }),
  check: endpoint('POST /campaign-gmb/:id/check', {
    allow: keeps,
    about:
      'Looks at the public listing now, and answers what was found. Where it is a location of a linked Google account, Google is asked: `check_asked_at` is set until its answer is there.',
    answers: gmb,
    says: 'Listing was checked',
  }),
  checkSome: endpoint('POST /campaign-gmb/check', {
    allow: keeps,
    about: 'Asks for checks of these listings. They are looked at one after the other, before all that are merely due.',
    body: z.object({
      ids: z.array(rowId, 'Please select listings').min(1, 'Please select listings').max(200, 'At most 200 listings'),
    }),
    says: 'Listings are being checked, one after the other',
  }),
  logs: endpoint('GET /campaign-gmb/:id/logs', {
    allow: keeps,
    about: 'What became different about a listing, the newest first. Of a secret it says only that it changed.',
    ...paged({ row: gmbLog, sorts: ['created_at'], sort: 'created_at', order: 'desc', perPage: 50, filters: {} }),
  }),
}
