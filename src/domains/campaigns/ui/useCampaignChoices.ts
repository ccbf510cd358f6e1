import { useApi } from '#ui/data/useApi.ts'
import type { SelectChoice } from '#ui/filters/select-choice.ts'
import { campaignsContract } from '../contract.ts'

type CampaignChoicesOptions = { keep?: readonly number[]; enabled?: boolean }

/**
 * The campaigns that a picker offers, by name, with client and category color if the user may see them. Archived
 * campaigns are left out, except those in `keep`, which are already chosen. Undefined until they are loaded.
 */
export function useLoadedCampaignChoices(options: CampaignChoicesOptions = {}): SelectChoice<number>[] | undefined {
  const { keep = [], enabled = true } = options
  const { data } = useApi(campaignsContract.all, undefined, { enabled })
  return data
    ?.filter(({ id, archived }) => archived === 0 || keep.includes(id))
    .map(({ id, name, client, categories }) => ({
      value: id,
      label: name,
      detail: client?.name,
      color: categories?.[0]?.color,
    }))
}

/** The same, and none until they are loaded. */
export const useCampaignChoices = (options?: CampaignChoicesOptions) => useLoadedCampaignChoices(options) ?? []
