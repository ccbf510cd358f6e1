import { IconCheck, IconCopy } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { formatMoney } from '#contract/money.ts'
import text from '#ui/theme/text.module.css'
import { usePageAccess } from '../data/page-access.ts'
import { stringifySearch } from '../data/search-params.ts'
import buttons from '../layout/buttons.module.css'
import { CellLink } from './CellLink.tsx'
import classes from './cells.module.css'
import { writeClipboard } from './clipboard.ts'
import { formatClock } from './clock.ts'
import { formatDay } from './days.ts'

/** Contents of table cells. Native elements only: a table has thousands of them. */

/** Shows text unchanged; empty text as an en dash. */
export function textCell(value: string | number | null | undefined): ReactNode {
  return value === null || value === undefined || value === '' ? <span className={text.quiet}>–</span> : value
}

/** Shows at most two lines, and the full text on hover. */
export function clippedTextCell(value: string | null | undefined): ReactNode {
  return value ? (
    <span className={text.twoLines} title={value} data-long={longWord.test(value) || undefined}>
      {value}
    </span>
  ) : (
    textCell(null)
  )
}

/** On paper such a word is broken, so that the other columns keep their width. */
const longWord = /\S{18}/

/** Shows a long name cut in the middle: names start alike and end with their city. */
export function nameCell(value: string | null | undefined): ReactNode {
  const end = value && findNameEnd(value)
  if (!value || !end || value.length <= shortName) return clippedTextCell(value)
  return (
    <span className={classes.parts} title={value}>
      <span>{value.slice(0, -end.length)}</span>
      <span>{end}</span>
    </span>
  )
}
/** Returns the last words of a name: as many as a city may have. */
export const findNameEnd = (name: string) => name.match(/\s(\S.{0,15})$/)?.[1]
/** Names of up to this many characters always fit. */
const shortName = 24

/** Shows a value that is never broken. */
export function wholeCell(value: string | null): ReactNode {
  return value ? <span className={text.oneLine}>{value}</span> : textCell(null)
}

/** Shows yyyy-MM-dd, or the day of an instant, as MM/dd/yyyy. */
export function dateCell(value: string | null | undefined): ReactNode {
  return wholeCell(formatDay(value))
}

/** Shows HH:mm or HH:mm:ss in the user's 12- or 24-hour format. */
export function timeCell(value: string | null | undefined): ReactNode {
  return wholeCell(formatClock(value))
}

/** Shows US dollars in en-US format. */
export function moneyCell(value: number | null | undefined): ReactNode {
  return wholeCell(typeof value === 'number' ? formatMoney(value) : null)
}

const percentFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
export const formatPercent = (value: number) => `${percentFormat.format(value)}%`
/** Shows 33.333 as 33.33%. */
export function percentCell(value: number | null | undefined): ReactNode {
  return value === null || value === undefined ? textCell(null) : formatPercent(value)
}

const integerFormat = new Intl.NumberFormat('en-US')
export function countCell(value: number | null | undefined): ReactNode {
  return value === null || value === undefined ? textCell(null) : integerFormat.format(value)
}

/** The ends of addresses tell them from each other: only longer ones are cut. */
const longestWholeAddress = 64
/** Links to another site, in a new tab. Only web addresses become links. */
export function renderExternalLink(url: string | null | undefined, label = url): ReactNode {
  if (!url || !/^https?:\/\//i.test(url)) return textCell(label)
  const isCut = label && label.length > longestWholeAddress
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" className={isCut ? text.twoLines : undefined} title={url}>
      {label}
    </a>
  )
}

/** Removes the protocol and the trailing slash. */
export const shortenUrl = (url: string) => url.replace(/^https?:\/\//i, '').replace(/\/$/, '')

/** Links to another site under its short address. */
export const linkCell = (url: string | null | undefined): ReactNode => renderExternalLink(url, url && shortenUrl(url))

/** Links to a page of the app with filters; plain text if there is no such page or this person may not open it. */
export function renderPageLink(to: string, search: Record<string, string | number>, label: ReactNode): ReactNode {
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
  const mayOpen = usePageAccess()
  if (!mayOpen(to)) return children
  return <CellLink href={to + stringifySearch(search)}>{children}</CellLink>
}

/** Shows a color next to its label. */
export function renderSwatch(color: string, label: ReactNode): ReactNode {
  return (
    <span className={classes.swatch}>
      <span
        className={classes.dot}
        data-printed-colors
        style={{ background: color }}
        title={color}
        aria-hidden="true"
      />
      {label}
    </span>
  )
}

/** Copies a phone or an email and confirms it. */
export function CopyButton({ value, what }: { value: string; what: string }) {
  const [copied, setCopied] = useState(false)
  return (
    <button
      type="button"
      className={`${buttons.bare} ${buttons.square} ${classes.copy}`}
      data-unprinted
      aria-label={copied ? 'Copied to clipboard' : `Copy ${what}`}
      title={copied ? 'Copied to clipboard' : `Copy ${what}`}
      onClick={async () => {
        if (!(await writeClipboard(value))) return
        setCopied(true)
        setTimeout(() => setCopied(false), 2000)
      }}
    >
      {copied ? <IconCheck size={14} aria-hidden="true" /> : <IconCopy size={14} aria-hidden="true" />}
    </button>
  )
}

type BadgeKind = 'ok' | 'warn' | 'bad' | 'info' | 'neutral'
/** Shows a state as a short colored label. */
export function renderBadge(kind: BadgeKind, label: ReactNode): ReactNode {
  return (
    <span className={classes.badge} data-kind={kind}>
      {label}
    </span>
  )
}
