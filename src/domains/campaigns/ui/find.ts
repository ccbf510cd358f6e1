import { defineFindSearch } from '#ui/data/find-search.ts'
import { campaignsContract } from '../contract.ts'

export const findSearches = [
  defineFindSearch({
    record: 'campaign',
    kind: 'Campaign',
    position: 10,
    endpoint: campaignsContract.all,
    show: (campaigns, matches) =>
      campaigns
        .filter(({ name, client }) => matches(name, client?.name))
        .map(({ id, name, client, archived }) => ({
          id,
          label: name,
          detail: archived ? 'Archived' : client?.name,
          archived: Boolean(archived),
        })),
  }),
]
