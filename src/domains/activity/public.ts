export { completeTask } from './server/complete-task.ts'
export { addActivityItems } from './server/mutations.ts'
