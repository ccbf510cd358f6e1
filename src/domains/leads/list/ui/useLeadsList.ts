import { useEffect, useMemo, useState } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { readLastView } from '#domains/access/ui/public.ts'
import { leadsContract } from '#domains/leads/contract.ts'
import { patchEverywhere } from '#domains/leads/detail/ui/lead-detail.ts'
import { getFirstDays } from '#domains/leads/first-days.ts'
import { leadQueues, mayUseQueues } from '#domains/leads/queues.ts'
import { getToday } from '#ui/cells/days.ts'
import { appConfig } from '#ui/data/environment.ts'
import { useSearchParams } from '#ui/data/search-params.ts'
import { useList } from '#ui/table/useList.ts'
import { useLiveChanges } from './live-leads.ts'

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

/** Reads the leads of a view, by default from one month ago through today, in the queue that the person left. */
export function useLeadsList(me: CurrentUserDto, view: LeadsView) {
  const now = getToday(appConfig.timezone)
  const queue = useFirstQueue(!view.isArchive && mayUseQueues(me) ? me.id : null)
  const start = { ...getFirstDays(now), ...(queue && { queue }) }
  const list = useList(view.list, { start, hold: true, tabs: ['queue'] })
  const { date_from, date_to } = list.filters

  // The range cannot be cleared, not even by the URL.
  const isCleared = date_from === undefined || date_to === undefined
  useEffect(() => {
    if (isCleared) list.restore('date_from', 'date_to')
  })
  const patch = useMemo(() => patchEverywhere(list.patch), [list.patch])
  const question = JSON.stringify([list.sent, list.sort, list.order, list.page, list.perPage])
  const [changed, forget] = useLiveChanges({
    question,
    rows: list.rows,
    fetching: list.fetching,
    filters: list.sent,
    isArchive: view.isArchive,
    patch,
  })
  const { rows, marks } = list
  return {
    ...list,
    /** The default filters. */
    start,
    /** Identifies the query. */
    question,
    // Leaves out leads that one has just moved to the other list; what someone else moves stays until the list is read again.
    rows: useMemo(
      () => rows?.filter((lead) => (lead.archived === 1) === view.isArchive || changed.has(lead.id)),
      [rows, view, changed],
    ),
    marks: useMemo(() => new Map([...changed, ...(marks ?? [])]), [changed, marks]),
    patch,
    retry: () => {
      forget()
      list.retry()
    },
  }
}

/** Returns the queue that this person left the list with, until it is in the address: an address with parameters says what it shows. */
function useFirstQueue(person: number | null) {
  const [search, write] = useSearchParams()
  const [first, setFirst] = useState(() => {
    const last = person !== null && Object.keys(search).length === 0 ? readLastView(person, 'leads') : null
    return leadQueues.find((queue) => queue === last)
  })
  useEffect(() => {
    if (first === undefined) return
    if (Object.keys(search).length > 0) setFirst(undefined)
    else write((before) => ({ ...before, queue: first }), true)
  }, [first, search, write])
  return first
}
