import { count, link, swatch } from '#ui/cells/cells.tsx'
import { colour, text } from '#ui/form/fields.tsx'
import type { Column } from '#ui/table/DataTable.tsx'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import { useArray } from '#ui/table/useArray.ts'
import { type CampaignCategory, campaignCategories } from '../contract.ts'

const fields = { name: text('Name'), color: colour('Color') }

const columns: Column<CampaignCategory>[] = [
  { key: 'name', title: 'Category Name', cell: (category) => swatch(category.color, category.name) },
  {
    key: 'campaigns_count',
    title: 'Campaigns',
    align: 'end',
    width: 110,
    cell: (category) => link('/campaigns', { campaign_category_id: category.id }, count(category.campaigns_count)),
  },
]

export default function CampaignCategories() {
  return (
    <ListScreen
      table="campaign-categories"
      title="Campaign Categories"
      list={useArray(campaignCategories.list)}
      columns={columns}
      create={{
        call: campaignCategories.create,
        button: 'Create New Category',
        start: { name: '', color: '#ffffff' },
        fields,
      }}
      update={{
        call: campaignCategories.update,
        title: 'Edit Category',
        start: ({ name, color }) => ({ name, color }),
        fields,
      }}
      remove={campaignCategories.remove}
    />
  )
}
