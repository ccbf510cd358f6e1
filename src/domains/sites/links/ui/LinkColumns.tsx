import { shortAddress } from '#domains/sites/checks/ui/site-cells.tsx'
import { badge, clipped, date, external, text } from '#ui/cells/cells.tsx'
import type { Column } from '#ui/table/DataTable.tsx'
import type { SortOf } from '#ui/table/useList.ts'
import type { OutgoingLink, outgoingLinks } from '../contract.ts'

type LinkColumn = Column<OutgoingLink, SortOf<typeof outgoingLinks.list>>

const site: LinkColumn = {
  key: 'network_site',
  title: 'Network Site',
  sort: 'network_site',
  width: 220,
  cell: ({ network_site }) => external(network_site, shortAddress(network_site)),
}

export const columns: LinkColumn[] = [
  {
    key: 'url',
    title: 'URL',
    sort: 'url',
    pinned: 'start',
    width: 280,
    cell: ({ url }) => external(url, shortAddress(url)),
  },
  { key: 'anchor', title: 'Anchor', sort: 'anchor', width: 200, cell: ({ anchor }) => clipped(anchor) },
  site,
  { key: 'rel', title: 'Rel', sort: 'rel', width: 130, cell: ({ rel }) => text(rel) },
  { key: 'type', title: 'Content Type', sort: 'type', width: 120, cell: ({ type }) => text(type) },
  { key: 'seen', title: 'Seen', width: 210, cell: seen },
]

/** Of one site alone. */
export const columnsOfOne = columns.filter((column) => column !== site)

/** From its first crawl to its last; a link that is gone says since when. */
function seen({ first_seen_at, last_seen_at, lost_at, page }: OutgoingLink) {
  return (
    <span title={`On ${page}`}>
      {date(first_seen_at)} – {lost_at ? badge('warn', <>Lost {date(lost_at)}</>) : date(last_seen_at)}
    </span>
  )
}
