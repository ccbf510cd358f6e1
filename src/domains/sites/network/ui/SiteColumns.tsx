import { renderExpiry, renderHttpCode, renderSiteStatus, shortenUrl } from '#domains/sites/checks/ui/site-cells.tsx'
import { clippedTextCell, dateCell, renderBadge, renderExternalLink, textCell } from '#ui/cells/cells.tsx'
import { formatInstant } from '#ui/cells/timestamps.ts'
import type { TableColumn } from '#ui/table/table-column.ts'
import type { SortOf } from '#ui/table/useList.ts'
import type { NetworkSite, networkSitesContract } from '../contract.ts'

type NetworkSiteColumn = TableColumn<NetworkSite, SortOf<typeof networkSitesContract.list>>

export const networkSiteColumns: NetworkSiteColumn[] = [
  {
    key: 'url',
    title: 'URL',
    sort: 'url',
    pinned: 'start',
    width: 220,
    cell: ({ url }) => renderExternalLink(url, shortenUrl(url)),
  },
  {
    key: 'category',
    title: 'Category',
    sort: 'category',
    width: 130,
    cell: ({ category }) => clippedTextCell(category),
  },
  { key: 'status', title: 'Status', sort: 'status', width: 90, cell: renderSiteStatus },
  { key: 'http_status_code', title: 'Http', sort: 'http_status_code', width: 80, cell: renderHttpCode },
  { key: 'registrar', title: 'Registrar', sort: 'registrar', width: 160, cell: renderRegistrar },
  {
    key: 'registrant',
    title: 'Registrant',
    sort: 'registrant',
    width: 150,
    cell: ({ registrant }) => clippedTextCell(registrant),
  },
  { key: 'ip', title: 'IP', sort: 'ip', width: 130, cell: ({ ip }) => textCell(ip?.ip) },
  {
    key: 'registration_date',
    title: 'Registration Date',
    sort: 'registration_date',
    width: 160,
    cell: ({ registration_date }) => dateCell(registration_date),
  },
  {
    key: 'expiration_date',
    title: 'Expiration Date',
    sort: 'expiration_date',
    width: 130,
    cell: ({ expiration_date }) => renderExpiry(expiration_date),
  },
  {
    key: 'nameserver_1',
    title: 'Nameserver 1',
    sort: 'nameserver_1',
    width: 170,
    cell: (site) => clippedTextCell(site.nameserver_1),
  },
  {
    key: 'nameserver_2',
    title: 'Nameserver 2',
    sort: 'nameserver_2',
    width: 170,
    cell: (site) => clippedTextCell(site.nameserver_2),
  },
  { key: 'last_google_index', title: 'Google Index', sort: 'last_google_index', width: 120, cell: renderGoogleIndex },
  {
    key: 'redirect_url',
    title: '301',
    sort: 'redirect_url',
    width: 180,
    cell: ({ redirect_url }) => renderExternalLink(redirect_url, redirect_url && shortenUrl(redirect_url)),
  },
  {
    key: 'reverse_ip',
    title: 'Reverse IP',
    sort: 'reverse_ip',
    width: 190,
    cell: ({ reverse_ip }) => clippedTextCell(reverse_ip),
  },
  {
    key: 'outgoing_links_parsing_error',
    title: 'Outgoing links last error',
    sort: 'outgoing_links_parsing_error',
    width: 210,
    cell: renderLinksError,
  },
]

function renderRegistrar({ registrar: name, registration_problem }: NetworkSite) {
  if (name || !registration_problem) return clippedTextCell(name)
  return <span title={registration_problem}>{renderBadge('warn', 'Not known')}</span>
}

/** Never guessed: without a search API it was not checked. */
function renderGoogleIndex({ last_google_index, google_asked_at }: NetworkSite) {
  if (last_google_index) return dateCell(last_google_index)
  return google_asked_at ? renderBadge('warn', 'Not found') : renderBadge('neutral', 'Not checked')
}

function renderLinksError({ outgoing_links_parsing_error: error, outgoing_links_parsing_failed_at: at }: NetworkSite) {
  return clippedTextCell(error && at ? `${formatInstant(at)}: ${error}` : error)
}
