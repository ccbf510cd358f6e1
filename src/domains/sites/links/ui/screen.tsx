import { useRouteParams } from '#ui/data/useRouteParams.ts'
import { given, search } from '#ui/filters/filters.tsx'
import { askedOf, ExportButton } from '#ui/layout/ExportButton.tsx'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import { useList } from '#ui/table/useList.ts'
import { outgoingLinks } from '../contract.ts'
import { columns } from './LinkColumns.tsx'

const filters = { q: search('Outgoing Link'), network_site_q: search('Network Site'), host: given('Host') }

export default function OutgoingLinks() {
  const arrived = useRouteParams({ url: 'host' })
  const list = useList(outgoingLinks.list, { enabled: arrived })
  return (
    <ListScreen
      table="outgoing-links"
      title="Links"
      list={list}
      filters={filters}
      columns={columns}
      buttons={<ExportButton call={outgoingLinks.csv} input={{ body: askedOf(list) }} />}
    />
  )
}
