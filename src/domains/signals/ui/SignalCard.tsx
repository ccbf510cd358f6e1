import { Button } from '@mantine/core'
import { Suspense } from 'react'
import { adminsWithPages, type PermissionFlag } from '#contract/allow.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { leadMailsContract } from '#domains/leads/mail/contract.ts'
import { UndoRuleButton } from '#domains/leads/ui/public.ts'
import { renderBadge, renderPageLink } from '#ui/cells/cells.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { formatInstant } from '#ui/cells/timestamps.ts'
import { lazyComponent } from '#ui/data/lazy-part.ts'
import { ActionButton } from '#ui/layout/ActionButton.tsx'
import facts from '#ui/layout/facts.module.css'
import { useDialog } from '#ui/layout/useDialog.ts'
import text from '#ui/theme/text.module.css'
import { type Signal, signalsContract } from '../contract.ts'
import { type SignalSeverity, type SignalSubjectType, signalKindLabels, signalSeverityLabels } from '../labels.ts'
import classes from './Signals.module.css'
import { formatAge, formatLostLeads, getSignalStart, readText } from './signal-times.ts'

const MuteDialog = lazyComponent(() => import('./MuteDialog.tsx'))

const badgeKinds: Record<SignalSeverity, 'bad' | 'warn' | 'neutral'> = {
  severe: 'bad',
  warning: 'warn',
  note: 'neutral',
}

type SignalCardProps = { signal: Signal; explained: readonly Signal[] }

export function SignalCard({ signal, explained }: SignalCardProps) {
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
      <p className={classes.evidence}>{getEvidenceText(signal)}</p>
      <SignalFacts signal={signal} />
      {explained.length > 0 && <Explained signals={explained} />}
      {isOpen && <SignalButtons signal={signal} />}
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
  const list = findSubjectList[signal.subject.type]?.(signal)
  const mayOpen = me && list && adminsWithPages(list.page)(me)
  return mayOpen ? renderPageLink(list.path, list.search, signal.title) : signal.title
}

