import { useEffect, useRef } from 'react'
import arrange from '#ui/layout/arrange.module.css'
import type { SignalFamily } from './group-signals.ts'
import { SignalCard } from './SignalCard.tsx'

/** Signals as cards; signals explained by another one are folded into its card. */
export const SignalCards = ({ label, families }: { label: string; families: readonly SignalFamily[] }) => (
  <ul className={arrange.stackNarrow} data-printed-block aria-label={label}>
    {families.map(({ signal, children }) => (
      <li key={signal.id}>
        <SignalCard signal={signal} explained={children} />
      </li>
    ))}
  </ul>
)

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
