import { useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { CurrentUser } from '#domains/access/sign-in/contract.ts'
import { part } from '#ui/data/lazy-part.ts'
import { useTourBegun } from './tour-state.ts'

// Most visits have it behind them.
const Tour = part(() => import('./Tour.tsx'))

/** The tour, for whoever asks for it; by itself only on the first screen after signing in, where it covers nobody's work. */
export function TourPlace({ me }: { me: CurrentUser }) {
  const begun = useTourBegun()
  const isHome = useLocation({ select: ({ pathname }) => pathname === '/' })
  if (!begun && (me.saw_tour || !isHome)) return null
  return (
    <Suspense>
      <Tour me={me} />
    </Suspense>
  )
}
