import { Button } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { readListTotal } from '#contract/paged.ts'
import type { CurrentUserDto } from '#domains/access/sign-in/contract.ts'
import { SeeAsButton, useCurrentUser } from '#domains/access/ui/public.ts'
import { disputesContract } from '#domains/billing/disputes/contract.ts'
import { type ListedStatement, statementListContract } from '#domains/billing/statements/list/contract.ts'
import { changeDeniedMessage, EditClientDialog, useActiveSwitch } from '#domains/clients/ui/public.ts'
import { clientReportsContract } from '#domains/reports/client-reports/contract.ts'
import { ClientReportsDialog } from '#domains/reports/client-reports/ui/public.ts'
import { CellSwitch } from '#ui/cells/CellSwitch.tsx'
import { countCell, moneyCell } from '#ui/cells/cells.tsx'
import { getQueryKey, queryClient, useApi } from '#ui/data/useApi.ts'
import { NotFoundPage } from '#ui/feedback/page-states.tsx'
import { ShownTogether } from '#ui/feedback/ShownTogether.tsx'
import arrange from '#ui/layout/arrange.module.css'
import { useDialog } from '#ui/layout/useDialog.ts'
import text from '#ui/theme/text.module.css'
import { type ClientRecord, clientRecordContract } from '../client-contract.ts'
import {
  ClientCampaigns,
  ClientContacts,
  ClientEmails,
  ClientLogins,
  ClientReports,
  ClientStatements,
} from './ClientSections.tsx'
import classes from './RecordPage.module.css'
import { EmptySection, RecordPage, RecordSection, useRecordId } from './RecordPage.tsx'

/** A client as an account: what it gets, what it owes, and who it is. */
export default function ClientScreen() {
  const id = useRecordId()
  const me = useCurrentUser()
  return id === null || !me ? <NotFoundPage /> : <ClientPage key={id} me={me} id={id} />
}

type ClientProps = { me: CurrentUserDto; client: ClientRecord }

function ClientPage({ me, id }: { me: CurrentUserDto; id: number }) {
  const query = useApi(clientRecordContract.read, { params: { id } }, { quiet: true })
  const statements = useApi(
    statementListContract.list,
    { query: { client_ids: [id], per_page: 200 } },
    { enabled: statementListContract.list.allow(me), quiet: true },
  )
  const disputes = useApi(
    disputesContract.list,
    { query: { campaign_ids: query.data?.campaigns.map((one) => one.id) ?? [], state: 'open', per_page: 1 } },
    {
      enabled: disputesContract.list.allow(me) && query.data !== undefined && query.data.campaigns.length > 0,
      quiet: true,
    },
  )
  return (
    <RecordPage
      kind="Client"
      query={query}
      title={({ name }) => name}
      about={(client) => <ActiveState client={client} />}
      actions={(client) => <ClientActions me={me} client={client} />}
    >
      {(client: ClientRecord) => (
        <>
          <dl className={`${arrange.row} ${classes.figures}`}>
            <Figure label="Leads this month" value={sumOf(client, 'verified')} of={describeTarget(client)} />
            <Figure label="Not rated" value={client.unrated} />
            {disputesContract.list.allow(me) && (
              <Figure
                label="Open disputes"
                value={client.campaigns.length === 0 ? 0 : countCell(disputes.data && readListTotal(disputes.data))}
              />
            )}
            {statementListContract.list.allow(me) && (
              <Figure label="Open statement" value={moneyCell(sumOpen(statements.data?.data))} />
            )}
          </dl>
          <div className={classes.split} data-printed-block>
            <div data-printed-block>
              <ClientCampaigns campaigns={client.campaigns} />
              <ShownTogether className={arrange.stack} data-printed-block>
                {statementListContract.list.allow(me) && <ClientStatements clientId={id} query={statements} />}
                <ClientReports client={client} />
                <ClientEmails mails={client.mails} />
              </ShownTogether>
            </div>
            <div data-printed-block>
              <ClientContacts client={client} />
              <RecordSection title="Notes">
                {client.notes ? (
                  <p className={classes.notes}>{client.notes}</p>
                ) : (
                  <EmptySection>No notes yet</EmptySection>
                )}
              </RecordSection>
              <ClientLogins client={client} />
            </div>
          </div>
        </>
      )}
    </RecordPage>
  )
}

function ActiveState({ client }: { client: ClientRecord }) {
  const { id, name, user, may_change } = client
  const setActive = useActiveSwitch((_, change) => {
    const queryKey = getQueryKey(clientRecordContract.read, { params: { id } })
    void queryClient.cancelQueries({ queryKey }) // it was sent before the change
    queryClient.setQueryData<ClientRecord>(queryKey, (now) => now && { ...now, ...change })
    return () => queryClient.setQueryData<ClientRecord>(queryKey, (now) => now && { ...now, user })
  })
  if (!user) return <>No account to sign in with</>
  return (
    <>
      Active
      <CellSwitch
        label={`${name} is active`}
        on={user.is_active === 1}
        disabled={!may_change}
        title={may_change ? undefined : changeDeniedMessage}
        set={(on) => void setActive(client, on)}
      />
    </>
  )
}

function ClientActions({ me, client }: ClientProps) {
  const { user, emails, may_change } = client
  const editing = useDialog<ClientRecord>()
  const reports = useDialog<ClientRecord>()
  const addresses = [...(user ? [user.email] : []), ...emails.split('\n').filter((email) => email !== '')]
  return (
    <>
      {addresses.length > 0 && (
        <Button variant="default" component="a" href={`mailto:${addresses.join(',')}`}>
          Email
        </Button>
      )}
      {may_change && user?.is_active === 1 && (
        <Suspense
          fallback={
            <Button variant="default" disabled>
              See as
            </Button>
          }
        >
          <SeeAsButton id={user.id} isWide />
        </Suspense>
      )}
      {may_change && (
        <Button variant="default" onClick={() => editing.open(client)}>
          Edit
        </Button>
      )}
      {may_change && clientReportsContract.create.allow(me) && (
        <Button onClick={() => reports.open(client)}>New report</Button>
      )}
      <Suspense>
        {editing.subject && <EditClientDialog client={client} opened={editing.opened} onClose={editing.close} />}
        {reports.subject && <ClientReportsDialog client={client} opened={reports.opened} onClose={reports.close} />}
      </Suspense>
    </>
  )
}

const sumOf = ({ campaigns }: ClientRecord, what: 'verified' | 'target') =>
  campaigns.reduce((sum, campaign) => sum + campaign[what], 0)

const describeTarget = (client: ClientRecord) => {
  const target = sumOf(client, 'target')
  return target > 0 ? `of ${target}` : undefined
}

/** Of the cycles that run; null while it is read. */
const sumOpen = (statements: readonly ListedStatement[] | undefined) =>
  statements
    ? statements.reduce((sum, { state, total }) => sum + (state === 'open' ? Math.round(total * 100) : 0), 0) / 100
    : null

function Figure({ label, value, of }: { label: string; value: ReactNode; of?: string | undefined }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <b>{value}</b> {of && <span className={text.quiet}>{of}</span>}
      </dd>
    </div>
  )
}
