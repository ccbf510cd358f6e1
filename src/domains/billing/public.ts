export { readDecidedDisputes, readDisputeAnswer } from './disputes/server/lead-disputes.ts'
export {
  followClientProgress,
  followLeadMoves,
  settleCampaignDisputes,
  withdrawDispute,
} from './disputes/server/mutations.ts'
