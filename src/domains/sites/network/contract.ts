import { z } from 'zod'
import { admin, both, may } from '#contract/allow.ts'
import { endpoint } from '#contract/endpoint.ts'
import { id, idOr, queryHost, queryId, querySearch, siteAddress } from '#contract/fields.ts'
import { listFile, paged } from '#contract/paged.ts'
import { checkedSite, queryStatus, siteLogs } from '../checks/contract.ts'

const keeps = both(admin, may('networkSites'))

const networkSite = z.object({
  id,
  url: z.string(),
  category_id: id,
  category: z.string(),
  ...checkedSite,
  registrar: z.string().nullable(),
  registrant: z.string().nullable(),
  ip: z.object({ id: id.nullable(), ip: z.string() }).nullable(),
  registration_date: z.iso.date().nullable(),
  expiration_date: z.iso.date().nullable(),
  nameserver_1: z.string().nullable(),
  nameserver_2: z.string().nullable(),
  /** Why nothing is known of the registration. */
  registration_problem: z.string().nullable(),
  last_google_index: z.iso.datetime().nullable(),
  /** When the search API was last asked; never where none is configured. */
  google_asked_at: z.iso.datetime().nullable(),
  reverse_ip: z.string().nullable(),
  crawled_at: z.iso.datetime().nullable(),
  outgoing_links_parsing_error: z.string().nullable(),
  outgoing_links_parsing_failed_at: z.iso.datetime().nullable(),
})
export type NetworkSite = z.infer<typeof networkSite>

const form = z.object({
  url: siteAddress('Please input URL'),
  category_id: idOr('Please select Campaign'), // as the specification has it
})
export type NetworkSiteForm = z.output<typeof form>

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

const list = paged({
  row: networkSite,
  sorts: networkSiteSorts,
  sort: 'url',
  perPage: 200,
  filters: {
    url: querySearch(2048),
    ip: querySearch(),
    category: queryId,
    status: queryStatus,
    /** Sites that lead to this host: by a link, by a redirect, or because it is their own. */
    host: queryHost,
  },
})
export type NetworkSiteQuery = z.output<typeof list.query>

export const networkSites = {
  list: endpoint('GET /networksite', { allow: keeps, ...list }),
  csv: listFile('GET /networksite/export', { allow: keeps, query: list.query, file: 'network_sites.csv' }),
  create: endpoint('POST /networksite', {
    allow: keeps,
    body: form,
    answers: networkSite,
    says: 'Site was created successfully',
  }),
  update: endpoint('PUT /networksite/:id', {
    allow: keeps,
    body: form,
    answers: networkSite,
    says: 'Site was updated successfully',
  }),
  remove: endpoint('DELETE /networksite/:id', {
    allow: keeps,
    about: 'Its log and its links go with it.',
    asks: 'Are you sure to remove this site?',
    says: 'Site was removed successfully',
  }),
  logs: endpoint('GET /networksite/:id/logs', { allow: keeps, ...siteLogs }),
  check: endpoint('POST /networksite/:id/check', {
    allow: keeps,
    about: 'Checks the site now, and answers what was found.',
    answers: networkSite,
    says: 'Site was checked',
  }),
}
