import { useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useTourStarted } from './tour-state.ts'

// Most visits have it behind them.
const TourCard = lazyComponent(() => import('./Tour.tsx'))

/** The tour, for whoever asks for it; by itself only on the first screen after signing in, where it covers nobody's work. */
export function TourHost({ me }: { me: CurrentUserDto }) {
  const begun = useTourStarted()
  const isHome = useLocation({ select: ({ pathname }) => pathname === '/' })
  if (!begun && (me.saw_tour || !isHome)) return null
  return (
    <Suspense>
      <TourCard me={me} />
    </Suspense>
  )
}
