import { lazy, Suspense } from 'react'
import type { CurrentUser } from '#domains/session/contract.ts'
import { useTourBegun } from './tour.ts'

// Most visits have it behind them.
const Tour = lazy(() => import('./Tour.tsx'))

/** The tour, for whoever has not seen it or asks for it again. */
export function TourPlace({ me }: { me: CurrentUser }) {
  const begun = useTourBegun()
  if (me.saw_tour && !begun) return null
  return (
    <Suspense>
      <Tour me={me} />
    </Suspense>
  )
}
