import { renderSiteUrl } from '#domains/sites/checks/ui/site-cells.tsx'
import { renderBadge } from '#ui/cells/cells.tsx'
import { formatInstantDay } from '#ui/cells/timestamps.ts'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import type { OutgoingLink } from '../contract.ts'
import { outgoingLinkFields } from '../fields.ts'

export const outgoingLinkColumns = buildFieldColumns(outgoingLinkFields, {
  network_site: {
    cell: ({ network_site, network_site_id }) => renderSiteUrl('network_site', network_site_id, network_site),
  },
  seen: { cell: renderSeenDates },
})

/** The columns for the links of a single site. */
export const singleSiteLinkColumns = outgoingLinkColumns.filter(({ key }) => key !== 'network_site')

/** Shows the first and last crawl with the link, or when it was lost. */
function renderSeenDates({ first_seen_at, last_seen_at, lost_at, page }: OutgoingLink) {
  return (
    <span title={`On ${page}`}>
      {formatInstantDay(first_seen_at)} –{' '}
      {lost_at ? renderBadge('warn', `Lost ${formatInstantDay(lost_at)}`) : formatInstantDay(last_seen_at)}
    </span>
  )
}
