import { countCell, renderPageLink, renderSwatch } from '#ui/cells/cells.tsx'
import type { ControlSet } from '#ui/form/control-set.ts'
import { ListScreen } from '#ui/table/ListScreen.tsx'
import type { TableColumn } from '#ui/table/table-column.ts'
import { useArray } from '#ui/table/useArray.ts'
import { type CampaignCategory, campaignCategoriesContract } from '../contract.ts'
import { TemplateButton } from './TemplateButton.tsx'

const campaignCategoryFields = ({ textControl, colorControl }: ControlSet) => ({
  name: textControl('Name'),
  color: colorControl('Color'),
})

const campaignCategoryColumns: TableColumn<CampaignCategory>[] = [
  { key: 'name', title: 'Category Name', cell: (category) => renderSwatch(category.color, category.name) },
  {
    key: 'campaigns_count',
    title: 'Campaigns',
    align: 'end',
    width: 110,
    cell: (category) =>
      renderPageLink('/campaigns', { campaign_category_id: category.id }, countCell(category.campaigns_count)),
  },
]

export default function CampaignCategoriesScreen() {
  return (
    <ListScreen
      table="campaign-categories"
      title="Campaign Categories"
      list={useArray(campaignCategoriesContract.list)}
      columns={campaignCategoryColumns}
      create={{
        call: campaignCategoriesContract.create,
        button: 'Create New Category',
        start: { name: '', color: '#ffffff' },
        fields: campaignCategoryFields,
      }}
      update={{
        call: campaignCategoriesContract.update,
        title: 'Edit Category',
        start: toCampaignCategoryDraft,
        fields: campaignCategoryFields,
        conflict: { read: toCampaignCategoryDraft, shown: (_, value) => String(value) },
      }}
      remove={{ call: campaignCategoriesContract.remove, details: ({ name }) => [name] }}
      actionsWidth={128}
      actions={(category) => <TemplateButton category={category} />}
    />
  )
}

const toCampaignCategoryDraft = ({ name, color, version }: CampaignCategory) => ({
  name,
  color,
  version: version ?? null,
})
