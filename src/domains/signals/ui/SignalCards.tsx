import { useEffect, useRef, useState } from 'react'
import arrange from '#ui/layout/arrange.module.css'
import { usePrinting } from '#ui/layout/printing.ts'
import type { SignalFamily } from './group-signals.ts'
import { SignalCard } from './SignalCard.tsx'
import classes from './Signals.module.css'

/** The number of cards shown at first. */
const shownAtFirst = 10

type SignalCardsProps = { label: string; families: readonly SignalFamily[] }

/** Signals as cards; signals explained by another one are folded into its card. */
export function SignalCards({ label, families }: SignalCardsProps) {
  const [isWhole, setWhole] = useState(false)
  const isPrinting = usePrinting()
  const shown = isWhole || isPrinting ? families : families.slice(0, shownAtFirst)
  return (
    <>
      <ul className={arrange.stackNarrow} data-printed-block aria-label={label}>
        {shown.map(({ signal, children }) => (
          <li key={signal.id}>
            <SignalCard signal={signal} explained={children} />
          </li>
        ))}
      </ul>
      {shown.length < families.length && (
        <button type="button" className={classes.more} data-link onClick={() => setWhole(true)}>
          Show {families.length - shown.length} more
        </button>
      )}
    </>
  )
}

/**
 * Keeps focus on a card that moves to another group, where its button is a new element; the page stays where it is, for the
 * next card. Returns the handler that remembers the focused card.
 */
export function useCardFocus(signals: unknown) {
  const last = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: cards move when the signals are read again.
  useEffect(() => {
    if (last.current && document.activeElement === document.body)
      document.getElementById(last.current)?.focus({ preventScroll: true })
  }, [signals])
  return (event: { target: EventTarget }) => {
    last.current = event.target instanceof Element ? (event.target.closest('article')?.id ?? null) : null
  }
}
