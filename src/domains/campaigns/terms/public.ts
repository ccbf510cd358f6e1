export { findTerms, getFirstDay, readStoredTerms } from './server/queries.ts'
