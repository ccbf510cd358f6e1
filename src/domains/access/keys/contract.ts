import { z } from 'zod'
import { permissionFlags, staffOnly } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { flagField, idField, requiredText } from '#contract/fields.ts'
import { textInstantField } from '#contract/instants.ts'
import { keyAccesses } from './labels.ts'

const keyPagesSchema = z.partialRecord(z.enum(permissionFlags), flagField)

const apiKeySchema = z.object({
  id: idField,
  name: z.string(),
  /** Ticked pages: page to 1. */
  pages: keyPagesSchema,
  access: z.enum(keyAccesses),
  /** Whether it may make files of whole lists: the calls that end in `/export`. */
  export: flagField,
  expires_at: textInstantField,
  /** To the minute; null if never used. */
  last_used_at: textInstantField.nullable(),
  created_at: textInstantField,
  /** The key's creator. */
  user: z.object({ id: idField, username: z.string() }),
})
export type ApiKey = z.infer<typeof apiKeySchema>
const newApiKeySchema = apiKeySchema.extend({ key: z.string() })

const maxKeyMonths = 12
const clockToleranceMs = 60_000
const expiryMessage = 'Please select when it expires'
const isWithinAYear = (at: string) =>
  new Date(at) <= addKeyMonths(new Date(Date.now() + clockToleranceMs), maxKeyMonths)
const expiryField = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], expiryMessage)
  .refine((at) => new Date(at).getTime() > Date.now(), 'This is over already')
  .refine(isWithinAYear, 'At most a year from now')

/** Returns the end of a key that lasts so many months: in UTC, because a year of the browser's zone can be longer than the server's. */
export function addKeyMonths(from: Date, months: number): Date {
  const end = new Date(from)
  end.setUTCMonth(end.getUTCMonth() + months)
  return end
}

const apiKeyFormSchema = z.strictObject({
  name: requiredText('Please input a name', 100),
  pages: keyPagesSchema.refine((pages) => Object.values(pages).includes(1), 'Please select a page'),
  access: z.enum(keyAccesses, 'Please select what it may do'),
  export: flagField.default(0),
  expires_at: expiryField,
})

export const apiKeysContract = {
  list: endpoint('GET /keys', {
    allow: staffOnly,
    reads: ['api-key'],
    description: "The caller's own API keys, newest first; super admins see all.",
    response: z.array(apiKeySchema),
  }),
  create: endpoint('POST /keys', {
    reauthenticate: true,
    allow: staffOnly,
    changes: ['api-key'],
    newSecret: true,
    description:
      'Creates an API key and returns it, once. It has its pages as long as its creator has them, for its creator’s campaigns; with `export` it may also make files of their lists.',
    body: apiKeyFormSchema,
    response: newApiKeySchema,
  }),
  remove: endpoint('DELETE /keys/:id', {
    reauthenticate: true,
    allow: staffOnly,
    changes: ['api-key'],
    description: 'Revokes a key immediately.',
    confirm: 'Are you sure to revoke this key? What uses it stops working.',
    confirmLabel: 'Revoke',
    success: 'API key was revoked',
  }),
}
