import { formatPhone } from '#contract/read-phone.ts'
import { defineFindSearch, maxRecordsPerSearch } from '#ui/data/find-search.ts'
import { leadsContract } from '../contract.ts'
import { getLeadName } from '../lead-name.ts'

export const findSearches = [
  defineFindSearch({
    record: 'lead',
    kind: 'Lead',
    position: 30,
    endpoint: leadsContract.list,
    query: (text) => ({ lead_search: text, per_page: maxRecordsPerSearch, page: 1 }),
    show: ({ data }) =>
      data.map((lead) => ({
        id: lead.id,
        label: getLeadName(lead),
        detail: [lead.lead_phone ? formatPhone(lead.lead_phone) : lead.lead_email, lead.campaign_name]
          .filter(Boolean)
          .join(' · '),
      })),
  }),
]
