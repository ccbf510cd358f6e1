export {
  readDecidedDisputes,
  readDisputeAnswer,
  readLeadDisputes,
  readOpenDisputes,
} from './disputes/server/lead-disputes.ts'
export {
  followClientProgress,
  followLeadMoves,
  settleCampaignDisputes,
  withdrawDispute,
} from './disputes/server/mutations.ts'
export { readClientStatements } from './statements/server/client-statements.ts'
export { type ReachedCap, readReachedCaps } from './statements/server/reached-caps.ts'
export { readUndeliveredStatements, type UndeliveredStatement } from './statements/server/undelivered.ts'
