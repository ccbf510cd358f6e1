import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { countOf } from '#contract/count-of.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { renderBadge } from '#ui/cells/cells.tsx'
import { ShortTime } from '#ui/cells/ShortTime.tsx'
import { useAction } from '#ui/data/useAction.ts'
import arrange from '#ui/layout/arrange.module.css'
import { ModalDialog } from '#ui/layout/ModalDialog.tsx'
import text from '#ui/theme/text.module.css'
import { type GoogleAccount, googleLocationsContract } from '../contract.ts'
import { AddAccountButton } from './AddAccount.tsx'
import classes from './GoogleLocations.module.css'

type AccountsDialogProps = {
  accounts: GoogleAccount[] | undefined
  connection: ResponseOf<typeof googleLocationsContract.connection> | undefined
  onClose: () => void
}

export function AccountsDialog({ accounts, connection, onClose }: AccountsDialogProps) {
  return (
    <ModalDialog opened onClose={onClose} title="Manage Accounts" size="lg">
      <ConnectedAccounts accounts={accounts} isConnected={connection && connection.missing.length === 0} />
    </ModalDialog>
  )
}

type ConnectedAccountsProps = {
  accounts: GoogleAccount[] | undefined
  /** Undefined until it is known. */
  isConnected: boolean | undefined
}

function ConnectedAccounts({ accounts, isConnected }: ConnectedAccountsProps) {
  return (
    <div className={arrange.stack}>
      <h2>Connected accounts</h2>
      {accounts?.length === 0 && <p className={text.small}>No Google account is linked yet.</p>}
      <ul aria-label="Connected accounts" aria-busy={accounts === undefined}>
        {accounts?.map((account) => (
          <AccountItem key={account.id} account={account} />
        ))}
      </ul>
      <div>
        <AddAccountButton label="Add New Account" disabled={!isConnected} />
        {isConnected === false && (
          <p className={text.small}>Google is not connected: the page behind says what to do.</p>
        )}
      </div>
    </div>
  )
}

function AccountItem({ account }: { account: GoogleAccount }) {
  const { run, running } = useAction(googleLocationsContract.unlink)
  const { id, email, account_name, needs_relink_since, may_unlink } = account
  return (
    <li className={classes.account}>
      <div className={classes.who}>
        <b>{account_name}</b>
        {account_name !== email && <span>{email}</span>}
        <span className={text.small}>
          {countOf(account.locations, 'location')} · {describeLastRead(account)}
        </span>
      </div>
      {needs_relink_since && renderBadge('warn', 'Reconnect account')}
      {needs_relink_since && <AddAccountButton label="Link again" variant="default" />}
      <Button
        variant="default"
        aria-label={`Unlink ${email}`}
        loading={running}
        disabled={!may_unlink}
        title={may_unlink ? undefined : 'Only the person who linked it or a super admin can unlink it'}
        onClick={() => void run({ params: { id } })}
      >
        Unlink
      </Button>
    </li>
  )
}

function describeLastRead({ syncing, synced_at }: GoogleAccount): ReactNode {
  if (syncing) return 'syncing now'
  if (!synced_at) return 'not synced yet'
  return (
    <>
      synced <ShortTime at={synced_at} />
    </>
  )
}
