import { askedOf, ExportButton } from '#web/ExportButton.tsx'
import { given, search } from '#web/filters.tsx'
import { ListScreen } from '#web/ListScreen.tsx'
import { useList } from '#web/useList.ts'
import { useRouteParams } from '#web/useRouteParams.ts'
import { outgoingLinks } from './contract.ts'
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