function SignalFacts({ signal }: { signal: Signal }) {
  const { closed_at, expected_lost, claimed_by, muted_until, probed_at, task_id } = signal
  const start = getSignalStart(signal)
  const isMuted = closed_at === null && muted_until !== null && Date.parse(muted_until) > Date.now()
  return (
    <dl className={`${facts.facts} ${classes.facts}`}>
      {closed_at === null ? (
        <Fact name="Since">
          {formatInstant(start)} <span className={text.quiet}>({formatAge(start, Date.now())})</span>
        </Fact>
      ) : (
        <Fact name="Closed">{formatInstant(closed_at)}</Fact>
      )}
      {expected_lost && (
        <Fact name={closed_at === null ? 'Leads probably lost so far' : 'Leads probably lost'}>
          {formatLostLeads(expected_lost)}
        </Fact>
      )}
      {claimed_by && <Fact name={closed_at === null ? 'Handled by' : 'Was handled by'}>{claimed_by.username}</Fact>}
      {isMuted && <Fact name="Muted until">{formatInstant(muted_until)}</Fact>}
      {closed_at === null && probed_at && <Fact name="Checked">{formatInstant(probed_at)}</Fact>}
      {task_id !== null && <Fact name="Task">made</Fact>}
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className={text.numbers}>{children}</dd>
  </div>
)

/** The signals that this one explains. */
function Explained({ signals }: { signals: readonly Signal[] }) {
  return (
    <details className={classes.explained}>
      <summary>{signals.length === 1 ? 'Explains 1 other' : `Explains ${signals.length} others`}</summary>
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

/** Older signals do not name the mail. */
const isMailToRepeat = ({ kind, evidence }: Signal) =>
  kind === 'mail_refused' && typeof evidence.mail_id === 'number' && typeof evidence.mail_lead_id === 'number'
const toMailInput = ({ evidence }: Signal) => ({
  params: { id: Number(evidence.mail_lead_id), mailId: Number(evidence.mail_id) },
})

function SignalButtons({ signal }: { signal: Signal }) {
  const me = useCurrentUser()
  const muting = useDialog()
  if (!me || !signalsContract.claim.allow(me)) return null
  const input = { params: { id: signal.id } }
  const { kind, claimed_by, muted_until, campaign, task_id } = signal
  const isMuted = muted_until !== null && Date.parse(muted_until) > Date.now()
  return (
    <div className={classes.buttons} data-unprinted>
      {claimed_by === null && (
        <ActionButton call={signalsContract.claim} input={input} label="Claim" variant="filled" />
      )}
      {claimed_by !== null && (claimed_by.id === me.id || me.isSuperAdmin) && (
        <ActionButton call={signalsContract.unclaim} input={input} label="Give back" />
      )}
      {isMuted ? (
        <ActionButton
          call={signalsContract.mute}
          input={{ ...input, body: { until: null } }}
          label="End mute"
          success={() => 'Mute was ended'}
        />
      ) : (
        <Button variant="default" aria-haspopup="dialog" onClick={() => muting.open(undefined)}>
          Mute until…
        </Button>
      )}
      <ActionButton call={signalsContract.probe} input={input} label="Probe" success={describeProbe} />
      {isMailToRepeat(signal) && (
        <ActionButton call={leadMailsContract.sendAgain} input={toMailInput(signal)} label="Send again" />
      )}
      {kind === 'rule_hides_good_leads' && <UndoRuleButton ruleId={Number(signal.subject.id)} />}
      {campaign && task_id === null && kind !== 'task_overdue' && (
        <ActionButton call={signalsContract.task} input={input} label="Make task" />
      )}
      {muting.opened && (
        <Suspense>
          <MuteDialog signal={signal} onClose={muting.close} />
        </Suspense>
      )}
    </div>
  )
}

/** Returns the page of a signal's subject; null where it has none. */
function findSubjectPage({ subject: { type, id }, evidence }: Signal) {
  if (type === 'source') return { kind: 'client_site', id: Number.parseInt(String(id), 10) } as const // 11/callrail is of site 11
  if (type === 'mail' && typeof evidence.mail_lead_id === 'number')
    return { kind: 'lead', id: evidence.mail_lead_id } as const
  if (type === 'campaign') return { kind: type, id: Number(id) } as const
  if (type === 'client_site' || type === 'network_site' || type === 'listing') return { kind: type, id: Number(id) }
  return null
}

type ListSearch = Record<string, string | number>
const listLink = (page: PermissionFlag, path: string, search: ListSearch = {}) => ({ page, path, search })

/** The lists in which subjects without a page can be changed, each with the right that opens it. */
const findSubjectList: Partial<Record<SignalSubjectType, (signal: Signal) => ReturnType<typeof listLink> | null>> = {
  link: ({ subject }) => listLink('outgoingLinks', '/network-sites/outgoing-links', { q: subject.label }),
  redirect_domain: ({ subject }) => listLink('redirectDomains', '/redirect-domains', { q: subject.label }),
  domain: ({ subject, campaign }) =>
    campaign
      ? listLink('clientSites', '/client-sites', { url: subject.label })
      : listLink('networkSites', '/network-sites', { url: subject.label }),
  host: ({ subject }) => listLink('clientSites', '/client-sites', { url: subject.label }),
  ip: ({ subject }) => listLink('ipAddresses', '/ips', { ip: subject.label }),
  google_account: () => listLink('googleLocations', '/gmb-manager'),
  // A super admin's list says there what waits, and what to do about it.
  agency: () => listLink('leads', '/leads'),
  task: ({ campaign, evidence: { date } }) =>
    campaign && typeof date === 'string'
      ? listLink('changelog', '/campaigns-changelog', { from: date, to: date, campaign_ids: campaign.id })
      : null,
}

/** Returns the sentence of the evidence; for a closed signal, what closed it. */
const getEvidenceText = ({ evidence }: Signal): string | null => readText(evidence.says)

/** Returns the sentence that opened a closed signal. */
function getOpeningText({ evidence }: Signal): string | null {
  const opening = evidence.opened_with
  return typeof opening === 'object' && opening !== null && 'says' in opening ? readText(opening.says) : null
}

/** Returns what a probe found: the problem is gone, or what still is wrong. */
const describeProbe = ({ closed_at, title }: Signal): string =>
  closed_at === null ? `Checked, still open: ${title}` : `Checked and closed: ${title}`
