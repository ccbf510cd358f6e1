export { readDecidedDisputes, readDisputeAnswer } from './disputes/server/lead-disputes.ts'
export { followClientProgress, withdrawDispute } from './disputes/server/mutations.ts'
