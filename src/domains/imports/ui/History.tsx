import { badge, count, link, text } from '#ui/cells/cells.tsx'
import { shownMoment } from '#ui/cells/timestamps.ts'
import { useAddress } from '#ui/data/search-params.ts'
import { FilterBar, select } from '#ui/filters/filters.tsx'
import { type Column, DataTable } from '#ui/table/DataTable.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { type SortOf, useList } from '#ui/table/useList.ts'
import { type Import, imports } from '../contract.ts'
import { type ImportState, importKinds, kindTitles, stateTitles } from '../labels.ts'

/** The imports so far, the newest first. */
export function History() {
  const list = useList(imports.list)
  const [, write] = useAddress()
  const kinds = importKinds.map((kind) => ({ value: kind, label: kindTitles[kind] }))
  return (
    <>
      <FilterBar list={list}>{select('Kind', kinds)(list.filter('kind'))}</FilterBar>
      <DataTable
        table="imports"
        label="Imports"
        list={list}
        columns={columns}
        onOpen={({ id }) => write(() => ({ id: String(id) }))}
      />
      <ListFooter list={list} table="imports" />
    </>
  )
}

const stateKinds = {
  mapping: 'neutral',
  checking: 'info',
  checked: 'neutral',
  running: 'info',
  done: 'ok',
  undoing: 'info',
  undone: 'warn',
} as const satisfies Record<ImportState, string>

export const stateBadge = ({ state, problem }: Import) =>
  problem === null ? badge(stateKinds[state], stateTitles[state]) : badge('bad', 'Stands still')

const columns: Column<Import, SortOf<typeof imports.list>>[] = [
  {
    key: 'file',
    title: 'File',
    pinned: 'start',
    width: 200,
    cell: ({ id, file_name }) => link('/import', { id }, file_name),
  },
  { key: 'kind', title: 'Kind', width: 120, cell: ({ kind }) => kindTitles[kind] },
  { key: 'state', title: 'State', width: 130, cell: stateBadge },
  { key: 'lines', title: 'Lines', width: 90, align: 'end', cell: ({ lines }) => count(lines) },
  { key: 'made', title: 'Made', width: 90, align: 'end', cell: ({ made }) => count(made) },
  { key: 'refused', title: 'Refused', width: 90, align: 'end', cell: ({ refused }) => count(refused) },
  { key: 'removed', title: 'Taken back', width: 110, align: 'end', cell: ({ removed }) => count(removed) },
  { key: 'person', title: 'Person', cell: ({ username }) => text(username) },
  {
    key: 'created',
    title: 'Uploaded',
    sort: 'created_at',
    width: 160,
    cell: ({ created_at }) => shownMoment(created_at),
  },
]
