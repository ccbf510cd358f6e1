import { countCell, renderBadge, renderPageLink, textCell } from '#ui/cells/cells.tsx'
import { formatInstant } from '#ui/cells/timestamps.ts'
import { useSearchParams } from '#ui/data/search-params.ts'
import { FilterBar, selectFilter } from '#ui/filters/filters.tsx'
import { DataTable } from '#ui/table/DataTable.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import { type SortOf, useList } from '#ui/table/useList.ts'
import { type Import, importsContract } from '../contract.ts'
import { type ImportState, importKinds, importKindTitles, importStateTitles } from '../labels.ts'

/** The imports so far, the newest first. */
export function ImportHistory() {
  const list = useList(importsContract.list)
  const [, write] = useSearchParams()
  const kinds = importKinds.map((kind) => ({ value: kind, label: importKindTitles[kind] }))
  return (
    <>
      <FilterBar list={list}>{selectFilter('Kind', kinds)(list.filter('kind'))}</FilterBar>
      <DataTable
        table="imports"
        label="Imports"
        list={list}
        columns={importColumns}
        onOpen={({ id }) => write(() => ({ id: String(id) }))}
      />
      <ListFooter list={list} table="imports" />
    </>
  )
}

const stateBadgeKinds = {
  mapping: 'neutral',
  checking: 'info',
  checked: 'neutral',
  running: 'info',
  done: 'ok',
  undoing: 'info',
  undone: 'warn',
} as const satisfies Record<ImportState, string>

export const renderStateBadge = ({ state, problem }: Import) =>
  problem === null ? renderBadge(stateBadgeKinds[state], importStateTitles[state]) : renderBadge('bad', 'Stalled')

const importColumns: TableColumn<Import, SortOf<typeof importsContract.list>>[] = [
  {
    key: 'file',
    title: 'File',
    pinned: 'start',
    width: 200,
    cell: ({ id, file_name }) => renderPageLink('/import', { id }, file_name),
  },
  { key: 'kind', title: 'Kind', width: 120, cell: ({ kind }) => importKindTitles[kind] },
  { key: 'state', title: 'State', width: 130, cell: renderStateBadge },
  { key: 'lines', title: 'Lines', width: 90, align: 'end', cell: ({ lines }) => countCell(lines) },
  { key: 'made', title: 'Created', width: 90, align: 'end', cell: ({ made }) => countCell(made) },
  { key: 'refused', title: 'Refused', width: 90, align: 'end', cell: ({ refused }) => countCell(refused) },
  { key: 'removed', title: 'Removed', width: 110, align: 'end', cell: ({ removed }) => countCell(removed) },
  { key: 'person', title: 'Person', cell: ({ username }) => textCell(username) },
  {
    key: 'created',
    title: 'Uploaded',
    sort: 'created_at',
    width: 160,
    cell: ({ created_at }) => formatInstant(created_at),
  },
]
