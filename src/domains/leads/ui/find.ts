import { formatPhone } from '#contract/read-phone.ts'
import { defineFindSearch, maxRecordsPerSearch } from '#ui/data/find-search.ts'
import { type Lead, leadsContract } from '../contract.ts'
import { leadDetailContract } from '../detail/contract.ts'
import { getLeadName } from '../lead-name.ts'

const leadRecords = { record: 'lead', kind: 'Lead', position: 30 } as const

export const findSearches = [
  defineFindSearch({
    ...leadRecords,
    endpoint: leadDetailContract.read,
    params: (text) => {
      const [, id] = /^#?(\d{2,9})$/.exec(text) ?? []
      return id === undefined ? null : { id: Number(id) }
    },
    show: (lead) => [showLead(lead, `No. ${lead.id}`)],
  }),
  defineFindSearch({
    ...leadRecords,
    endpoint: leadsContract.list,
    query: (text) => ({ lead_search: text, per_page: maxRecordsPerSearch, page: 1 }),
    show: ({ data }) =>
      data.map((lead) => showLead(lead, lead.lead_phone ? formatPhone(lead.lead_phone) : lead.lead_email)),
  }),
]

const showLead = (lead: Lead, detail: string | null) => ({
  id: lead.id,
  label: getLeadName(lead),
  alias: String(lead.id),
  detail: [detail, lead.campaign_name].filter(Boolean).join(' · '),
})
