export {
  campaignRule,
  describeCampaignRows,
  type ExplainedFields,
  findCampaign,
  type ScopedRows,
} from './access-explanation/server/scoped-rows.ts'
export { authenticateCall, keepsRights } from './keys/server/authenticate-call.ts'
export { rightsChannel } from './live-channels.ts'
export {
  assertMailerConnected,
  isAwaited,
  queueInvitation,
  wasInvitedSql,
} from './password-reset/server/password-links.ts'
export {
  type AccountChanges,
  closeAccount,
  createAccount,
  mapNameConflict,
  nameTakenMessages,
  updateAccount,
} from './server/accounts.ts'
export { assertCanAssign } from './server/can-assign.ts'
export {
  type CurrentUser,
  findCurrentUserById,
  findKeyHolderById,
  findUserByToken as authenticate,
  isOutsider,
} from './server/current-user.ts'
export type { HideableColumns } from './server/current-user-dto.ts'
export { grantCampaignAccess } from './server/mutations.ts'
export { inVisibleCampaigns, inVisibleClients } from './server/row-scope.ts'
export { createRemoteToken, findRemoteToken } from './server/session-tokens.ts'
export type { ViewedTable } from './views/server/viewed-table.ts'
