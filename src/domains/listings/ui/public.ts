export { ListingActions } from '../gmbs/ui/GmbActions.tsx'
export { LogsTable as GmbLogList } from '../gmbs/ui/GmbLogs.tsx'
export { renderListingStatus } from '../gmbs/ui/listing-status.tsx'
