import { Button } from '@mantine/core'
import { useAction } from '#ui/data/useAction.ts'
import { useDialog } from '#ui/layout/useDialog.ts'
import { connectionsContract } from '../contract.ts'
import type { ConnectionKind } from '../labels.ts'
import { NewConnectionDialog } from './ConnectionDialogs.tsx'

const buttonLabels: Record<ConnectionKind, string> = {
  smtp: 'Connect a mail server',
  callrail: 'Connect CallRail',
  google: 'Connect Google',
  legacy: 'Connect an old system',
}

/** Opens the form that connects a service, and tests it when it is saved. */
export default function ConnectButton({ kind }: { kind: ConnectionKind }) {
  const dialog = useDialog()
  const test = useAction(connectionsContract.test, { quiet: true })
  return (
    <>
      <Button variant="default" onClick={() => dialog.open(undefined)}>
        {buttonLabels[kind]}
      </Button>
      <NewConnectionDialog
        kind={kind}
        opened={dialog.opened}
        onClose={dialog.close}
        onSaved={({ id }) => void test.run({ params: { id } })}
      />
    </>
  )
}
