export { fillZipCodes } from './area/server/zip-codes.ts'
export { computeBillingCycle } from './server/billing-cycle.ts'
export { currentTargetSql, targetOnDaySql } from './server/current-target.ts'
export { requireCampaign } from './server/require-campaign.ts'
