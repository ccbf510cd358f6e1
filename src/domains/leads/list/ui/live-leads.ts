import { useEffect, useRef, useState } from 'react'
import { type Lead, type LeadFilters, leadsContract } from '#domains/leads/contract.ts'
import { loadWhenOnline } from '#ui/data/lazy-part.ts'
import type { RowMark } from '#ui/data/saved-rows.ts'
import { getQueryKey, queryClient, refreshQueries } from '#ui/data/useApi.ts'
import { onLeadEvent } from './lead-events.ts'
import type { PatchLead } from './lead-mutations.ts'

type LiveList = {
  /** Identifies the query; when it changes, marks are dropped. */
  question: string
  rows: readonly Lead[] | undefined
  fetching: boolean
  filters: Partial<LeadFilters>
  isArchive: boolean
  patch: PatchLead
}
type ChangeMarks = ReadonlyMap<number, RowMark>

/**
 * Shows what others change in the leads on screen, as the stream tells it: no lead moves or disappears. Returns the marks of the rows that
 * changed, and a function that forgets them.
 */
export function useLiveChanges(list: LiveList): [marks: ChangeMarks, forget: () => void] {
  const [kept, setKept] = useState(noMarks)
  const latest = useRef(list)
  const waiting = useRef<string[]>([])
  const apply = useRef(async () => {
    const { resolveChanges } = await loadWhenOnline(() => import('./resolve-changes.ts'))
    // An answer on its way may be older or newer, and must not be cancelled: afterwards the versions of its rows tell.
    if (isListRead()) return
    const { question, patch } = latest.current
    for (const event of waiting.current.splice(0))
      for (const { id, fields, mark } of resolveChanges(event, latest.current)) {
        patch(id, fields)
        if (mark)
          setKept((before) => ({
            question,
            marks: new Map(before.question === question ? before.marks : []).set(id, mark),
          }))
      }
  })
  useEffect(() => {
    latest.current = list
    if (!list.fetching && waiting.current.length > 0) void apply.current()
  })
  useEffect(
    () =>
      onLeadEvent(({ event, data }) => {
        if (event === 'reload') return void refreshQueries(leadsContract.list.reads) // changes were missed
        if (event !== 'change') return
        waiting.current.push(data)
        void apply.current()
      }),
    [],
  )
  return [kept.question === list.question ? kept.marks : noMarks.marks, () => setKept(noMarks)]
}

/** Whether a list on screen is being read now, which its last render may not know yet. */
const isListRead = () =>
  [leadsContract.list, leadsContract.archived].some(
    (list) => queryClient.isFetching({ queryKey: getQueryKey(list), type: 'active' }) > 0,
  )

/** Shows what others change in one lead. Returns its mark. */
export function useLiveLead(lead: Lead | undefined, patch: PatchLead): RowMark | undefined {
  const [marks] = useLiveChanges({
    question: `lead ${lead?.id}`,
    rows: lead && [lead],
    fetching: false,
    filters: {},
    isArchive: lead?.archived === 1,
    patch,
  })
  return lead && marks.get(lead.id)
}

const noMarks: { question: string; marks: ChangeMarks } = { question: '', marks: new Map() }
