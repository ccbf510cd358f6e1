import type { ViewedTable } from '#domains/access/public.ts'
import {
  weeklyReportAdminFilters,
  weeklyReportAdminSorts,
  weeklyReportContract,
  weeklyReportSorts,
} from '../contract.ts'

export const weeklyReportViewedTable: ViewedTable = {
  ...weeklyReportContract.read,
  columns: weeklyReportSorts,
  mayShow: (me, column) => me.isAdmin || !weeklyReportAdminSorts.has(column),
  findRefused: (me, query) => {
    if (me.isAdmin) return []
    const filters = weeklyReportAdminFilters.filter((name) => query[name] !== undefined)
    return weeklyReportAdminSorts.has(String(query.sort)) ? [...filters, 'sort'] : filters
  },
}
