export { inactiveClientMessage, isClientActive } from './server/active-client.ts'
export { readClient } from './server/queries.ts'
export {
  accountEmailSql,
  dedupeAddresses,
  isInvitedSql,
  isSwitchedOffSql,
  readBillingRecipients,
  readClientRecipients,
} from './server/recipients.ts'
export { lockWholeClient, requireWholeClient } from './server/whole-client.ts'
