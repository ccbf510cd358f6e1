export { leadImporter } from './import/server/import-rows.ts'
export { missedTagCondition, verifiedLeadCondition } from './model/facets.ts'
export { findUnreadableParts } from './model/filter.ts'
export { notHiddenCondition } from './model/visibility.ts'
