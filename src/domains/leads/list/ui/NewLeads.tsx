import { IconArrowUp } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { leadsContract } from '#domains/leads/contract.ts'
import { callApi } from '#ui/data/api.ts'
import { refreshQueries } from '#ui/data/useApi.ts'
import arrange from '#ui/layout/arrange.module.css'
import { onLeadEvent } from './lead-events.ts'
import classes from './NewLeads.module.css'
import type { LeadsList } from './useLeadsList.ts'

/** Shows how many new leads this list would show, and a button to load them. */
export function NewLeadsNotice({ list }: { list: LeadsList }) {
  const [count, forget] = useLeadArrivals(list)
  function show() {
    forget()
    if (list.page === 1) list.retry()
    else list.setPage(1)
  }
  return (
    <span role="status" className={`${arrange.still} ${classes.place}`}>
      {count > 0 && (
        <button type="button" className={classes.bar} data-link onClick={show}>
          <IconArrowUp size={14} aria-hidden="true" />
          <span>
            {count.toLocaleString('en-US')}
            <span className={classes.words}>{count === 1 ? ' new lead' : ' new leads'}</span>
          </span>
        </button>
      )}
    </span>
  )
}

type LeadArrivals = {
  /** The query of the list. */
  question: string
  ids: readonly number[]
  /** Some notifications were missed, so their ids are unknown. */
  isGap: boolean
}
type CountedArrivals = LeadArrivals & { count: number }

/** Leads that come in within this time are counted together. */
const batchDelayMs = 1000
const arrivalSchema = z.object({ id: z.int() })

/**
 * Counts leads that came in since the list was read. The new total of the same query tells how many of them match. Edits change
 * the total too, so the count is capped at the leads that came in and are not on screen.
 */
function useLeadArrivals(list: LeadsList): [count: number, forget: () => void] {
  const { question } = list
  const [found, setFound] = useState<CountedArrivals>(noArrivals)
  const known = useRef({ question, total: list.total })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the total is read together with the rows.
  useEffect(() => {
    known.current = { question, total: list.total }
  }, [question, list.total, list.rows])

  const check = useRef<(came: LeadArrivals, before: number) => Promise<void>>(undefined)
  useEffect(() => {
    check.current = async (came, before) => {
      const answer = await callApi(leadsContract.list, { query: { ...list.sent, page: 1, per_page: 1 } })
      const now = 'meta' in answer ? answer.meta.total : answer.total
      if (came.question !== known.current.question) return // the query has changed since
      known.current.total = now
      // A lead on screen came again: a text was added to its message.
      if (came.ids.some((id) => list.rows?.some((lead) => lead.id === id)))
        void refreshQueries(leadsContract.list.reads)
      const more = Math.max(0, now - before)
      setFound((had) => {
        const { ids, isGap, count } = had.question === came.question ? had : noArrivals
        return { ...came, ids: [...ids, ...came.ids], isGap: isGap || came.isGap, count: count + more }
      })
    }
  })

  useEffect(() => {
    let came: LeadArrivals | null = null
    let before: number | undefined
    let timer: number | undefined
    const checkLater = () => {
      timer = window.setTimeout(() => {
        timer = undefined
        before ??= known.current.total
        // A list that is still being read may or may not hold the lead.
        if (before === undefined) return checkLater()
        // After a failure the next arrival tries again.
        if (came) check.current?.(came, before).catch(() => undefined)
        came = null
      }, batchDelayMs)
    }
    const stop = onLeadEvent(({ event, data }) => {
      if (event !== 'lead' && event !== 'reload') return
      if (!came) before = known.current.total
      const first = came ?? { question: known.current.question, ids: [], isGap: false }
      came = event === 'lead' ? { ...first, ids: [...first.ids, parseArrivalId(data)] } : { ...first, isGap: true }
      if (timer === undefined) checkLater()
    })
    return () => {
      stop()
      window.clearTimeout(timer)
    }
  }, [])

  const unseen = found.ids.filter((id) => !list.rows?.some((lead) => lead.id === id)).length
  const count = found.question === question ? Math.min(found.count, found.isGap ? found.count : unseen) : 0
  return [count, () => setFound(noArrivals)]
}

const noArrivals: CountedArrivals = { question: '', ids: [], isGap: false, count: 0 }
const parseArrivalId = (data: string) => arrivalSchema.parse(JSON.parse(data)).id
