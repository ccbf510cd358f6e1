import { z } from 'zod'
import { admin, both, flags, may } from '#contract/allow.ts'
import { type AnswerOf, endpoint } from '#contract/endpoint.ts'
import { email, flag, id, password, querySearch, required } from '#contract/fields.ts'
import { listFile, paged } from '#contract/paged.ts'
import { timezones } from './labels.ts'

/** A time zone of the list, by its code. */
export const timezone = z.string('Please select a timezone').refine((code) => Object.hasOwn(timezones, code), {
  error: 'Please select a timezone',
})

/** The one login account of a client. */
const account = z.object({
  id,
  username: z.string(),
  email: z.string(),
  is_active: flag,
  /** In `GET client/:id` alone, and only for who may change the client; null where there is none. */
  remote_token: z.string().nullable().optional(),
})

export const client = z.object({
  id,
  name: z.string(),
  /** None only where a database was filled by hand. */
  user: account.nullable(),
  timezone: z.string(),
  /** Addresses that get each lead besides the account's, one a line. */
  emails: z.string(),
  disable_notifications: flag,
  /** Those that the reader may see. */
  campaigns: z.array(z.object({ id, name: z.string(), archived: flag })),
  /** Whether the reader sees all its campaigns: the account is shared by all of them. */
  may_change: z.boolean(),
  version: z.int(),
})
export type Client = z.infer<typeof client>
/** What a 409 carries besides its message. */
export const newerClient = z.object({ newer: client })
/** What who only picks clients reads. */
const pickedClient = client.pick({ id: true, name: true })

const most = 20
/** The addresses of a text with one a line: trimmed, blank lines and repeats (in any case) dropped, in the order given. */
export function addressesOf(lines: string): string[] {
  const seen = new Map<string, string>()
  for (const line of lines.split(/\r\n|\r|\n/)) {
    const address = line.trim()
    if (address !== '' && !seen.has(address.toLowerCase())) seen.set(address.toLowerCase(), address)
  }
  return [...seen.values()]
}
const additionalEmails = z
  .string('Must be text')
  .max(6000, 'At most 6000 characters')
  .superRefine((text, context) => {
    for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
      const address = line.trim()
      if (address !== '' && !email().safeParse(address).success)
        context.addIssue({ code: 'custom', message: `Line ${index + 1}: ‘${address.slice(0, 80)}’ is not an email` })
    }
    if (addressesOf(text).length > most) context.addIssue({ code: 'custom', message: `At most ${most} emails` })
  })
  .transform(addressesOf)

const emailSentence = 'Please enter email'
const accountForm = z.strictObject({
  username: required('Please input nickname', 100),
  email: required(emailSentence, 254).pipe(email()),
})
/** Anything else in the body (a role, an id, a token) is refused by name: nothing here is ever mass-assigned. */
export const clientForm = z.strictObject({
  name: required('Please input name'),
  user: accountForm,
  password: password('Please enter password'),
  timezone: timezone.default('America/New_York'),
  emails: additionalEmails.default([]),
  disable_notifications: flag.default(0),
})

/** An empty password keeps the old one. */
const newPassword = z.preprocess(
  (value) => (value === '' || value === null ? undefined : value),
  clientForm.shape.password.optional(),
)
/** The whole form, as the dialog sends it. `version` is the one the editor saw; without it the last writer wins. */
export const clientChanges = z.strictObject({
  ...clientForm.shape,
  timezone,
  emails: additionalEmails,
  disable_notifications: flag,
  user: accountForm.extend({ id: id.optional(), is_active: flag.optional() }),
  password: newPassword,
  version: z.int().min(1).optional(),
})

const keeps = both(admin, may('clients'))
const reads = both(admin, may('clients', 'campaigns'))
const listed = paged({
  row: client,
  sorts: ['id', 'name', 'user.email', 'disable_notifications', 'timezone', 'user.is_active'],
  sort: 'name',
  perPage: 200,
  total: 'meta',
  filters: { search: querySearch(200) },
})
/** What anybody may sort by who reads clients at all. */
export const openSorts: readonly string[] = ['id', 'name']

export const clients = {
  list: endpoint('GET /client', {
    allow: reads,
    about:
      'The clients one may see. `search` looks into names, emails and campaigns; `nopag` answers all as a plain list. Who may only pick them reads id and name.',
    ...listed,
    query: listed.query.extend({ nopag: z.unknown().optional() }),
    answers: z.union([
      listed.answers,
      z.array(client),
      listed.answers.extend({ data: z.array(pickedClient) }),
      z.array(pickedClient),
    ]),
  }),
  csv: listFile('GET /client/export', { allow: reads, query: listed.query, file: 'clients.csv' }),
  timezones: endpoint('GET /client/timezones', {
    allow: both(admin, may(...flags)),
    about: 'The time zones one may choose from, by code.',
    answers: z.record(z.string(), z.string()),
  }),
  get: endpoint('GET /client/:id', {
    allow: keeps,
    about: 'One client; its remote token only for who may change it, and noted in the audit trail.',
    answers: client,
  }),
  create: endpoint('POST /client', {
    allow: keeps,
    about: 'Makes a client and its login account.',
    body: clientForm,
    answers: client,
    says: 'Client was created successfully',
  }),
  update: endpoint('PATCH /client-resource/:id', {
    allow: keeps,
    about:
      'Changes the fields that are sent. A new password, or an account that is switched off, ends its sessions and remote token.',
    body: clientChanges.extend({ user: clientChanges.shape.user.partial() }).partial(),
    answers: client,
    says: 'Client was updated successfully',
  }),
  status: endpoint('POST /client/status', {
    allow: keeps,
    about: 'Switches the login account of the client `id` on or off.',
    body: z.object({ id, is_active: flag }),
    answers: client,
    says: 'Client was updated successfully',
  }),
  remove: endpoint('DELETE /client/:id', {
    allow: keeps,
    asks: 'Are you sure to remove this client?',
    says: 'Client was removed successfully',
  }),
  newRemoteToken: endpoint('POST /user/:id/remoteToken', {
    allow: keeps,
    about: 'Makes a remote token for the account of a client, 90 days long; the one before it stops working at once.',
    answers: z.object({ token: z.string() }),
    says: 'New Token was generated',
  }),
}

/** The clients of the list's answer, paged or plain. */
export const clientsOf = (answer: AnswerOf<typeof clients.list> | undefined) =>
  Array.isArray(answer) ? answer : (answer?.data ?? [])
