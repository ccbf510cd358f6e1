import { IconCheck, IconCopy } from '@tabler/icons-react'
import { Link, useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import classes from './cells.module.css'
import { shownDay } from './days.ts'

/** What stands in cells. Light native elements only: a table has thousands of them. */

/** Text as it is; empty is an en dash. */
export function text(value: string | number | null | undefined): ReactNode {
  return value === null || value === undefined || value === '' ? <span className={classes.empty}>–</span> : value
}

/** At most two lines, the whole of it on hover. */
export function clipped(value: string | null | undefined): ReactNode {
  return value ? (
    <span className={classes.clipped} title={value}>
      {value}
    </span>
  ) : (
    text(null)
  )
}

/** yyyy-MM-dd, or an instant's day, as MM/dd/yyyy. */
export function date(value: string | null | undefined): ReactNode {
  return text(shownDay(value))
}

/** HH:mm of an HH:mm:ss. */
export function time(value: string | null | undefined): ReactNode {
  return text(value?.match(/^\d\d:\d\d/)?.[0])
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
export const shownMoney = (value: number) => dollars.format(value)
/** US dollars in en-US. */
export function money(value: number | null | undefined): ReactNode {
  return value === null || value === undefined ? text(null) : shownMoney(value)
}

const percents = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
export const shownPercent = (value: number) => `${percents.format(value)}%`
/** 33.333 as 33.33%. */
export function percent(value: number | null | undefined): ReactNode {
  return value === null || value === undefined ? text(null) : shownPercent(value)
}

const whole = new Intl.NumberFormat('en-US')
export function count(value: number | null | undefined): ReactNode {
  return value === null || value === undefined ? text(null) : whole.format(value)
}

/** Elsewhere, in a new tab. Only web addresses become links. */
export function external(url: string | null | undefined, label = url): ReactNode {
  if (!url || !/^https?:\/\//i.test(url)) return text(label)
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" className={classes.clipped} title={url}>
      {label}
    </a>
  )
}

/** To a page of ours, with its filters; plain where that page does not exist. */
export function link(to: string, search: Record<string, string | number>, label: ReactNode): ReactNode {
  return (
    <PageLink to={to} search={search}>
      {label}
    </PageLink>
  )
}

function PageLink({
  to,
  search,
  children,
}: {
  to: string
  search: Record<string, string | number>
  children: ReactNode
}) {
  const { routesByPath } = useRouter()
  if (!(to in routesByPath)) return children
  return (
    <Link to={to} search={search}>
      {children}
    </Link>
  )
}

/** A colour beside what it stands for. */
export function swatch(color: string, label: ReactNode): ReactNode {
  return (
    <span className={classes.swatch}>
      <span className={classes.dot} style={{ background: color }} title={color} aria-hidden="true" />
      {label}
    </span>
  )
}

/** Copies a phone or an email, and says so. */
export function CopyButton({ value, what }: { value: string; what: string }) {
  const [copied, setCopied] = useState(false)
  return (
    <button
      type="button"
      className={classes.copy}
      aria-label={copied ? 'Copied to clipboard' : `Copy ${what}`}
      title={copied ? 'Copied to clipboard' : `Copy ${what}`}
      onClick={async () => {
        await navigator.clipboard.writeText(value)
        setCopied(true)
        setTimeout(() => setCopied(false), 2000)
      }}
    >
      {copied ? <IconCheck size={14} aria-hidden="true" /> : <IconCopy size={14} aria-hidden="true" />}
    </button>
  )
}

type Kind = 'ok' | 'warn' | 'bad' | 'info' | 'neutral'
/** A short word about a state. */
export function badge(kind: Kind, label: ReactNode): ReactNode {
  return (
    <span className={classes.badge} data-kind={kind}>
      {label}
    </span>
  )
}
