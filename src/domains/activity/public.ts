export { addActivityItems, completeTask } from './server/mutations.ts'
export { buildVisibleItemsFilter } from './server/visibility.ts'
