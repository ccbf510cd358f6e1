export { SiteActions as SiteChecks } from '../checks/ui/SiteActions.tsx'
export { StatusLogsTable as SiteLogList } from '../checks/ui/StatusLogs.tsx'
