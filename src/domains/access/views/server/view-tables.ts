import { z } from 'zod'
import type { AccessRule } from '#contract/allow.ts'
import { activityLogContract } from '#domains/activity/log/contract.ts'
import { campaignsContract } from '#domains/campaigns/contract.ts'
import { getReadableFields, type LeadField, leadsContract } from '#domains/leads/contract.ts'
import { leadColumns } from '#domains/leads/fields.ts'
import { findUnreadableParts } from '#domains/leads/public.ts'
import { gmbsContract } from '#domains/listings/gmbs/contract.ts'
import {
  weeklyReportAdminFilters,
  weeklyReportAdminSorts,
  weeklyReportContract,
  weeklyReportSorts,
} from '#domains/reports/weekly-report/contract.ts'
import { clientSitesContract } from '#domains/sites/client/contract.ts'
import type { CurrentUser } from '../../server/current-user.ts'
import type { ViewTable } from '../labels.ts'

/** What views need to know about a list. */
type ViewTableDefinition = {
  allow: AccessRule
  /** The parameters of the list. */
  query: z.ZodObject
  /** All valid column names. If absent, the screen decides. */
  columns?: readonly string[]
  /** Whether this person may see a column. */
  mayShow?: (me: CurrentUser, column: string) => boolean
  /** Returns the filters in a parsed query that this person may not use, including `sort`. */
  findRefused?: (me: CurrentUser, query: Record<string, unknown>) => string[]
}

export const viewTableDefinitions: Record<ViewTable, ViewTableDefinition> = {
  leads: {
    ...leadsContract.list,
    columns: leadColumns,
    // Everyone may show columns that are not fields, like the actions.
    mayShow: (me, column) => getReadableFields(me).has(column as LeadField) || !Object.hasOwn(leadRowShape, column),
    findRefused: findUnreadableParts,
  },
  campaigns: campaignsContract.list,
  'client-sites': clientSitesContract.list,
  'campaign-gmbs': gmbsContract.list,
  'leads-table': {
    ...weeklyReportContract.read,
    columns: weeklyReportSorts,
    mayShow: (me, column) => me.isAdmin || !weeklyReportAdminSorts.has(column),
    findRefused: (me, query) => {
      if (me.isAdmin) return []
      const filters = weeklyReportAdminFilters.filter((name) => query[name] !== undefined)
      return weeklyReportAdminSorts.has(String(query.sort)) ? [...filters, 'sort'] : filters
    },
  },
  activity: activityLogContract.list,
}
const leadRowShape = leadsContract.list.list.row.shape

/** Parameters that a view stores elsewhere, or not at all. */
export const notFilters = ['page', 'sort', 'order', 'cache']

/** Returns the schemas of the filters that a view of this list may have. */
export function getFilterSchemas(table: ViewTable): Map<string, z.ZodType> {
  const { shape } = viewTableDefinitions[table].query
  return new Map(Object.entries(shape as Record<string, z.ZodType>).filter(([name]) => !notFilters.includes(name)))
}

/** Returns the list's default order. */
export function readListOrder(table: ViewTable): { sort: string; order: 'asc' | 'desc' } {
  return orderSchema.parse(viewTableDefinitions[table].query.parse({}))
}
const orderSchema = z.object({ sort: z.string(), order: z.enum(['asc', 'desc']) })

/** Returns whether the list can be sorted by this column. */
export const isSort = (table: ViewTable, sort: string) => viewTableDefinitions[table].query.safeParse({ sort }).success
