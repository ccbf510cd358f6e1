import { clipped, count, link, text } from '#ui/cells/cells.tsx'
import { search } from '#ui/filters/filters.tsx'
import type { Column } from '#ui/table/DataTable.tsx'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import { type SortOf, useList } from '#ui/table/useList.ts'
import { type Ip, ips } from '../contract.ts'

const columns: Column<Ip, SortOf<typeof ips.list>>[] = [
  { key: 'ip', title: 'IP Address', sort: 'ip', pinned: 'start', width: 180, cell: ({ ip }) => ip },
  {
    key: 'network_sites_count',
    title: 'Network Sites',
    sort: 'network_sites_count',
    align: 'end',
    width: 130,
    cell: ({ ip, network_sites_count }) => link('/network-sites', { ip }, count(network_sites_count)),
  },
  {
    key: 'client_sites_count',
    title: 'Client Sites',
    sort: 'client_sites_count',
    align: 'end',
    width: 120,
    cell: ({ ip, client_sites_count }) => link('/client-sites', { ip }, count(client_sites_count)),
  },
  { key: 'owner', title: 'Owner', sort: 'owner', cell: ({ owner }) => clipped(owner) },
  { key: 'country', title: 'Country', sort: 'country', width: 110, cell: ({ country }) => text(country) },
  { key: 'region', title: 'Region', sort: 'region', width: 180, cell: ({ region }) => clipped(region) },
]

const filters = { ip: search('IP'), owner: search('Owner'), country: search('Country'), region: search('Region') }

export default function Ips() {
  return <ListScreen table="ips" title="IP Addresses" list={useList(ips.list)} filters={filters} columns={columns} />
}
