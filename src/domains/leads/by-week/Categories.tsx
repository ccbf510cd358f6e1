import { campaignCategories } from '#domains/campaign-categories/contract.ts'
import { MultiSelectFilter } from '#web/ChoiceFilter.tsx'
import { useApi } from '#web/useApi.ts'
import type { FilterAt } from '#web/useList.ts'

/** Campaigns of any of these categories. */
export function Categories({ at }: { at: FilterAt<number[] | undefined> }) {
  const { data = [] } = useApi(campaignCategories.list, { query: { nopag: 1 } })
  const choices = data.map(({ id, name, color }) => ({ value: id, label: name, color }))
  return <MultiSelectFilter label="Campaign categories" choices={choices} {...at} />
}
