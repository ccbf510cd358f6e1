import { defineFindSearch, readRecordsPerSearch } from '#ui/data/find-search.ts'
import { clientSitesContract } from '../client/contract.ts'
import { networkSitesContract } from '../network/contract.ts'

export const findSearches = [
  defineFindSearch({
    record: 'client_site',
    kind: 'Client site',
    position: 40,
    endpoint: clientSitesContract.all,
    // The call also fills the pickers of people who may not open a site.
    allow: clientSitesContract.get.allow,
    show: (sites, matches) => sites.filter(({ url }) => matches(url)).map(({ id, url }) => ({ id, label: url })),
  }),
  defineFindSearch({
    record: 'network_site',
    kind: 'Network site',
    position: 50,
    endpoint: networkSitesContract.list,
    query: (text) => ({ url: text, per_page: readRecordsPerSearch }),
    show: ({ data }) => data.map(({ id, url, category }) => ({ id, label: url, detail: category })),
  }),
]
