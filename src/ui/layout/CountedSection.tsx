import type { ReactNode } from 'react'
import text from '../theme/text.module.css'
import classes from './CountedSection.module.css'

type CountedSectionProps = {
  title: string
  count: number
  /** Shown when there are no items. */
  none: string
  /** The level of its heading: one below the heading that it belongs to. */
  heading: 'h2' | 'h3'
  children: ReactNode
}

/** One of several short lists, with its number of items. */
export function CountedSection({ title, count, none, heading: Heading, children }: CountedSectionProps) {
  return (
    <section className={classes.section} aria-label={title}>
      <Heading className={classes.title}>
        {title} {count > 0 && <span className={text.count}>{count}</span>}
      </Heading>
      {count > 0 ? children : <p className={classes.none}>{none}</p>}
    </section>
  )
}
