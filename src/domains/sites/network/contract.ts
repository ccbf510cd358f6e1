import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { getFormShape, getRowShape } from '#contract/field-definitions.ts'
import { versionField } from '#contract/fields.ts'
import { exportEndpoint, pagedFields } from '#contract/paged.ts'
import { pagedSiteLogs, siteCheckShape } from '../checks/contract.ts'
import { networkSiteFields, networkSiteFilters } from './fields.ts'

const canManageNetworkSites = adminsWithPages('networkSites')

const networkSiteSchema = z.object({ ...getRowShape(networkSiteFields), ...siteCheckShape })
export type NetworkSite = z.infer<typeof networkSiteSchema>

const networkSiteFormSchema = z.object(getFormShape(networkSiteFields))
export type NetworkSiteForm = z.output<typeof networkSiteFormSchema>
/** `version` is the one that the editor read; without it the last write wins. */
const networkSiteUpdateSchema = networkSiteFormSchema.extend({ version: versionField })
export type NetworkSiteUpdate = z.output<typeof networkSiteUpdateSchema>

const pagedNetworkSites = pagedFields(networkSiteFields, {
  row: networkSiteSchema,
  filters: networkSiteFilters,
  sort: 'url',
  perPage: 200,
})
export type NetworkSiteQuery = z.output<typeof pagedNetworkSites.query>

export const networkSitesContract = {
  list: endpoint('GET /networksite', {
    allow: canManageNetworkSites,
    reads: ['network-site'],
    row: 'network-site',
    ...pagedNetworkSites,
  }),
  csv: exportEndpoint('GET /networksite/export', {
    allow: canManageNetworkSites,
    query: pagedNetworkSites.query,
    file: 'network_sites.csv',
  }),
  create: endpoint('POST /networksite', {
    allow: canManageNetworkSites,
    changes: ['network-site'],
    row: 'network-site',
    body: networkSiteFormSchema,
    response: networkSiteSchema,
    success: 'Site was created successfully',
  }),
  update: endpoint('PUT /networksite/:id', {
    allow: canManageNetworkSites,
    changes: ['network-site'],
    row: 'network-site',
    description: 'Returns 409 with the newer site for a version older than the stored one.',
    body: networkSiteUpdateSchema,
    response: networkSiteSchema,
    conflict: { newer: networkSiteSchema },
    success: 'Site was updated successfully',
  }),
  remove: endpoint('DELETE /networksite/:id', {
    allow: canManageNetworkSites,
    changes: ['network-site'],
    row: 'network-site',
    description: 'Also removes its log and its links.',
    confirm: 'Are you sure to remove this site?',
    success: 'Site was removed successfully',
  }),
  get: endpoint('GET /networksite/:id', {
    allow: canManageNetworkSites,
    reads: ['network-site'],
    response: networkSiteSchema,
  }),
  logs: endpoint('GET /networksite/:id/logs', {
    allow: canManageNetworkSites,
    reads: ['network-site'],
    ...pagedSiteLogs,
  }),
  check: endpoint('POST /networksite/:id/check', {
    allow: canManageNetworkSites,
    changes: ['network-site'],
    row: 'network-site',
    description: 'Checks the site now and returns the result.',
    response: networkSiteSchema,
    success: 'Site was checked',
  }),
}
