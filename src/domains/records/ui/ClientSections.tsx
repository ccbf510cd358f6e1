import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { countOf } from '#contract/count-of.ts'
import { formatDaySpan } from '#contract/days.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { formatMoney } from '#contract/money.ts'
import { readListTotal } from '#contract/paged.ts'
import { formatZonedTime } from '#contract/zoned-time.ts'
import { getStatementBadge } from '#domains/billing/statements/labels.ts'
import type { statementListContract } from '#domains/billing/statements/list/contract.ts'
import { StatementDialog } from '#domains/billing/ui/public.ts'
import { timezoneLabels } from '#domains/clients/labels.ts'
import { mailKindTitles, mailState, mailStateTitles } from '#domains/leads/labels.ts'
import {
  clientReportsContract,
  type ReportScheduleRow,
  reportScheduleContract,
} from '#domains/reports/client-reports/contract.ts'
import { reportPeriodLabels, scheduleLabels, scheduleNotes } from '#domains/reports/client-reports/labels.ts'
import { moneyCell, renderBadge, textCell } from '#ui/cells/cells.tsx'
import { EmailLink, EmailText } from '#ui/cells/EmailCell.tsx'
import { PhoneLink } from '#ui/cells/PhoneCell.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { ShortTime } from '#ui/cells/ShortTime.tsx'
import { formatInstantDay } from '#ui/cells/timestamps.ts'
import type { ApiError } from '#ui/data/api.ts'
import { useApi } from '#ui/data/useApi.ts'
import { useDialog } from '#ui/layout/useDialog.ts'
import { PlainTable } from '#ui/table/PlainTable.tsx'
import text from '#ui/theme/text.module.css'
import type { ClientRecord } from '../client-contract.ts'
import { describeLeadEmails } from './describe-lead-emails.ts'
import classes from './RecordPage.module.css'
import { EmptySection, FactList, RecordList, RecordSection, SectionState } from './RecordPage.tsx'

/** For lists that grow with every lead or day. */
const rowsAtFirst = 6

export function ClientCampaigns({ campaigns }: Pick<ClientRecord, 'campaigns'>) {
  const hasTerms = campaigns.some(({ contract }) => contract !== null)
  return (
    <RecordSection title="Campaigns" count={campaigns.length}>
      <PlainTable
        aria-label="Campaigns"
        className={classes.table}
        columns={[
          {
            title: 'Campaign',
            isName: true,
            cell: ({ id, name, archived }) => (
              <>
                <RecordLink kind="campaign" id={id}>
                  {name}
                </RecordLink>{' '}
                {archived === 1 && renderBadge('neutral', 'Archived')}
              </>
            ),
          },
          { title: 'Verified this month', cell: (campaign) => <TargetBar {...campaign} /> },
          ...(hasTerms
            ? [
                { title: 'Manager', cell: ({ contract }: Campaign) => textCell(contract?.manager) },
                {
                  title: 'Fee',
                  align: 'end' as const,
                  cell: ({ contract }: Campaign) => moneyCell(contract?.service_fee),
                },
              ]
            : []),
        ]}
        rows={campaigns}
        rowKey={({ id }) => id}
        none="No campaigns yet"
      />
    </RecordSection>
  )
}

type Campaign = ClientRecord['campaigns'][number]

const TargetBar = ({ verified, target }: Pick<Campaign, 'verified' | 'target'>) => (
  <div className={classes.target}>
    <span>{target > 0 ? `${verified} of ${target}` : verified}</span>
    {target > 0 && (
      <span aria-hidden="true" data-printed-colors>
        <span style={{ width: `${Math.min(100, (100 * verified) / target)}%` }} />
      </span>
    )}
  </div>
)

export function ClientStatements({
  clientId,
  query,
}: {
  clientId: number
  query: UseQueryResult<ResponseOf<typeof statementListContract.list>, ApiError>
}) {
  const reading = useDialog<number>()
  return (
    <RecordSection title="Statements" count={query.data && readListTotal(query.data)}>
      {!query.data && <SectionState what="Statements" query={query} />}
      {query.data?.data.length === 0 && <EmptySection>No statements yet</EmptySection>}
      <RecordList label="Statements" rows={query.data?.data ?? []} atFirst={rowsAtFirst}>
        {({ id, number, campaign, from, to, state, lines, total }) => (
          <>
            <button type="button" data-link className={classes.statement} onClick={() => reading.open(id)}>
              {number ?? formatDaySpan({ from, to })}
            </button>
            <span className={classes.sentence}>
              {campaign.name}
              {number && (
                <>
                  , <span className={`${text.quiet} ${text.oneLine}`}>{formatDaySpan({ from, to })}</span>
                </>
              )}
            </span>
            {renderBadge(...getStatementBadge({ state, lines }))}
            <b className={classes.amount}>{formatMoney(total)}</b>
          </>
        )}
      </RecordList>
      <CutSection list={query.data}>
        <Link to="/statements" search={{ client_ids: clientId, state: '' }}>
          Statements
        </Link>{' '}
        has the earlier ones, by month.
      </CutSection>
      {reading.opened && reading.subject && (
        <Suspense>
          <StatementDialog id={reading.subject} onClose={reading.close} />
        </Suspense>
      )}
    </RecordSection>
  )
}

/** Says that a list has more than its latest rows, and where the others are. */
function CutSection({ list, children }: { list: ReadList | undefined; children?: ReactNode }) {
  if (!list || list.data.length >= readListTotal(list)) return null
  return (
    <EmptySection>
      The latest {list.data.length} are shown. {children}
    </EmptySection>
  )
}

