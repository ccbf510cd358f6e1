import { useEffect, useMemo } from 'react'
import { leadsContract } from '#domains/leads/contract.ts'
import { patchEverywhere } from '#domains/leads/detail/ui/lead-detail.ts'
import { addMonths, getToday } from '#ui/cells/days.ts'
import { appConfig } from '#ui/data/environment.ts'
import { useList } from '#ui/table/useList.ts'

export const currentView = {
  title: 'Leads',
  isArchive: false,
  list: leadsContract.list,
  statistic: leadsContract.statistic,
} as const
export const archiveView = {
  title: 'Leads Archive',
  isArchive: true,
  list: leadsContract.archived,
  statistic: leadsContract.archivedStatistic,
} as const
/** One of the two lists of leads. */
export type LeadsView = typeof currentView | typeof archiveView
export type LeadsList = ReturnType<typeof useLeadsList>

/** Reads the leads of a view, by default from one month ago through today. */
export function useLeadsList(view: LeadsView) {
  const now = getToday(appConfig.timezone)
  const start = { date_from: addMonths(now, -1), date_to: now }
  const list = useList(view.list, { start, hold: true })
  const { date_from, date_to } = list.filters

  // The range cannot be cleared, not even by the URL.
  const isCleared = date_from === undefined || date_to === undefined
  useEffect(() => {
    if (isCleared) list.restore('date_from', 'date_to')
  })
  const { rows, patch } = list
  return {
    ...list,
    /** The default filters. */
    start,
    // Leaves out leads that were just moved to the other list.
    rows: useMemo(() => rows?.filter((lead) => (lead.archived === 1) === view.isArchive), [rows, view]),
    patch: useMemo(() => patchEverywhere(patch), [patch]),
  }
}
