import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { getFormShape, getRowShape } from '#contract/field-definitions.ts'
import { idField, versionField } from '#contract/fields.ts'
import { exportEndpoint, pagedFields } from '#contract/paged.ts'
import { secretField } from '#contract/secret-fields.ts'
import { pagedSiteLogs, siteCheckShape } from '../checks/contract.ts'
import { clientSiteFields, clientSiteFilters } from './fields.ts'

const siteHookSchema = z.object({ callrail_url: z.string(), formidable_url: z.string(), key: secretField() })
const canManageClientSites = adminsWithPages('clientSites')

const clientSiteSchema = z.object({ ...getRowShape(clientSiteFields), ...siteCheckShape })
export type ClientSite = z.infer<typeof clientSiteSchema>

const clientSiteFormSchema = z
  .object(getFormShape(clientSiteFields))
  .refine(({ forms_only, callrail_campaign_identifier: id }) => forms_only || id, {
    path: ['callrail_campaign_identifier'],
    error: 'Please input CallRail Company ID',
    // Reported together with the errors of other fields.
    when: ({ value }) => typeof value === 'object' && value !== null,
  })
export type ClientSiteForm = z.output<typeof clientSiteFormSchema>
/** `version` is the one that the editor read; without it the last write wins. */
const clientSiteUpdateSchema = clientSiteFormSchema.safeExtend({ version: versionField })
export type ClientSiteUpdate = z.output<typeof clientSiteUpdateSchema>

const pagedClientSites = pagedFields(clientSiteFields, {
  row: clientSiteSchema,
  filters: clientSiteFilters,
  sort: 'url',
  perPage: 200,
})
export type ClientSiteQuery = z.output<typeof pagedClientSites.query>

export const clientSitesContract = {
  list: endpoint('GET /clientsite', {
    allow: canManageClientSites,
    reads: ['client-site'],
    row: 'client-site',
    ...pagedClientSites,
  }),
  csv: exportEndpoint('GET /clientsite/export', {
    allow: canManageClientSites,
    query: pagedClientSites.query,
    file: 'client_sites.csv',
  }),
  create: endpoint('POST /clientsite', {
    allow: canManageClientSites,
    changes: ['client-site', 'campaign'],
    row: 'client-site',
    body: clientSiteFormSchema,
    response: clientSiteSchema,
    success: 'Client Site was created successfully',
  }),
  update: endpoint('PUT /clientsite/:id', {
    allow: canManageClientSites,
    changes: ['client-site', 'campaign'],
    row: 'client-site',
    description: 'Returns 409 with the newer site for a version older than the stored one.',
    body: clientSiteUpdateSchema,
    response: clientSiteSchema,
    conflict: { newer: clientSiteSchema },
    success: 'Client Site was updated successfully',
  }),
  remove: endpoint('DELETE /clientsite/:id', {
    allow: canManageClientSites,
    changes: ['client-site', 'campaign'],
    row: 'client-site',
    description: 'Keeps its leads.',
    confirm: 'Are you sure to remove this site?',
    success: 'Client Site was removed successfully',
  }),
  get: endpoint('GET /clientsite/:id', {
    allow: canManageClientSites,
    reads: ['client-site'],
    response: clientSiteSchema,
  }),
  logs: endpoint('GET /clientsite/:id/logs', { allow: canManageClientSites, reads: ['client-site'], ...pagedSiteLogs }),
  check: endpoint('POST /clientsite/:id/check', {
    allow: canManageClientSites,
    changes: ['client-site'],
    row: 'client-site',
    description: 'Checks the site now and returns the result.',
    response: clientSiteSchema,
    success: 'Site was checked',
  }),
  hook: endpoint('GET /clientsite/:id/hook', {
    allow: canManageClientSites,
    reads: ['client-site'],
    description: 'The URLs that CallRail and Formidable send this site’s leads to, and the key of its forms.',
    response: siteHookSchema,
  }),
  newHookKey: endpoint('POST /clientsite/:id/hook', {
    allow: canManageClientSites,
    changes: ['client-site'],
    newSecret: true,
    description: 'Creates a new key for the site’s forms; the old one stops working at once.',
    response: siteHookSchema,
    confirm: 'Are you sure you want to create a new key? Forms with the old one stop working at once.',
    success: 'New key was created',
  }),
  all: endpoint('GET /clientsite/all', {
    allow: adminsWithPages('clientSites', 'campaigns', 'leads'),
    reads: ['client-site'],
    description: 'Every client site that the user may see, for pickers.',
    response: z.array(z.object({ id: idField, url: z.string(), campaign_id: idField.nullable() })),
  }),
}
