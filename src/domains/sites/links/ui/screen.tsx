import { useParamAliases } from '#ui/data/useParamAliases.ts'
import { buildFilterControls, linkedFilter } from '#ui/filters/filters.tsx'
import { ExportButton, getExportQuery } from '#ui/layout/ExportButton.tsx'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import { useList } from '#ui/table/useList.ts'
import { outgoingLinksContract } from '../contract.ts'
import { outgoingLinkFilters } from '../fields.ts'
import { outgoingLinkColumns } from './LinkColumns.tsx'

const linkFilterControls = buildFilterControls(outgoingLinkFilters, { host: linkedFilter('Host') })

export default function OutgoingLinksScreen() {
  const arrived = useParamAliases({ url: 'host' })
  const list = useList(outgoingLinksContract.list, { enabled: arrived })
  return (
    <ListScreen
      table="outgoing-links"
      title="Links"
      list={list}
      filters={linkFilterControls}
      columns={outgoingLinkColumns}
      buttons={<ExportButton call={outgoingLinksContract.csv} input={{ body: getExportQuery(list) }} />}
    />
  )
}
