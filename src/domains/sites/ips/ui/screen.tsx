import { countCell, renderPageLink } from '#ui/cells/cells.tsx'
import { buildFilterControls } from '#ui/filters/filters.tsx'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import { useList } from '#ui/table/useList.ts'
import { ipsContract } from '../contract.ts'
import { ipFields, ipFilters } from '../fields.ts'

const ipColumns = buildFieldColumns(ipFields, {
  network_sites_count: {
    cell: ({ ip, network_sites_count }) => renderPageLink('/network-sites', { ip }, countCell(network_sites_count)),
  },
  client_sites_count: {
    cell: ({ ip, client_sites_count }) => renderPageLink('/client-sites', { ip }, countCell(client_sites_count)),
  },
})

export default function IpAddressesScreen() {
  return (
    <ListScreen
      table="ips"
      title="IP Addresses"
      list={useList(ipsContract.list, { kept: true })}
      filters={buildFilterControls(ipFilters)}
      columns={ipColumns}
    />
  )
}
