export { readDecidedDisputes, readDisputeAnswer } from './disputes/server/lead-disputes.ts'
export { followClientProgress, withdrawDispute } from './disputes/server/mutations.ts'
export { billingPersonalData } from './personal-data/server/personal-data.ts'
