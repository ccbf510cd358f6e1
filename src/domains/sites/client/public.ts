export { assignClientSite } from './server/store.ts'
