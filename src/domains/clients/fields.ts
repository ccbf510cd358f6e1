import { z } from 'zod'
import { defineFields } from '#contract/field-definitions.ts'
import {
  emailField,
  flagField,
  idField,
  optionalText,
  passwordField,
  requiredEmailField,
  requiredText,
} from '#contract/fields.ts'
import { bySearch } from '#contract/filter-definitions.ts'
import { emailMessage, splitAddresses } from '#contract/read-email.ts'
import { isWholePhone, shortenedPhone } from '#contract/read-phone.ts'
import { secretField } from '#contract/secret-fields.ts'
import { timezoneLabels } from './labels.ts'

/** A time zone of the list, by its code. */
export const timezoneField = z
  .string('Please select a time zone')
  .refine((code) => Object.hasOwn(timezoneLabels, code), { error: 'Please select a time zone' })

const accountRow = z.object({
  id: idField,
  username: z.string(),
  email: z.string(),
  is_active: flagField,
  /** Only in `GET client/:id`, for readers who may change the client; null if there is none. */
  remote_token: secretField().optional(),
})
const accountForm = z.strictObject({
  username: requiredText('Please input nickname', 100),
  email: requiredEmailField,
})

const maxAdditionalEmails = 20
/**
 * The addresses of a text, one per line or as mail programs write them, each as a field for one reads it: without blank lines and repeats,
 * in order.
 */
const additionalEmails = z
  .string('Must be text')
  .max(6000, 'At most 6000 characters')
  .transform((text, context) => {
    const addresses = new Map<string, string>()
    const lines = text.split(/\r\n|\r|\n/).map(splitAddresses)
    for (const [index, written] of lines.flatMap((line, at) => line.map((one) => [at, one] as const))) {
      const { data: address, error } = emailField.safeParse(written)
      if (error) {
        const [{ message }] = error.issues as [z.core.$ZodIssue] // an error has one at least
        const why = message === emailMessage ? ' is not an email' : `: ${message}`
        context.addIssue({ code: 'custom', message: `Line ${index + 1}: ‘${written.slice(0, 80)}’${why}` })
      } else if (!addresses.has(address.toLowerCase())) addresses.set(address.toLowerCase(), address)
    }
    if (addresses.size > maxAdditionalEmails)
      context.addIssue({ code: 'custom', message: `At most ${maxAdditionalEmails} emails` })
    return [...addresses.values()]
  })

/** A client with its login account. */
export const clientFields = defineFields({
  id: { kind: 'count', label: 'NM ID', row: idField, column: true, sort: true },
  name: {
    kind: 'text',
    label: 'Name',
    row: z.string(),
    form: requiredText('Please input name'),
    column: 'Client Name',
    sort: true,
    import: {
      also: ['client', 'client name', 'company', 'company name', 'customer full name', 'customer', 'organization name'],
    },
  },
  /** The one login account; null only if the database was edited by hand. */
  user: { kind: 'custom', label: 'Account', row: accountRow.nullable(), form: accountForm },
  username: {
    kind: 'custom',
    label: 'Nickname',
    import: { required: true, also: ['user', 'user name', 'login'] },
  },
  email: {
    kind: 'custom',
    label: 'Email',
    column: 'Client Email',
    sort: 'user.email',
    import: {
      required: true,
      also: ['client email', 'e-mail', 'mail', 'email address', 'main email', 'primary email'],
    },
  },
  password: {
    kind: 'custom',
    label: 'Password',
    form: passwordField('Please enter password'),
    import: { isSecret: true, required: false, about: 'Without one no one can sign in until you set one' },
  },
  phone: {
    kind: 'phone',
    label: 'Phone',
    row: z.string().nullable(),
    form: optionalText(50).refine(isWholePhone, shortenedPhone).default(null),
    import: { also: ['phone number', 'phone numbers', 'main phone', 'primary phone', 'telephone'] },
  },
  notifications: { kind: 'custom', label: 'Notifications', column: true, sort: 'disable_notifications' },
  timezone: {
    kind: 'choice',
    label: 'Time zone',
    choices: timezoneLabels,
    row: z.string(),
    form: timezoneField.default('America/New_York'),
    column: 'Client timezone',
    sort: true,
    import: {
      also: ['client timezone', 'timezone'],
      about: 'America/Chicago or Central Time (Chicago); otherwise New York',
    },
  },
  /** Addresses that get each lead besides the account's, one per line. */
  emails: {
    kind: 'longText',
    label: 'Additional Emails',
    row: z.string(),
    form: additionalEmails.default([]),
    import: { also: ['more emails'], about: 'With commas, semicolons or line breaks between' },
  },
  /** Addresses that get statements, one per line; without any, the account's. */
  billing_emails: {
    kind: 'longText',
    label: 'Billing Emails',
    row: z.string(),
    form: additionalEmails.default([]),
  },
  disable_notifications: {
    kind: 'flag',
    label: 'Notifications disabled',
    row: flagField,
    form: flagField.default(0),
    import: true,
  },
  notes: {
    kind: 'longText',
    label: 'Notes',
    row: z.string().nullable(),
    form: optionalText(5000).default(null),
    import: true,
  },
  /** The campaigns that the reader may see. */
  campaigns: {
    kind: 'custom',
    label: 'Campaigns',
    row: z.array(z.object({ id: idField, name: z.string(), archived: flagField })),
    column: true,
  },
  active: {
    kind: 'custom',
    label: 'Active',
    column: true,
    sort: 'user.is_active',
    import: { also: ['is active', 'enabled'], about: 'Yes or No; Yes if left out' },
  },
  /** Whether the reader sees all its campaigns, which share the account. */
  may_change: { kind: 'custom', label: 'May be changed', row: z.boolean() },
  version: { kind: 'count', label: 'Version', row: z.int() },
})

export const clientFilters = { search: bySearch({ label: 'Search by Name or Email', max: 200 }) }
