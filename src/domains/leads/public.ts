export { leadImporter } from './import/server/import-rows.ts'
export { missedTagCondition, verifiedLeadCondition } from './model/facets.ts'
export { findUnreadableParts } from './model/filter.ts'

export { unverifyLead } from './model/unverify-lead.ts'
export { canSeeLead, notHiddenCondition } from './model/visibility.ts'
export { checkWorkingTime } from './model/working-hours.ts'
export { type CompanyProbe, probeCallRailCompany } from './reconciliation/server/probe-company.ts'
