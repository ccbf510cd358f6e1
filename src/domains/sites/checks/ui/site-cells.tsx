import type { ReactNode } from 'react'
import { countOf } from '#contract/count-of.ts'
import { msPerDay } from '#contract/days.ts'
import { dateCell, linkCell, renderBadge, textCell } from '#ui/cells/cells.tsx'
import { getToday } from '#ui/cells/days.ts'
import { instantCell } from '#ui/cells/instant-cell.tsx'
import { RecordIconLink } from '#ui/cells/RecordLink.tsx'
import { formatInstant } from '#ui/cells/timestamps.ts'
import { appConfig } from '#ui/data/environment.ts'
import arrange from '#ui/layout/arrange.module.css'
import text from '#ui/theme/text.module.css'
import { nameSiteStatus, type SiteCheckResult } from '../contract.ts'
import classes from './site-cells.module.css'

/** Cells shared by sites and domains. */

/** Shows a site's URL, which opens the site, next to a link to its page. */
export const renderSiteUrl = (kind: 'client_site' | 'network_site', id: number, url: string): ReactNode => (
  <span className={classes.named}>
    {linkCell(url)}
    <RecordIconLink kind={kind} id={id} label="Site page" />
  </span>
)

type CheckedStatus = Pick<SiteCheckResult, 'status'> & Partial<SiteCheckResult>

/** Live in green, anything else in red; the problem and, where it is known, the time of the check on hover. */
export function renderSiteStatus(site: CheckedStatus): ReactNode {
  const { status, blocked, problem, checked_at } = site
  const checked = checked_at === null ? 'Not checked yet' : checked_at && `Checked ${formatInstant(checked_at)}`
  return (
    <span className={arrange.badges} title={[problem, checked].filter(Boolean).join('. ') || undefined}>
      {renderBadge(status ? 'ok' : 'bad', nameSiteStatus(site))}
      {blocked === 1 && renderBadge('warn', 'Blocked')}
    </span>
  )
}

/** Shows the status with the HTTP code, its start, and any problem. */
export function renderSiteState(site: SiteCheckResult): ReactNode {
  const { status, status_since, problem, http_status_code: code } = site
  return (
    <span className={classes.stacked}>
      <span className={arrange.badges}>
        {renderSiteStatus(site)}
        {code !== null && renderHttpCode(site)}
      </span>
      {status === 0 && status_since && (
        <span className={text.caption} data-time>
          since {instantCell(status_since)}
        </span>
      )}
      {problem && (
        <span className={text.caption} title={problem}>
          {problem}
        </span>
      )}
    </span>
  )
}

/** 200 in green, any other code in red, with a badge if the certificate is about to expire. */
export function renderHttpCode({
  http_status_code: code,
  tls_expires_at,
}: Pick<SiteCheckResult, 'http_status_code' | 'tls_expires_at'>) {
  if (code === null) return textCell(null)
  const days = tls_expires_at === null ? null : countDaysUntil(getToday(appConfig.timezone, new Date(tls_expires_at)))
  return (
    <span className={arrange.badges}>
      {renderBadge(code === 200 ? 'ok' : 'bad', code)}
      {days !== null && days <= 14 && renderBadge(days <= 3 ? 'bad' : 'warn', days < 0 ? 'TLS ended' : `TLS ${days} d`)}
    </span>
  )
}

/** Shows a day and its distance: red within a month, amber within two. */
export function renderExpiry(day: string | null): ReactNode {
  if (day === null) return textCell(null)
  const days = countDaysUntil(day)
  const kind = days <= 30 ? 'bad' : days <= 60 ? 'warn' : 'neutral'
  return (
    <span className={classes.stacked}>
      {dateCell(day)}
      {renderBadge(kind, days < 0 ? 'Expired' : `${countOf(days, 'day')} left`)}
    </span>
  )
}

const countDaysUntil = (day: string) =>
  Math.round((Date.parse(day) - Date.parse(getToday(appConfig.timezone))) / msPerDay)
