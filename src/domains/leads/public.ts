export { leadImporter } from './import/server/import-rows.ts'
export { checkFilterTests, facetCondition, missedTagCondition } from './model/facets.ts'
export { notHiddenCondition } from './model/visibility.ts'
