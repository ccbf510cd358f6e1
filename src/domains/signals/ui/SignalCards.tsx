import { useEffect, useRef, useState } from 'react'
import type { SignalFamily } from './group-signals.ts'
import { SignalCard } from './SignalCard.tsx'
import classes from './Signals.module.css'

/** As many as one looks through at once. */
const shownAtFirst = 10

type SignalCardsProps = { label: string; families: readonly SignalFamily[]; headingLevel?: 2 | 3 }

/** Signals as cards, those that one of them explains folded in it. */
export function SignalCards({ label, families, headingLevel = 3 }: SignalCardsProps) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? families : families.slice(0, shownAtFirst)
  return (
    <>
      <ul className={classes.cards} aria-label={label}>
        {shown.map(({ signal, children }) => (
          <li key={signal.id}>
            <SignalCard signal={signal} explained={children} headingLevel={headingLevel} />
          </li>
        ))}
      </ul>
      {shown.length < families.length && (
        <button type="button" className={classes.more} onClick={() => setWhole(true)}>
          Show {families.length - shown.length} more
        </button>
      )}
    </>
  )
}

/**
 * Keeps the focus on a card that moves to another group: its button is gone with the old one. Returns what remembers the card
 * that has the focus.
 */
export function useCardFocus(signals: unknown) {
  const last = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: cards move when the signals were read again.
  useEffect(() => {
    if (last.current && document.activeElement === document.body) document.getElementById(last.current)?.focus()
  }, [signals])
  return (event: { target: EventTarget }) => {
    last.current = event.target instanceof Element ? (event.target.closest('article')?.id ?? null) : null
  }
}
