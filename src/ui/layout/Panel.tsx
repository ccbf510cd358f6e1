import { type ReactNode, useId } from 'react'
import text from '../theme/text.module.css'
import classes from './Panel.module.css'

type PanelProps = {
  title: string
  /** The number of items; 0 is not shown. */
  count?: number
  /** At the end of the header: a link to all items, or a button that creates one. */
  action: ReactNode
  children: ReactNode
}

/** A short list in a frame of its own. */
export function Panel({ title, count = 0, action, children }: PanelProps) {
  const id = useId()
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <header className={classes.head}>
        <h2 id={id}>
          {title} {count > 0 && <span className={text.quiet}>{count.toLocaleString('en-US')}</span>}
        </h2>
        {action}
      </header>
      {children}
    </section>
  )
}

/** A note in place of the rows: that there are none, or that they are loading. */
export const PanelNote = ({ children }: { children: ReactNode }) => <p className={classes.note}>{children}</p>
