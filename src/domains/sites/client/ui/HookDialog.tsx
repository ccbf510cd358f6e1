import { Button, Modal, TextInput } from '@mantine/core'
import { CopyButton } from '#ui/cells/cells.tsx'
import { useAction } from '#ui/data/useAction.ts'
import { useApi } from '#ui/data/useApi.ts'
import { Failed } from '#ui/feedback/QueryStates.tsx'
import { useFocusBack } from '#ui/layout/useFocusBack.ts'
import { clientSites } from '../contract.ts'
import classes from './HookDialog.module.css'

type Props = { site: { id: number; url: string }; opened: boolean; onClose: () => void }

/** Where CallRail and Formidable send what comes in through a site, and the key that its forms carry. */
export function HookDialog({ site, opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={`Hooks of ${site.url}`} size="lg">
      <Hooks id={site.id} />
    </Modal>
  )
}

function Hooks({ id }: { id: number }) {
  useFocusBack()
  const read = useApi(clientSites.hook, { params: { id } }, { quiet: true })
  const make = useAction(clientSites.newHookKey)
  const hook = read.data
  if (read.error) return <Failed what="The addresses" error={read.error} retry={read.refetch} />
  return (
    <div className={classes.hooks} aria-busy={read.isPending}>
      <Copied
        label="CallRail"
        about="In CallRail, Settings, Integrations, Webhooks: for calls, their changes, and form submissions."
        value={hook?.callrail_url}
      />
      <Copied
        label="Formidable"
        about="In the form’s actions, Send API Data: POST, format JSON, with the key below for Basic Auth."
        value={hook?.formidable_url}
      />
      <Copied label="Key" about="The user name of Basic Auth. Whoever has it can send leads." value={hook?.key} />
      <div>
        <Button variant="default" loading={make.running} onClick={() => void make.run({ params: { id } })}>
          {hook?.key ? 'Make a new key' : 'Make a key'}
        </Button>
      </div>
    </div>
  )
}

function Copied({ label, about, value }: { label: string; about: string; value: string | null | undefined }) {
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
