import { type ComponentProps, type CSSProperties, type HTMLAttributes, useEffect, useRef } from 'react'
import classes from './TableFrame.module.css'

type TableFrameProps = HTMLAttributes<HTMLDivElement> & {
  fetching: boolean
  /** As high as its rows, or what the screen has left for them. */
  isList?: boolean
}

/** The frame of any table: its border, and a progress bar at the top while its rows are refreshed. */
export function TableFrame({ className, fetching, isList, children, ...rest }: TableFrameProps) {
  return (
    <div className={`${classes.frame} ${className ?? ''}`} data-list={isList} {...rest}>
      <div className={classes.progress} data-on={fetching || undefined} aria-hidden="true" />
      {children}
    </div>
  )
}

type TableScrollerProps = Omit<ComponentProps<'section'>, 'className' | 'tabIndex' | 'style'> & {
  'aria-label': string
  /** The size of the sticky edges, in pixels or as CSS, so that a focused element is never hidden under them. */
  over: { top: number; start: number | string; end?: number }
}

/** The scrolled region of a table, in both directions. Tab focuses it, and arrow keys its rows. */
export function TableScroller({ over: { top, start, end = 0 }, ...rest }: TableScrollerProps) {
  // CSSProperties does not include custom properties.
  const own = {
    '--over-start': typeof start === 'number' ? `${start}px` : start,
    '--over-end': `${end}px`,
  } as CSSProperties
  return (
    <section
      {...rest}
      className={classes.scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      tabIndex={0}
      style={{ scrollPaddingTop: top, ...own }}
    />
  )
}

/** Shows the first row when another page of the list is chosen: in the table, or on a phone, where the page scrolls, at its top. */
export function usePageStart(scroller: HTMLElement | null, page: number | undefined) {
  const shown = useRef(page)
  useEffect(() => {
    if (shown.current === page) return
    shown.current = page
    scroller?.scrollTo({ top: 0 })
    scroller?.scrollIntoView()
  }, [scroller, page])
}
