import { useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { useTourStarted } from './tour-state.ts'

// Most visitors have already seen it.
const TourCard = lazyComponent(() => import('./Tour.tsx'))

/** The tour, on request; it starts by itself only on the first screen after signing in, where it covers no work. */
export function TourHost({ me }: { me: CurrentUserDto }) {
  const isStarted = useTourStarted()
  const isHome = useLocation({ select: ({ pathname }) => pathname === '/' })
  if (!isStarted && (me.saw_tour || !isHome)) return null
  return (
    <Suspense>
      <TourCard me={me} />
    </Suspense>
  )
}
