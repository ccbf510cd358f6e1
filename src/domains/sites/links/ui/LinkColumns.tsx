import { renderSiteUrl, shortenUrl } from '#domains/sites/checks/ui/site-cells.tsx'
import { clippedTextCell, renderBadge, renderExternalLink, textCell } from '#ui/cells/cells.tsx'
import { formatInstantDay } from '#ui/cells/timestamps.ts'
import type { TableColumn } from '#ui/table/table-column.ts'
import type { SortOf } from '#ui/table/useList.ts'
import type { OutgoingLink, outgoingLinksContract } from '../contract.ts'

type OutgoingLinkColumn = TableColumn<OutgoingLink, SortOf<typeof outgoingLinksContract.list>>

const sourceSiteColumn: OutgoingLinkColumn = {
  key: 'network_site',
  title: 'Network Site',
  sort: 'network_site',
  width: 220,
  cell: ({ network_site, network_site_id }) => renderSiteUrl('network_site', network_site_id, network_site),
}

export const outgoingLinkColumns: OutgoingLinkColumn[] = [
  {
    key: 'url',
    title: 'URL',
    sort: 'url',
    pinned: 'start',
    width: 280,
    cell: ({ url }) => renderExternalLink(url, shortenUrl(url)),
  },
  { key: 'anchor', title: 'Anchor', sort: 'anchor', width: 200, cell: ({ anchor }) => clippedTextCell(anchor) },
  sourceSiteColumn,
  { key: 'rel', title: 'Rel', sort: 'rel', width: 130, cell: ({ rel }) => textCell(rel) },
  { key: 'type', title: 'Content Type', sort: 'type', width: 120, cell: ({ type }) => textCell(type) },
  { key: 'seen', title: 'Seen', width: 210, cell: renderSeenDates },
]

/** The columns for the links of a single site. */
export const singleSiteLinkColumns = outgoingLinkColumns.filter((column) => column !== sourceSiteColumn)

/** Shows the first and last crawl with the link, or when it was lost. */
function renderSeenDates({ first_seen_at, last_seen_at, lost_at, page }: OutgoingLink) {
  return (
    <span title={`On ${page}`}>
      {formatInstantDay(first_seen_at)} –{' '}
      {lost_at ? renderBadge('warn', `Lost ${formatInstantDay(lost_at)}`) : formatInstantDay(last_seen_at)}
    </span>
  )
}
