import { z } from 'zod'
import { adminsWithPages } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { getFormShape, getRowShape, listSorts } from '#contract/field-definitions.ts'
import { queryHost, queryId, querySearch } from '#contract/fields.ts'
import { exportEndpoint, pagedQuery } from '#contract/paged.ts'
import { pagedSiteLogs, querySiteStatus, siteCheckShape } from '../checks/contract.ts'
import { networkSiteFields } from './fields.ts'

const canManageNetworkSites = adminsWithPages('networkSites')

const networkSiteSchema = z.object({ ...getRowShape(networkSiteFields), ...siteCheckShape })
export type NetworkSite = z.infer<typeof networkSiteSchema>

const networkSiteFormSchema = z.object(getFormShape(networkSiteFields))
export type NetworkSiteForm = z.output<typeof networkSiteFormSchema>

export const networkSiteSorts = listSorts(networkSiteFields)

const pagedNetworkSites = pagedQuery({
  row: networkSiteSchema,
  sorts: networkSiteSorts,
  sort: 'url',
  perPage: 200,
  filters: {
    url: querySearch(2048),
    ip: querySearch(),
    category: queryId,
    status: querySiteStatus,
    /** Sites that lead to this host: by a link, by a redirect, or because it is their own. */
    host: queryHost,
  },
})
export type NetworkSiteQuery = z.output<typeof pagedNetworkSites.query>

export const networkSitesContract = {
  list: endpoint('GET /networksite', { allow: canManageNetworkSites, ...pagedNetworkSites }),
  csv: exportEndpoint('GET /networksite/export', {
    allow: canManageNetworkSites,
    query: pagedNetworkSites.query,
    file: 'network_sites.csv',
  }),
  create: endpoint('POST /networksite', {
    allow: canManageNetworkSites,
    body: networkSiteFormSchema,
    response: networkSiteSchema,
    success: 'Site was created successfully',
  }),
  update: endpoint('PUT /networksite/:id', {
    allow: canManageNetworkSites,
    body: networkSiteFormSchema,
    response: networkSiteSchema,
    success: 'Site was updated successfully',
  }),
  remove: endpoint('DELETE /networksite/:id', {
    allow: canManageNetworkSites,
    description: 'Also removes its log and its links.',
    confirm: 'Are you sure to remove this site?',
    success: 'Site was removed successfully',
  }),
  get: endpoint('GET /networksite/:id', { allow: canManageNetworkSites, response: networkSiteSchema }),
  logs: endpoint('GET /networksite/:id/logs', { allow: canManageNetworkSites, ...pagedSiteLogs }),
  check: endpoint('POST /networksite/:id/check', {
    allow: canManageNetworkSites,
    description: 'Checks the site now and returns the result.',
    response: networkSiteSchema,
    success: 'Site was checked',
  }),
}
