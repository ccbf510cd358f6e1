import type { ReactNode } from 'react'
import { renderExternalLink } from '#ui/cells/cells.tsx'
import { formatInstant } from '#ui/cells/timestamps.ts'
import classes from './listing-cells.module.css'

/** Cells of GMBs and Google locations. */

/** The day since when, with the time on hover. */
export const renderSince = (at: string | null): ReactNode =>
  at && renderQuietText(`since ${formatInstant(at).slice(0, 10)}`, formatInstant(at))

export const renderQuietText = (text: string, title?: string): ReactNode => (
  <span className={classes.quiet} title={title}>
    {text}
  </span>
)

/** A link without `https://www.` and the last slash. */
export const renderSiteLink = (url: string | null): ReactNode =>
  renderExternalLink(url, url?.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, ''))
