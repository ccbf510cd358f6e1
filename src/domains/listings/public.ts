export { checkCampaignListings, checkOneListing } from './checks/server/check-requested.ts'
