export { SiteActions as SiteChecks } from '../checks/ui/SiteActions.tsx'
export { type SiteLogsEndpoint, StatusLogsTable as SiteLogList } from '../checks/ui/StatusLogs.tsx'
export { SiteHooks } from '../client/ui/SiteHooks.tsx'
