import { useApi } from '#ui/data/useApi.ts'
import type { SelectChoice } from '#ui/filters/select-choice.ts'
import { campaignsContract } from '../contract.ts'

/** The possible owners of items: campaigns with their clients, then the teams, each by its key. */
export function useCampaignAndTeamChoices(enabled = true): SelectChoice<string>[] {
  const { data = [] } = useApi(campaignsContract.all, { query: { with_teams: 1 } }, { enabled })
  return data
    .filter(({ archived }) => archived === 0)
    .map(({ id, key = `campaign-${id}`, name, type, client, categories }) => ({
      value: key,
      label: name,
      detail: type === 'team' ? 'Team' : client?.name,
      color: categories?.[0]?.color,
    }))
}
