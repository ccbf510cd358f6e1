import type { ReactNode } from 'react'
import classes from './CountedSection.module.css'

type CountedSectionProps = {
  title: string
  count: number
  /** What it says when there are none. */
  none: string
  /** Of its heading: one below what it stands under. */
  heading: 'h2' | 'h3'
  children: ReactNode
}

/** One of several short lists under each other, with how many it has. */
export function CountedSection({ title, count, none, heading: Heading, children }: CountedSectionProps) {
  return (
    <section className={classes.section} aria-label={title}>
      <Heading className={classes.title}>
        {title} {count > 0 && <span>{count}</span>}
      </Heading>
      {count > 0 ? children : <p className={classes.none}>{none}</p>}
    </section>
  )
}
