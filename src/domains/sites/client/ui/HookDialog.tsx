import { Button, Modal, TextInput } from '@mantine/core'
import { CopyButton } from '#ui/cells/cells.tsx'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { QueryError } from '#ui/feedback/QueryStates.tsx'
import { useRestoreFocus } from '#ui/layout/useFocusBack.ts'
import { clientSitesContract } from '../contract.ts'
import classes from './HookDialog.module.css'

type HookDialogProps = { site: { id: number; url: string }; opened: boolean; onClose: () => void }

/** The addresses that CallRail and Formidable send a site's leads to, and the key of its forms. */
export function HookDialog({ site, opened, onClose }: HookDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Hooks of ${site.url}`} size="lg">
      <HookAddresses id={site.id} />
    </Modal>
  )
}

function HookAddresses({ id }: { id: number }) {
  useRestoreFocus()
  const read = useApi(clientSitesContract.hook, { params: { id } }, { quiet: true })
  const make = useAction(clientSitesContract.newHookKey)
  const hook = read.data
  if (read.error) return <QueryError what="The addresses" error={read.error} retry={read.refetch} />
  return (
    <div className={classes.hooks} aria-busy={read.isPending}>
      <CopyableField
        label="CallRail"
        about="In CallRail, Settings, Integrations, Webhooks: for calls, their changes, and form submissions."
        value={hook?.callrail_url}
      />
      <CopyableField
        label="Formidable"
        about="In the form’s actions, Send API Data: POST, format JSON, with the key below for Basic Auth."
        value={hook?.formidable_url}
      />
      <CopyableField
        label="Key"
        about="The user name of Basic Auth. Anyone who has it can send leads."
        value={hook?.key}
      />
      <div>
        <Button variant="default" loading={make.running} onClick={() => void make.run({ params: { id } })}>
          {hook?.key ? 'Make a new key' : 'Make a key'}
        </Button>
      </div>
    </div>
  )
}

function CopyableField({ label, about, value }: { label: string; about: string; value: string | null | undefined }) {
  return (
    <TextInput
      label={label}
      description={about}
      value={value ?? ''}
      placeholder={value === undefined ? 'Loading…' : 'None yet'}
      readOnly
      variant="filled"
      rightSection={value ? <CopyButton value={value} what={label} /> : undefined}
    />
  )
}
