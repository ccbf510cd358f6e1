import { IconArrowUp } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { call } from '#web/api.ts'
import { leads } from './contract.ts'
import { hear } from './hearing.ts'
import classes from './NewLeads.module.css'
import type { LeadsList } from './screen.tsx'

/** Says how many leads have come in that this list would show, and shows them when it is asked to. */
export function NewLeads({ list }: { list: LeadsList }) {
  const [count, forget] = useArrivals(list)
  function show() {
    forget()
    if (list.page === 1) list.retry()
    else list.setPage(1)
  }
  return (
    <span role="status" className={classes.place}>
      {count > 0 && (
        <button type="button" className={classes.bar} onClick={show}>
          <IconArrowUp size={14} aria-hidden="true" />
          {count === 1 ? '1 new lead' : `${count} new leads`}
        </button>
      )}
    </span>
  )
}

/** Several that come in together are counted together. */
const pause = 1000

/**
 * Leads that came in since the list was read. The total of the same question, asked again, says whether they belong to
 * it; as edits change that total too, there are never more new ones than have come in.
 */
function useArrivals(list: LeadsList): [count: number, forget: () => void] {
  const question = JSON.stringify([list.asked, list.sort, list.order, list.page, list.perPage])
  const [found, setFound] = useState({ question, count: 0 })
  const total = useRef<number>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the rows were read, the total was read with them.
  useEffect(() => {
    total.current = list.total
  }, [list.total, list.rows])

  const look = useRef<(most: number) => Promise<void>>(undefined)
  useEffect(() => {
    look.current = async (most) => {
      const before = total.current
      if (before === undefined) return
      const answer = await call(leads.list, { query: { ...list.asked, page: 1, per_page: 1 } })
      const now = 'meta' in answer ? answer.meta.total : answer.total
      total.current = now
      const more = Math.min(most, Math.max(0, now - before))
      setFound((had) => ({ question, count: (had.question === question ? had.count : 0) + more }))
    }
  })

  useEffect(() => {
    let arrived = 0
    let timer: number | undefined
    const stop = hear(leads.events, ({ event }) => {
      // After a gap nobody knows how many there were.
      arrived += event === 'lead' ? 1 : Number.POSITIVE_INFINITY
      if (timer !== undefined) return
      timer = window.setTimeout(() => {
        const most = arrived
        arrived = 0
        timer = undefined
        // Without an answer the next arrival asks again.
        look.current?.(most).catch(() => undefined)
      }, pause)
    })
    return () => {
      stop()
      window.clearTimeout(timer)
    }
  }, [])

  const count = found.question === question ? found.count : 0
  return [count, () => setFound({ question, count: 0 })]
}
