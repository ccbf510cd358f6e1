import { useEffect, useState } from 'react'
import { callApi } from '#ui/data/api.ts'
import { usePerson } from '#ui/data/person.ts'
import { homeContract } from '../contract.ts'

/** A visit ends half an hour after the last look, and Home can be open for longer. */
const lookEveryMs = 600_000

/** Says that the user looks at Home, and returns when their last visit ended; null on the first, or while it is unknown. */
export function useLastVisit(): string | null {
  const { isView } = usePerson()
  const [lastVisit, setLastVisit] = useState<string | null>(null)
  useEffect(() => {
    if (isView) return
    let isHere = true
    const look = async () => {
      if (document.hidden) return
      // Without an answer nothing is marked as new.
      const visit = await callApi(homeContract.visit).catch(() => null)
      if (isHere && visit) setLastVisit(visit.last_visit_at)
    }
    void look()
    const timer = setInterval(look, lookEveryMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      isHere = false
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [isView])
  return lastVisit
}
