import { Button, Modal } from '@mantine/core'
import type { AnswerOf } from '#contract/endpoint.ts'
import { badge, count } from '#ui/cells/cells.tsx'
import { shownMoment } from '#ui/cells/timestamps.ts'
import { useAction } from '#ui/data/useAction.ts'
import { useFocusBack } from '#ui/layout/useFocusBack.ts'
import { type GoogleAccount, googleLocations } from '../contract.ts'
import { AddAccount } from './AddAccount.tsx'
import classes from './GoogleLocations.module.css'

type Props = {
  accounts: GoogleAccount[] | undefined
  connection: AnswerOf<typeof googleLocations.connection> | undefined
  onClose: () => void
}

export function Accounts({ accounts, connection, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title="Manage Accounts" size="lg">
      <Connected accounts={accounts} isConnected={connection?.missing.length === 0} />
    </Modal>
  )
}

function Connected({ accounts, isConnected }: { accounts: GoogleAccount[] | undefined; isConnected: boolean }) {
  useFocusBack()
  return (
    <div className={classes.accounts}>
      <h2>Connected accounts</h2>
      {accounts?.length === 0 && <p className={classes.quiet}>No Google account is linked yet.</p>}
      <ul aria-label="Connected accounts" aria-busy={accounts === undefined}>
        {accounts?.map((account) => (
          <Account key={account.id} account={account} />
        ))}
      </ul>
      <div>
        <AddAccount label="Add New Account" disabled={!isConnected} />
        {!isConnected && <p className={classes.quiet}>Google is not connected: the page behind says what to do.</p>}
      </div>
    </div>
  )
}

function Account({ account }: { account: GoogleAccount }) {
  const { run, running } = useAction(googleLocations.unlink)
  const { id, email, account_name, needs_relink_since, may_unlink } = account
  return (
    <li className={classes.account}>
      <div className={classes.who}>
        <b>{account_name}</b>
        {account_name !== email && <span>{email}</span>}
        <span className={classes.quiet}>
          {count(account.locations)} {account.locations === 1 ? 'location' : 'locations'}, {lastRead(account)}
        </span>
      </div>
      {needs_relink_since && badge('warn', 'Needs re-link')}
      {needs_relink_since && <AddAccount label="Link again" variant="default" />}
      <Button
        variant="default"
        aria-label={`Unlink ${email}`}
        loading={running}
        disabled={!may_unlink}
        title={may_unlink ? undefined : 'Only who linked it, or a super admin, can unlink it'}
        onClick={() => void run({ params: { id } })}
      >
        Unlink
      </Button>
    </li>
  )
}

function lastRead({ syncing, synced_at }: GoogleAccount): string {
  if (syncing) return 'being read now'
  return synced_at ? `read ${shownMoment(synced_at)}` : 'not read yet'
}
