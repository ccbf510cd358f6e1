import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import cells from '#ui/cells/cells.module.css'
import { findNameEnd } from '#ui/cells/cells.tsx'
import { formatInstant, formatShortTime } from '#ui/cells/timestamps.ts'
import { isPlainClick } from '#ui/data/search-params.ts'
import arrange from '#ui/layout/arrange.module.css'
import { usePrinting } from '#ui/layout/printing.ts'
import text from '#ui/theme/text.module.css'
import { describeLostLeads } from '../describe-lost-leads.ts'
import { signalGroupLabels, signalSeverities } from '../labels.ts'
import type { SignalFamily } from './group-signals.ts'
import classes from './Signals.module.css'
import { formatAge, getSignalStart } from './signal-times.ts'
import { describeMany, describeSubject } from './signal-words.ts'

/** What the rows of Home have in common. */
type RowsContext = {
  chosen: number | null
  choose: (id: number) => void
  /** What opened since is new; null on the first visit. */
  lastVisit: string | null
}

type SignalRowsProps = RowsContext & { families: readonly SignalFamily[] }

/** The rows of one group, in their order. */
const Rows = ({ label, families, ...context }: SignalRowsProps & { label: string }) => (
  <ul className={classes.rows} aria-label={label}>
    {families.map((family) => (
      <SignalRow key={family.signal.id} {...family} {...context} />
    ))}
  </ul>
)

/** The signals of a section, without groups. */
export const SignalRows = Rows

/** Urgent ones, soon ones, and those for information, which are folded by kind. */
export function UrgencyGroups({ families, ...context }: SignalRowsProps) {
  return signalSeverities.map((severity) => {
    const of = families.filter(({ signal }) => signal.severity === severity)
    const label = signalGroupLabels[severity]
    if (of.length === 0) return null
    return (
      <section key={severity} aria-label={label}>
        <h3 className={classes.groupTitle}>
          {label} <span className={text.light}>{of.length}</span>
        </h3>
        {severity === 'note' ? (
          [...Map.groupBy(of, ({ signal }) => signal.kind)].map(([kind, same]) =>
            same.length === 1 ? (
              <Rows key={kind} label={describeMany(kind, 1)} families={same} {...context} />
            ) : (
              <FoldedRows key={kind} label={describeMany(kind, same.length)} families={same} {...context} />
            ),
          )
        ) : (
          <Rows label={label} families={of} {...context} />
        )}
      </section>
    )
  })
}

/** Signals of one kind behind one row; open while one of them is chosen, and on paper. */
function FoldedRows({ label, ...rows }: SignalRowsProps & { label: string }) {
  const [isOpen, setOpen] = useState(false)
  const isPrinting = usePrinting()
  const isShown = isOpen || isPrinting
  const Chevron = isShown ? IconChevronDown : IconChevronRight
  const newCount = rows.families.filter(({ signal }) => isNew(signal.opened_at, rows.lastVisit)).length
  return (
    <>
      <button
        type="button"
        className={`${classes.row} ${classes.fold}`}
        data-row
        data-hover
        data-ring-inside
        data-unprinted
        aria-expanded={isShown}
        onClick={() => setOpen(!isOpen)}
      >
        <Chevron size={16} aria-hidden="true" />
        {label}
        {newCount > 0 && (
          <span className={`${cells.badge} ${arrange.atEnd}`} data-kind="info">
            {newCount} new
          </span>
        )}
      </button>
      {isShown && <Rows label={label} {...rows} />}
    </>
  )
}

const isNew = (openedAt: string, lastVisit: string | null) => lastVisit !== null && openedAt > lastVisit

function SignalRow({ signal, children, chosen, choose, lastVisit }: SignalFamily & RowsContext) {
  const { id, severity, closed_at, expected_lost, claimed_by, is_mine } = signal
  const { what, where } = describeSubject(signal)
  // Names of campaigns start alike and end with their city, which stays.
  const end = (where && findNameEnd(where)) || ''
  const start = getSignalStart(signal)
  const facts = [
    closed_at === null ? formatAge(start, Date.now()) : `closed ${formatShortTime(closed_at)}`,
    expected_lost && describeLostLeads(expected_lost),
    children.length > 0 && `+${children.length} more`,
    claimed_by?.username,
    is_mine && 'mine',
  ].filter(Boolean)
  return (
    <li>
      <a
        id={`row-${id}`}
        href={`/?signal=${id}`}
        className={classes.row}
        data-row
        data-hover
        data-ring-inside
        data-severity={closed_at === null ? severity : undefined}
        aria-current={id === chosen || undefined}
        title={signal.title}
        onClick={(event) => {
          if (!isPlainClick(event)) return
          event.preventDefault()
          choose(id)
        }}
      >
        <span className={classes.subject}>
          <b>{what}</b>
          {where && <span>{` · ${where.slice(0, where.length - end.length)}`}</span>}
          <span>{end}</span>
        </span>
        <span className={`${text.clipped} ${text.quiet} ${text.dense}`} title={`Since ${formatInstant(start)}`}>
          {facts.join(' · ')}
        </span>
        {closed_at === null && isNew(signal.opened_at, lastVisit) && (
          <span className={`${cells.badge} ${classes.new}`} data-kind="info">
            New
          </span>
        )}
      </a>
    </li>
  )
}
