import { clippedTextCell, countCell, renderPageLink, textCell } from '#ui/cells/cells.tsx'
import { searchFilter } from '#ui/filters/filters.tsx'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import { type SortOf, useList } from '#ui/table/useList.ts'
import { type IpAddressRow, ipsContract } from '../contract.ts'

const ipColumns: TableColumn<IpAddressRow, SortOf<typeof ipsContract.list>>[] = [
  { key: 'ip', title: 'IP Address', sort: 'ip', pinned: 'start', width: 180, cell: ({ ip }) => ip },
  {
    key: 'network_sites_count',
    title: 'Network Sites',
    sort: 'network_sites_count',
    align: 'end',
    width: 130,
    cell: ({ ip, network_sites_count }) => renderPageLink('/network-sites', { ip }, countCell(network_sites_count)),
  },
  {
    key: 'client_sites_count',
    title: 'Client Sites',
    sort: 'client_sites_count',
    align: 'end',
    width: 120,
    cell: ({ ip, client_sites_count }) => renderPageLink('/client-sites', { ip }, countCell(client_sites_count)),
  },
  { key: 'owner', title: 'Owner', sort: 'owner', cell: ({ owner }) => clippedTextCell(owner) },
  { key: 'country', title: 'Country', sort: 'country', width: 110, cell: ({ country }) => textCell(country) },
  { key: 'region', title: 'Region', sort: 'region', width: 180, cell: ({ region }) => clippedTextCell(region) },
]

const ipFilters = {
  ip: searchFilter('IP'),
  owner: searchFilter('Owner'),
  country: searchFilter('Country'),
  region: searchFilter('Region'),
}

export default function IpAddressesScreen() {
  return (
    <ListScreen
      table="ips"
      title="IP Addresses"
      list={useList(ipsContract.list, { kept: true })}
      filters={ipFilters}
      columns={ipColumns}
    />
  )
}
