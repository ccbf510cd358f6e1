export { fillZipCodes } from './area/server/zip-codes.ts'
export { currentTargetSql } from './server/current-target.ts'
export { campaignsImport } from './server/import-rows.ts'
export { requireCampaign } from './server/require-campaign.ts'
