import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { endSentence } from '#contract/end-sentence.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { CopyButton } from '#ui/cells/cells.tsx'
import { formatInstant } from '#ui/cells/timestamps.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import text from '#ui/theme/text.module.css'
import type { GoogleAccount, googleLocationsContract } from '../contract.ts'
import { AddAccountButton } from './AddAccount.tsx'
import classes from './GoogleLocations.module.css'

type Connection = ResponseOf<typeof googleLocationsContract.connection>
type NoticesProps = { accounts: UseQueryResult<GoogleAccount[]>; connection: UseQueryResult<Connection> }

/** Warns about what makes the table incomplete: no connection, no linked account, failed reads. */
export function ConnectionNotices(read: NoticesProps) {
  const { data: accounts } = read.accounts
  const { data: connection } = read.connection
  const failed = [read.accounts, read.connection].find(({ data, error }) => !data && error)
  if (failed?.error) return <QueryError what="The accounts" error={failed.error} retry={failed.refetch} />
  if (!accounts || !connection) return null
  const isConnected = connection.missing.length === 0
  return (
    <>
      {!isConnected && <ConnectGuide connection={connection} shows={accounts.some(({ locations }) => locations > 0)} />}
      {isConnected && accounts.length === 0 && (
        <p className={classes.notice} data-kind="info">
          <span>No Google account is linked yet. Link one, and the locations that it manages appear here.</span>
          <AddAccountButton label="Add New Account" />
        </p>
      )}
      {accounts.map((account) => (
        <AccountNotice key={account.id} account={account} />
      ))}
    </>
  )
}

function AccountNotice({
  account: { email, needs_relink_since, problem, synced_at, syncing },
}: {
  account: GoogleAccount
}) {
  const known = synced_at ? `Last synced ${formatInstant(synced_at)}.` : ''
  if (needs_relink_since)
    return (
      <p className={classes.notice} data-kind="warn">
        <span>
          <b>{email} must be linked again.</b> Google has refused our access since {formatInstant(needs_relink_since)}:
          someone revoked it, or it has expired. {known} Later suspensions do not show here.
        </span>
        <AddAccountButton label="Link again" variant="default" />
      </p>
    )
  if (!problem || syncing) return null
  return (
    <p className={classes.notice} data-kind="warn">
      <span>
        <b>The locations of {email} could not all be read.</b> {endSentence(problem)} {known}
      </span>
    </p>
  )
}

/** The steps to the first linked account, in order. */
function ConnectGuide({
  connection: { missing, redirect_address, scopes },
  shows,
}: {
  connection: Connection
  shows: boolean
}) {
  return (
    <section className={`${classes.guide} ${text.prose}`} aria-labelledby="not-connected">
      <h2 id="not-connected">Google is not connected</h2>
      <p>
        Connect it under Connections, or set <b>{missing.join(' and ')}</b> on the server. Everything else works without
        it
        {shows && '; the locations that were read before are shown below'}.
      </p>
      <ol>
        <li>
          In a project of the <ExternalLink to="https://console.cloud.google.com/">Google Cloud console</ExternalLink>,
          request{' '}
          <ExternalLink to="https://support.google.com/business/contact/api_default">
            access to the Business Profile APIs
          </ExternalLink>
          . Google approves it by hand; until then every quota is 0. The requester should own or manage a profile that
          has been verified for 60 days.
        </li>
        <li>
          Once it is approved, enable there: My Business Account Management API, My Business Business Information API,
          My Business Verifications API.
        </li>
        <li>
          On the consent screen, add the scopes <CopyableCode what="scopes" value={scopes.join(' ')} /> and publish it:
          while it is in Testing, each link ends after seven days.
        </li>
        <li>
          Create an OAuth client of type Web application, with the authorized redirect URI{' '}
          <CopyableCode what="redirect address" value={redirect_address} />
        </li>
        <li>
          A super admin enters that client under Connections; then link the first account here under Manage Accounts.
        </li>
      </ol>
    </section>
  )
}

const CopyableCode = ({ what, value }: { what: string; value: string }) => (
  <span className={classes.copied}>
    <code className={text.breaking}>{value}</code>
    <CopyButton value={value} what={what} />
  </span>
)

const ExternalLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <a href={to} target="_blank" rel="noreferrer noopener">
    {children}
  </a>
)
