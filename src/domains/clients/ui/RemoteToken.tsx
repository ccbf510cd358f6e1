import { Button, TextInput } from '@mantine/core'
import { copyText } from '#ui/cells/clipboard.ts'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import arrange from '#ui/layout/arrange.module.css'
import { type Client, clientsContract } from '../contract.ts'

type RemoteTokenFieldProps = { clientId: number; user: NonNullable<Client['user']> }

/** The token that signs the client in on their own site. Read only when the dialog opens, because each read is audited. */
export function RemoteTokenField({ clientId, user }: RemoteTokenFieldProps) {
  const read = useApi(clientsContract.get, { params: { id: clientId } })
  const make = useAction(clientsContract.newRemoteToken)
  const token = read.data?.user?.remote_token
  const isOff = user.is_active === 0

  return (
    <div className={arrange.withButton}>
      <TextInput
        label="Remote Token"
        description={isOff ? 'Switch the client on to make one.' : 'Lasts 90 days; a new one replaces it.'}
        value={token ?? ''}
        placeholder={read.isPending ? 'Loading…' : 'None'}
        error={read.error ? 'The token could not be read' : undefined}
        readOnly
        variant="filled"
      />
      <Button variant="default" disabled={!token} onClick={() => token && void copyText(token)}>
        Copy
      </Button>
      <Button
        variant="default"
        disabled={isOff}
        loading={make.running}
        onClick={() => void make.run({ params: { id: user.id } })}
      >
        Generate
      </Button>
    </div>
  )
}
