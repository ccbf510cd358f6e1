import { Button } from '@mantine/core'
import { Suspense } from 'react'
import { readListTotal } from '#contract/paged.ts'
import { useCurrentUser } from '#domains/access/ui/public.ts'
import { timezoneLabels } from '#domains/clients/labels.ts'
import { mailKindTitles, mailState, mailStateTitles } from '#domains/leads/labels.ts'
import { clientReportsContract } from '#domains/reports/client-reports/contract.ts'
import { formatReportSpan, reportPeriodLabels } from '#domains/reports/client-reports/labels.ts'
import { ClientReportsDialog } from '#domains/reports/client-reports/ui/public.ts'
import { renderBadge, renderPageLink, textCell } from '#ui/cells/cells.tsx'
import { EmailLink, EmailText } from '#ui/cells/EmailCell.tsx'
import { RecordLink } from '#ui/cells/RecordLink.tsx'
import { formatInstant } from '#ui/cells/timestamps.ts'
import { useApi } from '#ui/data/useApi.ts'
import { NotFoundPage } from '#ui/feedback/page-states.tsx'
import { useDialog } from '#ui/layout/useDialog.ts'
import { type ClientRecord, recordDays, recordsContract } from '../contract.ts'
import classes from './RecordPage.module.css'
import {
  EmptySection,
  FactList,
  RecordList,
  RecordPage,
  RecordSection,
  SectionState,
  useRecordId,
} from './RecordPage.tsx'

/** A client: its campaigns, contacts, emails, sessions and reports. */
export default function ClientScreen() {
  const id = useRecordId()
  return id === null ? <NotFoundPage /> : <ClientPage key={id} id={id} />
}

/** For lists that grow with every lead or day. */
const rowsAtFirst = 6

function ClientPage({ id }: { id: number }) {
  const query = useApi(recordsContract.client, { params: { id } }, { quiet: true })
  return (
    <RecordPage
      kind="Client"
      query={query}
      title={({ name }) => name}
      actions={({ name }) => renderPageLink('/clients', { search: name }, 'Open in Clients')}
    >
      {(client: ClientRecord) => (
        <div className={classes.split} data-printed-block>
          <div data-printed-block>
            <Campaigns campaigns={client.campaigns} />
            <Reports client={client} />
            <Mails mails={client.mails} />
          </div>
          <div data-printed-block>
            <Contacts client={client} />
            <Logins client={client} />
          </div>
        </div>
      )}
    </RecordPage>
  )
}

function Campaigns({ campaigns }: Pick<ClientRecord, 'campaigns'>) {
  return (
    <RecordSection title="Campaigns" count={campaigns.length}>
      {campaigns.length === 0 && <EmptySection>No campaign yet.</EmptySection>}
      <RecordList label="Campaigns" rows={campaigns}>
        {({ id, name, archived, leads, verified, last_at }) => (
          <>
            <span className={classes.grow}>
              <RecordLink kind="campaign" id={id}>
                {name}
              </RecordLink>{' '}
              {archived === 1 && renderBadge('neutral', 'Archived')}
            </span>
            <span>
              {verified} verified of {leads} in {recordDays} days
            </span>
            <span className={classes.quiet}>{last_at ? `Last lead ${formatInstant(last_at)}` : 'No lead'}</span>
          </>
        )}
      </RecordList>
    </RecordSection>
  )
}

function Contacts({ client }: { client: ClientRecord }) {
  const { account, emails, timezone, disable_notifications } = client
  return (
    <RecordSection title="Contacts">
      <FactList
        facts={[
          ['Account email', account ? <EmailLink key="email" email={account.email} /> : textCell(null)],
          [
            'Additional emails',
            emails.length > 0 ? <EmailText key="emails">{emails.join(', ')}</EmailText> : textCell(null),
          ],
          ['Mails about leads', disable_notifications === 1 ? 'Off' : 'On'],
          ['Time zone', timezoneLabels[timezone] ?? timezone],
        ]}
      />
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

function Mails({ mails }: Pick<ClientRecord, 'mails'>) {
  return (
    <RecordSection title="Mails">
      {mails.length === 0 && <EmptySection>No mail was sent about its leads.</EmptySection>}
      <RecordList label="Mails" rows={mails} atFirst={rowsAtFirst}>
        {({ lead_id, kind, state, recipients, error, created_at }) => (
          <>
            <span className={classes.quiet}>{formatInstant(created_at)}</span>
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
    </RecordSection>
  )
}

function Logins({ client: { account, logins } }: { client: ClientRecord }) {
  return (
    <RecordSection title="Logins">
      {account ? (
        <p>
          {account.username}{' '}
          {renderBadge(account.is_active === 1 ? 'ok' : 'neutral', account.is_active === 1 ? 'Active' : 'Switched off')}
        </p>
      ) : (
        <EmptySection>No account to sign in with.</EmptySection>
      )}
      {account && logins.length === 0 && <EmptySection>Not signed in anywhere.</EmptySection>}
      <RecordList label="Logins" rows={logins} atFirst={rowsAtFirst}>
        {({ created_at, last_used_at, address, user_agent }) => (
          <>
            <span>{formatInstant(created_at)}</span>
            <span className={classes.quiet}>last used {formatInstant(last_used_at)}</span>
            <span className={classes.grow} title={user_agent ?? undefined}>
              {address}
            </span>
          </>
        )}
      </RecordList>
    </RecordSection>
  )
}

function Reports({ client }: { client: ClientRecord }) {
  const { id } = client
  const me = useCurrentUser()
  const dialog = useDialog<ClientRecord>()
  const query = useApi(clientReportsContract.list, { params: { id } }, { quiet: true })
  const reports = query.data?.data
  return (
    <RecordSection
      title="Reports"
      count={query.data && readListTotal(query.data)}
      aside={
        clientReportsContract.create.allow(me ?? null) && (
          <Button size="compact-sm" variant="default" onClick={() => dialog.open(client)}>
            Create report
          </Button>
        )
      }
    >
      {dialog.subject && (
        <Suspense>
          <ClientReportsDialog client={dialog.subject} opened={dialog.opened} onClose={dialog.close} />
        </Suspense>
      )}
      {!reports && <SectionState what="Reports" query={query} />}
      {reports?.length === 0 && <EmptySection>No report was made yet.</EmptySection>}
      <RecordList label="Reports" rows={reports ?? []} atFirst={rowsAtFirst}>
        {(report) => (
          <>
            <span className={classes.grow}>
              {reportPeriodLabels[report.period]}, {formatReportSpan(report)}
            </span>
            <span className={classes.quiet}>
              {report.created_by ? `by ${report.created_by}` : 'by schedule'}, {formatInstant(report.created_at)}
            </span>
            {report.revoked_at && renderBadge('neutral', 'Revoked')}
          </>
        )}
      </RecordList>
    </RecordSection>
  )
}
