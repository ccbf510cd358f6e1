export { findTerms, getFirstDay, isInForce, readStoredTerms } from './server/queries.ts'
