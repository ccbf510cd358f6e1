import { z } from 'zod'
import { adminOnly, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { idField, queryHost, queryId, querySearch, requiredId, siteUrlField } from '#contract/fields.ts'
import { exportEndpoint, paged } from '#contract/paged.ts'
import { pagedSiteLogs, querySiteStatus, siteCheckShape } from '../checks/contract.ts'

const canManageNetworkSites = both(adminOnly, may('networkSites'))

const networkSiteSchema = z.object({
  id: idField,
  url: z.string(),
  category_id: idField,
  category: z.string(),
  ...siteCheckShape,
  registrar: z.string().nullable(),
  registrant: z.string().nullable(),
  ip: z.object({ id: idField.nullable(), ip: z.string() }).nullable(),
  registration_date: z.iso.date().nullable(),
  expiration_date: z.iso.date().nullable(),
  nameserver_1: z.string().nullable(),
  nameserver_2: z.string().nullable(),
  /** Why nothing is known of the registration. */
  registration_problem: z.string().nullable(),
  last_google_index: z.iso.datetime().nullable(),
  /** When the search API was last asked; null where none is configured. */
  google_asked_at: z.iso.datetime().nullable(),
  reverse_ip: z.string().nullable(),
  crawled_at: z.iso.datetime().nullable(),
  outgoing_links_parsing_error: z.string().nullable(),
  outgoing_links_parsing_failed_at: z.iso.datetime().nullable(),
})
export type NetworkSite = z.infer<typeof networkSiteSchema>

const networkSiteFormSchema = z.object({
  url: siteUrlField('Please input URL'),
  category_id: requiredId('Please select Campaign'), // as the specification has it
})
export type NetworkSiteForm = z.output<typeof networkSiteFormSchema>

export const networkSiteSorts = [
  'url',
  'category',
  'status',
  'http_status_code',
  'registrar',
  'registrant',
  'ip',
  'registration_date',
  'expiration_date',
  'nameserver_1',
  'nameserver_2',
  'last_google_index',
  'redirect_url',
  'reverse_ip',
  'outgoing_links_parsing_error',
] as const

const pagedNetworkSites = paged({
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
    description: 'Its log and its links go with it.',
    confirm: 'Are you sure to remove this site?',
    success: 'Site was removed successfully',
  }),
  logs: endpoint('GET /networksite/:id/logs', { allow: canManageNetworkSites, ...pagedSiteLogs }),
  check: endpoint('POST /networksite/:id/check', {
    allow: canManageNetworkSites,
    description: 'Checks the site now, and answers what was found.',
    response: networkSiteSchema,
    success: 'Site was checked',
  }),
}
