import { Button } from '@mantine/core'
import { download, useDownloading } from '#web/download.tsx'
import { given, search } from '#web/filters.tsx'
import { ListScreen } from '#web/ListScreen.tsx'
import { useMe } from '#web/me.ts'
import { type List, useList } from '#web/useList.ts'
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
      buttons={<ExportButton list={list} />}
    />
  )
}

const file = 'outgoing-links.csv'

/** Saves the filtered list in its order. */
function ExportButton({ list }: { list: List<typeof outgoingLinks.list> }) {
  const running = useDownloading(file)
  if (!outgoingLinks.csv.allow(useMe())) return null
  const body = { ...list.asked, sort: list.sort, order: list.order }
  return (
    <Button variant="default" onClick={() => void download(outgoingLinks.csv, file, { body })} loading={running}>
      Export
    </Button>
  )
}
