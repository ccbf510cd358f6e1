import type { ReactNode } from 'react'
import classes from './LeadFacts.module.css'

type FactProps = {
  label: string
  /** Two short facts share a line. */
  place?: 'first' | 'second'
  children: ReactNode
}

/** A label with its value. */
export function LabeledFact({ label, place, children }: FactProps) {
  return (
    <div className={classes.fact} data-place={place}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
