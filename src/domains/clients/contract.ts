import { z } from 'zod'
import { adminsWithPages, permissionFlags } from '#contract/allow.ts'
import { endpoint, type ResponseOf } from '#contract/endpoint.ts'
import { getFormShape, getRowShape, removeDefaults } from '#contract/field-definitions.ts'
import { flagField, idField, toNewPassword, versionField } from '#contract/fields.ts'
import { exportEndpoint, pagedFields } from '#contract/paged.ts'
import { clientFields, clientFilters } from './fields.ts'

export const clientSchema = z.object(getRowShape(clientFields))
export type Client = z.infer<typeof clientSchema>
/** For readers who only pick clients. */
export const clientOptionSchema = clientSchema.pick({ id: true, name: true })

/** Any other field in the body (a role, an id, a token) is rejected by name, so mass assignment is impossible. */
export const clientFormSchema = z.strictObject(getFormShape(clientFields))

const newPasswordField = toNewPassword(clientFormSchema.shape.password)
/** The whole form, as the dialog sends it. `version` is the one the editor read; without it the last write wins. */
export const clientUpdateSchema = z.strictObject({
  ...removeDefaults(clientFormSchema.shape),
  user: clientFormSchema.shape.user.extend({ id: idField.optional(), is_active: flagField.optional() }),
  password: newPasswordField,
  version: versionField,
})

const canManageClients = adminsWithPages('clients')
const canReadClients = adminsWithPages('clients', 'campaigns')
const pagedClients = pagedFields(clientFields, {
  filters: clientFilters,
  sort: 'name',
  perPage: 200,
  total: 'meta',
})
export type ClientListQuery = z.output<typeof pagedClients.query>

export const clientsContract = {
  list: endpoint('GET /client', {
    allow: canReadClients,
    reads: ['client'],
    row: 'client',
    description:
      'The clients that the caller may see. `search` covers names, emails and campaigns; `nopag` returns all as a plain list. Users who may only pick clients get id and name.',
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
    allow: adminsWithPages(...permissionFlags),
    reads: ['client'],
    description: 'The available time zones, by code.',
    response: z.record(z.string(), z.string()),
  }),
  get: endpoint('GET /client/:id', {
    allow: canManageClients,
    reads: ['client'],
    description: 'One client; its remote token only for users who may change the client, and audited.',
    response: clientSchema,
  }),
  create: endpoint('POST /client', {
    allow: canManageClients,
    changes: ['client'],
    row: 'client',
    description:
      'Creates a client and its login account. With `invite` the client is emailed a link to choose a password, and `password` is left out.',
    // Without an account, its fields are missing: each has its own sentence.
    body: clientFormSchema
      .extend({
        user: z.preprocess((value) => value ?? {}, clientFormSchema.shape.user),
        password: newPasswordField,
        invite: flagField.default(0),
      })
      .refine(({ password, invite }) => Boolean(invite) || Boolean(password), {
        error: 'Please enter password',
        path: ['password'],
        when: ({ value }) => typeof value === 'object' && value !== null,
      }),
    response: clientSchema,
    success: 'Client was created successfully',
  }),
  update: endpoint('PATCH /client-resource/:id', {
    allow: canManageClients,
    changes: ['client'],
    row: 'client',
    description:
      'Changes only the fields sent. A new password, or deactivating the account, ends its sessions and remote token.',
    body: clientUpdateSchema.extend({ user: clientUpdateSchema.shape.user.partial() }).partial(),
    response: clientSchema,
    conflict: { newer: clientSchema },
    success: 'Client was updated successfully',
  }),
  status: endpoint('POST /client/status', {
    allow: canManageClients,
    changes: ['client'],
    row: 'client',
    description: 'Switches the login account of the client `id` on or off.',
    body: z.object({ id: idField, is_active: flagField }),
    response: clientSchema,
    success: 'Client was updated successfully',
  }),
  remove: endpoint('DELETE /client/:id', {
    allow: canManageClients,
    changes: ['client'],
    row: 'client',
    confirm: 'Are you sure to remove this client?',
    success: 'Client was removed successfully',
  }),
  newRemoteToken: endpoint('POST /user/:id/remoteToken', {
    allow: canManageClients,
    changes: ['client', 'user'],
    newSecret: true,
    description:
      'Creates a remote token for a client’s account, valid for 90 days; the previous one stops working immediately.',
    response: z.object({ token: z.string() }),
    success: 'New Token was generated',
  }),
}

/** Returns the clients of the list's response, paged or plain. */
export const getClientRows = (answer: ResponseOf<typeof clientsContract.list> | undefined) =>
  Array.isArray(answer) ? answer : (answer?.data ?? [])
