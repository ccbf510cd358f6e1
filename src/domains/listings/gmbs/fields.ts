import { z } from 'zod'
import { shortenedNumberMessage } from '#contract/column-reading.ts'
import { defineFields, sortedColumn } from '#contract/field-definitions.ts'
import {
  booleanField,
  emailField,
  idField,
  optionalText,
  queryOneOf,
  requiredId,
  requiredText,
  versionField,
} from '#contract/fields.ts'
import { byExact, byId, bySearch } from '#contract/filter-definitions.ts'
import { isWholePhone, shortenedPhone } from '#contract/read-phone.ts'
import { httpUrlField } from '#contract/web-address.ts'
import { verificationStatuses } from '../google/labels.ts'
import { gmbStatuses, listingStates } from './labels.ts'
import { getStoredMapsLink, isMapsLink, isShortenedCid } from './maps-link.ts'

/** A blank value removes the stored one; a field that is not sent keeps it. */
const blankAsNull = <T extends z.ZodType>(value: T) =>
  z.preprocess((sent) => (typeof sent === 'string' && sent.trim() === '' ? null : sent), value.nullable().optional())
const optionalTextUpTo = (most: number) => optionalText(most).optional()
const nullableString = z.string().nullable()

/** A campaign's listing, in column order. Some messages say "category", as specified. */
export const gmbFields = defineFields({
  id: { kind: 'count', label: 'ID', row: idField, sort: true },
  title: {
    kind: 'text',
    label: 'Title',
    row: z.string(),
    form: requiredText('Please input category name'),
    width: 'whole',
    ...sortedColumn,
    import: { also: ['name', 'business name', 'location name', 'listing'] },
  },
  status: {
    kind: 'custom',
    label: 'Status',
    row: z.int(),
    form: z.literal(
      gmbStatuses.map(({ id }) => id),
      'Please select status',
    ),
    ...sortedColumn,
    import: { choices: gmbStatuses.map(({ name }) => name) },
  },
  /** Null unless the status is Suspended, or if the date is unknown. */
  suspended_at: { kind: 'custom', label: 'Suspended At', row: nullableString },
  /** Google's verification status of a location of a linked account. */
  standing: { kind: 'custom', label: 'Google status', row: z.enum(verificationStatuses).nullable() },
  /** Whether the public listing has changed, at `changed_at`. */
  changed: { kind: 'custom', label: 'Changed', row: z.boolean(), ...sortedColumn },
  changed_at: { kind: 'custom', label: 'Changed At', row: nullableString },
  /** Labels of the changed fields. */
  changed_fields: { kind: 'custom', label: 'Changed Fields', row: z.array(z.string()) },
  /** The last check, and why it failed, if it did. */
  checked_at: { kind: 'custom', label: 'Last Check', row: nullableString, ...sortedColumn },
  check_problem: { kind: 'custom', label: 'Check Problem', row: nullableString },
  /** When a pending check was requested. */
  check_asked_at: { kind: 'custom', label: 'Check Asked At', row: nullableString },
  /** When a check first missed the listing, and when it was missed twice in a row. */
  missed_at: { kind: 'custom', label: 'Missed At', row: nullableString },
  gone_at: { kind: 'custom', label: 'Gone At', row: nullableString },
  campaign_name: { kind: 'custom', label: 'Campaign', row: z.string(), ...sortedColumn },
  campaign_id: {
    kind: 'custom',
    label: 'Campaign',
    row: idField,
    form: requiredId('Please select category'),
    import: {
      name: 'campaign',
      also: ['campaign_id', 'campaign name'],
      about: 'Name or number',
      isReference: true,
    },
  },
  address: {
    kind: 'text',
    label: 'Address',
    row: nullableString,
    form: optionalTextUpTo(500),
    width: 'whole',
    ...sortedColumn,
    import: { also: ['full address', 'street address', 'address line 1', 'address 1'] },
  },
  website: {
    kind: 'text',
    label: 'Website',
    row: nullableString,
    form: blankAsNull(httpUrlField('Not a web address')),
    ...sortedColumn,
    import: { also: ['url', 'site'] },
  },
  phone: {
    kind: 'phone',
    label: 'Phone',
    row: nullableString,
    form: optionalText(50).refine(isWholePhone, shortenedPhone).optional(),
    ...sortedColumn,
    import: { also: ['phone number', 'primary phone', 'telephone'] },
  },
  email: {
    kind: 'text',
    label: 'Email',
    row: nullableString,
    form: blankAsNull(emailField),
    ...sortedColumn,
    import: true,
  },
  /** Encrypted, so neither searched nor sorted nor exported. */
  recovery_email: {
    kind: 'custom',
    label: 'Recovery Email',
    row: nullableString,
    form: blankAsNull(emailField),
    column: { only: 'table' },
  },
  /** Never part of a row: `GET campaign-gmb/:id/secret` returns it. Empty keeps the old one. */
  password: {
    kind: 'custom',
    label: 'Password',
    row: z.null(),
    form: z
      .string('Must be text')
      .max(200, 'At most 200 characters')
      .refine((value) => value.isWellFormed(), 'This text holds a character that cannot be stored')
      .nullable()
      .optional(),
  },
  has_password: { kind: 'custom', label: 'Has Password', row: z.boolean() },
  link: {
    kind: 'text',
    label: 'Link',
    row: z.string(),
    form: requiredText('Please input GMB link', 2048)
      .refine((value) => value === '' || isMapsLink(value), {
        error: ({ input }) => (isShortenedCid(String(input)) ? shortenedNumberMessage : 'Wrong link format'),
      })
      .transform(getStoredMapsLink),
    width: 'whole',
    ...sortedColumn,
    import: { also: ['gmb link', 'maps link', 'google maps', 'google maps url', 'maps url', 'location link'] },
  },
  review_link: {
    kind: 'text',
    label: 'Review Link',
    row: nullableString,
    form: blankAsNull(httpUrlField('Not a web address')),
    width: 'whole',
    ...sortedColumn,
  },
  client_owned: {
    kind: 'flag',
    label: 'Client Owned',
    row: z.boolean(),
    form: booleanField.optional(),
    ...sortedColumn,
  },
  is_client_location: {
    kind: 'flag',
    label: 'Client Location',
    row: z.boolean(),
    form: booleanField.optional(),
    ...sortedColumn,
  },
  reviews_count: { kind: 'count', label: 'Reviews Count', row: z.int().nullable(), ...sortedColumn },
  notes: {
    kind: 'longText',
    label: 'Notes',
    row: nullableString,
    form: optionalTextUpTo(5000),
    width: 'whole',
    ...sortedColumn,
    import: true,
  },
  updated_at: { kind: 'custom', label: 'Updated At', row: z.string(), ...sortedColumn },
  version: { kind: 'count', label: 'Version', row: z.int(), form: versionField },
})

export const gmbFilters = {
  /** Every text except the encrypted ones. */
  search: bySearch({ label: 'Search by Title, Address or Campaign', max: 200 }),
  state: byExact(queryOneOf(listingStates), { label: 'Status' }),
  campaign_id: byId(),
}
