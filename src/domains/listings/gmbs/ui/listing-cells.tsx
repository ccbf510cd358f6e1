import type { ReactNode } from 'react'
import { renderExternalLink } from '#ui/cells/cells.tsx'
import { formatInstant, formatInstantDay } from '#ui/cells/timestamps.ts'
import text from '#ui/theme/text.module.css'

/** Cells shared by GMBs and Google locations. */

/** Shows a start date, with the time on hover. */
export const renderSince = (at: string | null): ReactNode =>
  at && renderQuietText(`since ${formatInstantDay(at)}`, formatInstant(at))

export const renderQuietText = (words: string, title?: string): ReactNode => (
  <span className={`${text.caption} ${text.oneLine}`} title={title}>
    {words}
  </span>
)

/** Shows a link without `https://www.` and the trailing slash. */
export const renderSiteLink = (url: string | null): ReactNode =>
  renderExternalLink(url, url?.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, ''))
