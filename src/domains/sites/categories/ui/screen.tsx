import { countCell, renderPageLink } from '#ui/cells/cells.tsx'
import type { ControlSet } from '#ui/form/control-set.ts'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import { useArray } from '#ui/table/useArray.ts'
import { type NetworkCategory, networkCategoriesContract } from '../contract.ts'

const networkCategoryFields = ({ textControl }: ControlSet) => ({ name: textControl('Name') })

const networkCategoryColumns: TableColumn<NetworkCategory>[] = [
  { key: 'name', title: 'Network Name', cell: ({ name }) => name },
  {
    key: 'sites_count',
    title: 'Sites',
    align: 'end',
    width: 110,
    cell: ({ id, sites_count }) => renderPageLink('/network-sites', { category_id: id }, countCell(sites_count)),
  },
]

export default function NetworkCategoriesScreen() {
  return (
    <ListScreen
      table="network-categories"
      title="Categories"
      list={useArray(networkCategoriesContract.list, { kept: true })}
      columns={networkCategoryColumns}
      create={{
        call: networkCategoriesContract.create,
        button: 'Create New Category',
        start: { name: '' },
        fields: networkCategoryFields,
      }}
      update={{
        call: networkCategoriesContract.update,
        title: 'Edit Category',
        start: toNetworkCategoryDraft,
        fields: networkCategoryFields,
        conflict: { read: toNetworkCategoryDraft, shown: (_, value) => String(value) },
      }}
      remove={{ call: networkCategoriesContract.remove, details: ({ name }) => [name] }}
    />
  )
}

const toNetworkCategoryDraft = ({ name, version }: NetworkCategory) => ({ name, version })
