import { z } from 'zod'
import { adminOnly, both, may, permissionFlags } from '#contract/allow.ts'
import { endpoint, type ResponseOf } from '#contract/endpoint.ts'
import { emailField, flagField, idField, passwordField, querySearch, requiredText } from '#contract/fields.ts'
import { exportEndpoint, paged } from '#contract/paged.ts'
import { timezoneLabels } from './labels.ts'

/** A time zone of the list, by its code. */
export const timezoneField = z
  .string('Please select a timezone')
  .refine((code) => Object.hasOwn(timezoneLabels, code), {
    error: 'Please select a timezone',
  })

/** The one login account of a client. */
const clientAccountSchema = z.object({
  id: idField,
  username: z.string(),
  email: z.string(),
  is_active: flagField,
  /** In `GET client/:id` alone, and only for who may change the client; null where there is none. */
  remote_token: z.string().nullable().optional(),
})

export const clientSchema = z.object({
  id: idField,
  name: z.string(),
  /** None only where a database was filled by hand. */
  user: clientAccountSchema.nullable(),
  timezone: z.string(),
  /** Addresses that get each lead besides the account's, one a line. */
  emails: z.string(),
  disable_notifications: flagField,
  /** Those that the reader may see. */
  campaigns: z.array(z.object({ id: idField, name: z.string(), archived: flagField })),
  /** Whether the reader sees all its campaigns: the account is shared by all of them. */
  may_change: z.boolean(),
  version: z.int(),
})
export type Client = z.infer<typeof clientSchema>
/** What a 409 carries besides its message. */
/** What who only picks clients reads. */
const clientOptionSchema = clientSchema.pick({ id: true, name: true })

const maxAdditionalEmails = 20
/** The addresses of a text with one a line: trimmed, blank lines and repeats (in any case) dropped, in the order given. */
export function parseEmailLines(lines: string): string[] {
  const seen = new Map<string, string>()
  for (const line of lines.split(/\r\n|\r|\n/)) {
    const address = line.trim()
    if (address !== '' && !seen.has(address.toLowerCase())) seen.set(address.toLowerCase(), address)
  }
  return [...seen.values()]
}
const additionalEmailsField = z
  .string('Must be text')
  .max(6000, 'At most 6000 characters')
  .superRefine((text, context) => {
    for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
      const address = line.trim()
      if (address !== '' && !emailField().safeParse(address).success)
        context.addIssue({ code: 'custom', message: `Line ${index + 1}: ‘${address.slice(0, 80)}’ is not an email` })
    }
    if (parseEmailLines(text).length > maxAdditionalEmails)
      context.addIssue({ code: 'custom', message: `At most ${maxAdditionalEmails} emails` })
  })
  .transform(parseEmailLines)

const emailRequiredMessage = 'Please enter email'
const accountFormSchema = z.strictObject({
  username: requiredText('Please input nickname', 100),
  email: requiredText(emailRequiredMessage, 254).pipe(emailField()),
})
/** Anything else in the body (a role, an id, a token) is refused by name: nothing here is ever mass-assigned. */
export const clientFormSchema = z.strictObject({
  name: requiredText('Please input name'),
  user: accountFormSchema,
  password: passwordField('Please enter password'),
  timezone: timezoneField.default('America/New_York'),
  emails: additionalEmailsField.default([]),
  disable_notifications: flagField.default(0),
})

/** An empty password keeps the old one. */
const newPasswordField = z.preprocess(
  (value) => (value === '' || value === null ? undefined : value),
  clientFormSchema.shape.password.optional(),
)
/** The whole form, as the dialog sends it. `version` is the one the editor saw; without it the last writer wins. */
export const clientUpdateSchema = z.strictObject({
  ...clientFormSchema.shape,
  timezone: timezoneField,
  emails: additionalEmailsField,
  disable_notifications: flagField,
  user: accountFormSchema.extend({ id: idField.optional(), is_active: flagField.optional() }),
  password: newPasswordField,
  version: z.int().min(1).optional(),
})

const canManageClients = both(adminOnly, may('clients'))
const canReadClients = both(adminOnly, may('clients', 'campaigns'))
const pagedClients = paged({
  row: clientSchema,
  sorts: ['id', 'name', 'user.email', 'disable_notifications', 'timezone', 'user.is_active'],
  sort: 'name',
  perPage: 200,
  total: 'meta',
  filters: { search: querySearch(200) },
})
/** What anybody may sort by who reads clients at all. */
export const unrestrictedClientSorts: readonly string[] = ['id', 'name']

export const clientsContract = {
  list: endpoint('GET /client', {
    allow: canReadClients,
    description:
      'The clients one may see. `search` looks into names, emails and campaigns; `nopag` answers all as a plain list. Who may only pick them reads id and name.',
    ...pagedClients,
    query: pagedClients.query.extend({ nopag: z.unknown().optional() }),
    response: z.union([
      pagedClients.response,
      z.array(clientSchema),
      pagedClients.response.extend({ data: z.array(clientOptionSchema) }),
      z.array(clientOptionSchema),
    ]),
  }),
  csv: exportEndpoint('GET /client/export', { allow: canReadClients, query: pagedClients.query, file: 'clients.csv' }),
  timezones: endpoint('GET /client/timezones', {
    allow: both(adminOnly, may(...permissionFlags)),
    description: 'The time zones one may choose from, by code.',
    response: z.record(z.string(), z.string()),
  }),
  get: endpoint('GET /client/:id', {
    allow: canManageClients,
    description: 'One client; its remote token only for who may change it, and noted in the audit trail.',
    response: clientSchema,
  }),
  create: endpoint('POST /client', {
    allow: canManageClients,
    description: 'Makes a client and its login account.',
    body: clientFormSchema,
    response: clientSchema,
    success: 'Client was created successfully',
  }),
  update: endpoint('PATCH /client-resource/:id', {
    allow: canManageClients,
    description:
      'Changes the fields that are sent. A new password, or an account that is switched off, ends its sessions and remote token.',
    body: clientUpdateSchema.extend({ user: clientUpdateSchema.shape.user.partial() }).partial(),
    response: clientSchema,
    conflict: { newer: clientSchema },
    success: 'Client was updated successfully',
  }),
  status: endpoint('POST /client/status', {
    allow: canManageClients,
    description: 'Switches the login account of the client `id` on or off.',
    body: z.object({ id: idField, is_active: flagField }),
    response: clientSchema,
    success: 'Client was updated successfully',
  }),
  remove: endpoint('DELETE /client/:id', {
    allow: canManageClients,
    confirm: 'Are you sure to remove this client?',
    success: 'Client was removed successfully',
  }),
  newRemoteToken: endpoint('POST /user/:id/remoteToken', {
    allow: canManageClients,
    description:
      'Makes a remote token for the account of a client, 90 days long; the one before it stops working at once.',
    response: z.object({ token: z.string() }),
    success: 'New Token was generated',
  }),
}

/** The clients of the list's answer, paged or plain. */
export const getClientRows = (answer: ResponseOf<typeof clientsContract.list> | undefined) =>
  Array.isArray(answer) ? answer : (answer?.data ?? [])
