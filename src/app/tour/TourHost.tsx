import { useLocation } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { findFirstScreen } from '../ui/first-screen.ts'
import { useTourStarted } from './tour-state.ts'

// Most visitors have already seen it.
const TourCard = lazyComponent(() => import('./Tour.tsx'))

/** The tour, on request; it starts automatically only on the person's first screen. */
export function TourHost({ me }: { me: CurrentUserDto }) {
  const isStarted = useTourStarted()
  const path = useLocation({ select: ({ pathname }) => pathname })
  if (!isStarted && (me.saw_tour || me.seen_by || path !== findFirstScreen(me).path)) return null
  return (
    <Suspense>
      <TourCard me={me} />
    </Suspense>
  )
}
