import { campaignCategoriesContract } from '#domains/campaigns/categories/contract.ts'
import { useApi } from '#ui/data/useApi.ts'
import { MultiSelectFilter } from '#ui/filters/ChoiceFilter.tsx'
import type { FilterBinding } from '#ui/table/useList.ts'

/** Filters campaigns by any of these categories. */
export function CampaignCategoriesFilter({ at }: { at: FilterBinding<number[] | undefined> }) {
  const { data = [] } = useApi(campaignCategoriesContract.list, { query: { nopag: 1 } })
  const choices = data.map(({ id, name, color }) => ({ value: id, label: name, color }))
  return <MultiSelectFilter label="Campaign categories" choices={choices} {...at} />
}
