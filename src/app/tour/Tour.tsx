import { Button } from '@mantine/core'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { preferencesContract } from '#domains/access/preferences/contract.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { cacheCurrentUser } from '#domains/access/ui/current-user.ts'
import { useAction } from '#ui/data/useAction.ts'
import arrange from '#ui/layout/arrange.module.css'
import { isKeyTaken } from '#ui/layout/shortcuts.ts'
import text from '#ui/theme/text.module.css'
import { getTourSteps, type TourStep } from './steps.tsx'
import classes from './Tour.module.css'
import { closeTour } from './tour-state.ts'

/** The tour's card. It takes no focus, and the rest of the page keeps working. */
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
        <p className={text.caption}>
          {at + 1} of {steps.length}
        </p>
        <h2>{step.title}</h2>
        <p>{step.text}</p>
      </div>
      <div className={classes.buttons}>
        {!isLast && (
          <Button variant="subtle" color="gray" onClick={end} title="Esc">
            Skip
          </Button>
        )}
        <span className={arrange.grow} />
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

/** Closes the tour and saves that it was seen. When saving fails, it appears again another day. */
function useEndTour(me: CurrentUserDto, card: RefObject<HTMLElement | null>) {
  const { run } = useAction(preferencesContract.endTour, { onFailure: () => undefined })
  return () => {
    // Keyboard focus moves on to the page.
    if (card.current?.contains(document.activeElement)) document.getElementById('content')?.focus()
    closeTour()
    if (me.saw_tour) return
    cacheCurrentUser({ ...me, saw_tour: true })
    void run()
  }
}

/** Draws a ring around the step's target. */
function useStepHighlight(step: TourStep | undefined) {
  useEffect(() => {
    const found = step?.targets?.map((selector) => document.querySelector(selector))
    const target = found?.find((element) => element?.checkVisibility())
    target?.setAttribute('data-toured', '')
    return () => target?.removeAttribute('data-toured')
  }, [step])
}

/** Esc ends the tour, unless a field, a dialog or another open element takes it. */
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
