import { expiry, httpCode, shortAddress, status } from '#domains/sites/checks/ui/site-cells.tsx'
import { badge, clipped, date, external, text } from '#ui/cells/cells.tsx'
import { shownMoment } from '#ui/cells/timestamps.ts'
import type { Column } from '#ui/table/DataTable.tsx'
import type { SortOf } from '#ui/table/useList.ts'
import type { NetworkSite, networkSites } from '../contract.ts'

type SiteColumn = Column<NetworkSite, SortOf<typeof networkSites.list>>

export const columns: SiteColumn[] = [
  {
    key: 'url',
    title: 'URL',
    sort: 'url',
    pinned: 'start',
    width: 220,
    cell: ({ url }) => external(url, shortAddress(url)),
  },
  { key: 'category', title: 'Category', sort: 'category', width: 130, cell: ({ category }) => clipped(category) },
  { key: 'status', title: 'Status', sort: 'status', width: 90, cell: status },
  { key: 'http_status_code', title: 'Http', sort: 'http_status_code', width: 80, cell: httpCode },
  { key: 'registrar', title: 'Registrar', sort: 'registrar', width: 160, cell: registrar },
  {
    key: 'registrant',
    title: 'Registrant',
    sort: 'registrant',
    width: 150,
    cell: ({ registrant }) => clipped(registrant),
  },
  { key: 'ip', title: 'IP', sort: 'ip', width: 130, cell: ({ ip }) => text(ip?.ip) },
  {
    key: 'registration_date',
    title: 'Registration Date',
    sort: 'registration_date',
    width: 160,
    cell: ({ registration_date }) => date(registration_date),
  },
  {
    key: 'expiration_date',
    title: 'Expiration Date',
    sort: 'expiration_date',
    width: 130,
    cell: ({ expiration_date }) => expiry(expiration_date),
  },
  {
    key: 'nameserver_1',
    title: 'Nameserver 1',
    sort: 'nameserver_1',
    width: 170,
    cell: (site) => clipped(site.nameserver_1),
  },
  {
    key: 'nameserver_2',
    title: 'Nameserver 2',
    sort: 'nameserver_2',
    width: 170,
    cell: (site) => clipped(site.nameserver_2),
  },
  { key: 'last_google_index', title: 'Google Index', sort: 'last_google_index', width: 120, cell: googleIndex },
  {
    key: 'redirect_url',
    title: '301',
    sort: 'redirect_url',
    width: 180,
    cell: ({ redirect_url }) => external(redirect_url, redirect_url && shortAddress(redirect_url)),
  },
  {
    key: 'reverse_ip',
    title: 'Reverse IP',
    sort: 'reverse_ip',
    width: 190,
    cell: ({ reverse_ip }) => clipped(reverse_ip),
  },
  {
    key: 'outgoing_links_parsing_error',
    title: 'Outgoing links last error',
    sort: 'outgoing_links_parsing_error',
    width: 210,
    cell: linksError,
  },
]

function registrar({ registrar: name, registration_problem }: NetworkSite) {
  if (name || !registration_problem) return clipped(name)
  return <span title={registration_problem}>{badge('warn', 'Not known')}</span>
}

/** Never guessed: without a search API it was not checked. */
function googleIndex({ last_google_index, google_asked_at }: NetworkSite) {
  if (last_google_index) return date(last_google_index)
  return google_asked_at ? badge('warn', 'Not found') : badge('neutral', 'Not checked')
}

function linksError({ outgoing_links_parsing_error: error, outgoing_links_parsing_failed_at: at }: NetworkSite) {
  return clipped(error && at ? `${shownMoment(at)}: ${error}` : error)
}
