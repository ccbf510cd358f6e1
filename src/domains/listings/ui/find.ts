import { defineFindSearch, readRecordsPerSearch } from '#ui/data/find-search.ts'
import { gmbsContract } from '../gmbs/contract.ts'

export const findSearches = [
  defineFindSearch({
    record: 'listing',
    kind: 'Listing',
    position: 60,
    endpoint: gmbsContract.list,
    query: (text) => ({ search: text, per_page: readRecordsPerSearch }),
    show: ({ data }) => data.map(({ id, title, campaign_name }) => ({ id, label: title, detail: campaign_name })),
  }),
]
