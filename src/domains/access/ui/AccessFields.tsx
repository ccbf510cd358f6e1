import type { PermissionFlag } from '#contract/allow.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { useApi } from '#ui/data/useApi.ts'
import type { FieldControl } from '#ui/form/field-binding.ts'
import type { GrantablePage } from '../contract.ts'
import { CheckList, type CheckListEntry, type SelectionMap } from './CheckList.tsx'

const createCheckListField =
  (label: string, entries: readonly CheckListEntry[] | undefined, locked?: string): FieldControl<SelectionMap> =>
  (at) => <CheckList label={label} at={at} entries={entries} locked={locked} />

export const pagesField = (
  pages: readonly GrantablePage[] | undefined,
): FieldControl<Partial<Record<PermissionFlag, boolean | 0 | 1>>> =>
  createCheckListField(
    'Pages Access',
    pages?.map(({ id, title }) => ({ key: id, title })),
  )

export const campaignsField = (entries: readonly CheckListEntry[] | undefined, locked?: string) =>
  createCheckListField('Campaigns Access', entries, locked)

/** The campaigns that can be ticked; archived ones only if they are ticked already. */
export function useCampaignEntries(ticked: SelectionMap): CheckListEntry[] | undefined {
  const { data } = useApi(campaignsContract.all)
  return data
    ?.filter(({ id, archived }) => archived === 0 || ticked[id])
    .map(({ id, name, archived, client, categories }) => ({
      key: String(id),
      title: archived ? `${name} (archived)` : name,
      detail: client?.name,
      color: categories?.[0]?.color,
    }))
}
