import type { ComponentProps, CSSProperties, HTMLAttributes } from 'react'
import classes from './TableFrame.module.css'

type TableFrameProps = HTMLAttributes<HTMLDivElement> & { className: string | undefined; fetching: boolean }

/** What stands around a table of any kind: its border, and the bar along its top while its rows are read again. */
export function TableFrame({ className, fetching, children, ...rest }: TableFrameProps) {
  return (
    <div className={`${classes.frame} ${className ?? ''}`} {...rest}>
      <div className={classes.progress} data-on={fetching || undefined} aria-hidden="true" />
      {children}
    </div>
  )
}

type TableScrollerProps = Omit<ComponentProps<'section'>, 'className' | 'tabIndex'> & {
  'aria-label': string
  /** What stands still over what is scrolled, in pixels or as CSS has it: what takes the focus is never hidden under it. */
  over: { top: number; start: number | string; end?: number }
}

/** Where a table is scrolled, in both directions; one press of Tab leads there, and arrow keys to its rows. */
export function TableScroller({ over: { top, start, end = 0 }, style, ...rest }: TableScrollerProps) {
  // The type of styles knows no properties of one's own.
  const own = { '--over-end': `${end}px` } as CSSProperties
  return (
    <section
      {...rest}
      className={classes.scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      tabIndex={0}
      style={{ ...style, scrollPaddingTop: top, scrollPaddingLeft: start, ...own }}
    />
  )
}
