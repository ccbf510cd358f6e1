import { listFilters } from '#contract/field-definitions.ts'
import { renderBadge, renderPageLink } from '#ui/cells/cells.tsx'
import { useSearchParams } from '#ui/data/search-params.ts'
import { buildFilterControls, FilterBar } from '#ui/filters/filters.tsx'
import { DataTable } from '#ui/table/DataTable.tsx'
import { buildFieldColumns } from '#ui/table/field-columns.tsx'
import { ListFooter } from '#ui/table/Pager.tsx'
import { useList } from '#ui/table/useList.ts'
import { type Import, importsContract } from '../contract.ts'
import { importFields } from '../fields.ts'
import { type ImportState, importStateTitles } from '../labels.ts'

/** The imports so far, the newest first. */
export function ImportHistory() {
  const list = useList(importsContract.list)
  const [, write] = useSearchParams()
  return (
    <>
      <FilterBar list={list}>{controls.kind(list.filter('kind'))}</FilterBar>
      <DataTable
        table="imports"
        label="Imports"
        list={list.changed ? list : { ...list, elsewhere: 'An import adds what is in a file, and can be undone.' }}
        columns={importColumns}
        onOpen={({ id }) => write(() => ({ id: String(id) }))}
      />
      <ListFooter list={list} table="imports" />
    </>
  )
}

const controls = buildFilterControls(listFilters(importFields))
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

const importColumns = buildFieldColumns(
  importFields,
  {
    file_name: { key: 'file', cell: ({ id, file_name }) => renderPageLink('/import', { id }, file_name) },
    state: { cell: renderStateBadge },
    username: { key: 'person', cell: ({ username }) => username },
    created_at: { key: 'created' },
  },
  ['file_name', 'kind', 'state', 'lines', 'made', 'refused', 'removed', 'username', 'created_at'],
)
