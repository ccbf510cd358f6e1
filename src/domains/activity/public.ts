export { addActivityItems, completeTask } from './server/mutations.ts'