type ReadList = Parameters<typeof readListTotal>[0] & { data: readonly unknown[] }

function describeSchedule({ every, next_at, timezone, recipients }: ReportScheduleRow): string {
  if (every === null) return 'Not sent on a schedule'
  const next = next_at
    ? `next ${formatZonedTime(new Date(next_at), timezone)}, to ${recipients.join(', ') || scheduleNotes.noRecipients}`
    : scheduleNotes.paused
  return `${scheduleLabels[every]}, ${next}`
}

export function ClientReports({ client: { id } }: { client: ClientRecord }) {
  const query = useApi(clientReportsContract.list, { params: { id }, query: { per_page: 200 } }, { quiet: true })
  const { data: schedule, error } = useApi(reportScheduleContract.read, { params: { id } }, { quiet: true })
  return (
    <RecordSection title="Reports" count={query.data && readListTotal(query.data)}>
      {!query.data && <SectionState what="Reports" query={query} />}
      {!schedule && !error && <span data-waiting />}
      {schedule && <p className={text.small}>{describeSchedule(schedule)}</p>}
      {query.data?.data.length === 0 && <EmptySection>No reports yet</EmptySection>}
      <RecordList label="Reports" rows={query.data?.data ?? []} atFirst={rowsAtFirst}>
        {(report) => (
          <>
            <span className={classes.grow}>
              {reportPeriodLabels[report.period]}, {formatDaySpan(report)}
            </span>
            <span className={classes.quiet}>
              {report.created_by ? `by ${report.created_by}` : 'by schedule'}, {formatInstantDay(report.created_at)}
            </span>
            {report.revoked_at
              ? renderBadge('neutral', 'Revoked')
              : report.opened_at
                ? renderBadge('ok', `Opened ${formatInstantDay(report.opened_at)}`)
                : renderBadge('neutral', 'Not opened')}
          </>
        )}
      </RecordList>
      <CutSection list={query.data} />
    </RecordSection>
  )
}

const mailBadges = {
  [mailState.queued]: 'info',
  [mailState.sending]: 'info',
  [mailState.sent]: 'ok',
  [mailState.unknown]: 'warn',
  [mailState.failed]: 'bad',
  [mailState.cancelled]: 'neutral',
} as const

/** Emails about leads: a sentence, and the emails behind it. */
export function ClientEmails({ mails }: Pick<ClientRecord, 'mails'>) {
  const [last] = mails
  return (
    <RecordSection title="Emails">
      {!last && <EmptySection>No emails yet</EmptySection>}
      {last && (
        <details className={text.dense}>
          <summary>
            {describeMails(mails)}, the last <ShortTime at={last.created_at} />
          </summary>
          <RecordList label="Emails" rows={mails}>
            {({ lead_id, kind, state, recipients, error, created_at }) => (
              <>
                <span className={classes.quiet}>
                  <ShortTime at={created_at} />
                </span>
                {renderBadge(mailBadges[state], mailStateTitles[state])}
                <span className={classes.sentence} title={error ?? undefined}>
                  {mailKindTitles[kind]} to <EmailText>{recipients.join(', ')}</EmailText>
                </span>
                <RecordLink kind="lead" id={lead_id}>
                  Lead No. {lead_id}
                </RecordLink>
              </>
            )}
          </RecordList>
        </details>
      )}
    </RecordSection>
  )
}

/** 20 lead emails, all sent; 3 lead emails: 2 sent, 1 refused. */
function describeMails(mails: ClientRecord['mails']) {
  const counts = [...Map.groupBy(mails, ({ state }) => mailStateTitles[state])]
  const what = countOf(mails.length, 'lead email')
  return counts.length === 1
    ? `${what}, ${mails.length > 1 ? 'all ' : ''}${counts[0]![0]}`
    : `${what}: ${counts.map(([title, own]) => `${own.length} ${title}`).join(', ')}`
}

export function ClientContacts({ client }: { client: ClientRecord }) {
  const { user, phone, emails, billing_emails, timezone } = client
  const list = (lines: string) =>
    lines === '' ? textCell(null) : <EmailText>{lines.replaceAll('\n', ', ')}</EmailText>
  return (
    <RecordSection title="Contacts">
      <FactList
        facts={[
          ['Phone', phone ? <PhoneLink key="phone" phone={phone} /> : textCell(null)],
          ['Account email', user ? <EmailLink key="email" email={user.email} /> : textCell(null)],
          ['Additional emails', list(emails)],
          ['Billing emails', list(billing_emails)],
          ['Lead emails', describeLeadEmails(client)],
          ['Time zone', timezoneLabels[timezone] ?? timezone],
        ]}
      />
    </RecordSection>
  )
}

export function ClientLogins({ client: { user, logins, invited } }: { client: ClientRecord }) {
  return (
    <RecordSection title="Logins">
      {user ? <p>{user.username}</p> : <EmptySection>No account to sign in with</EmptySection>}
      {user && logins.length === 0 && (
        <EmptySection>
          {invited ? 'The invitation has not been accepted yet' : 'Never signed in or no active session'}
        </EmptySection>
      )}
      <RecordList label="Logins" rows={logins} atFirst={rowsAtFirst}>
        {({ created_at, last_used_at, address, user_agent }) => (
          <>
            <ShortTime at={created_at} />
            <span className={classes.quiet}>
              last used <ShortTime at={last_used_at} />
            </span>
            <span className={classes.grow} title={user_agent ?? undefined}>
              {address}
            </span>
          </>
        )}
      </RecordList>
    </RecordSection>
  )
}
