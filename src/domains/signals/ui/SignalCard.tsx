import { IconAlertTriangle, IconCheck, IconHelp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { renderBadge, renderPageLink } from '#ui/cells/cells.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { ShortTime } from '#ui/cells/ShortTime.tsx'
import facts from '#ui/layout/facts.module.css'
import text from '#ui/theme/text.module.css'
import type { Signal } from '../contract.ts'
import { describeChecks } from '../describe-checks.ts'
import { describeLostRange } from '../describe-lost-leads.ts'
import { type SignalSeverity, signalKindLabels, signalSeverityLabels } from '../labels.ts'
import { SignalActs } from './SignalActs.tsx'
import classes from './Signals.module.css'
import { findSubjectList, findSubjectPage } from './signal-links.ts'
import { formatAge, getSignalStart, readText } from './signal-times.ts'
import { describeOdds } from './signal-words.ts'

const badgeKinds: Record<SignalSeverity, 'bad' | 'warn' | 'neutral'> = {
  severe: 'bad',
  warning: 'warn',
  note: 'neutral',
}

type SignalCardProps = {
  signal: Signal
  explained: readonly Signal[]
  /** Between the sentence and the facts: its chart. */
  chart?: ReactNode
  /** At the end: its history. */
  children?: ReactNode
}

/** A signal with what is known of it and what can be done. */
export function SignalCard({ signal, explained, chart, children }: SignalCardProps) {
  const isOpen = signal.closed_at === null
  const opening = getOpeningText(signal)
  const id = `signal-${signal.id}`
  return (
    <article
      id={id}
      className={classes.card}
      data-severity={isOpen ? signal.severity : undefined}
      aria-labelledby={`${id}-title`}
      tabIndex={-1}
    >
      <div className={classes.kinds}>
        {isOpen
          ? renderBadge(badgeKinds[signal.severity], signalSeverityLabels[signal.severity])
          : renderBadge('ok', 'Closed')}
        {signalKindLabels[signal.kind] !== signal.title && <span>{signalKindLabels[signal.kind]}</span>}
        {signal.campaign && <SignalCampaign campaign={signal.campaign} />}
      </div>
      <h3 id={`${id}-title`} className={classes.title}>
        <SignalTitle signal={signal} />
      </h3>
      {opening && <p className={classes.evidence}>{opening}</p>}
      <p className={classes.evidence} title={describeOdds(signal) ?? undefined}>
        {readText(signal.evidence.says)}
      </p>
      {chart}
      <SignalChecks signal={signal} />
      <SignalFacts signal={signal} />
      {explained.length > 0 && <Explained signals={explained} />}
      {isOpen && <SignalActs signal={signal} />}
      {children}
    </article>
  )
}

const SignalCampaign = ({ campaign: { id, name } }: { campaign: NonNullable<Signal['campaign']> }) => (
  <span className={text.quiet}>
    <RecordLink kind="campaign" id={id}>
      {name}
    </RecordLink>
  </span>
)

/** The title, as a link to the page of its subject, or to the list in which it can be changed. */
function SignalTitle({ signal }: { signal: Signal }) {
  const me = useCurrentUser()
  const page = findSubjectPage(signal)
  if (page) return <RecordLink {...page}>{signal.title}</RecordLink>
  const list = me && findSubjectList(me, signal)
  return list ? renderPageLink(list.path, list.search, signal.title) : signal.title
}

/** What was checked, each with a tick, a warning, or a question mark. */
function SignalChecks({ signal: { evidence, closed_at } }: { signal: Signal }) {
  const checks = closed_at === null ? describeChecks(evidence) : []
  if (checks.length === 0) return null
  return (
    <ul className={classes.checks} aria-label="Checks">
      {checks.map(({ text, isFine }) => (
        <li key={text} className={classes.check} data-kind={isFine === null ? undefined : isFine ? 'ok' : 'bad'}>
          {isFine === null ? (
            <IconHelp size={16} aria-label="Unknown" />
          ) : isFine ? (
            <IconCheck size={16} aria-label="Fine" />
          ) : (
            <IconAlertTriangle size={16} aria-label="Wrong" />
          )}
          {text}
        </li>
      ))}
    </ul>
  )
}

function SignalFacts({ signal }: { signal: Signal }) {
  const { closed_at, expected_lost, claimed_by, muted_until, probed_at, task_id } = signal
  const start = getSignalStart(signal)
  const isMuted = closed_at === null && muted_until !== null && Date.parse(muted_until) > Date.now()
  return (
    <dl className={`${facts.facts} ${classes.facts}`}>
      {closed_at === null ? (
        <Fact name="Since">
          <ShortTime at={start} /> <span className={text.quiet}>({formatAge(start, Date.now())})</span>
        </Fact>
      ) : (
        <Fact name="Closed">
          <ShortTime at={closed_at} />
        </Fact>
      )}
      {expected_lost && <Fact name="Estimate">{describeLostRange(expected_lost)}</Fact>}
      {claimed_by && <Fact name={closed_at === null ? 'Handled by' : 'Was handled by'}>{claimed_by.username}</Fact>}
      {isMuted && (
        <Fact name="Snoozed until">
          <ShortTime at={muted_until} />
        </Fact>
      )}
      {closed_at === null && probed_at && (
        <Fact name="Checked">
          <ShortTime at={probed_at} />
        </Fact>
      )}
      {task_id !== null && <Fact name="Task">created</Fact>}
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className={text.numbers}>{children}</dd>
  </div>
)

/** The signals that this one explains. */
function Explained({ signals }: { signals: readonly Signal[] }) {
  return (
    <details className={classes.explained}>
      <summary>
        {signals.length === 1 ? 'Also causes 1 more alert' : `Also causes ${signals.length} more alerts`}
      </summary>
      <ul>
        {signals.map(({ id, title, campaign }) => (
          <li key={id}>
            {title}
            {campaign && (
              <>
                {' · '}
                <SignalCampaign campaign={campaign} />
              </>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Returns the sentence that opened a closed signal. */
function getOpeningText({ evidence }: Signal): string | null {
  const opening = evidence.opened_with
  return typeof opening === 'object' && opening !== null && 'says' in opening ? readText(opening.says) : null
}
