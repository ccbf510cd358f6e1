export { checkCampaignListings, checkOneListing } from './checks/server/check-requested.ts'
export { getCid } from './gmbs/maps-link.ts'
export { suspendedSinceSql } from './gmbs/server/queries.ts'
