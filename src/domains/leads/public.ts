export { assignCompanyLeads } from './callrail/server/assign-leads.ts'
export { type CompanyProbe, probeCallRailCompany } from './callrail/server/probe-company.ts'
export { type AccountCompany, readAccountCompanies } from './callrail/server/read-companies.ts'
export { forgetHistory, readHistory, resumeHistory, startHistory, stopHistory } from './callrail/server/read-history.ts'
export { removeHistoryLeads } from './callrail/server/store-history.ts'
export { getFirstDays } from './first-days.ts'
export { liveChannels } from './live-channels.ts'
export { enqueueMail } from './mail/server/enqueue.ts'
export { findLeadsOfPerson, personalLeadFields } from './model/erase-leads.ts'
export { missedTagCondition } from './model/facets.ts'
export { unassignedLeadCondition } from './model/lead-key.ts'
export { moveLead } from './model/move-lead.ts'
export { toPhoneKey } from './model/phone-key.ts'
export { findTakenProviderIds, numberKey } from './model/provider-ids.ts'
export { queueSql } from './model/queue-sql.ts'
export { findBilledLeads } from './model/store.ts'
export { unverifyLead } from './model/unverify-lead.ts'
export { notHiddenCondition, visibleLeadsCondition } from './model/visibility.ts'
export { checkWorkingTime } from './model/working-hours.ts'
export { findSpammersOfPerson } from './personal-data/server/personal-data.ts'
export { unratedLeadCondition } from './rating/server/unrated-leads.ts'
export type { ReadOldLeadIds } from './recordings/server/old-recording.ts'
export type { ReadSilentSources } from './sources/server/handlers.ts'
export { findWrongHits, readSpamRules } from './spam/server/spam-rules.ts'
export {
  countedLeadCondition,
  countLeadsByCampaign,
  countLeadsCombined,
  type LeadCounts,
  leadCountColumns,
} from './sums/server/bucket-counts.ts'
