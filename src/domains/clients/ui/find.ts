import { defineFindSearch, readRecordsPerSearch } from '#ui/data/find-search.ts'
import { clientsContract, getClientRows } from '../contract.ts'

export const findSearches = [
  defineFindSearch({
    record: 'client',
    kind: 'Client',
    position: 20,
    endpoint: clientsContract.list,
    // The call also fills the pickers of people without the page.
    allow: (me) => clientsContract.list.allow(me) && me?.permissions.clients === true,
    query: (text) => ({ search: text, per_page: readRecordsPerSearch, page: 1 }),
    show: (answer) => getClientRows(answer).map(({ id, name }) => ({ id, label: name })),
  }),
]
