import type { HTMLAttributes } from 'react'
import classes from './TableFrame.module.css'

type Props = HTMLAttributes<HTMLDivElement> & { className: string | undefined; fetching: boolean }

/** What stands around a table of any kind: its border, and the bar along its top while its rows are read again. */
export function TableFrame({ className, fetching, children, ...rest }: Props) {
  return (
    <div className={`${classes.frame} ${className ?? ''}`} {...rest}>
      <div className={classes.progress} data-on={fetching || undefined} aria-hidden="true" />
      {children}
    </div>
  )
}
