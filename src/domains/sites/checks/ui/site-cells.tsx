import type { ReactNode } from 'react'
import { badge, date, text } from '#ui/cells/cells.tsx'
import { today } from '#ui/cells/days.ts'
import { shownMoment } from '#ui/cells/timestamps.ts'
import { environment } from '#ui/data/environment.ts'
import { type CheckedSite, shownStatus } from '../contract.ts'
import classes from './site-cells.module.css'

/** Cells of sites and domains. */

type Checked = Pick<CheckedSite, 'status'> & Partial<CheckedSite>

/** Live in green, anything else in red; what is wrong, and when it was looked at, on hover. */
export function status({ status: now, blocked, problem, checked_at }: Checked): ReactNode {
  const about = [problem, checked_at ? `Checked ${shownMoment(checked_at)}` : 'Not checked yet']
    .filter(Boolean)
    .join('. ')
  return (
    <span className={classes.marks} title={about}>
      {badge(now ? 'ok' : 'bad', shownStatus(now))}
      {blocked === 1 && badge('warn', 'Blocked')}
    </span>
  )
}

/** 200 in green, any other in red; a certificate that is about to end says so. */
export function httpCode({
  http_status_code: code,
  tls_expires_at,
}: Pick<CheckedSite, 'http_status_code' | 'tls_expires_at'>) {
  if (code === null) return text(null)
  const days = tls_expires_at === null ? null : daysUntil(tls_expires_at.slice(0, 10))
  return (
    <span className={classes.marks}>
      {badge(code === 200 ? 'ok' : 'bad', code)}
      {days !== null && days <= 14 && badge(days <= 3 ? 'bad' : 'warn', days < 0 ? 'TLS ended' : `TLS ${days} d`)}
    </span>
  )
}

/** A day, and how far away it is: red within a month, amber within two. */
export function expiry(day: string | null): ReactNode {
  if (day === null) return text(null)
  const days = daysUntil(day)
  const kind = days <= 30 ? 'bad' : days <= 60 ? 'warn' : 'neutral'
  return (
    <span className={classes.stacked}>
      {date(day)}
      {badge(kind, days < 0 ? 'Expired' : days === 1 ? '1 day left' : `${days.toLocaleString('en-US')} days left`)}
    </span>
  )
}

const daysUntil = (day: string) => Math.round((Date.parse(day) - Date.parse(today(environment.timezone))) / 86_400_000)

/** An address without what all of them have. */
export const shortAddress = (url: string) => url.replace(/^https?:\/\//i, '').replace(/\/$/, '')
