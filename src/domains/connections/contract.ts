import { z } from 'zod'
import { superAdminOnly } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField, optionalText, requiredText, versionField } from '#contract/fields.ts'
import { textInstantField } from '#contract/instants.ts'
import { httpUrlField } from '#contract/web-address.ts'
import { connectionKinds, connectionSources, connectionStates } from './labels.ts'

const accountSchema = z.object({ id: z.string(), name: z.string() })

const connectionSchema = z.object({
  id: idField,
  kind: z.enum(connectionKinds),
  name: z.string(),
  /** Where it is set. What the environment sets cannot be changed here. */
  source: z.enum(connectionSources),
  /** What is reached: CallRail's account, the sender of emails, Google's client, the person in the old system once that is known. */
  account: accountSchema.nullable(),
  /** The mail server without user and password, or the old system. */
  address: z.string().nullable(),
  state: z.enum(connectionStates),
  /** What the service said last; for one of the environment first the variables that set it. */
  says: z.string().nullable(),
  tested_at: textInstantField.nullable(),
  /** When the service last answered as wanted. */
  used_at: textInstantField.nullable(),
  created_by: z.string().nullable(),
  created_at: textInstantField,
  version: z.int(),
})
export type Connection = z.infer<typeof connectionSchema>

/** A key or token: one word. */
const secretText = (sentence: string, max = 500) =>
  requiredText(sentence, max).regex(/^\S+$/, 'A key has no spaces: copy it again')

const smtpUrlField = requiredText('Please input the address of the mail server', 2048)
  .refine((value) => /^smtps?:\/\//i.test(value), {
    error: 'The address must begin with smtp:// or smtps://',
    abort: true,
  })
  .refine(
    (value) => URL.canParse(value) && new URL(value).hostname !== '',
    'Not an address such as smtp://user:password@mail.example.com:587 (in a password, write # as %23, / as %2F and ? as %3F)',
  )

/** A name, in which a colon only stands in quotes, and an address; or an address. */
const senderPattern = /^(?:(?:"[^"<>@]*"|[^"<>@:])*<[^\s<>@,:;]+@[^\s<>@,:;]+>|[^"<>@,:;]*[^\s"<>@,:;]+@[^\s<>@,:;]+)$/

const fields = {
  api_key: secretText('Please input the API key'),
  url: smtpUrlField,
  from: requiredText('Please input the sender', 300).regex(
    senderPattern,
    'Must be an email address, such as Leadline <leads@example.com>',
  ),
  client_id: secretText('Please input the client ID'),
  client_secret: secretText('Please input the client secret'),
  address: httpUrlField('Please input the address of the old system'),
  token: secretText('Please input the token', 4000),
}
const name = optionalText(100).optional()
const accountId = optionalText(100)
  .refine((value) => value === null || /^[\w-]+$/.test(value), 'Must be the id of an account, such as ACC…')
  .optional()

/** What connects each kind. */
export const newConnectionSchemas = {
  callrail: z.strictObject({ kind: z.literal('callrail'), api_key: fields.api_key, account_id: accountId, name }),
  smtp: z.strictObject({ kind: z.literal('smtp'), url: fields.url, from: fields.from, name }),
  google: z.strictObject({
    kind: z.literal('google'),
    client_id: fields.client_id,
    client_secret: fields.client_secret,
    name,
  }),
  legacy: z.strictObject({ kind: z.literal('legacy'), address: fields.address, token: fields.token, name }),
}
const newConnectionSchema = z.discriminatedUnion(
  'kind',
  [newConnectionSchemas.callrail, newConnectionSchemas.smtp, newConnectionSchemas.google, newConnectionSchemas.legacy],
  'Must be callrail, smtp, google or legacy',
)
export type NewConnection = z.output<typeof newConnectionSchema>

export const changedConnectionSchema = z.strictObject(fields).partial().extend({
  name,
  version: versionField,
})
export type ChangedConnection = z.output<typeof changedConnectionSchema>

const testedSchema = z.object({
  ok: z.boolean(),
  /** What was reached and as whom, or the service's own words. */
  says: z.string(),
  as: accountSchema.nullable(),
  /** How much of what there is, such as companies and numbers. */
  found: z.record(z.string(), z.int().min(0)),
})
export type TestedConnection = z.infer<typeof testedSchema>

export const connectionsContract = {
  list: endpoint('GET /connections', {
    allow: superAdminOnly,
    reads: ['connection'],
    row: 'connection',
    description: 'The services that Leadline is connected to, those of the environment first. Never a secret.',
    response: z.array(connectionSchema),
  }),
  create: endpoint('POST /connections', {
    allow: superAdminOnly,
    changes: ['connection'],
    row: 'connection',
    description:
      'Connects a service; every process uses it at once. Of CallRail without `account_id` the only account of the key is taken. Whether it works is said by its test.',
    body: newConnectionSchema,
    response: connectionSchema,
    success: 'Connection was saved',
  }),
  get: endpoint('GET /connections/:id', {
    allow: superAdminOnly,
    reads: ['connection'],
    description: 'A connection, without its secrets.',
    response: connectionSchema,
  }),
  update: endpoint('PUT /connections/:id', {
    allow: superAdminOnly,
    changes: ['connection'],
    row: 'connection',
    description:
      'Changes the fields sent, of those with which this kind is made. Returns 409 for a connection of the environment, and with the newer connection for a version older than the stored one.',
    body: changedConnectionSchema,
    response: connectionSchema,
    conflict: { newer: connectionSchema },
    success: 'Connection was saved',
  }),
  remove: endpoint('DELETE /connections/:id', {
    allow: superAdminOnly,
    changes: ['connection'],
    row: 'connection',
    description: 'Stops using a connection and forgets its secrets. What it brought stays.',
    confirm:
      'Are you sure you want to remove this connection? Nothing more goes through it; what came through it stays.',
    confirmLabel: 'Remove',
    success: 'Connection was removed',
  }),
  test: endpoint('POST /connections/:id/test', {
    allow: superAdminOnly,
    changes: ['connection'],
    description:
      'Signs in to the service, changes nothing there, and says what was reached, or in the service’s own words why not.',
    response: testedSchema,
  }),
}
