import { count, link } from '#ui/cells/cells.tsx'
import { text } from '#ui/form/fields.tsx'
import type { Column } from '#ui/table/DataTable.tsx'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import { useArray } from '#ui/table/useArray.ts'
import { type NetworkCategory, networkCategories } from '../contract.ts'

const fields = { name: text('Name') }

const columns: Column<NetworkCategory>[] = [
  { key: 'name', title: 'Network Name', cell: ({ name }) => name },
  {
    key: 'sites_count',
    title: 'Sites',
    align: 'end',
    width: 110,
    cell: ({ id, sites_count }) => link('/network-sites', { category_id: id }, count(sites_count)),
  },
]

export default function Categories() {
  return (
    <ListScreen
      table="network-categories"
      title="Categories"
      list={useArray(networkCategories.list)}
      columns={columns}
      create={{ call: networkCategories.create, button: 'Create New Category', start: { name: '' }, fields }}
      update={{ call: networkCategories.update, title: 'Edit Category', start: ({ name }) => ({ name }), fields }}
      remove={networkCategories.remove}
    />
  )
}
