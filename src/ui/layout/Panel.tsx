import { type ReactNode, useId } from 'react'
import classes from './Panel.module.css'

type PanelProps = {
  title: string
  /** How many there are; not shown when there are none. */
  count?: number
  /** Stands at the end of the head: a way to all of them, or a button that makes one. */
  action: ReactNode
  children: ReactNode
}

/** A short list in a frame of its own, beside others. */
export function Panel({ title, count = 0, action, children }: PanelProps) {
  const id = useId()
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <header className={classes.head}>
        <h2 id={id}>
          {title} {count > 0 && <span>{count.toLocaleString('en-US')}</span>}
        </h2>
        {action}
      </header>
      {children}
    </section>
  )
}

/** Stands where rows would be: that there are none, or that they are read. */
export const PanelNote = ({ children }: { children: ReactNode }) => <p className={classes.note}>{children}</p>
