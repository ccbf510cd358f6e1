import type { CsvFile } from '#core/csv/csv-stream.ts'
import { formatSiteStatus } from '#domains/sites/checks/contract.ts'
import type { NetworkSite } from '../contract.ts'

/** The columns of network_sites.csv: those of the table. */
export const networkSiteCsvColumns: CsvFile<NetworkSite>['columns'] = [
  { title: 'URL', cell: (site) => site.url },
  { title: 'Category', cell: (site) => site.category },
  { title: 'Status', cell: (site) => formatSiteStatus(site.status) },
  { title: 'Http', cell: (site) => site.http_status_code },
  { title: 'Registrar', cell: (site) => site.registrar },
  { title: 'Registrant', cell: (site) => site.registrant },
  { title: 'IP', cell: (site) => site.ip?.ip },
  { title: 'Registration Date', cell: (site) => site.registration_date },
  { title: 'Expiration Date', cell: (site) => site.expiration_date },
  { title: 'Nameserver 1', cell: (site) => site.nameserver_1 },
  { title: 'Nameserver 2', cell: (site) => site.nameserver_2 },
  { title: 'Google Index', cell: (site) => site.last_google_index?.slice(0, 10) },
  { title: '301', cell: (site) => site.redirect_url },
  { title: 'Reverse IP', cell: (site) => site.reverse_ip },
  { title: 'Outgoing links last error', cell: (site) => site.outgoing_links_parsing_error },
]
