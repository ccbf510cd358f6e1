import type { ReactNode } from 'react'
import classes from './RowActions.module.css'

/** The buttons of a row, side by side. */
export function RowActions({ children }: { children: ReactNode }) {
  return <div className={classes.actions}>{children}</div>
}
