import { Button } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { type CurrentUserDto, sessionContract } from '#domains/access/sign-in/contract.ts'
import { cacheCurrentUser } from '#domains/access/ui/current-user.ts'
import { useAction } from '#ui/data/useAction.ts'
import { isKeyTaken } from '#ui/layout/shortcuts.ts'
import { getTourSteps, type TourStep } from './steps.tsx'
import classes from './Tour.module.css'
import { closeTour } from './tour-state.ts'

/** A few words on a card that is in nobody's way: it takes no focus, and everything else goes on working. */
export default function TourCard({ me }: { me: CurrentUserDto }) {
  const [at, setAt] = useState(0)
  const card = useRef<HTMLElement>(null)
  const end = useEndTour(me, card)
  const steps = getTourSteps(me)
  const step = steps[Math.min(at, steps.length - 1)]
  const isLast = at >= steps.length - 1
  useStepHighlight(step)
  useEscapeKey(end)
  if (!step) return null
  return (
    <aside ref={card} className={classes.card} aria-label="Tour">
      <div role="status">
        <p className={classes.count}>
          {at + 1} of {steps.length}
        </p>
        <h2>{step.title}</h2>
        <p>{step.says}</p>
      </div>
      <div className={classes.buttons}>
        {!isLast && (
          <Button variant="subtle" color="gray" onClick={end} title="Esc">
            Skip
          </Button>
        )}
        <span className={classes.gap} />
        {at > 0 && (
          <Button variant="default" onClick={() => setAt(at - 1)}>
            Back
          </Button>
        )}
        {/* One button, so that it keeps the focus. */}
        <Button onClick={() => (isLast ? end() : setAt(at + 1))}>{isLast ? 'Done' : 'Next'}</Button>
      </div>
    </aside>
  )
}

/** Closes it, and keeps that it was seen. When that fails it comes again another day. */
function useEndTour(me: CurrentUserDto, card: RefObject<HTMLElement | null>) {
  const { run } = useAction(sessionContract.endTour, { onFailure: () => undefined })
  return () => {
    // Whoever works by keyboard goes on at the page.
    if (card.current?.contains(document.activeElement)) document.getElementById('content')?.focus()
    closeTour()
    if (me.saw_tour) return
    cacheCurrentUser({ ...me, saw_tour: true })
    void run()
  }
}

/** Draws a ring around what the step speaks of. */
function useStepHighlight(step: TourStep | undefined) {
  useEffect(() => {
    const found = step?.points?.map((selector) => document.querySelector(selector))
    const target = found?.find((element) => element?.checkVisibility())
    target?.setAttribute('data-toured', '')
    return () => target?.removeAttribute('data-toured')
  }, [step])
}

/** Esc ends it, unless it is meant for somebody else: a field, a dialog, something that is open. */
function useEscapeKey(end: () => void) {
  const latest = useRef(end)
  useEffect(() => {
    latest.current = end
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isKeyTaken(event) || document.querySelector(openPopupSelector)) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
const openPopupSelector = '[aria-haspopup][aria-expanded="true"], :popover-open'
